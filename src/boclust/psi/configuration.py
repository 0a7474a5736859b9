"""One configuration on a line (d = 1): the cheapest change that splits a cluster in a given way.

Every family of the library is served by the same kernels: an arm has a mean ``x``, a position
``pos`` (its mean or its natural parameter) and a weight; a group of arms that is pushed together
with force F comes to rest where the derivative of its cost equals F (``Law.rest``).

A *configuration* is a split of a cluster into a lower part Lo and an upper part Hi and a rival
pair (upper arm p, lower arm q). The cheapest change for which every position in Lo is <= u, every
position in Hi is >= v and ``v - u >= pos_p - pos_q`` is a convex problem; by stationarity a single
multiplier X pushes Lo down, Hi up, p down and q up, all with force X, and the opening
``h(X) = (v - u) - (pos_p - pos_q)`` increases in X. Its root is found by a safeguarded secant.
"""

from typing import NamedTuple

import numpy as np

from boclust._validate import FloatArray, IntArray
from boclust.kernels import kernel
from boclust.problem.families.law import Law


class Line(NamedTuple):
    """Arms on a line: how samples are distributed, and each arm's mean, weight and position."""

    law: Law
    x: FloatArray
    w: FloatArray
    pos: FloatArray


class Split(NamedTuple):
    """A configuration: Lo is ``lo[:n_lo]``, Hi is ``hi[:n_hi]``.

    They are sorted from the cut outwards. p and q are the rival arms, the upper and the lower one.
    ``in_lo`` and ``in_hi`` are the rival arm that belongs to that part of the cluster, or -1; it is
    not among ``lo`` and ``hi``.
    """

    lo: IntArray
    n_lo: int
    hi: IntArray
    n_hi: int
    p: int
    q: int
    in_lo: int
    in_hi: int


@kernel
def cheapest_change(line: Line, split: Split, target: float, state: FloatArray) -> float:
    """The least cost of one configuration and its positions in ``state``; inf where there is none.

    ``state`` receives u, v and the positions of p and q. ``target`` is the best cost so far: a
    Gaussian configuration is left early when a single constraint already costs more.
    """
    law, x, w, _ = line
    p = split.p
    q = split.q
    if law.is_quadratic() and not next_to_cut_costs_less(line, split, target):
        return np.inf
    low = 0.0
    h_low = opening(line, split, low, state)
    if h_low < 0.0:
        high = (x[p] - x[q]) / (1.0 / w[p] + 1.0 / w[q])  # brings the rivals' means together
        if not high > 0.0:
            return np.inf
        h_high = opening(line, split, high, state)
        while h_high < 0.0:
            if high > 1e290:
                return np.inf
            low = high
            h_low = h_high
            high *= 2.0
            h_high = opening(line, split, high, state)
        side = 0
        for step in range(400):
            least = 1e-15 * high
            if high - low <= 4.0 * least:
                break
            middle = 0.5 * (low + high)
            if np.isfinite(h_low) and np.isfinite(h_high) and step % 4 != 3:
                # Illinois, with a bisection now and then
                middle = low + (high - low) * (h_low / (h_low - h_high))
            middle = min(max(middle, low + least), high - least)
            h = opening(line, split, middle, state)
            if h < 0.0:
                low = middle
                h_low = h
                if side == -1 and np.isfinite(h_high):
                    h_high *= 0.5
                side = -1
            else:
                high = middle
                h_high = h
                if h == 0.0:
                    break
                if side == 1:
                    h_low *= 0.5
                side = 1
        opening(line, split, high, state)
        if law.is_linear_at_zero() and (state[1] == np.inf or state[3] == np.inf):
            # Poisson arms without events: up to some force they stay at zero, beyond it nothing
            # holds them; at that force they rest wherever the opening closes
            v_far = state[1] == np.inf
            q_far = state[3] == np.inf
            missing = -opening(line, split, low, state)
            if v_far and q_far:
                missing *= 0.5
            state[1] += missing if v_far else 0.0
            state[3] += missing if q_far else 0.0
    if state[1] < state[0]:
        return np.inf  # the parts cross: some other configuration is cheaper
    return cost_at(line, split, state)


