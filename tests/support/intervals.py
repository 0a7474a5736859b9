"""Arms on a line known by their limits: all extreme worlds within them, and runs that draw them."""

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from boclust._validate import FloatArray, IntArray
from boclust.problem.linkage import single_linkage
from support.instances import few

Round = Callable[[FloatArray, FloatArray, FloatArray, IntArray, FloatArray, IntArray], bool]


def boxes(
    rng: np.random.Generator, count: int, most: int = 4
) -> Iterator[tuple[FloatArray, FloatArray, FloatArray]]:
    """(means, low, high): wide and narrow, lopsided, tied and of no width at all."""
    for _ in few(count):
        m = int(rng.integers(2, most + 1))
        means = rng.standard_normal(m) * 3
        below, above = rng.exponential(rng.choice([0.05, 0.3, 1.0]), (2, m))
        if rng.random() < 0.5:  # on a coarse grid: ties everywhere
            means, below, above = np.rint(means), np.rint(2 * below), np.rint(2 * above)
        if rng.random() < 0.3:
            above = below
        yield means, means - below, means + above


def worlds(low: FloatArray, high: FloatArray) -> FloatArray:
    """All means that are limits, each within its own: extremes of all gaps are among them."""
    limits = np.unique([low, high])
    return np.array(
        list(
            product(
                *[limits[(a <= limits) & (limits <= b)] for a, b in zip(low, high, strict=True)]
            )
        )
    )


def right_gaps(means: FloatArray) -> FloatArray:
    """Row by row each mean's distance to the next larger one, 0 for the largest."""
    ahead = means[:, None, :] - means[:, :, None]
    nearest = np.where(ahead > 0, ahead, np.inf).min(axis=2)
    return np.where(np.isinf(nearest), 0.0, nearest)


def ranked_gaps(means: FloatArray) -> FloatArray:
    """Row by row the gaps of the sorted means, widest first."""
    return -np.sort(-np.diff(np.sort(means)))


def is_clustering(labels: IntArray, means: FloatArray) -> NDArray[np.bool_]:
    """Row by row whether cutting the means where labels change cuts the widest gaps."""
    order = np.argsort(means, axis=1, kind="stable")
    gaps = np.diff(np.take_along_axis(means, order, 1))
    cut = np.diff(labels[order]) != 0
    inner = np.where(cut, 0.0, gaps).max(axis=1)
    outer = np.where(cut, gaps, np.inf).min(axis=1)
    return (cut.sum(axis=1) == labels.max()) & (inner <= outer)


def instances(rng: np.random.Generator, count: int) -> Iterator[tuple[FloatArray, int]]:
    """(means, K) with one clustering only, often with equal means."""
    for _ in few(count):
        while True:
            m = int(rng.integers(3, 8))
            k = int(rng.integers(2, m))
            truth = rng.integers(0, 12, m).astype(float)
            gaps = ranked_gaps(truth[None])[0]
            if gaps[k - 2] > gaps[k - 1]:
                break
        yield truth, k


def covering_rounds(
    rng: np.random.Generator, step: Round, truth: FloatArray
) -> list[tuple[bool, IntArray, IntArray, FloatArray]]:
    """A run whose limits hold the truth in every round but move about as they shrink.

    (finished, status, labels, wanted) after each round, at most 300 of them.
    """
    history = []
    m = len(truth)
    status, labels = np.zeros((m, 2), np.int64), np.zeros(m, np.int64)
    means, low, high, scale = (np.zeros(m) for _ in range(4))
    scale += 20.0
    wanted = np.ones(m)
    for _ in range(300):
        for arm in np.flatnonzero(wanted):
            low[arm], high[arm] = truth[arm] + scale[arm] * np.array([-1, 1]) * rng.random(2)
            means[arm] = rng.uniform(low[arm], high[arm])
            scale[arm] *= 0.9
        finished = step(means, low, high, status, wanted, labels)
        history.append((finished, status.copy(), labels.copy(), wanted.copy()))
        if finished:
            break
    return history


def first_round(
    step: Round, means: FloatArray, low: FloatArray, high: FloatArray
) -> tuple[bool, IntArray, FloatArray, IntArray]:
    """(finished, status, wanted, labels) after one round from the start."""
    m = len(means)
    status, wanted, labels = np.zeros((m, 2), np.int64), np.zeros(m), np.zeros(m, np.int64)
    return step(means, low, high, status, wanted, labels), status, wanted, labels


def gaussian_run(
    rng: np.random.Generator, step: Round, truth: FloatArray, delta: float, batch: int, most: float
) -> tuple[bool, bool, IntArray, IntArray, FloatArray]:
    """(finished, covered, labels, status, counts) of a run with ``batch`` samples an arm and round.

    The radius is the paper's; covered tells whether all limits held the truth.
    """
    m = len(truth)
    counts, sums, wanted = np.zeros(m), np.zeros(m), np.ones(m)
    status, labels = np.zeros((m, 2), np.int64), np.zeros(m, np.int64)
    finished, covered = False, True
    while not finished and counts.sum() < most:
        counts += batch * wanted
        sums += wanted * (batch * truth + np.sqrt(batch) * rng.standard_normal(m))
        means = sums / counts
        radius = np.sqrt(2 / counts * np.log(4 * m * counts**2 / delta))
        covered = covered and bool(np.all(np.abs(means - truth) <= radius))
        finished = step(means, means - radius, means + radius, status, wanted, labels)
    return finished, covered, labels, status, counts


def clusters_of(truth: FloatArray, n_clusters: int) -> list[int]:
    """Single linkage of the true means."""
    found: list[int] = single_linkage(truth[:, None], n_clusters).labels.tolist()
    return found


def printed_ceilings(means: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """U^k as the paper prints it: limits in the order of the estimates."""
    down = np.argsort(-means, kind="stable")
    return np.array([high[down[:k]].min() - low[down[k:]].max() for k in range(1, len(means))])
