"""One bond against one rival pair, in any dimension, in closed form (1QCQP of Section VII).

``v(a, b; m, n)`` is the least cost ``sum w |mu - lambda|^2 / 2`` of a change after which the bond
(a, b) is at least as long as the rival pair (m, n). Kernels take positive weights. The closed
forms are proven in ``docs/explanation/stopping-rules.md``.
"""

import numpy as np

from boclust._validate import FloatArray
from boclust.kernels import inlined, kernel


@kernel
def bond_value(mu: FloatArray, w: FloatArray, a: int, b: int, m: int, n: int) -> float:
    """v(a, b; m, n); the bond and the rival pair may share one arm.

    Four arms: ``v = g^2 / 2 / (1/w_a + 1/w_b + 1/w_m + 1/w_n)``, g = |mu_m-mu_n| - |mu_a-mu_b|.
    A shared arm j (bond i-j, rival j-n), with x = mu_i - mu_j, y = mu_n - mu_j:
    ``v = C^2 / (2 [s (X + Y) + 2 b Q + 2 S])``, S = sqrt((s D - b Q)^2 + s (s + 4 b) G), where
    X = |x|^2, Y = |y|^2, D = x.y, Q = |x-y|^2, G = XY - D^2, C = Y - X, s = 1/w_i + 1/w_n,
    b = 1/w_j.
    """
    if a != m and a != n and b != m and b != n:
        bond = squared(mu, a, b)
        rival = squared(mu, m, n)
        if rival <= bond:
            return 0.0
        inverse = 1.0 / w[a] + 1.0 / w[b] + 1.0 / w[m] + 1.0 / w[n]
        return four_arm_cost(np.sqrt(bond), np.sqrt(rival), inverse)
    j = a if a == m or a == n else b
    i = b if j == a else a
    k = n if j == m else m
    xx, yy, xy, q, g = _shared_products(mu, i, j, k)
    if yy <= xx:
        return 0.0
    return three_arm_cost(
        np.sqrt(xx), np.sqrt(yy), xy, q, g, 1.0 / w[i] + 1.0 / w[k], 1.0 / w[j]
    )


@inlined
def bond_cost(gaps: FloatArray, inverse: FloatArray, a: int, b: int, m: int, n: int) -> float:
    """``bond_value`` from the distances between arms and their inverse weights 1/w."""
    bond = gaps[a, b]
    rival = gaps[m, n]
    if rival <= bond:
        return 0.0
    if a != m and a != n and b != m and b != n:
        total = inverse[a] + inverse[b] + inverse[m] + inverse[n]
        return four_arm_cost(bond, rival, total)
    j = a if a == m or a == n else b
    i = b if j == a else a
    k = n if j == m else m
    return three_arm_cost_of_gaps(bond, rival, gaps[i, k], inverse[i] + inverse[k], inverse[j])


@kernel
def shrunk_inverse(count: float, precision: float) -> float:
    """1 / n_c with n_c = N^2 / (N + c): what N samples weigh under a prior of precision c."""
    return (1.0 + precision / count) / count


@kernel
def claim_cost(
    counts: FloatArray, gaps: FloatArray, precision: float, a: int, b: int, m: int, n: int
) -> float:
    """v(a, b; m, n) at the weights n_c; with c = 0 every sample weighs one."""
    bond = gaps[a, b]
    rival = gaps[m, n]
    if rival <= bond:
        return 0.0
    if a == m or a == n or b == m or b == n:
        j = a if a == m or a == n else b
        i = b if j == a else a
        k = n if j == m else m
        outer = shrunk_inverse(counts[i], precision) + shrunk_inverse(counts[k], precision)
        shared = shrunk_inverse(counts[j], precision)
        return three_arm_cost_of_gaps(bond, rival, gaps[i, k], outer, shared)
    inverse = shrunk_inverse(counts[a], precision) + shrunk_inverse(counts[b], precision)
    inverse += shrunk_inverse(counts[m], precision) + shrunk_inverse(counts[n], precision)
    return four_arm_cost(bond, rival, inverse)


@kernel
def four_arm_cost(bond: float, rival: float, inverse: float) -> float:
    """v of four different arms; ``inverse`` is the sum of their inverse weights."""
    gap = rival - bond
    return 0.5 * gap * gap / inverse


