"""One cut of a cluster against one rival pair, d >= 1: a bracket by Lagrangian duality.

minimise ``sum_i w_i |mu_i - lambda_i|^2 / 2`` subject to ``|lambda_m - lambda_n| <=
|lambda_a - lambda_b|`` for every bond (a, b) across the cut (the QCQP of Section VII).

With multipliers gamma >= 0 the Lagrangian is quadratic with the matrix
``B = diag(w) + sum_l gamma_l S_l``, ``S_l = (e_m-e_n)(e_m-e_n)' - (e_a-e_b)(e_a-e_b)'``, the same
in every coordinate. Where B is positive definite its minimiser is ``lambda = B^-1 W mu``, and the
dual value ``q = tr(mu' S lambda) / 2`` is a lower bound, whatever gamma. q is concave; its gradient
is the constraints at lambda. Where its maximum lies inside {B > 0}, lambda is feasible,
complementary and therefore the global minimum, although the problem is not convex.
"""

import numpy as np

from boclust._validate import BoolArray, FloatArray, IntArray
from boclust.kernels import copy_matrix, copy_vector, kernel
from boclust.psi.bond import squared

#: Pivots below this fraction of what was added up in the diagonal count as singular.
SAFE_PIVOT = 1e-15
#: How much smaller a certified matrix is made, relative to its diagonal: far above rounding.
SHIFT = 1e-12
#: Fractions taken off the multipliers until the matrix is safely positive definite.
SHRINKS = (0.0, 1e-11, 1e-10, 1e-9, 1e-8, 1e-6, 1e-4, 1e-2)
#: Relative error allowed for in a dual value.
ROUNDING = 1e-9


@kernel
def solve_cut(
    mu: FloatArray, w: FloatArray, left: IntArray, right: IntArray, m: int, n: int,
    gamma: FloatArray, tolerance: float, max_steps: int, enough: float, lam: FloatArray,
) -> tuple[float, float, int]:
    """Maximise q by projected Newton steps from ``gamma`` (changed in place).

    ``left[l], right[l]`` are the bonds. Writes lambda and returns (q, largest violation, steps),
    the violation relative to the squared length of the rival pair. Ends once q reaches ``enough``.
    """
    k, d = mu.shape
    n_bonds = left.shape[0]
    chol = np.empty((k, k))
    trial = np.empty(n_bonds)
    trial_lam = np.empty((k, d))
    grad = np.empty(n_bonds)
    step = np.empty(n_bonds)
    free = np.empty(n_bonds, np.bool_)
    hess = np.empty((n_bonds, n_bonds))
    reduced = np.empty((n_bonds, n_bonds))
    moved = np.empty((n_bonds, k, d))
    if not factor(w, left, right, m, n, gamma, chol):
        gamma[:] = 0.0
        factor(w, left, right, m, n, gamma, chol)
    value = dual_value(mu, w, left, right, m, n, gamma, chol, lam)
    worst = np.inf
    steps = 0
    while steps < max_steps and value < enough:
        steps += 1
        rival = squared(lam, m, n)
        worst = 0.0
        for l in range(n_bonds):
            grad[l] = 0.5 * (rival - squared(lam, left[l], right[l]))
            violation = abs(grad[l]) if gamma[l] > 0.0 else grad[l]
            worst = max(worst, violation)
            free[l] = gamma[l] > 0.0 or grad[l] > 0.0
        worst /= max(rival, 1e-300)
        if worst <= tolerance:
            break
        # hess = tr(lam' S_k B^-1 S_l lam), the curvature of -q
        for l in range(n_bonds):
            for c in range(d):
                for i in range(k):
                    moved[l, i, c] = 0.0
                rm = lam[m, c] - lam[n, c]
                ab = lam[left[l], c] - lam[right[l], c]
                moved[l, m, c] += rm
                moved[l, n, c] -= rm
                moved[l, left[l], c] -= ab
                moved[l, right[l], c] += ab
            forward(chol, moved[l])
        top = 0.0
        for i in range(n_bonds):
            for j in range(i + 1):
                total = 0.0
                for r in range(k):
                    for c in range(d):
                        total += moved[i, r, c] * moved[j, r, c]
                hess[i, j] = total
                hess[j, i] = total
            top = max(top, hess[i, i])
        for _ in range(n_bonds + 1):  # drop bonds that the step would push below zero
            for i in range(n_bonds):
                for j in range(n_bonds):
                    reduced[i, j] = hess[i, j] if free[i] and free[j] else 0.0
                reduced[i, i] += 1e-14 * top
                if not free[i]:
                    reduced[i, i] = 1.0
                step[i] = grad[i] if free[i] else 0.0
            for i in range(n_bonds):
                trial[i] = reduced[i, i]
            if not cholesky(reduced, trial):
                for i in range(n_bonds):
                    step[i] = grad[i] / max(hess[i, i], 1e-300) / n_bonds if free[i] else 0.0
            else:
                solve_vector(reduced, step)
            again = False
            for i in range(n_bonds):
                if free[i] and gamma[i] == 0.0 and step[i] < 0.0:
                    free[i] = False
                    again = True
            if not again:
                break
        size = 1.0
        improved = False
        for _ in range(60):
            slope = 0.0
            for i in range(n_bonds):
                trial[i] = max(gamma[i] + size * step[i], 0.0)
                slope += grad[i] * (trial[i] - gamma[i])
            if factor(w, left, right, m, n, trial, chol):
                new = dual_value(mu, w, left, right, m, n, trial, chol, trial_lam)
                if new >= value + 1e-4 * slope and new > value:
                    improved = True
                    break
            size *= 0.5
        if not improved:
            break
        value = new
        copy_vector(gamma, trial)
        copy_matrix(lam, trial_lam)
    return value, worst, steps


