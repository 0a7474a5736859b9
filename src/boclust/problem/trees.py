"""Spanning trees: Prim's algorithm, and the minimum spanning tree of points with its cut."""

from typing import Protocol

import numpy as np

from boclust._validate import FloatArray, IntArray
from boclust.kernels import inlined, kernel


class Graph(Protocol):
    """A complete graph: a named tuple, or a ``Struct``, that knows the weights of its edges.

    ::

        class Gaps(NamedTuple):
            gaps: FloatArray

            def weight(self, i: int, j: int) -> float:
                return -self.gaps[i, j]
    """

    def weight(self, i: int, j: int) -> float:
        """The weight of the edge between i, the newest node of a tree, and the node j outside."""
        ...


@inlined
def maximum_tree(
    graph: Graph, size: int, parent: IntArray, best: FloatArray, order: IntArray,
) -> int:
    """Prim's maximum spanning tree of the nodes 0 to ``size - 1`` of a graph, grown from node 0.

    Minus the distance as the weight gives the minimum spanning tree.

    Node j joined ``parent[j]`` by an edge of the weight ``best[j]``; ``order`` holds the nodes in
    the order of joining. For the root ``parent[0] = 0`` and ``best[0]`` is infinite. Only the first
    ``size`` entries are written. Ties: a node keeps its first edge unless another is strictly
    larger, and of several nodes with the largest edge the one with the lowest number joins.

    Returns the node with the smallest edge, of several the first that joined (0 if size = 1).
    """
    for j in range(1, size):
        best[j] = -np.inf
        parent[j] = -1  # -1 - i while the node is outside and its largest edge leads to i
    parent[0] = 0
    best[0] = np.inf
    order[0] = 0
    newest = 0
    smallest = 0
    for joined in range(1, size):
        chosen = 0
        for j in range(1, size):
            if parent[j] >= 0:
                continue
            value = graph.weight(newest, j)
            if value > best[j]:
                best[j] = value
                parent[j] = -1 - newest
            if chosen == 0 or best[j] > best[chosen]:
                chosen = j
        parent[chosen] = -1 - parent[chosen]
        order[joined] = chosen
        if best[chosen] < best[smallest]:
            smallest = chosen
        newest = chosen
    return smallest


@kernel
def minimum_spanning_tree(points: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Prim's algorithm with distances on the fly: O(M^2 d) time, O(M) memory.

    Edges are compared by (length, smaller arm, larger arm), a strict order, so the tree is unique
    even among ties. Returns (smaller arm, larger arm, length) of its edges, unsorted.
    """
    m, d = points.shape
    parent = np.zeros(m, np.int64)
    best = np.full(m, np.inf)
    done = np.zeros(m, np.bool_)
    first = np.empty(m - 1, np.int64)
    second = np.empty(m - 1, np.int64)
    length = np.empty(m - 1)
    newest = 0
    done[0] = True
    for k in range(m - 1):
        chosen = -1
        chosen_lo = 0
        chosen_hi = 0
        for j in range(m):
            if done[j]:
                continue
            gap = 0.0
            for c in range(d):
                diff = points[newest, c] - points[j, c]
                gap += diff * diff
            gap = np.sqrt(gap)
            lo = min(newest, j)
            hi = max(newest, j)
            old_lo = min(parent[j], j)
            old_hi = max(parent[j], j)
            if gap < best[j] or (
                gap == best[j] and (lo < old_lo or (lo == old_lo and hi < old_hi))
            ):
                best[j] = gap
                parent[j] = newest
                old_lo = lo
                old_hi = hi
            if (
                chosen < 0
                or best[j] < best[chosen]
                or (
                    best[j] == best[chosen]
                    and (old_lo < chosen_lo or (old_lo == chosen_lo and old_hi < chosen_hi))
                )
            ):
                chosen = j
                chosen_lo = old_lo
                chosen_hi = old_hi
        first[k] = chosen_lo
        second[k] = chosen_hi
        length[k] = best[chosen]
        done[chosen] = True
        newest = chosen
    return first, second, length


@kernel
def labels_of_forest(n_arms: int, first: IntArray, second: IntArray, n_edges: int) -> IntArray:
    """Components of the first ``n_edges`` edges, numbered in order of first appearance."""
    root = np.empty(n_arms, np.int64)
    for i in range(n_arms):
        root[i] = i
    for e in range(n_edges):
        i = first[e]
        while root[i] != i:
            root[i] = root[root[i]]
            i = root[i]
        j = second[e]
        while root[j] != j:
            root[j] = root[root[j]]
            j = root[j]
        root[max(i, j)] = min(i, j)
    labels = np.empty(n_arms, np.int64)
    count = 0
    for i in range(n_arms):  # a root is the smallest arm of its component: it comes first
        if root[i] == i:
            labels[i] = count
            count += 1
        else:
            labels[i] = labels[root[i]]
    return labels


@kernel
def count_up(labels: IntArray, name: IntArray) -> None:
    """Renumber labels in order of first appearance; ``name`` is scratch for every old label."""
    for k in range(name.shape[0]):
        name[k] = -1
    count = 0
    for i in range(labels.shape[0]):
        if name[labels[i]] < 0:
            name[labels[i]] = count
            count += 1
        labels[i] = name[labels[i]]
