"""Arms on a line (d = 1): the nearest alternative, exactly and in polynomial time.

Which configurations (see ``configuration``) can be optimal: given u and v an arm prefers Lo exactly
when it lies below a threshold between them, whatever its weight. So the split is a cut of the
sorted cluster, unless one side would then be empty: there one arm, the cheapest, must *escape* from
all the others. Light arms make escapes optimal, and the order of the arms is not kept then. A rival
arm inside the cluster belongs to the part next to the other rival arm (from the far part it would
have to drag that arm past the boundary of the near one, whose arms would then be the better
rivals); the remaining arms are split in the same way. That leaves at most 3 s configurations for a
cluster of s arms and a rival pair, instead of 2^s.

Rival pairs of neighbouring clusters suffice: between two arms of clusters that are not neighbours
lies an arm j of a third cluster; wherever the two meet, one of them has crossed j or has j between
them, and stopping there is cheaper. ``docs/explanation/stopping-rules.md`` has the proofs.
"""

from typing import NamedTuple

import numpy as np

from boclust._validate import FloatArray, IntArray
from boclust.kernels import copy_matrix, copy_vector, kernel
from boclust.problem.families.law import Law
from boclust.problem.trees import maximum_tree
from boclust.psi.configuration import Line, Split, cheapest_change, concave_cost, far_change


@kernel
def nearest_alternative(
    law: Law, x: FloatArray, w: FloatArray, pos: FloatArray, order: IntArray, start: IntArray,
    alternative: FloatArray,
) -> tuple[float, float, int, int, IntArray]:
    """psi and the alternative that attains it.

    ``x``, ``w`` and ``pos`` are the arms' means, weights and positions. ``order`` sorts the arms by
    position, cluster after cluster; cluster k holds ``order[start[k]:start[k + 1]]``. Writes the
    alternative's means into ``alternative`` and returns (lower, value, p, q, side), where
    ``side[a]`` is 1 in Lo and 2 in Hi of the cut and ``lower`` differs from ``value`` only where
    ``concave_cost`` cannot exclude something cheaper.
    """
    line = Line(law, x, w, pos)
    n_clusters = start.shape[0] - 1
    m = x.shape[0]
    lower = np.inf
    lo = np.empty(m, np.int64)
    hi = np.empty(m, np.int64)
    others = np.empty(m, np.int64)
    state = np.empty(4)
    best_state = np.empty(4)
    side = np.zeros(m, np.int64)
    best = np.inf
    best_p = -1
    best_q = -1
    n_attempts = 1 if law.is_convex() else 3
    for k in range(n_clusters):
        if start[k + 1] - start[k] < 2:
            continue
        for r in range(n_clusters - 1):
            for jq in range(start[r + 1] - 1, start[r] - 1, -1):
                for jp in range(start[r + 1], start[r + 2]):
                    q = order[jq]
                    p = order[jp]
                    in_hi = q if r == k else -1  # the part next to the other rival arm
                    in_lo = p if r + 1 == k else -1
                    n_others = leave_out(order[start[k] : start[k + 1]], in_lo, in_hi, others)
                    for choice in range(3 * n_others + 1):
                        n_lo, n_hi = parts(others, n_others, choice, in_lo, in_hi, lo, hi)
                        if n_lo < 0:
                            continue
                        split = Split(lo, n_lo, hi, n_hi, p, q, in_lo, in_hi)
                        lower = min(lower, concave_cost(line, split))
                        for attempt in range(n_attempts):
                            if attempt == 0:
                                value = cheapest_change(line, split, best, state)
                            else:
                                value = far_change(line, split, attempt == 2, state)
                            if not value < best:
                                continue
                            best = value
                            best_p = p
                            best_q = q
                            copy_vector(best_state, state)
                            side[:] = 0
                            for j in range(n_lo):
                                side[lo[j]] = 1
                            for j in range(n_hi):
                                side[hi[j]] = 2
                            if in_lo >= 0:
                                side[in_lo] = 1
                            if in_hi >= 0:
                                side[in_hi] = 2
    copy_vector(alternative, x)
    if best < np.inf:
        for a in range(m):
            if side[a] == 1 and pos[a] > best_state[0]:
                alternative[a] = law.mean_at(best_state[0])
            elif side[a] == 2 and pos[a] < best_state[1]:
                alternative[a] = law.mean_at(best_state[1])
        alternative[best_p] = law.mean_at(best_state[2])
        alternative[best_q] = law.mean_at(best_state[3])
    return min(lower, best), best, best_p, best_q, side


@kernel
def leave_out(members: IntArray, one: int, two: int, others: IntArray) -> int:
    """Write the members other than ``one`` and ``two`` into ``others``; returns their number."""
    count = 0
    for j in range(members.shape[0]):
        if members[j] != one and members[j] != two:
            others[count] = members[j]
            count += 1
    return count