@kernel
def factor(
    w: FloatArray, left: IntArray, right: IntArray, m: int, n: int, gamma: FloatArray,
    chol: FloatArray,
) -> bool:
    """Cholesky factor of W^-1/2 B W^-1/2, or False where it is not positive definite."""
    k = w.shape[0]
    size = np.zeros(k)  # what is added up in each diagonal entry, without signs
    root = np.sqrt(w)
    chol[:] = 0.0
    total = 0.0
    for l in range(left.shape[0]):
        a = left[l]
        b = right[l]
        total += gamma[l]
        chol[a, a] -= gamma[l]
        chol[b, b] -= gamma[l]
        chol[max(a, b), min(a, b)] += gamma[l]
        size[a] += gamma[l]
        size[b] += gamma[l]
    chol[m, m] += total
    chol[n, n] += total
    chol[max(m, n), min(m, n)] -= total
    size[m] += total
    size[n] += total
    for i in range(k):
        for j in range(i + 1):
            chol[i, j] /= root[i] * root[j]
            chol[j, i] = chol[i, j]
        chol[i, i] += 1.0
        size[i] = 1.0 + size[i] / w[i]
    if not cholesky(chol, size):
        return False
    for i in range(k):  # from here on B = (W^1/2 L)(W^1/2 L)'
        for j in range(i + 1):
            chol[i, j] *= root[i]
    return True


@kernel
def dual_value(
    mu: FloatArray, w: FloatArray, left: IntArray, right: IntArray, m: int, n: int,
    gamma: FloatArray, chol: FloatArray, lam: FloatArray,
) -> float:
    """q(gamma), with lambda = B^-1 W mu written into ``lam``.

    Solved for the displacement, ``lambda - mu = -B^-1 S mu``, which keeps the digits when arms
    hardly move.
    """
    k, d = mu.shape
    lam[:] = 0.0
    for l in range(left.shape[0]):
        for c in range(d):
            rm = gamma[l] * (mu[m, c] - mu[n, c])
            ab = gamma[l] * (mu[left[l], c] - mu[right[l], c])
            lam[m, c] -= rm
            lam[n, c] += rm
            lam[left[l], c] += ab
            lam[right[l], c] -= ab
    forward(chol, lam)
    backward(chol, lam)
    for i in range(k):
        for c in range(d):
            lam[i, c] += mu[i, c]
    value = 0.0
    for l in range(left.shape[0]):
        for c in range(d):
            value += gamma[l] * (
                (mu[m, c] - mu[n, c]) * (lam[m, c] - lam[n, c])
                - (mu[left[l], c] - mu[right[l], c]) * (lam[left[l], c] - lam[right[l], c])
            )
    return 0.5 * value


