"""The challenger among many arms: a plan of the arms to sample until the next look.

A look finds the hardest rival pair of every bond of the clusters' trees, and plans one sample of
the challenger's arm for each of the weakest bonds.
"""

import numpy as np

from boclust._jit import kernel, step_kernel
from boclust._validate import FloatArray, IntArray
from boclust.crowd_kernels import (
    BLOCK,
    Prices,
    Survey,
    claim_score,
    dangerous_pairs,
    distance,
    link,
    sort_bonds,
    survey,
    threatens,
)
from boclust.run_kernels import FRESH, KNOWN, PACE, PLANNED, WAIT, Rules, Run
from boclust.sampling.challenger_kernels import (
    OPTIMISM,
    ROUNDING,
    least_pulled,
)
from boclust.sampling.turn_kernels import fewest

#: A look comes before the plan is at its end when only few bonds are that close to the weakest.
SLACK = 3.0


@kernel
def scoring(run: Run) -> Prices:
    """The prices of the challenger's score."""
    return Prices(run.inverse, 0.5 * run.logs, 0.5 * run.means.shape[1] * run.logs)


@kernel
def look_at_crowd(rules: Rules, run: Run) -> None:
    """When it is time: the clusters, the hardest rival pair of each bond, and a plan."""
    clock = run.crowd.clock
    clock[WAIT] -= 1
    clock[FRESH] = 0
    if clock[WAIT] > 0:
        return
    prices = scoring(run)
    if clock[KNOWN] == 0:
        link(run)
    wanted = min(run.crowd.scores.shape[0], 2 * clock[PACE] + 8)
    known, shortest = find_rivals(run, prices, wanted)
    clock[KNOWN] = 1
    if known.bonds[0].max() >= shortest:
        link(run)
        known, shortest = find_rivals(run, prices, wanted)
    plan(run, prices)
    clock[FRESH] = 1
    clock[WAIT] = 0
    for score in run.crowd.scores:
        clock[WAIT] += score < run.crowd.scores.min() + SLACK
    clock[WAIT] = min(clock[PACE], max(clock[WAIT], run.counts.shape[0] // 40))


@kernel
def find_rivals(run: Run, prices: Prices, wanted: int) -> tuple[Survey, float]:
    """The hardest rival pair of the ``wanted`` weakest bonds each, and the length of the shortest.

    A bond's score against its last rival pair bounds its present score from above; the largest of
    the ``wanted`` smallest bounds is enough to know of every other bond.
    """
    sort_bonds(run)
    places = run.places
    crowd = run.crowd
    scores = crowd.scores
    shortest = np.inf
    for e in range(scores.shape[0]):
        a, b, m, n = crowd.ends[e, 0], crowd.ends[e, 1], crowd.rivals[e, 0], crowd.rivals[e, 1]
        rival = distance(places, m, n)
        shortest = min(shortest, rival)
        scores[e] = claim_score(places, prices, a, b, m, n, distance(places, a, b), rival)
    if wanted < scores.shape[0]:
        cap = np.partition(scores, wanted - 1)[wanted - 1]
        for e in range(scores.shape[0]):
            if scores[e] > cap:
                scores[e] = cap + ROUNDING * (1.0 + abs(cap))  # stronger than all that are wanted
    known = survey(run, prices, scores)
    pairs = np.empty((BLOCK * BLOCK, 2), np.int64)
    lengths = np.empty(BLOCK * BLOCK)
    for p in range(known.blocks.shape[0]):
        for q in range(p + 1, known.blocks.shape[0]):
            found = dangerous_pairs(run, prices, known, shortest, p, q, pairs, lengths)
            for i in range(found):
                shortest = min(shortest, lengths[i])
                harden(run, prices, known, pairs[i, 0], pairs[i, 1], lengths[i])
    return known, shortest


@kernel
def harden(run: Run, prices: Prices, known: Survey, m: int, n: int, rival: float) -> None:
    """Note the bonds whose hardest rival pair is (m, n) so far."""
    ends = run.crowd.ends
    rivals = run.crowd.rivals
    scores = run.crowd.scores
    bonds = known.bonds
    bins = known.bins
    spread = prices.spread[m] + prices.spread[n]
    toll = prices.in_rival[m] + prices.in_rival[n]
    if threatens(bins, rival, spread, toll):
        for b in range(bins.shape[1]):
            gap = max(rival - bins[0, b], 0.0)
            if gap * gap < 2.0 * (bins[3, b] + bins[2, b] + toll) * (bins[1, b] + spread):
                ceiling = -np.inf
                for e in range(known.first[b], known.first[b + 1]):
                    gap = max(rival - bonds[0, e], 0.0)
                    score = 0.5 * gap * gap / (bonds[1, e] + spread) - bonds[2, e] - toll
                    if score < scores[e]:
                        i, j = ends[e, 0], ends[e, 1]
                        if i != m and i != n and j != m and j != n:
                            scores[e] = score
                            rivals[e, 0] = m
                            rivals[e, 1] = n
                    ceiling = max(ceiling, scores[e])
                bins[3, b] = ceiling
    for shared in (m, n):
        for e in known.at[known.at_first[shared] : known.at_first[shared + 1]]:
            score = claim_score(
                run.places, prices, ends[e, 0], ends[e, 1], m, n, bonds[0, e], rival
            )
            if score < scores[e]:
                scores[e] = score
                rivals[e, 0] = m
                rivals[e, 1] = n


@kernel
def plan(run: Run, prices: Prices) -> None:
    """The challenger's arms of the weakest bonds, the weakest first.

    A bond is as weak as the bottleneck of its cluster's best tree against the same rival pair. That
    tree is taken from then on where it is better than the present one.
    """
    crowd = run.crowd
    n_bonds = crowd.scores.shape[0]
    left = crowd.scores.copy()
    counts = run.counts.copy()
    quads = np.empty((n_bonds, 4), np.int64)
    examined = np.zeros(n_bonds, np.bool_)
    order = np.empty(run.counts.shape[0], np.int64)
    parent = np.empty(run.counts.shape[0], np.int64)
    fresh = run.crowd.ends.copy()
    grown = np.zeros(run.start.shape[0] - 1, np.bool_)
    crowd.clock[PLANNED] = 0
    while crowd.clock[PLANNED] < min(crowd.clock[PACE], n_bonds):
        e = int(left.argmin())
        quad = quads[e]
        if not examined[e]:
            examined[e] = True
            quad[0], quad[1] = crowd.ends[e, 0], crowd.ends[e, 1]
            quad[2], quad[3] = crowd.rivals[e, 0], crowd.rivals[e, 1]
            k = run.labels[quad[0]]
            if run.start[k + 1] - run.start[k] > 2:
                at, left[e] = best_tree(run, prices, k, quad[2], quad[3], order, parent)
                optimistic_across(run, k, at, order, parent, quad)
                if left[e] > crowd.scores[e] + ROUNDING * (1.0 + abs(left[e])):
                    if not grown[k]:
                        grown[k] = True
                        plant(run, k, order, parent, fresh)
                    continue
        if crowd.clock[PLANNED] == 0:
            run.quad[:] = quad
            run.suspect[0], run.suspect[1], run.suspect[2] = quad[0], quad[2], quad[3]
        left[e] = np.inf
        arm = least_pulled(counts, quad)
        counts[arm] += 1.0
        crowd.plan[crowd.clock[PLANNED]] = arm
        crowd.turns[crowd.clock[PLANNED]] = counts[arm]
        crowd.clock[PLANNED] += 1
    crowd.ends[:] = fresh


@kernel
def best_tree(
    run: Run, prices: Prices, k: int, m: int, n: int, order: IntArray, parent: IntArray,
) -> tuple[int, float]:
    """The maximum spanning tree of cluster k under the scores against the rival pair (m, n).

    Prim's algorithm: the arms in the order of joining, and what each joined. Returns where in that
    order the weakest bond is, and its score.
    """
    first, size = run.start[k], run.start[k + 1] - run.start[k]
    rival = distance(run.places, m, n)
    best = np.full(size, -np.inf)
    order[:size] = run.arms[first : first + size]
    weakest = np.inf
    at = 1
    for joined in range(1, size):  # the arms that have joined come first
        a = order[joined - 1]
        chosen = joined
        for i in range(joined, size):
            b = order[i]
            bond = distance(run.places, a, b)
            score = claim_score(run.places, prices, a, b, m, n, bond, rival)
            if score > best[i]:
                best[i] = score
                parent[b] = a
            if best[i] > best[chosen]:
                chosen = i
        if best[chosen] < weakest:
            weakest = best[chosen]
            at = joined
        order[joined], order[chosen] = order[chosen], order[joined]
        best[chosen] = best[joined]
    return at, weakest


@kernel
def plant(run: Run, k: int, order: IntArray, parent: IntArray, ends: IntArray) -> None:
    """Put another tree of cluster k in the place of its present one."""
    at = 1
    for e in range(ends.shape[0]):
        if run.labels[run.crowd.ends[e, 0]] == k:
            ends[e, 0] = order[at]
            ends[e, 1] = parent[order[at]]
            at += 1


@kernel
def optimistic_across(
    run: Run, k: int, at: int, order: IntArray, parent: IntArray, quad: IntArray,
) -> None:
    """Of the bonds across the cut of a tree's bond the one that may be the shortest.

    See ``challenger_kernels.optimistic_bond``.
    """
    size = run.start[k + 1] - run.start[k]
    side = np.zeros(size, np.bool_)
    place = np.empty(run.counts.shape[0], np.int64)
    for i in range(size):
        place[order[i]] = i
        side[i] = i == at or (i > 0 and side[place[parent[order[i]]]])
    shortest = np.inf
    for i in range(size):
        for j in range(size):
            if side[i] and not side[j]:
                a, b = order[i], order[j]
                error = np.sqrt(run.noise[a] + run.noise[b])
                hopeful = distance(run.places, a, b) - OPTIMISM * error
                if hopeful < shortest:
                    shortest = hopeful
                    quad[0] = a
                    quad[1] = b


@step_kernel
def planned_arm(rules: Rules, run: Run, pulls: FloatArray) -> int:
    """The first arm of the plan without the samples planned, else the least sampled arm."""
    crowd = run.crowd
    for i in range(crowd.clock[PLANNED]):
        if pulls[crowd.plan[i]] < crowd.turns[i]:
            return crowd.plan[i]
    return fewest(pulls)