@kernel
def next_to_cut_costs_less(line: Line, split: Split, target: float) -> bool:
    """Whether the constraint between the two arms next to the cut costs less than ``target``.

    For quadratic costs only, where it has a closed form.
    """
    x = line.x
    w = line.w
    p = split.p
    q = split.q
    a = split.lo[0] if split.n_lo > 0 else split.in_lo
    b = split.hi[0] if split.n_hi > 0 else split.in_hi
    opposite = 0.0  # sum of (coefficient)^2 / weight of pos_b - pos_a - pos_p + pos_q
    if a == p:
        opposite += 4.0 / w[a]
    elif a != q:
        opposite += 1.0 / w[a]
    if b == q:
        opposite += 4.0 / w[b]
    elif b != p:
        opposite += 1.0 / w[b]
    if p != a and p != b:
        opposite += 1.0 / w[p]
    if q != a and q != b:
        opposite += 1.0 / w[q]
    gap = (x[p] - x[q]) - (x[b] - x[a])
    return not (gap > 0.0 and gap * gap >= 2.0 * opposite * target)


@kernel
def opening(line: Line, split: Split, force: float, state: FloatArray) -> float:
    """h(X) of the module's text; ``state`` receives u, v and the rivals' positions."""
    law, x, w, _ = line
    p = split.p
    q = split.q
    in_lo = split.in_lo
    in_hi = split.in_hi
    pos_p = np.nan
    pos_q = np.nan
    pushed = force if in_lo == q else -force
    u, special = level(line, split.lo, split.n_lo, -1.0, force, in_lo, pushed)
    if in_lo == q:
        pos_q = special
    elif in_lo == p:
        pos_p = special
    pushed = force if in_hi == q else -force
    v, special = level(line, split.hi, split.n_hi, 1.0, force, in_hi, pushed)
    if in_hi == q:
        pos_q = special
    elif in_hi == p:
        pos_p = special
    if in_lo != p and in_hi != p:
        pos_p = law.rest(x[p], -force / w[p])
    if in_lo != q and in_hi != q:
        pos_q = law.rest(x[q], force / w[q])
    state[0] = u
    state[1] = v
    state[2] = pos_p
    state[3] = pos_q
    return (v - u) - (pos_p - pos_q)


@kernel
def level(
    line: Line, members: IntArray, count: int, sign: float, force: float, special: int,
    special_force: float,
) -> tuple[float, float]:
    """Push the boundary of one part of the cluster outwards (sign = +1: Hi, up; -1: Lo, down).

    ``members`` are sorted from the boundary outwards, the rival arm ``special`` (or -1) apart: it
    is pushed by ``special_force`` on its own and joins the others only when it would lie beyond
    the boundary. Returns the boundary and the position of the special arm (nan without one).
    """
    law, x, w, pos = line
    boundary = sign * np.inf
    pooled = 0
    total_w = 0.0
    total_x = 0.0
    while pooled < count and (pooled == 0 or sign * pos[members[pooled]] < sign * boundary):
        a = members[pooled]
        total_w += w[a]
        total_x += w[a] * x[a]
        pooled += 1
        boundary = law.rest(total_x / total_w, sign * force / total_w)
    if special < 0:
        return boundary, np.nan
    free = law.rest(x[special], special_force / w[special])
    if count > 0 and sign * free >= sign * boundary:
        return boundary, free
    push = sign * force + special_force
    total_w = w[special]
    total_x = w[special] * x[special]
    boundary = law.rest(total_x / total_w, push / total_w)
    pooled = 0
    while pooled < count and sign * pos[members[pooled]] < sign * boundary:
        a = members[pooled]
        total_w += w[a]
        total_x += w[a] * x[a]
        pooled += 1
        boundary = law.rest(total_x / total_w, push / total_w)
    return boundary, boundary


@kernel
def cost_at(line: Line, split: Split, state: FloatArray) -> float:
    """The cost of a change to the positions in ``state``."""
    law, x, w, pos = line
    p = split.p
    q = split.q
    cost = w[p] * law.divergence(x[p], law.mean_at(state[2]))
    cost += w[q] * law.divergence(x[q], law.mean_at(state[3]))
    for k in range(split.n_lo):
        a = split.lo[k]
        if pos[a] > state[0]:
            cost += w[a] * law.divergence(x[a], law.mean_at(state[0]))
    for k in range(split.n_hi):
        a = split.hi[k]
        if pos[a] < state[1]:
            cost += w[a] * law.divergence(x[a], law.mean_at(state[1]))
    return cost