@kernel
def parts(
    others: IntArray, n_others: int, choice: int, in_lo: int, in_hi: int, lo: IntArray,
    hi: IntArray,
) -> tuple[int, int]:
    """Fill Lo and Hi (sorted from the cut outwards) with configuration ``choice`` of a cluster.

    First the cuts of the sorted ``others``, then each of them alone below or above the rest. The
    part that holds a rival arm may be empty of others. Returns (n_lo, n_hi), or (-1, -1) where
    ``choice`` repeats another one or leaves a part empty.
    """
    n_lo = 0
    n_hi = 0
    if choice <= n_others:
        for j in range(choice - 1, -1, -1):
            lo[n_lo] = others[j]
            n_lo += 1
        for j in range(choice, n_others):
            hi[n_hi] = others[j]
            n_hi += 1
        if (n_lo == 0 and in_lo < 0) or (n_hi == 0 and in_hi < 0):
            return -1, -1
        return n_lo, n_hi
    e = (choice - n_others - 1) // 2
    if (choice - n_others - 1) % 2 == 0:
        if e == 0 or in_lo >= 0:
            return -1, -1
        lo[0] = others[e]
        n_lo = 1
        for j in range(n_others):
            if j != e:
                hi[n_hi] = others[j]
                n_hi += 1
        return n_lo, n_hi
    if e == n_others - 1 or in_hi >= 0:
        return -1, -1
    hi[0] = others[e]
    n_hi = 1
    for j in range(n_others - 1, -1, -1):
        if j != e:
            lo[n_lo] = others[j]
            n_lo += 1
    return n_lo, n_hi


@kernel
def line_alternative(
    law: Law, means: FloatArray, positions: FloatArray, labels: IntArray, n_clusters: int,
    weights: FloatArray, alternative: FloatArray,
) -> tuple[float, float]:
    """A lower bound of psi, and the cost of the nearest alternative found (M x 1).

    ``means`` and ``positions`` are M x 1. The two numbers differ for exponential samples compared
    by their means only. Both are zero where d_intra >= d_inter.
    """
    m = means.shape[0]
    order = np.empty(m, np.int64)
    start = np.empty(n_clusters + 1, np.int64)
    copy_matrix(alternative, means)
    if not line_order(positions.reshape(m), labels, order, start):
        return 0.0, 0.0
    found = nearest_alternative(
        law, means.reshape(m), weights, positions.reshape(m), order, start, alternative.reshape(m)
    )
    return found[0], found[1]


@kernel
def line_order(positions: FloatArray, labels: IntArray, order: IntArray, start: IntArray) -> bool:
    """Sort arms on a line, cluster after cluster; False where d_intra >= d_inter (a tie)."""
    m = labels.shape[0]
    for i in range(m):
        j = i
        while j > 0 and (
            positions[order[j - 1]] > positions[i]
            or (positions[order[j - 1]] == positions[i] and labels[order[j - 1]] > labels[i])
        ):
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
    k = 0
    start[0] = 0
    intra = -1.0
    inter = np.inf
    for i in range(1, m):
        gap = positions[order[i]] - positions[order[i - 1]]
        if labels[order[i]] != labels[order[i - 1]]:
            k += 1
            if k < start.shape[0]:
                start[k] = i
            inter = min(inter, gap)
        else:
            intra = max(intra, gap)
    start[start.shape[0] - 1] = m
    return intra < inter and k == start.shape[0] - 2


@kernel
def bond_on_line(
    law: Law, x: FloatArray, w: FloatArray, pos: FloatArray, a: int, b: int, p: int, q: int,
) -> float:
    """v(a, b; p, q) of any family: the cheapest change that makes |a - b| >= |p - q|, p above q.

    The bond may open in either direction and may share one arm with the rival pair. A lower bound
    where ``concave_cost`` cannot exclude something cheaper.
    """
    line = Line(law, x, w, pos)
    lo = np.empty(1, np.int64)
    hi = np.empty(1, np.int64)
    state = np.empty(4)
    best = np.inf
    for flip in range(2):
        below = b if flip else a
        above = a if flip else b
        lo[0] = below
        hi[0] = above
        in_lo = below if below == p or below == q else -1
        in_hi = above if above == p or above == q else -1
        n_lo = 0 if in_lo >= 0 else 1
        n_hi = 0 if in_hi >= 0 else 1
        split = Split(lo, n_lo, hi, n_hi, p, q, in_lo, in_hi)
        value = cheapest_change(line, split, np.inf, state)
        best = min(best, value, concave_cost(line, split))
    return best


class BondsOnLine(NamedTuple):
    """The graph of a cluster on a line, weighted by the costs of its bonds against (p, q)."""

    line: Line
    members: IntArray
    p: int
    q: int

    def weight(self, i: int, j: int) -> float:
        """``bond_on_line`` of two members."""
        law, x, w, pos = self.line
        return bond_on_line(law, x, w, pos, self.members[i], self.members[j], self.p, self.q)


@kernel
def tree_on_line(
    law: Law, x: FloatArray, w: FloatArray, pos: FloatArray, order: IntArray, start: IntArray,
) -> float:
    """The spanning-tree lower bound for any family; arguments as in ``nearest_alternative``.

    Neighbours in the sorted cluster are a spanning tree: where all their bonds cost more than the
    best bottleneck so far, the maximum spanning tree's smallest edge does so too.
    """
    m = x.shape[0]
    reach = np.empty(m)
    parent = np.empty(m, np.int64)
    joined = np.empty(m, np.int64)
    best = np.inf
    for k in range(start.shape[0] - 1):
        members = order[start[k] : start[k + 1]]
        size = members.shape[0]
        if size < 2:
            continue
        for jq in range(m):
            for jp in range(jq + 1, m):
                same = False
                for r in range(start.shape[0] - 1):
                    if start[r] <= jq and jp < start[r + 1]:
                        same = True
                if same:
                    continue
                bonds = BondsOnLine(Line(law, x, w, pos), members, order[jp], order[jq])
                smallest = np.inf
                for e in range(size - 1):
                    smallest = min(smallest, bonds.weight(e, e + 1))
                    if smallest < best:
                        break
                if smallest < best:
                    weakest = maximum_tree(bonds, size, parent, reach, joined)
                    best = min(best, reach[weakest])
    return best
