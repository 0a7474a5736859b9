"""Arms on a line (d = 1): the nearest alternative, exactly and in polynomial time.

Every family of the library is served by the same kernel: an arm has a mean ``x``, a position
``pos`` (its mean or its natural parameter) and a weight; a group of arms that is pushed together
with force F comes to rest where the derivative of its cost equals F (``rest``).

One *configuration* is a split of a cluster into a lower part Lo and an upper part Hi and a rival
pair (upper arm p, lower arm q). The cheapest change for which every position in Lo is <= u, every
position in Hi is >= v and ``v - u >= pos_p - pos_q`` is a convex problem; by stationarity a single
multiplier X pushes Lo down, Hi up, p down and q up, all with force X, and the opening
``h(X) = (v - u) - (pos_p - pos_q)`` increases in X. Its root is found by a safeguarded secant.

Which configurations can be optimal: given u and v an arm prefers Lo exactly when it lies below a
threshold between them, whatever its weight. So the split is a cut of the sorted cluster, unless
one side would then be empty: there one arm, the cheapest, must *escape* from all the others. Light
arms make escapes optimal, and the order of the arms is not kept then. A rival arm inside the
cluster belongs to the part next to the other rival arm (from the far part it would have to drag
that arm past the boundary of the near one, whose arms would then be the better rivals); the
remaining arms are split in the same way. That leaves at most 3 s configurations for a cluster of
s arms and a rival pair, instead of 2^s.

Rival pairs of neighbouring clusters suffice: between two arms of clusters that are not neighbours
lies an arm j of a third cluster; wherever the two meet, one of them has crossed j or has j between
them, and stopping there is cheaper. ``docs/explanation/stopping-rules.md`` has the proofs.
"""

import numpy as np

from boclust.kernels import kernel
from boclust._validate import FloatArray, IntArray
from boclust.kernels import copy_vector
from boclust.problem.families.laws import (
    EXPONENTIAL,
    GAUSSIAN,
    POISSON,
    divergence,
    mean_of_natural,
    rest,
)


@kernel
def level(
    family: int, in_mean: bool, x: FloatArray, w: FloatArray, pos: FloatArray, members: IntArray,
    count: int, sign: float, force: float, special: int, special_force: float,
) -> tuple[float, float]:
    """Push the boundary of one part of the cluster outwards (sign = +1: Hi, up; -1: Lo, down).

    ``members`` are sorted from the boundary outwards, the rival arm ``special`` (or -1) apart: it
    is pushed by ``special_force`` on its own and joins the others only when it would lie beyond
    the boundary. Returns the boundary and the position of the special arm (nan without one).
    """
    boundary = sign * np.inf
    pooled = 0
    total_w = 0.0
    total_x = 0.0
    while pooled < count and (pooled == 0 or sign * pos[members[pooled]] < sign * boundary):
        a = members[pooled]
        total_w += w[a]
        total_x += w[a] * x[a]
        pooled += 1
        boundary = rest(family, in_mean, total_x / total_w, sign * force / total_w)
    if special < 0:
        return boundary, np.nan
    free = rest(family, in_mean, x[special], special_force / w[special])
    if count > 0 and sign * free >= sign * boundary:
        return boundary, free
    push = sign * force + special_force
    total_w = w[special]
    total_x = w[special] * x[special]
    boundary = rest(family, in_mean, total_x / total_w, push / total_w)
    pooled = 0
    while pooled < count and sign * pos[members[pooled]] < sign * boundary:
        a = members[pooled]
        total_w += w[a]
        total_x += w[a] * x[a]
        pooled += 1
        boundary = rest(family, in_mean, total_x / total_w, push / total_w)
    return boundary, boundary


