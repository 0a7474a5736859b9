"""The challenger among many arms: a plan of the arms to sample until the next look.

A look finds the hardest rival pair of every bond of the clusters' trees, and plans the challenger's
arm of the weakest bonds, each arm once. Where another bond across the same cut is better against
every rival pair that is known for the cluster, it takes the bond's place.
"""

import numpy as np

from boclust._jit import kernel, step_kernel
from boclust._validate import BoolArray, FloatArray, IntArray
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
    if clock[KNOWN] == 0:
        link(run)
        clock[KNOWN] = 1
    if run.start.shape[0] == 2 or run.crowd.scores.shape[0] == 0:
        return  # there is only one clustering
    prices = scoring(run)
    wanted = min(run.crowd.scores.shape[0], 2 * clock[PACE] + 8)
    known, shortest = find_rivals(run, prices, wanted)
    if known.bonds[0].max() >= shortest:
        link(run)
        known, shortest = find_rivals(run, prices, wanted)
    plan(run, prices, known, shortest)
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
def plan(run: Run, prices: Prices, known: Survey, shortest: float) -> None:
    """The challenger's arms of the weakest bonds, the weakest first; better bonds for some.

    A bond is as weak as the best one across the same cut against the same rival pair.
    """
    crowd = run.crowd
    n_clusters = run.start.shape[0] - 1
    n_bonds = crowd.scores.shape[0]
    left = crowd.scores.copy()
    counts = run.counts.copy()
    swaps = np.full((n_clusters, 3), -1)
    side = np.zeros(run.counts.shape[0], np.bool_)
    stack = np.empty(run.counts.shape[0], np.int64)
    quads = np.empty((n_bonds, 4), np.int64)
    examined = np.zeros(n_bonds, np.bool_)
    better = np.empty(2, np.int64)
    planned = 0
    while planned < min(crowd.clock[PACE], n_bonds):
        e = int(left.argmin())
        quad = quads[e]
        if not examined[e]:
            examined[e] = True
            quad[0], quad[1] = crowd.ends[e, 0], crowd.ends[e, 1]
            quad[2], quad[3] = crowd.rivals[e, 0], crowd.rivals[e, 1]
            k = run.labels[quad[0]]
            if run.start[k + 1] - run.start[k] > 2:
                split(run, known, e, side, stack)
                left[e] = across(run, prices, side, k, crowd.scores[e], quad, better)
                if left[e] > crowd.scores[e] + ROUNDING * (1.0 + abs(left[e])):
                    if (
                        swaps[k, 0] < 0
                        and distance(run.places, better[0], better[1]) < shortest
                        and is_better(run, prices, better, crowd.scores[e], k)
                    ):
                        swaps[k, 0], swaps[k, 1], swaps[k, 2] = e, better[0], better[1]
                    continue
        if planned == 0:
            run.quad[0], run.quad[1] = crowd.ends[e, 0], crowd.ends[e, 1]
            run.quad[2], run.quad[3] = quad[2], quad[3]
            run.suspect[0], run.suspect[1], run.suspect[2] = quad[0], quad[2], quad[3]
        left[e] = np.inf
        arm = least_pulled(counts, quad)
        counts[arm] += 1.0
        crowd.plan[planned] = arm
        crowd.turns[planned] = counts[arm]
        planned += 1
    crowd.clock[PLANNED] = planned
    for k in range(n_clusters):
        if swaps[k, 0] >= 0:
            crowd.ends[swaps[k, 0], 0] = swaps[k, 1]
            crowd.ends[swaps[k, 0], 1] = swaps[k, 2]


@kernel
def split(run: Run, known: Survey, bond: int, side: BoolArray, stack: IntArray) -> None:
    """The arms on the first end's side of a bond in the tree of its cluster."""
    ends = run.crowd.ends
    k = run.labels[ends[bond, 0]]
    for i in run.arms[run.start[k] : run.start[k + 1]]:
        side[i] = False
    stack[0] = ends[bond, 0]
    side[stack[0]] = True
    size = 1
    while size > 0:
        size -= 1
        i = stack[size]
        for e in known.at[known.at_first[i] : known.at_first[i + 1]]:
            j = ends[e, 1] if ends[e, 0] == i else ends[e, 0]
            if e != bond and not side[j]:
                side[j] = True
                stack[size] = j
                size += 1


@kernel
def across(
    run: Run, prices: Prices, side: BoolArray, k: int, floor: float, quad: IntArray,
    better: IntArray,
) -> float:
    """Two bonds across a cut of cluster k: the one that may be the shortest, into ``quad``.

    And ``better``, the best one against the rival pair in ``quad``; returns its score, or ``floor``
    where none scores more.
    """
    m, n = quad[2], quad[3]
    rival = distance(run.places, m, n)
    members = run.arms[run.start[k] : run.start[k + 1]]
    shortest = np.inf
    best = floor
    for i in members:
        if not side[i]:
            continue
        for j in members:
            if side[j]:
                continue
            length = distance(run.places, i, j)
            hopeful = length - OPTIMISM * np.sqrt(run.noise[i] + run.noise[j])
            if hopeful < shortest:
                shortest = hopeful
                quad[0] = i
                quad[1] = j
            if length < rival:
                score = claim_score(run.places, prices, i, j, m, n, length, rival)
                if score > best:
                    best = score
                    better[0] = i
                    better[1] = j
    return best


@kernel
def is_better(run: Run, prices: Prices, better: IntArray, floor: float, k: int) -> bool:
    """Whether a bond scores more than ``floor`` against all rival pairs known for cluster k."""
    crowd = run.crowd
    a, b = better[0], better[1]
    bond = distance(run.places, a, b)
    for e in range(crowd.scores.shape[0]):
        if run.labels[crowd.ends[e, 0]] == k:
            m, n = crowd.rivals[e, 0], crowd.rivals[e, 1]
            rival = distance(run.places, m, n)
            if not claim_score(run.places, prices, a, b, m, n, bond, rival) > floor:
                return False
    return True


@step_kernel
def planned_arm(rules: Rules, run: Run, pulls: FloatArray) -> int:
    """The first arm of the plan without the samples planned, else the least sampled arm."""
    crowd = run.crowd
    for i in range(crowd.clock[PLANNED]):
        if pulls[crowd.plan[i]] < crowd.turns[i]:
            return crowd.plan[i]
    return fewest(pulls)
