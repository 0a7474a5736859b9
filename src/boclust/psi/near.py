"""A near alternative in space, where there is one below a given cost.

The cheapest change at the bottleneck of a spanning tree (``tree``): an upper bound of psi
that equals it where no cluster has more than two arms. An alternative that is known bounds the
cost; most clusters and rival pairs are then passed over by the distances between arms alone.
"""

from typing import NamedTuple

import numpy as np

from boclust._validate import BoolArray, FloatArray, IntArray
from boclust.kernels import copy_matrix, kernel
from boclust.psi.bond import bond_cost
from boclust.psi.cut import cost_of_change, cut_problem, repair, solve_cut
from boclust.psi.tree import smallest_edge


@kernel
def near_alternative(
    mu: FloatArray, gaps: FloatArray, w: FloatArray, arms: IntArray, start: IntArray, limit: float,
    alternative: FloatArray,
) -> float:
    """Write the nearest change at a bottleneck into ``alternative``, if it is below ``limit``.

    ``gaps`` are the distances of ``mu``; ``arms[start[k]:start[k + 1]]`` is cluster k. Returns the
    cost, or ``limit``. Bottlenecks are solved in increasing order until the next one exceeds the
    best change found.
    """
    inverse = 1.0 / w
    value, cluster, first, second = bottlenecks_below(gaps, inverse, arms, start, limit)
    cut = np.empty(arms.shape[0], np.bool_)
    best = limit
    for _ in range(value.shape[0]):
        least = np.argmin(value)
        if value[least] >= best:
            break
        value[least] = np.inf
        members = arms[start[cluster[least]] : start[cluster[least] + 1]]
        sides = cut[: members.shape[0]]
        m = first[least]
        n = second[least]
        pair_bottleneck(gaps, inverse, members, m, n, sides)
        best = change_at_cut(mu, w, members, m, n, sides, best, alternative)
    return best


@kernel
def bottlenecks_below(
    gaps: FloatArray, inverse: FloatArray, arms: IntArray, start: IntArray, limit: float,
) -> tuple[FloatArray, IntArray, IntArray, IntArray]:
    """(value, cluster, m, n) of the bottlenecks below ``limit``; ``inverse`` are 1/w.

    A chain through each cluster gives a lower bound first. Before that all clusters are tried at
    once: a bond costs at least ``g^2 / 2 / (1/w_a + 1/w_b + 1/w_m + 1/w_n)`` if no arm is shared,
    half of that if one is, and no g is less than with the longest bond of the chains.
    """
    n_arms = arms.shape[0]
    n_clusters = start.shape[0] - 1
    n_pairs = 0
    n_split = 0
    longest = 0.0
    lightest = 0.0
    for k in range(n_clusters):
        n_pairs += (start[k + 1] - start[k]) * (n_arms - start[k + 1])
        n_split += 1 if start[k + 1] - start[k] > 1 else 0
        for i in range(start[k] + 1, start[k + 1]):
            longest = max(longest, gaps[arms[i - 1], arms[i]])
            lightest = max(lightest, inverse[arms[i - 1]] + inverse[arms[i]])
    value = np.empty(n_pairs * n_split)
    cluster = np.empty(n_pairs * n_split, np.int64)
    first = np.empty(n_pairs * n_split, np.int64)
    second = np.empty(n_pairs * n_split, np.int64)
    cut = np.empty(n_arms, np.bool_)
    count = 0
    for p in range(n_clusters):
        for i in range(start[p], start[p + 1]):
            m = arms[i]
            for j in range(start[p + 1], n_arms):
                n = arms[j]
                least = max(gaps[m, n] - longest, 0.0)
                if 0.25 * least * least >= limit * (inverse[m] + inverse[n] + lightest):
                    continue
                for k in range(n_clusters):
                    bound = np.inf
                    for e in range(start[k] + 1, start[k + 1]):
                        bound = min(bound, bond_cost(gaps, inverse, arms[e - 1], arms[e], m, n))
                    if bound < limit and start[k + 1] - start[k] > 2:
                        members = arms[start[k] : start[k + 1]]
                        sides = cut[: members.shape[0]]
                        bound = pair_bottleneck(gaps, inverse, members, m, n, sides)
                    if bound < limit:
                        value[count] = bound
                        cluster[count] = k
                        first[count] = m
                        second[count] = n
                        count += 1
    return value[:count], cluster[:count], first[:count], second[:count]


class BondsByGaps(NamedTuple):
    """The graph of a cluster, weighted by the costs of its bonds against the rival pair (m, n)."""

    gaps: FloatArray
    inverse: FloatArray
    members: IntArray
    m: int
    n: int

    def weight(self, i: int, j: int) -> float:
        """``bond_cost`` of two members."""
        members = self.members
        return bond_cost(self.gaps, self.inverse, members[i], members[j], self.m, self.n)


@kernel
def pair_bottleneck(
    gaps: FloatArray, inverse: FloatArray, members: IntArray, m: int, n: int, cut: BoolArray,
) -> float:
    """The bottleneck of a cluster against one rival pair, and the cut there."""
    return smallest_edge(BondsByGaps(gaps, inverse, members, m, n), cut)[0]


@kernel
def change_at_cut(
    mu: FloatArray, w: FloatArray, members: IntArray, m: int, n: int, cut: BoolArray, limit: float,
    alternative: FloatArray,
) -> float:
    """The cost of a change at one cut, written into ``alternative``; ``limit`` if not below it."""
    d = mu.shape[1]
    involved, left, right, local_m, local_n = cut_problem(members, cut, m, n)
    total = involved.shape[0]
    near = np.empty((total, d))
    weights = np.empty(total)
    for i in range(total):
        weights[i] = w[involved[i]]
        for c in range(d):
            near[i, c] = mu[involved[i], c]
    moved = np.empty((total, d))
    gamma = np.zeros(left.shape[0])
    dual = solve_cut(near, weights, left, right, local_m, local_n, gamma, 1e-6, 50, limit, moved)[0]
    if dual >= limit:
        return limit
    repair(moved, weights, left, right, local_m, local_n)
    cost = cost_of_change(near, weights, moved)
    if cost >= limit:
        return limit
    copy_matrix(alternative, mu)
    for i in range(total):
        for c in range(d):
            alternative[involved[i], c] = moved[i, c]
    return cost