@kernel
def opening(
    family: int, in_mean: bool, x: FloatArray, w: FloatArray, pos: FloatArray, lo: IntArray,
    n_lo: int, hi: IntArray, n_hi: int, p: int, q: int, in_lo: int, in_hi: int, force: float,
    state: FloatArray,
) -> float:
    """h(X) of the module's text; ``state`` receives u, v and the rivals' positions.

    ``in_lo`` / ``in_hi`` is the rival arm that belongs to that part of the cluster, or -1.
    """
    pos_p = np.nan
    pos_q = np.nan
    pushed = force if in_lo == q else -force
    u, special = level(family, in_mean, x, w, pos, lo, n_lo, -1.0, force, in_lo, pushed)
    if in_lo == q:
        pos_q = special
    elif in_lo == p:
        pos_p = special
    pushed = force if in_hi == q else -force
    v, special = level(family, in_mean, x, w, pos, hi, n_hi, 1.0, force, in_hi, pushed)
    if in_hi == q:
        pos_q = special
    elif in_hi == p:
        pos_p = special
    if in_lo != p and in_hi != p:
        pos_p = rest(family, in_mean, x[p], -force / w[p])
    if in_lo != q and in_hi != q:
        pos_q = rest(family, in_mean, x[q], force / w[q])
    state[0] = u
    state[1] = v
    state[2] = pos_p
    state[3] = pos_q
    return (v - u) - (pos_p - pos_q)


@kernel
def configuration(
    family: int, in_mean: bool, x: FloatArray, w: FloatArray, pos: FloatArray, lo: IntArray,
    n_lo: int, hi: IntArray, n_hi: int, p: int, q: int, in_lo: int, in_hi: int, target: float,
    state: FloatArray,
) -> float:
    """The least cost of one configuration and its positions in ``state``; inf where there is none.

    ``target`` is the best cost so far: a Gaussian configuration is left early when the single
    constraint between the two arms next to the cut already costs more.
    """
    if family == GAUSSIAN:
        a = lo[0] if n_lo > 0 else in_lo
        b = hi[0] if n_hi > 0 else in_hi
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
        if gap > 0.0 and gap * gap >= 2.0 * opposite * target:
            return np.inf
    low = 0.0
    h_low = opening(family, in_mean, x, w, pos, lo, n_lo, hi, n_hi, p, q, in_lo, in_hi, low, state)
    if h_low < 0.0:
        high = (x[p] - x[q]) / (1.0 / w[p] + 1.0 / w[q])  # brings the rivals' means together
        if not high > 0.0:
            return np.inf
        h_high = opening(
            family, in_mean, x, w, pos, lo, n_lo, hi, n_hi, p, q, in_lo, in_hi, high, state
        )
        while h_high < 0.0:
            if high > 1e290:
                return np.inf
            low = high
            h_low = h_high
            high *= 2.0
            h_high = opening(
                family, in_mean, x, w, pos, lo, n_lo, hi, n_hi, p, q, in_lo, in_hi, high, state
            )
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
            h = opening(
                family, in_mean, x, w, pos, lo, n_lo, hi, n_hi, p, q, in_lo, in_hi, middle, state
            )
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
        opening(family, in_mean, x, w, pos, lo, n_lo, hi, n_hi, p, q, in_lo, in_hi, high, state)
        if family == POISSON and in_mean and (state[1] == np.inf or state[3] == np.inf):
            # Poisson arms without events: up to some force they stay at zero, beyond it nothing
            # holds them; at that force they rest wherever the opening closes
            v_far = state[1] == np.inf
            q_far = state[3] == np.inf
            missing = -opening(
                family, in_mean, x, w, pos, lo, n_lo, hi, n_hi, p, q, in_lo, in_hi, low, state
            )
            if v_far and q_far:
                missing *= 0.5
            state[1] += missing if v_far else 0.0
            state[3] += missing if q_far else 0.0
    if state[1] < state[0]:
        return np.inf  # the parts cross: some other configuration is cheaper
    return _cost(family, in_mean, x, w, pos, lo, n_lo, hi, n_hi, p, q, state)


@kernel
def far_configuration(
    family: int, in_mean: bool, x: FloatArray, w: FloatArray, pos: FloatArray, lo: IntArray,
    n_lo: int, hi: IntArray, n_hi: int, p: int, q: int, in_lo: int, in_hi: int, far_q: bool,
    state: FloatArray,
) -> float:
    """A good configuration in which one group flies far up, where its cost is concave.

    Needed for the exponential family in the mean only. All others rest under a common force X, and
    the far group (q if ``far_q``, else the boundary of Hi) is put where the constraint closes; the
    cost is then minimised over X by a grid and a golden section. An upper bound, not a proof.
    """
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
            cost = _far_cost(
                family, in_mean, x, w, pos, lo, n_lo, hi, n_hi, p, q, in_lo, in_hi, far_q, scale *
                np.exp(t), state,
            )
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
    return _far_cost(
        family, in_mean, x, w, pos, lo, n_lo, hi, n_hi, p, q, in_lo, in_hi, far_q, scale *
        np.exp(best_t), state,
    )


