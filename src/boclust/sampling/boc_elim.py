"""BOC-ELIM (Section VI of the paper): arms on a line, a side of an arm at a time.

On a line the K clusters are cut at the K - 1 widest of the M - 1 gaps between neighbouring means,
the *top* gaps. All these kernels know is that each mean lies within its limits ``low <= high``;
a *world* is a choice of means within them. The right gap of an arm is the distance to the next
larger mean (0 if there is none); the left gap is the right gap of the mirrored limits
``(-high, -low)``.

Claims made in earlier rounds are kept although the limits have moved since. Each is true if the
limits of the round in which it was made held the true means, so all are if all rounds' limits did.
If some did not, claims may contradict each other and a run may never end.
"""

import numpy as np

from boclust.kernels import kernel
from boclust._validate import FloatArray, IntArray
from boclust.problem.trees import count_up

#: What is known of a side of an arm: its gap is not a top one (F), or it is (S).
ACTIVE = 0
RULED_OUT = 1
IDENTIFIED = 2
#: The sides of an arm: columns of ``status``.
LEFT = 0
RIGHT = 1


@kernel
def ascending(values: FloatArray) -> IntArray:
    """The order of the values, smallest first, ties by number; by insertion."""
    order = np.arange(values.shape[0])
    for i in range(1, values.shape[0]):
        j = i
        while j > 0 and values[order[j - 1]] > values[i]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
    return order


@kernel
def kth_largest(values: FloatArray, k: int) -> float:
    """The k-th largest value, k = 1 the largest."""
    return values[ascending(values)[values.shape[0] - k]]


@kernel
def split(means: FloatArray, order: IntArray, n_clusters: int, labels: IntArray) -> None:
    """Cut the estimates, given with their order, at their n_clusters - 1 widest gaps."""
    n_arms = means.shape[0]
    gaps = np.zeros(n_arms - 1)
    for k in range(n_arms - 1):
        if means[order[k]] < means[order[k + 1]]:  # both may be the same infinity
            gaps[k] = means[order[k + 1]] - means[order[k]]
    starts = np.zeros(n_arms, np.bool_)
    by_gap = ascending(gaps)
    for k in range(n_arms - n_clusters, n_arms - 1):
        starts[by_gap[k] + 1] = True
    piece = 0
    for k in range(n_arms):
        piece += starts[k]
        labels[order[k]] = piece
    count_up(labels, np.empty(n_clusters, np.int64))


@kernel
def widest_right_gaps(
    low: FloatArray, high: FloatArray, order: IntArray, part: IntArray,
) -> FloatArray:
    """The supremum over all worlds of each arm's right gap among the arms of its own part.

    ``max over x in {l_j: l_m <= l_j <= r_m} of G_m(x)``, where G_m(x) is what remains with arm m
    at x: arms with a lower limit above x must lie right of it, the nearest at most at
    ``min {r_j: l_j > x}``; all others can hide at or below x. If all can, one of them is put at
    ``max {r_j: j != m}`` (no gap if that is below x). G_m falls between the points l_j and jumps up
    at them, so these suffice, and the supremum is attained (the paper's maximum right gap).
    ``order`` is that of the lower limits.
    """
    n_arms = low.shape[0]
    largest = np.full(n_arms, -np.inf)  # upper limit of each part, and the next one
    second = np.full(n_arms, -np.inf)
    for j in range(n_arms):
        k = part[j]
        second[k] = max(second[k], min(largest[k], high[j]))
        largest[k] = max(largest[k], high[j])
    least = np.full(n_arms, np.inf)  # upper limit of each part among the arms above the present l_j
    barrier = np.empty(n_arms)
    above = n_arms
    for at in range(n_arms - 1, -1, -1):
        while low[order[above - 1]] > low[order[at]]:
            above -= 1
            k = part[order[above]]
            least[k] = min(least[k], high[order[above]])
        barrier[at] = least[part[order[at]]]
    widest = np.zeros(n_arms)
    for at in range(n_arms):
        m = order[at]
        k = part[m]
        farthest = second[k] if high[m] == largest[k] else largest[k]
        for i in range(at, n_arms):
            x = low[order[i]]
            if x > high[m] or x >= farthest:
                break
            if part[order[i]] == k:
                widest[m] = max(widest[m], min(barrier[i], farthest) - x)
    return widest


@kernel
def narrowest_right_gaps(low: FloatArray, high: FloatArray, order: IntArray) -> FloatArray:
    """A lower bound of each arm's right gap: positive only if its limits overlap no other's.

    ``min {l_j: l_j > r_m} - r_m`` (the paper's minimum right gap). In the ``order`` of the lower
    limits, all arms before m must end before it and the next one must begin after it.
    """
    n_arms = low.shape[0]
    narrowest = np.zeros(n_arms)
    reached = -np.inf
    for at in range(n_arms - 1):
        m = order[at]
        following = low[order[at + 1]]
        if (at == 0 or reached < low[m]) and high[m] < following < np.inf:
            narrowest[m] = following - high[m]
        reached = max(reached, high[m])
    return narrowest


@kernel
def gap_floors(low: FloatArray, high: FloatArray, order: IntArray) -> FloatArray:
    """L^k: for each cut of ``order`` the least lower limit above it less the greatest upper below.

    Where it is positive the cut exists in every world and its gap is at least so wide. Hence in
    every world the k-th largest of all gaps is at least the k-th largest floor.
    """
    n_arms = low.shape[0]
    floors = np.empty(n_arms - 1)
    least = np.inf
    for k in range(n_arms - 2, -1, -1):
        least = min(least, low[order[k + 1]])
        floors[k] = least
    greatest = -np.inf
    for k in range(n_arms - 1):
        greatest = max(greatest, high[order[k]])
        floors[k] -= greatest
    return floors


