"""Kernels of single linkage: the minimum spanning tree and its cut."""

import numpy as np

from boclust.kernels import kernel
from boclust._validate import FloatArray, IntArray
from boclust.run.state import Run


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


@kernel
def group(run: Run) -> None:
    """Single linkage of the places into K clusters.

    Labels count up in order of first appearance; ``arms[start[k]:start[k + 1]]`` is cluster k. One
    sample seldom changes anything: whether the last clusters stand is found sooner than others.
    """
    if not clusters_stand(run):
        group_anew(run)


@kernel
def clusters_stand(run: Run) -> bool:
    """Whether there are clusters, each with a tree of edges shorter than all gaps between them.

    Then they are those of single linkage: it joins the edges of the trees before any such gap.
    """
    gaps = run.gaps
    arms = run.arms
    start = run.start
    reach = run.work
    m = gaps.shape[0]
    n_clusters = start.shape[0] - 1
    closest = np.inf
    for k in range(n_clusters):
        for i in range(start[k], start[k + 1]):
            for j in range(start[k + 1], m):
                if gaps[arms[i], arms[j]] < closest:
                    closest = gaps[arms[i], arms[j]]
    for k in range(n_clusters):  # Prim's tree of each cluster; -1 marks what is in it
        first = start[k]
        last = start[k + 1]
        for i in range(first + 1, last):
            reach[i] = gaps[arms[first], arms[i]]
        for _ in range(first + 1, last):
            chosen = first
            for i in range(first + 1, last):
                if reach[i] >= 0.0 and (chosen == first or reach[i] < reach[chosen]):
                    chosen = i
            if not reach[chosen] < closest:
                return False
            reach[chosen] = -1.0
            for i in range(first + 1, last):
                reach[i] = min(reach[i], gaps[arms[chosen], arms[i]])
    return bool(start[n_clusters] == m)


@kernel
def group_anew(run: Run) -> None:
    """Prim's tree on the matrix of gaps, cut at its K - 1 longest edges."""
    gaps = run.gaps
    arms = run.arms
    start = run.start
    labels = run.labels
    reach = run.work
    parent = run.parent
    m = gaps.shape[0]
    n_clusters = start.shape[0] - 1
    for i in range(m):
        reach[i] = gaps[0, i]
        parent[i] = 0
        labels[i] = -1
    labels[0] = 0
    for joined in range(1, m):  # arms holds the order of joining, labels what is in the tree
        chosen = -1
        for i in range(m):
            if labels[i] < 0 and (chosen < 0 or reach[i] < reach[chosen]):
                chosen = i
        labels[chosen] = 0
        arms[joined] = chosen
        for i in range(m):
            if labels[i] < 0 and gaps[chosen, i] < reach[i]:
                reach[i] = gaps[chosen, i]
                parent[i] = chosen
    for i in range(1, m):
        labels[i] = -1
    for _ in range(1, n_clusters):  # cut the longest edges: their lower ends begin a cluster
        longest = -1
        for i in range(1, m):
            if labels[i] < 0 and (longest < 0 or reach[i] > reach[longest]):
                longest = i
        labels[longest] = longest
    for joined in range(1, m):
        i = arms[joined]
        if labels[i] < 0:
            labels[i] = labels[parent[i]]
    count_up(labels, parent)
    place = 0
    for k in range(n_clusters):
        start[k] = place
        for i in range(m):
            if labels[i] == k:
                arms[place] = i
                place += 1
    start[n_clusters] = place