@kernel
def three_arm_cost(
    bond: float, rival: float, dot: float, q: float, area: float, outer: float, shared: float,
) -> float:
    """v of bond i-j against rival j-n: |x|, |y|, D, Q, G, s and b of ``bond_value``."""
    c2 = (rival - bond) * (rival + bond)
    root = np.sqrt((outer * dot - shared * q) ** 2 + outer * (outer + 4.0 * shared) * area)
    squares = bond * bond + rival * rival
    return c2 * c2 / (2.0 * (outer * squares + 2.0 * shared * q + 2.0 * root))


@kernel
def three_arm_cost_of_gaps(
    bond: float, rival: float, third: float, outer: float, shared: float,
) -> float:
    """``three_arm_cost`` from the three distances; third = |i - n|."""
    xx = bond * bond
    yy = rival * rival
    q = third * third
    dot = 0.5 * (xx + yy - q)
    return three_arm_cost(bond, rival, dot, q, max(xx * yy - dot * dot, 0.0), outer, shared)


@inlined
def squared(points: FloatArray, i: int, j: int) -> float:
    """Squared distance of two rows."""
    return squared_between(points, i, points, j)


@inlined
def squared_between(points: FloatArray, i: int, others: FloatArray, j: int) -> float:
    """Squared distance of a row of one matrix and a row of another."""
    total = 0.0
    for c in range(points.shape[1]):
        total += (points[i, c] - others[j, c]) ** 2
    return total


@kernel
def _shared_products(
    mu: FloatArray, i: int, j: int, k: int,
) -> tuple[float, float, float, float, float]:
    xx = 0.0
    yy = 0.0
    xy = 0.0
    q = 0.0
    for c in range(mu.shape[1]):
        x = mu[i, c] - mu[j, c]
        y = mu[k, c] - mu[j, c]
        xx += x * x
        yy += y * y
        xy += x * y
        q += (x - y) * (x - y)
    return xx, yy, xy, q, max(xx * yy - xy * xy, 0.0)


@kernel
def project_on_bond(point: FloatArray, a: int, b: int, m: int, n: int) -> None:
    """Move ``point`` (arms x d) in place to the nearest one with |a - b| >= |m - n|, equal weights.

    Four arms: each pair opens or closes along its line. A shared arm j (bond i-j, rival j-n):
    stationarity is a 3 x 3 system in the multiplier g, singular only where i and j coincide; then
    i is first set off by a hair, away from n.
    """
    d = point.shape[1]
    if a != m and a != n and b != m and b != n:
        bond = np.sqrt(squared(point, a, b))
        rival = np.sqrt(squared(point, m, n))
        if rival <= bond:
            return
        move = (rival - bond) / 4.0
        for c in range(d):
            along = (point[m, c] - point[n, c]) / rival
            across = (point[a, c] - point[b, c]) / bond if bond > 0.0 else along
            point[a, c] += move * across
            point[b, c] -= move * across
            point[m, c] -= move * along
            point[n, c] += move * along
        return
    j = a if a == m or a == n else b
    i = b if j == a else a
    k = n if j == m else m
    xx, yy, xy, q, g = _shared_products(point, i, j, k)
    if yy <= xx:
        return
    if xx < 1e-18 * yy:
        for c in range(d):
            point[i, c] = point[j, c] - 1e-7 * (point[k, c] - point[j, c])
        xx, yy, xy, q, g = _shared_products(point, i, j, k)
    root = np.sqrt((2.0 * xy - q) ** 2 + 12.0 * g)
    t = (yy - xx) / (q + xx + yy + root)
    # (1-t) l_i + t l_j = i,  l_j + t l_i - t l_k = j,  (1+t) l_k - t l_j = k
    det = 1.0 - t * t / (1.0 - t) - t * t / (1.0 + t)
    for c in range(d):
        lam_j = (point[j, c] - t * point[i, c] / (1.0 - t) + t * point[k, c] / (1.0 + t)) / det
        point[i, c] = (point[i, c] - t * lam_j) / (1.0 - t)
        point[k, c] = (point[k, c] + t * lam_j) / (1.0 + t)
        point[j, c] = lam_j
