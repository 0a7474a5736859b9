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
cluster chooses its side freely; the remaining arms are split in the same way. That leaves about
4 s configurations for a cluster of s arms and a rival pair, instead of 2^s.

Rival pairs of neighbouring clusters suffice: between two arms of clusters that are not neighbours
lies an arm j of a third cluster; wherever the two meet, one of them has crossed j or has j between
them, and stopping there is cheaper.
"""

import numpy as np

from boclust._jit import kernel

GAUSSIAN = 0
BERNOULLI = 1
POISSON = 2
EXPONENTIAL = 3


@kernel
def natural_of_mean(family, mean):
    """The natural parameter (infinite on the boundary of the parameter space)."""
    if family == BERNOULLI:
        if mean <= 0.0:
            return -np.inf
        if mean >= 1.0:
            return np.inf
        return np.log(mean) - np.log1p(-mean)
    if family == POISSON:
        return np.log(mean) if mean > 0.0 else -np.inf
    if family == EXPONENTIAL:
        return -1.0 / mean if mean > 0.0 else -np.inf
    return mean


@kernel
def mean_of_natural(family, theta):
    """The mean map A'(theta)."""
    if family == BERNOULLI:
        return 1.0 / (1.0 + np.exp(-theta)) if theta > 0 else np.exp(theta) / (1.0 + np.exp(theta))
    if family == POISSON:
        return np.exp(theta)
    if family == EXPONENTIAL:
        return -1.0 / theta if theta < 0.0 else np.inf
    return theta


@kernel
def divergence(family, mean, other):
    """Kullback-Leibler divergence between two means; the first may lie on the boundary."""
    if family == BERNOULLI:
        if other <= 0.0 or other >= 1.0:
            return 0.0 if mean == other else np.inf
        value = 0.0
        if mean > 0.0:
            value -= mean * np.log1p((other - mean) / mean)
        if mean < 1.0:
            value -= (1.0 - mean) * np.log1p((mean - other) / (1.0 - mean))
        return max(value, 0.0)
    if family == POISSON:
        if other <= 0.0:
            return 0.0 if mean == other else np.inf
        if mean <= 0.0:
            return other
        return max(other - mean - mean * np.log1p((other - mean) / mean), 0.0)
    if family == EXPONENTIAL:
        if other <= 0.0 or other == np.inf:
            return np.inf
        return max(np.log1p((other - mean) / mean) - (other - mean) / other, 0.0)
    return 0.5 * (mean - other) ** 2


@kernel
def rest(family, in_mean, mean, push):
    """Where a group with this mean comes to rest under ``push``, a force per unit of weight.

    The root of ``d/dpos divergence(mean, pos) = push``. In the natural parameter the derivative is
    A'(pos) - mean; in the mean it is (pos - mean) / V(pos) with V the variance function.
    """
    if family == GAUSSIAN:
        return mean + push
    if not in_mean:
        return natural_of_mean(family, mean + push)
    if family == BERNOULLI:  # (pos - mean) = push pos (1 - pos), solved without cancellation
        if push <= 0.0:
            b = 1.0 - push
            return 2.0 * mean / (b + np.sqrt(max(b * b + 4.0 * push * mean, 0.0)))
        b = 1.0 + push
        gap = 2.0 * (1.0 - mean) / (b + np.sqrt(max(b * b - 4.0 * push * (1.0 - mean), 0.0)))
        return 1.0 - gap
    if family == POISSON:
        return mean / (1.0 - push) if push < 1.0 else np.inf
    root = 1.0 - 4.0 * push * mean  # exponential: no force above 1 / (4 mean) can be balanced
    return 2.0 * mean / (1.0 + np.sqrt(root)) if root >= 0.0 else np.inf