@kernel
def concave_cost(line: Line, split: Split) -> float:
    """Below this cost no change within the configuration leaves the region of convex costs.

    Only the exponential family in the mean has a limit: the cost of an arm pushed up from x is
    convex up to 2 x, where it is ``w (log 2 - 1/2)``. In an optimal change ``v - u`` equals
    ``pos_p - pos_q``, which bounds how far Hi and q can rise; only arms that may pass twice their
    mean count.
    """
    law, x, w, _ = line
    if law.is_convex():
        return np.inf
    lo, n_lo, hi, n_hi, p, q, in_lo, in_hi = split
    top = x[in_lo] if in_lo >= 0 else -np.inf
    for k in range(n_lo):
        top = max(top, x[lo[k]])
    bottom = x[in_hi] if in_hi >= 0 else np.inf
    for k in range(n_hi):
        bottom = min(bottom, x[hi[k]])
    gap = max(bottom - top, 0.0)
    highest_q = x[p] - gap
    if in_hi == q:
        highest_v = 0.5 * (x[p] + top)
        if n_hi == 0:
            highest_q = highest_v
    elif in_lo == p:
        highest_v = 2.0 * top - x[q]
    else:
        highest_v = top + x[p] - x[q]
    lightest = np.inf
    if highest_q > 2.0 * x[q]:
        lightest = w[q]
    for k in range(n_hi):
        if highest_v > 2.0 * x[hi[k]]:
            lightest = min(lightest, w[hi[k]])
    return lightest * (np.log(2.0) - 0.5)


@kernel
def far_change(line: Line, split: Split, far_q: bool, state: FloatArray) -> float:
    """A good change in which one group flies far up, where its cost is concave.

    Needed for the exponential family in the mean only. All others rest under a common force X, and
    the far group (q if ``far_q``, else the boundary of Hi) is put where the constraint closes; the
    cost is then minimised over X by a grid and a golden section. An upper bound, not a proof.
    """
    x = line.x
    w = line.w
    p = split.p
    q = split.q
    scale = 1.0 / (1.0 / w[p] + 1.0 / w[q]) / (x[p] + x[q])
    best = np.inf
    best_t = 0.0
    left = -30.0
    right = 6.0
    for phase in range(2):
        n_points = 73 if phase == 0 else 60
        inner = left + 0.381966 * (right - left)
        outer = left + 0.618034 * (right - left)
        inner_cost = np.inf
        outer_cost = np.inf
        for k in range(n_points):
            if phase == 0:
                t = left + (right - left) * k / (n_points - 1)
            elif k == 0:
                t = inner
            elif k == 1:
                t = outer
            elif inner_cost < outer_cost:
                right = outer
                outer = inner
                outer_cost = inner_cost
                inner = left + 0.381966 * (right - left)
                t = inner
            else:
                left = inner
                inner = outer
                inner_cost = outer_cost
                outer = left + 0.618034 * (right - left)
                t = outer
            cost = far_cost(line, split, far_q, scale * np.exp(t), state)
            if phase == 1:
                if t == inner:
                    inner_cost = cost
                else:
                    outer_cost = cost
            if cost < best:
                best = cost
                best_t = t
        left = best_t - 0.5
        right = best_t + 0.5
    return far_cost(line, split, far_q, scale * np.exp(best_t), state)


@kernel
def far_cost(line: Line, split: Split, far_q: bool, force: float, state: FloatArray) -> float:
    """The cost of ``far_change`` under the force X."""
    opening(line, split, force, state)
    if far_q:
        if split.in_lo == split.q:
            return np.inf
        if not np.isfinite(state[1]):
            return np.inf
        state[3] = state[2] - (state[1] - state[0])
        if split.in_hi == split.q and state[3] < state[1]:
            return np.inf
    else:
        if not np.isfinite(state[3]):
            state[3] = line.pos[split.q]
        v = state[0] + state[2] - state[3]
        if split.in_hi == split.q and v > state[3]:
            v = 0.5 * (state[0] + state[2])
            state[3] = v
        elif split.in_hi == split.p and v > state[2]:
            return np.inf
        state[1] = v
    if not state[0] <= state[1] or not state[3] <= state[2]:
        return np.inf
    return cost_at(line, split, state)
