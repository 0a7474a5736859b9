"""The challenger among many arms: a plan of the arms to sample until the next update.

An update finds the hardest rival pairs of the weakest bonds of the clusters' trees, and plans
samples of their challenger's arms.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from boclust._validate import MOST_ARMS, BoolArray, FloatArray, IntArray, invalid, shown
from boclust.kernels import Struct, copy_matrix, copy_vector, kernel
from boclust.many_arms.survey import (
    BLOCK,
    FRESH,
    PACE,
    PLANNED,
    WAIT,
    Prices,
    Survey,
    Trees,
    below,
    claim_score,
    dangerous_pairs,
    distance,
    link,
    score_of,
    scoring,
    set_price,
    sort_bonds,
    survey,
    threatens,
)
from boclust.problem.trees import labels_of_forest
from boclust.run.saved import check_counts, check_quadruple, check_range
from boclust.run.state import Problem, Run, all_sampled, fewest
from boclust.sampling.base import Kernels
from boclust.sampling.challenger import (
    OPTIMISM,
    PRECISION,
    ROUNDING,
    Challenger,
    least_asked,
    observe,
)
from boclust.sampling.round_robin import RoundRobin

#: How many pairs of arms a plan may look at in its weakest clusters, and how many more for each
#: sample. Beyond that the bonds of the present trees have to do.
FIRST_EFFORT = 16000
EFFORT = 3000
#: A sample planned lifts a bond by that much at least, so that no bond takes the whole plan.
STEP = 0.1


class BestTrees(NamedTuple):
    """Best trees of clusters against one rival pair each, as far as they were examined."""

    quads: IntArray  # K x 4: the challenger's quadruple
    scores: FloatArray  # K: the bottleneck
    ends: IntArray  # the bonds for the next update, with the first such tree of a cluster


@kernel
def update(run: Run, own: Trees) -> None:
    """When it is time: the clusters, the hardest rival pair of each bond, and a plan."""
    clock = own.clock
    clock[WAIT] -= 1
    clock[FRESH] = 0
    if clock[WAIT] > 0:
        return
    if run.start[-1] == 0:  # the first update
        link(run, own)
    if run.start.shape[0] == 2 or own.scores.shape[0] == 0:
        return  # there is only one clustering
    prices = scoring(run, own)
    effort = FIRST_EFFORT + EFFORT * clock[PACE]
    if is_mixed(run, own, prices):
        link(run, own)
        effort = 0  # the new trees have to do
    known, cap = weakest_bonds(run, own, prices, 8 + clock[PACE] // 2)  # some take several samples
    find_rivals(run, own, prices, known)
    plan_samples(run, own, prices, known, cap, effort)
    clock[FRESH] = 1
    clock[WAIT] = clock[PLANNED]


@kernel
def select(run: Run, own: Trees) -> int:
    """The first arm of the plan without the samples planned, else the least sampled arm."""
    for i in range(own.clock[PLANNED]):
        if run.asked[own.plan[i]] < own.turns[i]:
            return int(own.plan[i])
    return fewest(run.asked)


@kernel
def select_in_turn(run: Run, own: Trees) -> int:
    """The least sampled arm."""
    return fewest(run.asked)


@kernel
def plan(run: Run, own: Trees, n: int) -> None:
    """See that the next ``n`` samples are planned together.

    A longer plan than the present one needs a new update.
    """
    clock = own.clock
    wanted = max(n, own.pace)
    longer = wanted > clock[PACE]
    clock[PACE] = wanted
    clock[WAIT] = 0 if longer else min(clock[WAIT], wanted)
    if longer and all_sampled(run.counts):
        update(run, own)


@kernel
def is_mixed(run: Run, own: Trees, prices: Prices) -> bool:
    """Whether some rival pair is no longer than a bond: then the clusters are others."""
    known = survey(run, own, prices, np.full(own.scores.shape[0], -np.inf))
    longest = np.nextafter(known.bonds[0].max(), np.inf)
    pairs = np.empty((BLOCK * BLOCK, 2), np.int64)
    lengths = np.empty(BLOCK * BLOCK)
    for p in range(known.blocks.shape[0]):
        for q in range(p + 1, known.blocks.shape[0]):
            if dangerous_pairs(run, prices, known, longest, p, q, pairs, lengths) > 0:
                return True
    return False


@kernel
def weakest_bonds(run: Run, own: Trees, prices: Prices, wanted: int) -> tuple[Survey, float]:
    """The scores of the bonds against their last rival pairs, in a survey of the bonds and arms.

    These bound the present scores from above; the largest of the ``wanted`` smallest, which is
    returned, is enough to know of every bond that is stronger.
    """
    sort_bonds(run, own)
    scores = own.scores
    for e in range(scores.shape[0]):
        scores[e] = score_of(run.positions, prices, own.ends[e], own.rivals[e])
    cap = np.inf
    if wanted < scores.shape[0]:
        cap = np.partition(scores, wanted - 1)[wanted - 1]
        for e in range(scores.shape[0]):
            if scores[e] > cap:
                scores[e] = cap + ROUNDING * (1.0 + abs(cap))  # stronger than all that are wanted
    return survey(run, own, prices, scores), cap


@kernel
def find_rivals(run: Run, own: Trees, prices: Prices, known: Survey) -> None:
    """The hardest rival pair of each bond whose score is below its ceiling."""
    pairs = np.empty((BLOCK * BLOCK, 2), np.int64)
    lengths = np.empty(BLOCK * BLOCK)
    for p in range(known.blocks.shape[0]):
        for q in range(p + 1, known.blocks.shape[0]):
            found = dangerous_pairs(run, prices, known, 0.0, p, q, pairs, lengths)
            for i in range(found):
                harden(run, own, prices, known, pairs[i, 0], pairs[i, 1], lengths[i])


@kernel
def harden(
    run: Run, own: Trees, prices: Prices, known: Survey, m: int, n: int, rival: float
) -> None:
    """Note the bonds whose hardest rival pair is (m, n) so far."""
    ends = own.ends
    rivals = own.rivals
    scores = own.scores
    bonds = known.bonds
    bins = known.bins
    spread = prices.spread[m] + prices.spread[n]
    toll = prices.in_rival[m] + prices.in_rival[n]
    if threatens(bins, rival, spread, toll):
        for b in range(bins.shape[1]):
            if below(bins[:, b], rival, spread, toll):
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
                run.positions, prices, ends[e, 0], ends[e, 1], m, n, bonds[0, e], rival
            )
            if score < scores[e]:
                scores[e] = score
                rivals[e, 0] = m
                rivals[e, 1] = n


@kernel
def plan_samples(
    run: Run, own: Trees, prices: Prices, known: Survey, cap: float, effort: int
) -> None:
    """The challenger's arms of the bonds that are the weakest, one sample after the other.

    Samples planned already count as taken, with the estimates as they are. Only bonds up to the
    score ``cap`` are asked. Where a bond is not the best one across its cut against its rival pair,
    it is only as weak as the bottleneck of its cluster's best tree against that pair, which is kept
    for the next update; ``effort`` is how many pairs of arms may be examined for that.
    """
    n_bonds = own.scores.shape[0]
    n_clusters = run.start.shape[0] - 1
    left = np.where(own.scores <= cap, own.scores, np.inf)  # those whose rival pair is known
    counts = run.counts.copy()
    then = Prices(prices.spread.copy(), prices.in_bond.copy(), prices.in_rival.copy())
    quads = np.empty((n_bonds, 4), np.int64)
    above = np.zeros(n_bonds)  # how far a bond is above the score of its quadruple
    examined = np.zeros(n_bonds, np.bool_)
    best = BestTrees(np.full((n_clusters, 4), -1), np.empty(n_clusters), own.ends.copy())
    own.clock[PLANNED] = 0
    while own.clock[PLANNED] < min(own.clock[PACE], n_bonds):
        e = int(left.argmin())
        quad = quads[e]
        if not examined[e]:
            examined[e] = True
            quad[0], quad[1] = own.ends[e, 0], own.ends[e, 1]
            quad[2], quad[3] = own.rivals[e, 0], own.rivals[e, 1]
            k = run.labels[quad[0]]
            size = run.start[k + 1] - run.start[k]
            if size > 2 and effort > 0:
                effort -= size * size
                left[e] = examine(run, own, prices, known, best, k, e, quad)
            above[e] = left[e] - score_of(run.positions, prices, quad[:2], quad[2:])
            continue
        score = above[e] + score_of(run.positions, then, quad[:2], quad[2:])
        if score > left[e] + ROUNDING * (1.0 + abs(score)):
            left[e] = score
            continue
        if own.clock[PLANNED] == 0:
            copy_vector(own.quad, quad)
            run.suspect[0], run.suspect[1], run.suspect[2] = quad[0], quad[2], quad[3]
        left[e] += STEP
        arm = least_asked(counts, quad)
        counts[arm] += 1.0
        set_price(then, arm, counts[arm], PRECISION, 1, run.means.shape[1])
        own.plan[own.clock[PLANNED]] = arm
        own.turns[own.clock[PLANNED]] = counts[arm]
        own.clock[PLANNED] += 1
    copy_matrix(own.ends, best.ends)


@kernel
def examine(
    run: Run, own: Trees, prices: Prices, known: Survey, best: BestTrees, k: int, bond: int,
    quad: IntArray,
) -> float:
    """How weak a bond of cluster k is, and the challenger's quadruple for it."""
    m, n = quad[2], quad[3]
    score = own.scores[bond]
    size = run.start[k + 1] - run.start[k]
    side = np.zeros(run.counts.shape[0], np.bool_)
    split(own, known, bond, side)
    if across(run, own, prices, k, side, quad) <= score + ROUNDING * (1.0 + abs(score)):
        return score
    last = best.quads[k]
    if last[2] != m or last[3] != n:
        order = np.empty(size, np.int64)
        parent = np.empty(run.counts.shape[0], np.int64)
        at, best.scores[k] = best_tree(run, prices, k, m, n, order, parent, np.empty(size))
        for i in range(size):
            side[order[i]] = i == at or (i > 0 and side[parent[order[i]]])
        is_first = last[2] < 0
        last[2], last[3] = m, n
        across(run, own, prices, k, side, last)
        if is_first:
            i = 1
            for e in range(own.ends.shape[0]):
                if run.labels[own.ends[e, 0]] == k:
                    best.ends[e, 0] = order[i]
                    best.ends[e, 1] = parent[order[i]]
                    i += 1
    copy_vector(quad, last)
    return best.scores[k]