@kernel
def gap_ceilings(
    low: FloatArray, high: FloatArray, by_low: IntArray, by_high: IntArray,
) -> FloatArray:
    """U^k: an upper bound of the gap between the k-th smallest and the next mean of any world.

    The k-th smallest mean is at least the k-th smallest lower limit, the next at most the
    (k + 1)-th smallest upper limit. So in every world the k-th largest of all gaps is at most the
    k-th largest ceiling. The paper takes the limits in the order of the *estimates*: the same where
    all intervals are equally wide, and too small, no bound at all, where they are not.
    """
    ceilings = np.empty(low.shape[0] - 1)
    for k in range(low.shape[0] - 1):
        ceilings[k] = high[by_high[k + 1]] - low[by_low[k]]
    return ceilings


@kernel
def certified(
    low: FloatArray, high: FloatArray, order: IntArray, floors: FloatArray, labels: IntArray,
    status: IntArray,
) -> bool:
    """Whether the clusters ``labels``, pieces of ``order``, are the true ones.

    They are if each of their K - 1 cuts has a positive floor, the least being f, and each arm's
    right gap *within its cluster* is at most f in every world or has been ruled out (proof:
    ``docs/explanation/stopping-rules.md``).
    """
    least = np.inf
    for k in range(floors.shape[0]):
        if labels[order[k]] != labels[order[k + 1]]:
            least = min(least, floors[k])
    if not least > 0.0:
        return False
    inner = widest_right_gaps(low, high, ascending(low), labels)
    for arm in range(low.shape[0]):
        if inner[arm] > least and status[arm, RIGHT] != RULED_OUT:
            return False
    return True


@kernel
def claim_sides(
    low: FloatArray, high: FloatArray, by_low: IntArray, floor: float, ceiling: float, side: int,
    status: IntArray,
) -> None:
    """Rule out or identify the active sides of arms, which look to the right in these limits.

    No gap is narrower than zero, and none is certain to be wider than all floors: if the floor is
    not positive and no cut has one above the ceiling, no side can be claimed.
    """
    widest = widest_right_gaps(low, high, by_low, np.zeros(low.shape[0], np.int64))
    narrowest = narrowest_right_gaps(low, high, by_low)
    for arm in range(low.shape[0]):
        if status[arm, side] == ACTIVE:
            if widest[arm] < floor:
                status[arm, side] = RULED_OUT
            elif narrowest[arm] > ceiling:
                status[arm, side] = IDENTIFIED


@kernel
def want_active(status: IntArray, wanted: FloatArray) -> None:
    """The arms with an active side; all arms if there is none."""
    none = True
    for arm in range(wanted.shape[0]):
        active = status[arm, LEFT] == ACTIVE or status[arm, RIGHT] == ACTIVE
        wanted[arm] = 1.0 if active else 0.0
        none = none and not active
    if none:
        wanted[:] = 1.0


@kernel
def elimination_round(
    means: FloatArray, low: FloatArray, high: FloatArray, n_clusters: int, status: IntArray,
    wanted: FloatArray, labels: IntArray,
) -> bool:
    """One round of BOC-ELIM for 2 <= K < M; returns whether ``labels`` are certain.

    A side is ruled out when its widest gap is below the (K - 1)-th largest floor, identified when
    its narrowest gap is above the K-th largest ceiling. The floor is at most the (K - 1)-th widest
    gap of any world and the ceiling at least the K-th, so both claims hold in every world, and no
    side meets both. The outer sides of the two extreme arms have no gap and are ruled out too.

    It ends when the clusters of the estimates are ``certified``. The paper ends when all 2 (K - 1)
    sides of the top gaps are identified or the 2 (M - K) other sides (2 more with the outer ones)
    are ruled out, and mentions that an earlier end is possible where only the clusters matter: this
    is it, and it also ends where several arms share the mean next to a cut. Where the claims of one
    round make the paper's rule end, the certificate holds in that round:

    - all sides of top gaps identified: K - 1 floors exceed all but K - 1 ceilings, and no gap
      inside a cluster exceeds those;
    - all others ruled out: in every world the K - 1 arms below the cuts are those not ruled out on
      the right. The lower arm of a gap inside a cluster is none of them, so the gap is narrower
      than the floors.

    Where the paper's rule counts claims of rounds whose limits have moved since, the present limits
    may not say to which cluster an arm belongs: sampling goes on, of all arms once none is active.
    """
    order = ascending(means)
    split(means, order, n_clusters, labels)
    floors = gap_floors(low, high, order)
    widest_floor = floors.max()
    if not widest_floor > 0.0:  # no cut is certain to exist: nothing can be claimed
        want_active(status, wanted)
        return False
    floor = kth_largest(floors, n_clusters - 1)
    by_low = ascending(low)
    by_high = ascending(high)
    ceiling = kth_largest(gap_ceilings(low, high, by_low, by_high), n_clusters)
    if floor > 0.0 or widest_floor > ceiling:  # else there is nothing to claim
        claim_sides(low, high, by_low, floor, ceiling, RIGHT, status)
        claim_sides(-high, -low, by_high[::-1].copy(), floor, ceiling, LEFT, status)
    if certified(low, high, order, floors, labels, status):
        wanted[:] = 0.0
        return True
    want_active(status, wanted)
    return False
