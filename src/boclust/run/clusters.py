"""The present clusters of a run: single linkage of the positions by the matrix of their gaps."""

from typing import NamedTuple

import numpy as np

from boclust._validate import FloatArray, IntArray
from boclust.kernels import inlined, kernel
from boclust.problem.trees import count_up, maximum_tree
from boclust.run.state import Run


class ClosenessOfAll(NamedTuple):
    """The graph of all arms, weighted by minus their distances."""

    gaps: FloatArray

    def weight(self, i: int, j: int) -> float:
        """Minus the distance of two arms."""
        return -float(self.gaps[i, j])


class Closeness(NamedTuple):
    """The graph of the arms from ``arms[first]`` on, weighted by minus their distances."""

    gaps: FloatArray
    arms: IntArray
    first: int

    def weight(self, i: int, j: int) -> float:
        """Minus the distance of two of these arms."""
        return -float(self.gaps[self.arms[self.first + i], self.arms[self.first + j]])


@inlined
def group(run: Run) -> None:
    """Single linkage of the positions into K clusters.

    Labels count up in order of first appearance; ``arms[start[k]:start[k + 1]]`` is cluster k. One
    sample seldom changes the clusters, and to confirm them takes less time than to find them.
    """
    if not clusters_stand(run):
        group_anew(run)


@kernel
def clusters_stand(run: Run) -> bool:
    """Whether there are clusters, each connected by edges shorter than all gaps between them.

    Then they are those of single linkage: it joins these edges before any such gap.
    """
    gaps = run.gaps
    arms = run.arms
    start = run.start
    reached = run.order
    m = gaps.shape[0]
    n_clusters = start.shape[0] - 1
    closest = np.inf
    for k in range(n_clusters):
        for i in range(start[k], start[k + 1]):
            for j in range(start[k + 1], m):
                if gaps[arms[i], arms[j]] < closest:
                    closest = gaps[arms[i], arms[j]]
    for k in range(n_clusters):
        size = start[k + 1] - start[k]
        for i in range(size):
            reached[i] = arms[start[k] + i]
        n_reached = 1
        for i in range(size):  # the arms that are not yet reached come last
            if i == n_reached:
                return False
            for j in range(n_reached, size):
                arm = reached[j]
                if gaps[reached[i], arm] < closest:
                    reached[j] = reached[n_reached]
                    reached[n_reached] = arm
                    n_reached += 1
    return bool(start[n_clusters] == m)


@kernel
def group_anew(run: Run) -> None:
    """Prim's tree on the matrix of gaps, cut at its K - 1 longest edges."""
    arms = run.arms
    start = run.start
    labels = run.labels
    closeness = run.reach
    parent = run.parent
    m = run.gaps.shape[0]
    n_clusters = start.shape[0] - 1
    maximum_tree(ClosenessOfAll(run.gaps), m, parent, closeness, arms)
    labels[0] = 0
    for i in range(1, m):
        labels[i] = -1
    for _ in range(1, n_clusters):  # cut the longest edges: their lower ends begin a cluster
        longest = -1
        for i in range(1, m):
            if labels[i] < 0 and (longest < 0 or closeness[i] < closeness[longest]):
                longest = i
        labels[longest] = longest
    for joined in range(1, m):  # arms holds the order of joining
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