@kernel
def split(own: Trees, known: Survey, bond: int, side: BoolArray) -> None:
    """The arms on the first end's side of a bond in the tree of its cluster."""
    ends = own.ends
    stack = np.empty(side.shape[0], np.int64)
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
def across(run: Run, own: Trees, prices: Prices, k: int, side: BoolArray, quad: IntArray) -> float:
    """The best score across a cut of cluster k against the rival pair in ``quad``.

    The bond that may be the shortest is put into ``quad``: see
    ``sampling.challenger.optimistic_bond``.
    """
    m, n = quad[2], quad[3]
    rival = distance(run.positions, m, n)
    members = run.arms[run.start[k] : run.start[k + 1]]
    shortest = np.inf
    best = -np.inf
    for i in members:
        if not side[i]:
            continue
        for j in members:
            if side[j]:
                continue
            length = distance(run.positions, i, j)
            hopeful = length - OPTIMISM * np.sqrt(own.noise[i] + own.noise[j])
            if hopeful < shortest:
                shortest = hopeful
                quad[0] = i
                quad[1] = j
            best = max(best, claim_score(run.positions, prices, i, j, m, n, length, rival))
    return best


@kernel
def best_tree(
    run: Run, prices: Prices, k: int, m: int, n: int, order: IntArray, parent: IntArray,
    best: FloatArray,
) -> tuple[int, float]:
    """The maximum spanning tree of cluster k under the scores against the rival pair (m, n).

    Prim's algorithm: the arms in the order of joining, and what each joined. Returns where in that
    order the weakest bond is, and its score.
    """
    first, size = run.start[k], run.start[k + 1] - run.start[k]
    rival = distance(run.positions, m, n)
    for i in range(size):
        order[i] = run.arms[first + i]
        best[i] = -np.inf
    weakest = np.inf
    at = 1
    for joined in range(1, size):  # the arms that have joined come first
        a = order[joined - 1]
        chosen = joined
        for i in range(joined, size):
            b = order[i]
            bond = distance(run.positions, a, b)
            score = claim_score(run.positions, prices, a, b, m, n, bond, rival)
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