@kernel
def cholesky(a: FloatArray, size: FloatArray) -> bool:
    """Lower Cholesky factor in place; False where a pivot is not safely positive.

    ``size`` is the magnitude of what was added up in the diagonal.
    """
    k = a.shape[0]
    for j in range(k):
        pivot = a[j, j]
        for r in range(j):
            pivot -= a[j, r] * a[j, r]
        if not pivot > SAFE_PIVOT * size[j]:
            return False
        a[j, j] = np.sqrt(pivot)
        for i in range(j + 1, k):
            total = a[i, j]
            for r in range(j):
                total -= a[i, r] * a[j, r]
            a[i, j] = total / a[j, j]
    return True


@kernel
def forward(chol: FloatArray, rhs: FloatArray) -> None:
    """Solve L z = rhs in place, all columns."""
    for i in range(chol.shape[0]):
        for c in range(rhs.shape[1]):
            total = rhs[i, c]
            for r in range(i):
                total -= chol[i, r] * rhs[r, c]
            rhs[i, c] = total / chol[i, i]


@kernel
def backward(chol: FloatArray, rhs: FloatArray) -> None:
    """Solve L' z = rhs in place, all columns."""
    k = chol.shape[0]
    for i in range(k - 1, -1, -1):
        for c in range(rhs.shape[1]):
            total = rhs[i, c]
            for r in range(i + 1, k):
                total -= chol[r, i] * rhs[r, c]
            rhs[i, c] = total / chol[i, i]


@kernel
def solve_vector(chol: FloatArray, rhs: FloatArray) -> None:
    """Solve L L' z = rhs in place."""
    k = chol.shape[0]
    for i in range(k):
        for r in range(i):
            rhs[i] -= chol[i, r] * rhs[r]
        rhs[i] /= chol[i, i]
    for i in range(k - 1, -1, -1):
        for r in range(i + 1, k):
            rhs[i] -= chol[r, i] * rhs[r]
        rhs[i] /= chol[i, i]


@kernel
def cut_problem(
    members: IntArray, cut: BoolArray, m: int, n: int,
) -> tuple[IntArray, IntArray, IntArray, int, int]:
    """(arms, left, right, m, n): the arms that can move, and the bonds across a cut of a cluster.

    Arms are the cluster's ``members``, then the rival arms outside it; bonds and rivals count in
    that order.
    """
    s = members.shape[0]
    arms = np.empty(s + 2, np.int64)
    local_m = -1
    local_n = -1
    inside = 0
    for i in range(s):
        arms[i] = members[i]
        inside += 1 if cut[i] else 0
        if members[i] == m:
            local_m = i
        if members[i] == n:
            local_n = i
    k = s
    if local_m < 0:
        arms[k] = m
        local_m = k
        k += 1
    if local_n < 0:
        arms[k] = n
        local_n = k
        k += 1
    left = np.empty(inside * (s - inside), np.int64)
    right = np.empty(inside * (s - inside), np.int64)
    l = 0
    for i in range(s):
        for j in range(s):
            if cut[i] and not cut[j]:
                left[l] = i
                right[l] = j
                l += 1
    return arms[:k], left, right, local_m, local_n


@kernel
def cost_of_change(mu: FloatArray, w: FloatArray, lam: FloatArray) -> float:
    """sum w |mu - lambda|^2 / 2."""
    cost = 0.0
    for i in range(mu.shape[0]):
        for c in range(mu.shape[1]):
            cost += 0.5 * w[i] * (lam[i, c] - mu[i, c]) ** 2
    return cost


@kernel
def bracket_cut(
    mu: FloatArray, w: FloatArray, left: IntArray, right: IntArray, m: int, n: int,
    seeds: FloatArray, tolerance: float, lam: FloatArray,
) -> tuple[float, float]:
    """A bracket (lower, upper) of the cut's cost; ``lam`` is feasible and costs ``upper``.

    Coincident or collinear means make the dual maximum degenerate (B singular) although there is
    no gap: the arms may leave in several directions. The means are then perturbed, a little and
    less and less, which selects a direction; both bounds are always taken at the true means.
    ``seeds`` (ladder x arms x d) holds the perturbations, the first of them zero.
    """
    k, d = mu.shape
    trial = np.empty((k, d))
    gamma = np.zeros(left.shape[0])
    lower = 0.0
    upper = np.inf
    for rung in range(seeds.shape[0]):
        solve_cut(
            mu + seeds[rung], w, left, right, m, n, gamma, 0.01 * tolerance, 200, np.inf, trial
        )
        value = 0.0
        for shrink in SHRINKS:  # away from where B is singular, as little as it takes
            value = certified_dual(mu, w, left, right, m, n, (1.0 - shrink) * gamma)
            if value > 0.0:
                break
        lower = max(lower, value)
        repair(trial, w, left, right, m, n)
        cost = cost_of_change(mu, w, trial)
        if cost < upper:
            upper = cost
            copy_matrix(lam, trial)
        if upper - lower <= tolerance * upper:
            break
    return min(lower * (1.0 - ROUNDING), upper), upper