@kernel
def level(family, in_mean, x, w, pos, members, count, sign, force, special, special_force, out):
    """Push the boundary of one part of the cluster outwards (sign = +1: Hi, up; -1: Lo, down).

    ``members`` are sorted from the boundary outwards, the rival arm ``special`` (or -1) apart: it
    is pushed by ``special_force`` on its own and joins the others only when it would lie beyond
    the boundary. Returns the boundary; ``out[0]`` is the position of the special arm, ``out[1]``
    how many members lie on the boundary and ``out[2]`` whether the special arm does.
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
    out[1] = pooled
    out[2] = 0.0
    if special < 0:
        return boundary
    free = rest(family, in_mean, x[special], special_force / w[special])
    if count > 0 and sign * free >= sign * boundary:
        out[0] = free
        return boundary
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
    out[0] = boundary
    out[1] = pooled
    out[2] = 1.0
    return boundary


@kernel
def opening(family, in_mean, x, w, pos, lo, n_lo, hi, n_hi, p, q, in_lo, in_hi, force, state):
    """h(X) of the module's text; ``state`` receives u, v, the rivals' positions and pool sizes.

    ``in_lo`` / ``in_hi`` is the rival arm that belongs to that part of the cluster, or -1.
    """
    out = np.empty(3)
    sp_force = force if in_lo == q else -force
    u = level(family, in_mean, x, w, pos, lo, n_lo, -1.0, force, in_lo, sp_force, out)
    pos_p = np.nan
    pos_q = np.nan
    if in_lo >= 0:
        if in_lo == q:
            pos_q = out[0]
        else:
            pos_p = out[0]
    state[4] = out[1]
    sp_force = force if in_hi == q else -force
    v = level(family, in_mean, x, w, pos, hi, n_hi, 1.0, force, in_hi, sp_force, out)
    if in_hi >= 0:
        if in_hi == q:
            pos_q = out[0]
        else:
            pos_p = out[0]
    state[5] = out[1]
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
    family, in_mean, x, w, pos, lo, n_lo, hi, n_hi, p, q, in_lo, in_hi, target, state
):
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
    h_low = opening(
        family, in_mean, x, w, pos, lo, n_lo, hi, n_hi, p, q, in_lo, in_hi, low, state
    )
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
            if np.isfinite(h_high) and step % 4 != 3:  # Illinois, with a bisection now and then
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
    if state[1] < state[0]:
        return np.inf  # the parts cross: some other configuration is cheaper
    cost = 0.0
    for k in range(n_lo):
        a = lo[k]
        if pos[a] > state[0]:
            cost += w[a] * divergence(family, x[a], _mean_at(family, in_mean, state[0]))
    for k in range(n_hi):
        a = hi[k]
        if pos[a] < state[1]:
            cost += w[a] * divergence(family, x[a], _mean_at(family, in_mean, state[1]))
    cost += w[p] * divergence(family, x[p], _mean_at(family, in_mean, state[2]))
    cost += w[q] * divergence(family, x[q], _mean_at(family, in_mean, state[3]))
    return cost


@kernel
def _mean_at(family, in_mean, position):
    return position if in_mean else mean_of_natural(family, position)


@kernel
def nearest_alternative(family, in_mean, x, w, pos, order, start, alternative):
    """psi and the alternative that attains it.

    ``order`` sorts the arms by position, cluster after cluster; cluster k holds
    ``order[start[k]:start[k + 1]]``. Writes the alternative's means into ``alternative`` and
    returns (value, cluster, p, q, side), where ``side[a]`` is 1 in Lo and 2 in Hi of the cut.
    """
    n_clusters = start.shape[0] - 1
    m = x.shape[0]
    lo = np.empty(m, np.int64)
    hi = np.empty(m, np.int64)
    others = np.empty(m, np.int64)
    state = np.empty(6)
    best_state = np.empty(6)
    side = np.zeros(m, np.int64)
    best = np.inf
    best_k = -1
    best_p = -1
    best_q = -1
    for k in range(n_clusters):
        size = start[k + 1] - start[k]
        if size < 2:
            continue
        for r in range(n_clusters - 1):
            for jq in range(start[r + 1] - 1, start[r] - 1, -1):
                q = order[jq]
                for jp in range(start[r + 1], start[r + 2]):
                    p = order[jp]
                    shared = -1
                    if r == k:
                        shared = q
                    elif r + 1 == k:
                        shared = p
                    n_others = 0
                    for j in range(start[k], start[k + 1]):
                        if order[j] != shared:
                            others[n_others] = order[j]
                            n_others += 1
                    n_modes = 2 if shared >= 0 else 1
                    for mode in range(n_modes):
                        in_lo = shared if mode == 0 else -1
                        in_hi = shared if mode == 1 else -1
                        # cuts: the lowest ``c`` of the others below, the rest above; the part
                        # that holds the shared arm may be empty of others
                        first = 0 if in_lo >= 0 else 1
                        last = n_others if in_hi >= 0 else n_others - 1
                        n_cuts = last - first + 1
                        # then escapes: one of the others alone below, or alone above
                        for choice in range(n_cuts + 2 * n_others):
                            n_lo = 0
                            n_hi = 0
                            if choice < n_cuts:
                                c = first + choice
                                for j in range(c - 1, -1, -1):
                                    lo[n_lo] = others[j]
                                    n_lo += 1
                                for j in range(c, n_others):
                                    hi[n_hi] = others[j]
                                    n_hi += 1
                            else:
                                e = (choice - n_cuts) // 2
                                if n_others < 2:
                                    continue  # the cuts hold this already
                                if (choice - n_cuts) % 2 == 0:
                                    if e == 0 or in_lo >= 0:
                                        continue
                                    lo[0] = others[e]
                                    n_lo = 1
                                    for j in range(n_others):
                                        if j != e:
                                            hi[n_hi] = others[j]
                                            n_hi += 1
                                else:
                                    if e == n_others - 1 or in_hi >= 0:
                                        continue
                                    hi[0] = others[e]
                                    n_hi = 1
                                    for j in range(n_others - 1, -1, -1):
                                        if j != e:
                                            lo[n_lo] = others[j]
                                            n_lo += 1
                            value = configuration(
                                family, in_mean, x, w, pos, lo, n_lo, hi, n_hi, p, q, in_lo, in_hi,
                                best, state,
                            )
                            if value < best:
                                best = value
                                best_k = k
                                best_p = p
                                best_q = q
                                best_state[:] = state
                                side[:] = 0
                                for j in range(n_lo):
                                    side[lo[j]] = 1
                                for j in range(n_hi):
                                    side[hi[j]] = 2
                                if in_lo >= 0:
                                    side[in_lo] = 1
                                if in_hi >= 0:
                                    side[in_hi] = 2
    alternative[:] = x
    if best < np.inf:
        for a in range(m):
            if side[a] == 1 and pos[a] > best_state[0]:
                alternative[a] = _mean_at(family, in_mean, best_state[0])
            elif side[a] == 2 and pos[a] < best_state[1]:
                alternative[a] = _mean_at(family, in_mean, best_state[1])
        alternative[best_p] = _mean_at(family, in_mean, best_state[2])
        alternative[best_q] = _mean_at(family, in_mean, best_state[3])
    return best, best_k, best_p, best_q, side
