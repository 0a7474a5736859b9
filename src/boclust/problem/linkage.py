"""Single linkage (SLINK): the tree, the clusters, and their distances (Section II of the paper)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boclust._validate import FloatArray, IntArray, clusters, finite_array, invalid, means_matrix


@dataclass(frozen=True)
class Linkage:
    """The single-linkage tree of M points and its cut into K clusters.

    ``edges`` (M-1 x 2) and ``lengths`` are the minimum spanning tree, the shortest edge first. Ties
    are ordered by the numbers of the arms, so the answer is always the same.
    """

    edges: IntArray
    lengths: FloatArray
    labels: IntArray

    @property
    def n_clusters(self) -> int:
        """The number of clusters K."""
        return int(self.labels.max()) + 1

    @property
    def d_intra(self) -> float:
        """The longest edge inside a cluster: d_INTRA of the paper; 0 if K = M."""
        kept = len(self.labels) - self.n_clusters
        return float(self.lengths[kept - 1]) if kept else 0.0

    @property
    def d_inter(self) -> float:
        """The shortest edge between clusters: d_INTER of the paper; infinite if K = 1."""
        kept = len(self.labels) - self.n_clusters
        return float(self.lengths[kept]) if kept < len(self.lengths) else np.inf


def single_linkage(points: Any, n_clusters: int) -> Linkage:
    """Merge the two closest clusters until K are left.

    On a line (d = 1), this is the same as cutting at the K - 1 largest gaps.

    >>> single_linkage([0, 4, 1, 5], 2).labels.tolist()
    [0, 1, 0, 1]
    """
    from boclust.problem import trees as kernels

    matrix = means_matrix(points, "points")
    k = clusters(n_clusters, len(matrix))
    tree = _neighbours_on_line if matrix.shape[1] == 1 else kernels.minimum_spanning_tree
    first, second, lengths = tree(matrix)
    order = np.lexsort((second, first, lengths))
    first, second, lengths = first[order], second[order], lengths[order]
    labels = kernels.labels_of_forest(len(matrix), first, second, len(matrix) - k)
    return Linkage(np.stack([first, second], axis=1), lengths, labels)


def _neighbours_on_line(points: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """The tree of arms on a line: neighbours in the order of (position, arm)."""
    order = np.argsort(points[:, 0], kind="stable")
    left, right = order[:-1], order[1:]
    return np.minimum(left, right), np.maximum(left, right), points[right, 0] - points[left, 0]


def power_of_two_spread(points: FloatArray) -> float:
    """A power of two near the extent of the points; division by it is exact."""
    return float(2.0 ** np.floor(np.log2(np.abs(points - points[0]).max())))


def canonical_labels(labels: Any) -> IntArray:
    """The same partition with clusters numbered in order of first appearance.

    >>> canonical_labels([7, 7, 2, 7, 0]).tolist()
    [0, 0, 1, 0, 2]
    """
    accepted = "a list of integers, one per arm"
    array: NDArray[Any] = finite_array("labels", labels, accepted)
    if (whole := np.asarray(labels)).dtype.kind in "iu":
        array = whole  # keeps integers beyond 2^53 apart
    if array.ndim != 1 or array.size == 0 or (array != np.floor(array)).any():
        got = f"shape {array.shape}" if array.ndim != 1 or array.size == 0 else "fractions"
        raise invalid("labels", accepted, got)
    _, first, inverse = np.unique(array, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse]


def same_partition(labels: Any, other: Any) -> bool:
    """Whether two label vectors describe the same clusters (the paper's ``c1 ~ c2``).

    >>> same_partition([0, 0, 1], [5, 5, 3])
    True
    """
    left, right = canonical_labels(labels), canonical_labels(other)
    return left.shape == right.shape and bool((left == right).all())
