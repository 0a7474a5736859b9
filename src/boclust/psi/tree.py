"""The spanning-tree lower bound on psi: polynomial instead of 2^s cuts.

For a cluster D and a rival pair, keep only the most expensive bond of each cut: the least of these
over all cuts is the smallest edge of the maximum spanning tree of D under v(., .; m, n).
"""

from typing import NamedTuple

import numpy as np

from boclust._validate import BoolArray, FloatArray, IntArray
from boclust.kernels import kernel
from boclust.problem.trees import Graph, maximum_tree
from boclust.psi.bond import bond_value


class Bonds(NamedTuple):
    """The graph of a cluster, weighted by the costs of its bonds against the rival pair (m, n)."""

    mu: FloatArray
    w: FloatArray
    members: IntArray
    m: int
    n: int

    def weight(self, i: int, j: int) -> float:
        """``bond_value`` of two members."""
        return bond_value(self.mu, self.w, self.members[i], self.members[j], self.m, self.n)


@kernel
def bottleneck(
    mu: FloatArray, w: FloatArray, members: IntArray, m: int, n: int, cut: BoolArray,
) -> tuple[float, int, int]:
    """The smallest edge (value, a, b) of the maximum spanning tree of ``members`` against (m, n).

    ``cut[i]`` tells on which side of that edge member i lies.
    """
    value, i, j = smallest_edge(Bonds(mu, w, members, m, n), cut)
    return value, members[i], members[j]


@kernel
def smallest_edge(graph: Graph, cut: BoolArray) -> tuple[float, int, int]:
    """The smallest edge of the maximum spanning tree of a graph, and its two sides.

    The graph has as many nodes as ``cut``.
    """
    s = cut.shape[0]
    parent = np.empty(s, np.int64)
    best = np.empty(s)
    joined = np.empty(s, np.int64)
    at = maximum_tree(graph, s, parent, best, joined)
    cut[:] = False
    cut[at] = True  # the arms that hang below the smallest edge, in the order they joined
    for k in range(1, s):
        j = joined[k]
        if j != at and cut[parent[j]]:
            cut[j] = True
    return best[at], parent[at], at


@kernel
def tree_bounds(
    mu: FloatArray, w: FloatArray, arms: IntArray, start: IntArray, edge_first: IntArray,
    edge_second: IntArray, edge_start: IntArray,
) -> tuple[FloatArray, IntArray, IntArray, IntArray]:
    """For every cluster and rival pair a lower bound on the cost of a change there.

    ``arms[start[k]:start[k + 1]]`` are the arms of cluster k, ``edge_*[edge_start[k]:...]`` a
    spanning tree of it (single linkage), which gives a cheap bound first: where that already
    exceeds the best bottleneck so far it is reported as it is, since any spanning tree bounds the
    maximum spanning tree's smallest edge from below.

    Returns arrays (value, cluster, m, n), one entry a cluster and rival pair.
    """
    n_clusters = start.shape[0] - 1
    n_pairs = 0
    for p in range(n_clusters):
        n_pairs += (start[p + 1] - start[p]) * (arms.shape[0] - start[p + 1])
    n_split = 0
    for k in range(n_clusters):
        if start[k + 1] - start[k] > 1:
            n_split += 1
    value = np.empty(n_pairs * n_split)
    cluster = np.empty(n_pairs * n_split, np.int64)
    first = np.empty(n_pairs * n_split, np.int64)
    second = np.empty(n_pairs * n_split, np.int64)
    cut = np.empty(arms.shape[0], np.bool_)
    best = np.inf
    e = 0
    for k in range(n_clusters):
        members = arms[start[k] : start[k + 1]]
        if members.shape[0] < 2:
            continue
        for p in range(n_clusters):
            for i in range(start[p], start[p + 1]):
                for j in range(start[p + 1], arms.shape[0]):
                    m = arms[i]
                    n = arms[j]
                    bound = np.inf
                    for t in range(edge_start[k], edge_start[k + 1]):
                        v = bond_value(mu, w, edge_first[t], edge_second[t], m, n)
                        if v < bound:
                            bound = v
                            if bound < best:
                                break
                    if bound < best:
                        bound = bottleneck(mu, w, members, m, n, cut[: members.shape[0]])[0]
                        best = min(best, bound)
                    value[e] = bound
                    cluster[e] = k
                    first[e] = m
                    second[e] = n
                    e += 1
    return value, cluster, first, second
