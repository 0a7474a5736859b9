"""The nearest alternative to the estimates of a run."""

import numpy as np

from boclust.kernels import kernel
from boclust._validate import FloatArray, IntArray
from boclust.psi.line import nearest_alternative
from boclust.psi.near import near_alternative
from boclust.kernels import copy_matrix
from boclust.run.state import Rules, Run


@kernel
def line_order(places: FloatArray, labels: IntArray, order: IntArray, start: IntArray) -> bool:
    """Sort arms on a line, cluster after cluster; False where d_intra >= d_inter (a tie)."""
    m = labels.shape[0]
    for i in range(m):
        j = i
        while j > 0 and (
            places[order[j - 1]] > places[i]
            or (places[order[j - 1]] == places[i] and labels[order[j - 1]] > labels[i])
        ):
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
    k = 0
    start[0] = 0
    intra = -1.0
    inter = np.inf
    for i in range(1, m):
        gap = places[order[i]] - places[order[i - 1]]
        if labels[order[i]] != labels[order[i - 1]]:
            k += 1
            if k < start.shape[0]:
                start[k] = i
            inter = min(inter, gap)
        else:
            intra = max(intra, gap)
    start[start.shape[0] - 1] = m
    return intra < inter and k == start.shape[0] - 2


@kernel
def line_alternative(
    rules: Rules, run: Run, weights: FloatArray, alternative: FloatArray,
) -> tuple[float, float]:
    """A lower bound of psi for d = 1, and the cost of the nearest alternative found (M x 1).

    They differ for exponential samples compared by their means only.
    """
    m = run.means.shape[0]
    order = np.empty(m, np.int64)
    start = np.empty(run.start.shape[0], np.int64)
    copy_matrix(alternative, run.means)
    if not line_order(run.places.reshape(m), run.labels, order, start):
        return 0.0, 0.0
    found = nearest_alternative(
        rules.family, rules.in_mean, run.means.reshape(m), weights, run.places.reshape(m), order,
        start, alternative.reshape(m),
    )
    return found[0], found[1]


@kernel
def confusing_instance(
    rules: Rules, run: Run, weights: FloatArray, limit: float, alternative: FloatArray,
    space: bool | None,
) -> float:
    """The cost of a near alternative (M x d) to the present estimates.

    psi for d = 1; in space the cheapest change at the bottleneck of a spanning tree, or ``limit``
    where there is none below. ``space`` is None for d = 1: Numba then leaves out what is for d > 1,
    which takes long to compile.
    """
    if space is None:
        return line_alternative(rules, run, weights, alternative)[1]
    return near_alternative(run.means, run.gaps, weights, run.arms, run.start, limit, alternative)
