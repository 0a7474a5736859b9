"""Gaps between arms on a line whose means are known within limits (Section VI).

All that is known is that each mean lies within its limits ``low <= high``, which are l_m(t) and
r_m(t) of the paper. A *world* is a choice of means within them. The right gap of an arm is the
distance to the next larger mean (0 if there is none). Left gaps are the right gaps of the mirrored
limits ``(-high, -low)``.
"""

import numpy as np

from boclust._validate import FloatArray, IntArray
from boclust.kernels import kernel
from boclust.problem.trees import count_up


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
    low: FloatArray,
    high: FloatArray,
    order: IntArray,
    part: IntArray,
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
    low: FloatArray,
    high: FloatArray,
    by_low: IntArray,
    by_high: IntArray,
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
