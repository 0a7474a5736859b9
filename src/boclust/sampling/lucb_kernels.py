"""LUCBBOC-sampling (Algorithm 3 of the paper): two suspicious pairs of arms."""

import numpy as np

from boclust._jit import kernel
from boclust._validate import FloatArray, IntArray


@kernel
def radius(count: float, n_arms: int, dim: int, delta: float) -> float:
    """alpha_m(t) = sqrt(2/N log(2^(d+1) M N^2 / delta)), in units of sigma (Section V)."""
    inside = (dim + 1) * np.log(2.0) + np.log(n_arms * count * count) - np.log(delta)
    return np.sqrt(2.0 / count * inside)


@kernel
def suspicious_pairs(
    counts: FloatArray, gaps: FloatArray, dim: int, delta: float, by_upper_bound: bool,
    arms: IntArray, start: IntArray, reach: FloatArray, parent: IntArray, quad: IntArray,
) -> None:
    """``quad`` receives (a, b) of one cluster that may be far apart, and (m, n) of two, close.

    (m, n): of the closest pairs of any two clusters the one with the smallest lower bound
    (line 3). (a, b): as printed, of the longest edges of the clusters' trees the one with the
    largest upper bound (lines 4 to 8). ``by_upper_bound``: of *all* edges of the trees the one
    with the largest upper bound; an arm whose edge only looks short is then not starved.
    """
    n_arms = counts.shape[0]
    n_clusters = start.shape[0] - 1
    lowest = np.inf
    for p in range(n_clusters):
        for q in range(p + 1, n_clusters):
            closest = np.inf
            m = -1
            n = -1
            for i in range(start[p], start[p + 1]):
                for j in range(start[q], start[q + 1]):
                    if gaps[arms[i], arms[j]] < closest:
                        closest = gaps[arms[i], arms[j]]
                        m = arms[i]
                        n = arms[j]
            bound = closest - radius(counts[m], n_arms, dim, delta)
            bound -= radius(counts[n], n_arms, dim, delta)
            if bound < lowest:
                lowest = bound
                quad[2] = m
                quad[3] = n
    highest = -np.inf
    for k in range(n_clusters):
        first = start[k]
        size = start[k + 1] - first
        longest = -1.0
        for e in range(1, size):
            reach[e] = gaps[arms[first], arms[first + e]]
            parent[e] = 0
        for _ in range(1, size):  # Prim's tree of the cluster; -1 marks what is in it
            chosen = 0
            for e in range(1, size):
                if reach[e] >= 0.0 and (chosen == 0 or reach[e] < reach[chosen]):
                    chosen = e
            a = arms[first + parent[chosen]]
            b = arms[first + chosen]
            if by_upper_bound or reach[chosen] > longest:
                longest = max(longest, reach[chosen])
                bound = reach[chosen] + radius(counts[a], n_arms, dim, delta)
                bound += radius(counts[b], n_arms, dim, delta)
                reach[0] = bound
                parent[0] = chosen
            if by_upper_bound and reach[0] > highest:
                highest = reach[0]
                quad[0] = a
                quad[1] = b
            reach[chosen] = -1.0
            for e in range(1, size):
                gap = gaps[b, arms[first + e]]
                if reach[e] > gap:
                    reach[e] = gap
                    parent[e] = chosen
        if size > 1 and not by_upper_bound and reach[0] > highest:
            highest = reach[0]
            quad[0] = arms[first + parent[parent[0]]]
            quad[1] = arms[first + parent[0]]


@kernel
def least_pulled_of(pulls: FloatArray, quad: IntArray) -> int:
    """The least pulled of four arms (line 10 of Algorithm 3)."""
    arm = quad[0]
    for e in range(1, 4):
        if pulls[quad[e]] < pulls[arm]:
            arm = quad[e]
    return int(arm)