@kernel
def certified_dual(
    mu: FloatArray, w: FloatArray, left: IntArray, right: IntArray, m: int, n: int,
    gamma: FloatArray,
) -> float:
    """q(gamma) to nearly full precision, or 0 where B is not safely positive definite.

    The rival arms outside the cluster are eliminated by hand: with T = sum gamma, two of them
    contribute ``T k / (T + k) |mu_m - mu_n|^2 / 2``, 1/k = 1/w_m + 1/w_n; a single one (the other
    being arm j of the cluster) pulls j towards itself with weight ``c = T w / (T + w)``. What is
    left is ``diag(w) - Laplacian(gamma)`` of the cluster, in which nothing large cancels. It is
    made smaller by far more than rounding before it is factored, which can only lower the value.
    The cluster's arms come first in ``mu``.
    """
    d = mu.shape[1]
    s = 0
    total = 0.0
    for l in range(left.shape[0]):
        s = max(s, left[l] + 1, right[l] + 1)
        total += gamma[l]
    if total == 0.0:
        return 0.0
    weight = w[:s].copy()
    target = mu[:s].copy()
    apart = squared(mu, m, n)
    if m >= s and n >= s:
        joint = 1.0 / (1.0 / w[m] + 1.0 / w[n])
        value = 0.5 * apart * total * joint / (total + joint)
    else:
        j = min(m, n)
        k = max(m, n)
        pull = total * w[k] / (total + w[k])
        value = 0.5 * apart * w[j] * pull / (w[j] + pull)
        weight[j] += pull
        for c in range(d):
            target[j, c] += pull / weight[j] * (mu[k, c] - mu[j, c])
    chol = np.zeros((s, s))
    size = np.ones(s)
    force = np.zeros((s, d))
    for l in range(left.shape[0]):
        a = left[l]
        b = right[l]
        chol[a, a] -= gamma[l] / weight[a]
        chol[b, b] -= gamma[l] / weight[b]
        chol[max(a, b), min(a, b)] += gamma[l] / (np.sqrt(weight[a]) * np.sqrt(weight[b]))
        size[a] += gamma[l] / weight[a]
        size[b] += gamma[l] / weight[b]
        for c in range(d):
            diff = target[a, c] - target[b, c]
            force[a, c] += gamma[l] * diff / np.sqrt(weight[a])
            force[b, c] -= gamma[l] * diff / np.sqrt(weight[b])
            value -= 0.5 * gamma[l] * diff * diff
    for i in range(s):
        chol[i, i] += 1.0 - SHIFT * size[i]
    if not cholesky(chol, size):
        return 0.0
    forward(chol, force)
    for i in range(s):
        for c in range(d):
            value -= 0.5 * force[i, c] * force[i, c]
    return value


@kernel
def repair(lam: FloatArray, w: FloatArray, left: IntArray, right: IntArray, m: int, n: int) -> None:
    """Pull the rival arms together until no bond across the cut is shorter than they are apart."""
    shortest = np.inf
    shared_m = False
    shared_n = False
    for l in range(left.shape[0]):
        shortest = min(shortest, squared(lam, left[l], right[l]))
        shared_m = shared_m or left[l] == m or right[l] == m
        shared_n = shared_n or left[l] == n or right[l] == n
    rival = squared(lam, m, n)
    if rival <= shortest:
        return
    excess = 1.0 - np.sqrt(shortest / rival) * (1.0 - 1e-15)
    share = (1.0 / w[m]) / (1.0 / w[m] + 1.0 / w[n])
    if shared_m:
        share = 0.0
    if shared_n:
        share = 1.0
    for c in range(lam.shape[1]):
        diff = lam[m, c] - lam[n, c]
        lam[m, c] -= share * excess * diff
        lam[n, c] += (1.0 - share) * excess * diff
