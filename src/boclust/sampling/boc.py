"""BOC and BOC-SLINK (Yang, Zhong and Tan 2024), which assume equal means inside a cluster.

J. Yang, Z. Zhong, V. Y. F. Tan, "Optimal Clustering with Bandit Feedback", JMLR 25 (2024).

After each sample: the clusters of the estimates (weighted K-means for BOC, single linkage for
BOC-SLINK), the proportions that maximise psi at their centres (``psi.equal_means``), and direct
tracking of these with forced exploration.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boclust._validate import FloatArray, IntArray
from boclust.kernels import Struct, f1, kernel
from boclust.problem.families.gaussian import Quadratic
from boclust.problem.trees import count_up
from boclust.psi.bond import squared, squared_between
from boclust.psi.equal_means import boc_proportions, cluster_centres
from boclust.run.clusters import group
from boclust.run.saved import check_all_clusters, check_range
from boclust.run.state import Problem, Run, observe_nothing
from boclust.sampling.atboc import farthest_behind
from boclust.sampling.base import Kernels, Sampling


class State(Struct):
    """The proportions that the counts follow."""

    shares: f1  # zero before every arm has a sample


@kernel
def update_kmeans(run: Run, own: State) -> None:
    """BOC: the clusters of weighted K-means, and the proportions for them."""
    n_clusters = run.start.shape[0] - 1
    weighted_kmeans(run.counts, run.means, n_clusters, run.labels)
    find_shares(run, own)


@kernel
def update_slink(run: Run, own: State) -> None:
    """BOC-SLINK: the clusters of single linkage, and the proportions for them."""
    group(run)
    find_shares(run, own)


@kernel
def find_shares(run: Run, own: State) -> None:
    """The proportions that maximise psi at the centres of the present clusters."""
    n_clusters = run.start.shape[0] - 1
    if n_clusters == 1:  # no other clustering: all proportions are as good
        return
    centres, _ = cluster_centres(run.counts, run.means, run.labels, n_clusters)
    boc_proportions(centres, run.labels, own.shares)


@kernel
def select(run: Run, own: State) -> int:
    """Direct tracking: the arm farthest behind its proportion."""
    return farthest_behind(run.asked, own.shares)


@kernel
def weighted_kmeans(
    counts: FloatArray, means: FloatArray, n_clusters: int, labels: IntArray
) -> None:
    """Write the ``labels`` of weighted K-means from a maximin start, in order of first appearance.

    The first seed is arm 0, each next one the arm farthest from all seeds. An arm changes only to a
    strictly nearer centre and never leaves its cluster empty. The scatter falls with every round
    (or the rounds end), so no partition comes twice and the loop is finite in any arithmetic.
    """
    maximin_start(means, n_clusters, labels)
    sizes = np.zeros(n_clusters, np.int64)
    for i in range(labels.shape[0]):
        sizes[labels[i]] += 1
    before = np.inf
    moved = True
    while moved:
        centres, _ = cluster_centres(counts, means, labels, n_clusters)
        moved = False
        scatter = 0.0
        for i in range(labels.shape[0]):
            home = labels[i]
            nearest = squared_between(means, i, centres, home)
            if sizes[home] > 1:
                for k in range(n_clusters):
                    gap = squared_between(means, i, centres, k)
                    if gap < nearest:
                        nearest = gap
                        labels[i] = k
            if labels[i] != home:
                sizes[home] -= 1
                sizes[labels[i]] += 1
                moved = True
            scatter += counts[i] * nearest
        moved = moved and scatter < before
        before = scatter
    count_up(labels, sizes)


@kernel
def maximin_start(means: FloatArray, n_clusters: int, labels: IntArray) -> None:
    """Write the ``labels`` of the nearest seeds, each seed being farthest from those before."""
    nearest = np.full(labels.shape[0], np.inf)
    seed = 0
    for k in range(n_clusters):
        for i in range(labels.shape[0]):
            gap = squared(means, seed, i)
            if gap < nearest[i]:
                nearest[i] = gap
                labels[i] = k
        labels[seed] = k
        nearest[seed] = -1.0  # nothing is nearer, and it is not chosen again
        for i in range(labels.shape[0]):
            if nearest[i] > nearest[seed]:
                seed = i


@dataclass(frozen=True)
class Boc(Sampling):
    """Direct tracking of the proportions that are optimal when a cluster has one mean.

    Clusters are those of weighted K-means.
    """

    name: ClassVar[str] = "boc"
    reason: ClassVar[str] = "farthest behind its best share of the samples"
    needs_gaps: ClassVar[bool] = False
    groups: ClassVar[bool] = False
    own_stopping: ClassVar[str | None] = "boc-statistic"
    kernels: ClassVar[Kernels] = observe_nothing, update_kmeans, select

    def refusal(self, problem: Problem) -> str:
        """Gaussian samples."""
        quadratic = isinstance(problem.family, Quadratic)
        return "" if quadratic else "Gaussian, SubGaussian or Bounded samples"

    def new(self, problem: Problem) -> State:
        """No proportions yet."""
        return State(shares=np.zeros(problem.n_arms))

    def check(self, problem: Problem, run: Run, state: Struct) -> None:
        """Shares are proportions, and no cluster is empty."""
        assert isinstance(state, State)
        check_range("sampling.shares", state.shares, 0.0, 1.0 + 1e-9)
        check_all_clusters(problem, run)


@dataclass(frozen=True)
class BocSlink(Boc):
    """The same with the clusters of single linkage."""

    name: ClassVar[str] = "boc-slink"
    needs_gaps: ClassVar[bool] = True
    groups: ClassVar[bool] = True
    kernels: ClassVar[Kernels] = observe_nothing, update_slink, select
