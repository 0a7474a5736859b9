"""What every rule sees of an adaptive run: the samples, the estimates and the present clusters.

Samples of Gaussian, sub-Gaussian and bounded arms are in units of sigma, those of one-parameter
families as they are. Each rule has a state of its own (see ``sampling.base``, ``stopping.base``).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from boclust._validate import FloatArray, IntArray
from boclust.kernels import Struct, f1, f2, i1, inlined, inner_kernel, kernel, scratch
from boclust.problem.families import Family


@dataclass(frozen=True)
class Problem:
    """What a rule knows before the first sample."""

    n_arms: int
    dim: int
    n_clusters: int
    family: Family
    delta: float


class Run(Struct):
    """The samples of a run and what follows from them; arrays over arms unless said otherwise."""

    #: The family as kernels know it: see ``problem.families``.
    law: Any
    # the samples
    counts: f1  # told
    asked: f1 = scratch  # told or pending: set before an arm is selected
    sample: f1 = scratch  # d, the one that is being observed
    sums: f2  # M x d
    scatter: f2  # d x d, squares around the means of the arms; 0 x 0 if it is not watched
    # what follows from them for each arm: see ``locate``
    means: f2 = scratch  # M x d, estimates inside the parameter space
    positions: f2 = scratch  # M x d, where linkage sees them
    gaps: f2 = scratch  # M x M, distances of positions; 0 x 0 for rules that need none
    variance: f1  # of one sample, in the unit of positions, as far as it is known
    # the clusters: arms[start[k]:start[k + 1]] is cluster k; start is zero before there are any
    labels: i1
    arms: i1
    start: i1  # K + 1
    #: (an arm of a cluster, m, n): the cluster and the rival pair that look hardest to certify.
    suspect: i1
    # for spanning trees: see ``problem.trees.maximum_tree``
    reach: f1 = scratch
    parent: i1 = scratch
    order: i1 = scratch


def new_run(
    law: Struct, n_arms: int, dim: int, n_clusters: int, gaps: bool = True, watched: bool = False
) -> Run:
    """A run without samples; ``watched`` if it sees how much samples scatter."""
    m, side, watch = n_arms, n_arms * gaps, dim * watched

    def integers(n: int) -> IntArray:
        return np.zeros(n, dtype=np.int64)

    return Run(
        law=law, counts=np.zeros(m), asked=np.zeros(m), sample=np.zeros(dim),
        sums=np.zeros((m, dim)), scatter=np.zeros((watch, watch)), means=np.zeros((m, dim)),
        positions=np.zeros((m, dim)), gaps=np.zeros((side, side)), variance=np.zeros(m),
        labels=integers(m), arms=integers(m), start=integers(n_clusters + 1),
        suspect=integers(3), reach=np.zeros(m), parent=integers(m),
        order=integers(m),
    )  # fmt: skip


@inlined
def count(run: Run, arm: int) -> None:
    """Add ``run.sample`` to the counts, the sums and, if it is watched, the scatter (Welford)."""
    told = run.counts[arm]
    value = run.sample
    if run.scatter.shape[0] > 0 and told > 0.0:
        for i in range(value.shape[0]):
            error = (value[i] - run.sums[arm, i] / told) * told / (told + 1.0)
            for j in range(value.shape[0]):
                run.scatter[i, j] += error * (value[j] - run.sums[arm, j] / told)
    run.counts[arm] += 1.0
    for c in range(value.shape[0]):
        run.sums[arm, c] += value[c]


@inlined
def locate(run: Run, arm: int) -> None:
    """The estimate of an arm, its position and its distances to the others."""
    law, means, positions, gaps = run.law, run.means, run.positions, run.gaps
    for c in range(means.shape[1]):
        means[arm, c] = law.estimate(run.sums[arm, c], run.counts[arm])
        positions[arm, c] = law.position(means[arm, c])
    run.variance[arm] = law.spread(means[arm, 0])
    for j in range(gaps.shape[0]):
        total = 0.0
        for c in range(positions.shape[1]):
            total += (positions[arm, c] - positions[j, c]) ** 2
        gaps[arm, j] = np.sqrt(total)
        gaps[j, arm] = gaps[arm, j]


@kernel
def record(run: Run, arm: int) -> None:
    """Record ``run.sample``, a sample of ``arm``, in the run."""
    count(run, arm)
    locate(run, arm)


@inner_kernel
def observe_nothing(run: Run, own: Any, arm: int) -> None:
    """For rules that keep no account of samples."""


@kernel
def fewest(counts: FloatArray) -> int:
    """The arm with the fewest samples, ties by number."""
    least = 0
    for j in range(1, counts.shape[0]):
        if counts[j] < counts[least]:
            least = j
    return least


@kernel
def all_sampled(counts: FloatArray) -> bool:
    """Whether every arm has a sample."""
    sampled = 0  # counting all of them is faster than leaving early
    for j in range(counts.shape[0]):
        if counts[j] > 0.0:
            sampled += 1
    return sampled == len(counts)
