"""A problem instance: the means of the arms and the number of clusters."""

from functools import cached_property
from typing import Any

import numpy as np

from boclust._validate import FloatArray, IntArray, clusters
from boclust.problem.families import Family, Gaussian, check_family
from boclust.problem.linkage import Linkage, single_linkage


class Instance:
    """M arms with known means, to be grouped into K clusters by single linkage (Section II).

    Parameters
    ----------
    means:
        M numbers, or an M x d table. For one-parameter families, the *mean* parameters.
    n_clusters:
        K, from 1 to M.
    family:
        What is assumed of the samples; by default, Gaussian with unit variance.

    >>> instance = Instance([0, 1, 2, 3, 5, 6], n_clusters=2)
    >>> instance.labels.tolist(), instance.d_intra, instance.d_inter
    ([0, 0, 0, 0, 1, 1], 1.0, 2.0)
    """

    def __init__(self, means: Any, n_clusters: int, family: Family | None = None) -> None:
        self.family = Gaussian() if family is None else check_family(family)
        self.means: FloatArray = self.family.check_means(means)
        self.means.setflags(write=False)
        self.n_clusters = clusters(n_clusters, len(self.means))

    @property
    def n_arms(self) -> int:
        """The number of arms M."""
        return int(self.means.shape[0])

    @property
    def dim(self) -> int:
        """The dimension d of a sample."""
        return int(self.means.shape[1])

    @cached_property
    def linkage(self) -> Linkage:
        """The single-linkage tree of the positions, cut into K clusters."""
        return single_linkage(self.family.positions(self.means), self.n_clusters)

    @property
    def labels(self) -> IntArray:
        """The cluster of each arm, 0..K-1 in order of first appearance."""
        return self.linkage.labels

    @property
    def d_intra(self) -> float:
        """The largest intra-cluster neighbour distance; 0 if K = M."""
        return self.linkage.d_intra

    @property
    def d_inter(self) -> float:
        """The smallest distance between two clusters; infinite if K = 1."""
        return self.linkage.d_inter

    @property
    def is_separated(self) -> bool:
        """Whether d_intra < d_inter, the paper's condition for a unique clustering."""
        return self.d_intra < self.d_inter

    def __repr__(self) -> str:
        means = np.array2string(
            self.means[:, 0] if self.dim == 1 else self.means, separator=", ", threshold=20
        )
        return f"Instance({means}, n_clusters={self.n_clusters}, family={self.family})"