@dataclass(frozen=True)
class ManyArmsChallenger(Challenger):
    """The challenger for more arms than a matrix of distances is worth."""

    kernels: ClassVar[Kernels] = observe, update, select
    needs_gaps: ClassVar[bool] = False

    def new(self, problem: Problem) -> Trees:
        """No clusters and no plan yet."""
        return new_trees(problem, self.batch)

    def plan(self) -> Callable[..., None]:
        """The next asks are planned together."""
        return plan

    def check(self, problem: Problem, run: Run, state: Struct) -> None:
        """See ``check_trees``."""
        assert isinstance(state, Trees)
        check_trees(run, state)


@dataclass(frozen=True)
class ManyArmsRoundRobin(RoundRobin):
    """Round robin that keeps the clusters up to date as the challenger does."""

    kernels: ClassVar[Kernels] = observe, update, select_in_turn
    needs_gaps: ClassVar[bool] = False
    observe_is_pure: ClassVar[bool] = True

    def new(self, problem: Problem) -> Trees:
        """No clusters yet."""
        return new_trees(problem, 0)

    def plan(self) -> Callable[..., None]:
        """The next asks are planned together."""
        return plan

    def check(self, problem: Problem, run: Run, state: Struct) -> None:
        """See ``check_trees``."""
        assert isinstance(state, Trees)
        check_trees(run, state)


