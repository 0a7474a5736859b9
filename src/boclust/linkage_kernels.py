"""Kernels of single linkage: the minimum spanning tree and its cut."""

import numpy as np

from boclust._jit import kernel
from boclust._validate import FloatArray, IntArray


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
    root = np.arange(n_arms)
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