@kernel
def _far_cost(
    family: int, in_mean: bool, x: FloatArray, w: FloatArray, pos: FloatArray, lo: IntArray,
    n_lo: int, hi: IntArray, n_hi: int, p: int, q: int, in_lo: int, in_hi: int, far_q: bool,
    force: float, state: FloatArray,
) -> float:
    opening(family, in_mean, x, w, pos, lo, n_lo, hi, n_hi, p, q, in_lo, in_hi, force, state)
    if far_q:
        if in_lo == q:
            return np.inf
        if not np.isfinite(state[1]):
            return np.inf
        state[3] = state[2] - (state[1] - state[0])
        if in_hi == q and state[3] < state[1]:
            return np.inf
    else:
        if not np.isfinite(state[3]):
            state[3] = pos[q]
        v = state[0] + state[2] - state[3]
        if in_hi == q and v > state[3]:
            v = 0.5 * (state[0] + state[2])
            state[3] = v
        elif in_hi == p and v > state[2]:
            return np.inf
        state[1] = v
    if not state[0] <= state[1] or not state[3] <= state[2]:
        return np.inf
    return _cost(family, in_mean, x, w, pos, lo, n_lo, hi, n_hi, p, q, state)


@kernel
def _cost(
    family: int, in_mean: bool, x: FloatArray, w: FloatArray, pos: FloatArray, lo: IntArray,
    n_lo: int, hi: IntArray, n_hi: int, p: int, q: int, state: FloatArray,
) -> float:
    cost = w[p] * divergence(family, x[p], _mean_at(family, in_mean, state[2]))
    cost += w[q] * divergence(family, x[q], _mean_at(family, in_mean, state[3]))
    for k in range(n_lo):
        a = lo[k]
        if pos[a] > state[0]:
            cost += w[a] * divergence(family, x[a], _mean_at(family, in_mean, state[0]))
    for k in range(n_hi):
        a = hi[k]
        if pos[a] < state[1]:
            cost += w[a] * divergence(family, x[a], _mean_at(family, in_mean, state[1]))
    return cost


@kernel
def _mean_at(family: int, in_mean: bool, position: float) -> float:
    return position if in_mean else mean_of_natural(family, position)


@kernel
def concave_cost(
    family: int, in_mean: bool, x: FloatArray, w: FloatArray, lo: IntArray, n_lo: int, hi: IntArray,
    n_hi: int, p: int, q: int, in_lo: int, in_hi: int,
) -> float:
    """Below this cost no change within the configuration leaves the region of convex costs.

    Only the exponential family in the mean has a limit: the cost of an arm pushed up from x is
    convex up to 2 x, where it is ``w (log 2 - 1/2)``. In an optimal change ``v - u`` equals
    ``pos_p - pos_q``, which bounds how far Hi and q can rise; only arms that may pass twice their
    mean count.
    """
    if family != EXPONENTIAL or not in_mean:
        return np.inf
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
def nearest_alternative(
    family: int, in_mean: bool, x: FloatArray, w: FloatArray, pos: FloatArray, order: IntArray,
    start: IntArray, alternative: FloatArray,
) -> tuple[float, float, int, int, IntArray]:
    """psi and the alternative that attains it.

    ``order`` sorts the arms by position, cluster after cluster; cluster k holds
    ``order[start[k]:start[k + 1]]``. Writes the alternative's means into ``alternative`` and
    returns (lower, value, p, q, side), where ``side[a]`` is 1 in Lo and 2 in Hi of the cut and
    ``lower`` differs from ``value`` only where ``concave_cost`` cannot exclude something cheaper.
    """
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
    n_attempts = 3 if family == EXPONENTIAL and in_mean else 1
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
                    n_others = 0
                    for j in range(start[k], start[k + 1]):
                        if order[j] != in_lo and order[j] != in_hi:
                            others[n_others] = order[j]
                            n_others += 1
                    for choice in range(3 * n_others + 1):
                        n_lo, n_hi = parts(others, n_others, choice, in_lo, in_hi, lo, hi)
                        if n_lo < 0:
                            continue
                        lower = min(
                            lower,
                            concave_cost(
                                family, in_mean, x, w, lo, n_lo, hi, n_hi, p, q, in_lo, in_hi
                            ),
                        )
                        for attempt in range(n_attempts):
                            if attempt == 0:
                                value = configuration(
                                    family, in_mean, x, w, pos, lo, n_lo, hi, n_hi, p, q, in_lo,
                                    in_hi, best, state,
                                )
                            else:
                                value = far_configuration(
                                    family, in_mean, x, w, pos, lo, n_lo, hi, n_hi, p, q, in_lo,
                                    in_hi, attempt == 2, state,
                                )
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
                alternative[a] = _mean_at(family, in_mean, best_state[0])
            elif side[a] == 2 and pos[a] < best_state[1]:
                alternative[a] = _mean_at(family, in_mean, best_state[1])
        alternative[best_p] = _mean_at(family, in_mean, best_state[2])
        alternative[best_q] = _mean_at(family, in_mean, best_state[3])
    return min(lower, best), best, best_p, best_q, side