def check_trees(run: Run, trees: Trees) -> None:
    """Refuse a restored plan of no arms, trees that do not span the clusters, and wrong rivals."""
    m, bonds = len(run.counts), len(trees.ends)
    most = [m, max(trees.pace, MOST_ARMS), 1, bonds]
    for at, (low, high) in enumerate(zip([0, trees.pace, 0, 0], most, strict=True)):
        check_range("sampling.clock", trees.clock[at], low, high)
    check_range("sampling.plan", trees.plan, 0, m - 1)
    check_counts("sampling.turns", trees.turns)
    check_range("sampling.ends", trees.ends, 0, m - 1)
    check_range("sampling.rivals", trees.rivals, 0, m - 1)
    check_quadruple(run, trees.quad)
    if not run.start.any():
        return
    one, two = (np.ascontiguousarray(column) for column in trees.ends.T)
    if (labels_of_forest(m, one, two, bonds) != run.labels).any():
        accepted = "bonds that span the clusters"
        raise invalid("state['sampling.ends']", accepted, shown(trees.ends.tolist()))
    if (run.labels[trees.rivals[:, 0]] == run.labels[trees.rivals[:, 1]]).any():
        accepted = "pairs of arms of different clusters"
        raise invalid("state['sampling.rivals']", accepted, shown(trees.rivals.tolist()))


def new_trees(problem: Problem, batch: int) -> Trees:
    """No clusters and no plan yet; an update once in ``batch`` samples, M/20 by default."""
    m, bonds = problem.n_arms, problem.n_arms - problem.n_clusters
    pace = batch or max(1, m // 20 - 1)
    return Trees(
        pace=pace, clock=np.array([0, pace, 0, 0], dtype=np.int64),
        ends=np.zeros((bonds, 2), dtype=np.int64), rivals=np.zeros((bonds, 2), dtype=np.int64),
        scores=np.zeros(bonds), plan=np.zeros(m, dtype=np.int64), turns=np.zeros(m),
        quad=np.zeros(4, dtype=np.int64), noise=np.zeros(m), inverse=np.zeros(m),
        logs=np.zeros(m),
    )  # fmt: skip