@kernel
def nearest_on_line(
    family: int, in_mean: bool, x: FloatArray, w: FloatArray, pos: FloatArray, order: IntArray,
    start: IntArray, alternative: FloatArray,
) -> tuple[float, float, int, int, IntArray]:
    """``nearest_alternative`` for Python: what other kernels take in need not be typed again."""
    return nearest_alternative(family, in_mean, x, w, pos, order, start, alternative)


@kernel
def bond_on_line(
    family: int, in_mean: bool, x: FloatArray, w: FloatArray, pos: FloatArray, a: int, b: int,
    p: int, q: int,
) -> float:
    """v(a, b; p, q) of any family: the cheapest change that makes |a - b| >= |p - q|, p above q.

    The bond may open in either direction and may share one arm with the rival pair. A lower bound
    where ``concave_cost`` cannot exclude something cheaper.
    """
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
        value = configuration(
            family, in_mean, x, w, pos, lo, n_lo, hi, n_hi, p, q, in_lo, in_hi, np.inf, state,
        )
        certain = concave_cost(family, in_mean, x, w, lo, n_lo, hi, n_hi, p, q, in_lo, in_hi)
        best = min(best, value, certain)
    return best


@kernel
def tree_on_line(
    family: int, in_mean: bool, x: FloatArray, w: FloatArray, pos: FloatArray, order: IntArray,
    start: IntArray,
) -> float:
    """The spanning-tree lower bound for any family; arguments as in ``nearest_alternative``.

    Neighbours in the sorted cluster are a spanning tree: where all their bonds cost more than the
    best bottleneck so far, the maximum spanning tree's smallest edge does so too.
    """
    m = x.shape[0]
    reach = np.empty(m)
    best = np.inf
    for k in range(start.shape[0] - 1):
        members = order[start[k] : start[k + 1]]
        size = members.shape[0]
        if size < 2:
            continue
        for jq in range(m):
            for jp in range(jq + 1, m):
                q = order[jq]
                p = order[jp]
                same = False
                for r in range(start.shape[0] - 1):
                    if start[r] <= jq and jp < start[r + 1]:
                        same = True
                if same:
                    continue
                smallest = np.inf
                for e in range(size - 1):
                    value = bond_on_line(
                        family, in_mean, x, w, pos, members[e], members[e + 1], p, q
                    )
                    smallest = min(smallest, value)
                    if smallest < best:
                        break
                if smallest >= best:
                    continue
                reach[:] = -1.0  # Prim's algorithm; infinity marks what is in the tree
                newest = 0
                smallest = np.inf
                for _ in range(size - 1):
                    reach[newest] = np.inf
                    chosen = -1
                    for e in range(size):
                        if reach[e] == np.inf:
                            continue
                        value = bond_on_line(
                            family, in_mean, x, w, pos, members[newest], members[e], p, q
                        )
                        reach[e] = max(reach[e], min(value, 1e300))
                        if chosen < 0 or reach[e] > reach[chosen]:
                            chosen = e
                    smallest = min(smallest, reach[chosen])
                    newest = chosen
                best = min(best, smallest)
    return best
