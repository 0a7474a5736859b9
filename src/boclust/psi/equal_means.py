"""psi where all arms of a cluster share one mean (Yang, Zhong and Tan 2024).

J. Yang, Z. Zhong, V. Y. F. Tan, "Optimal Clustering with Bandit Feedback", JMLR 25 (2024). Samples
are Gaussian with the identity as covariance: estimates are in units of sigma.

For arms at the centres c of a partition into K clusters, 2 <= K < M, the cheapest change of the
means after which another partition into K clusters is right costs

``psi(w) = 1/2 min over ordered pairs k, j of f(least_k, total_j) |c_k - c_j|^2``,

f(x, y) = xy / (x + y), least_k the smallest weight of an arm of k, total_j the weight of all of j.

- Not more: one arm of k moves to j. If it is the only one of k, moving an arm of j to k is cheaper;
  if j is a single arm too, the two merge, and another cluster is cut in two at no cost.
- Not less: let x_1 .. x_K be the centres of the other partition, and let each arm pay for the
  nearest of them only. If clusters k and j have the same nearest one, they alone pay
  f(total_k, total_j) |c_k - c_j|^2 / 2 or more. Else each x_j is the nearest one of just one
  cluster j; some arm of a cluster k went to an x_j, j != k, and together with the arms of j, which
  pay for x_j at least, it costs f(least_k, total_j) |c_k - c_j|^2 / 2 or more.

Moves out of clusters of two or more arms alone would miss the merger of two single arms.
"""

import numpy as np

from boclust._validate import FloatArray, IntArray
from boclust.kernels import kernel
from boclust.psi.bond import squared, squared_between
from boclust.psi.cut import cholesky, solve_vector

#: How far psi of the proportions may be from its upper bound, relatively.
TOLERANCE = 1e-6
#: A limit to the steps towards it (about 8 for K = 4; at most 46 seen, with coincident centres).
MAX_STEPS = 100
#: Each step aims at this fraction of the present products of prices and slacks ...
REDUCTION = 0.01
#: ... and goes at most this fraction of the way to the boundary.
REACH = 0.95
#: The first u as a fraction of the nearest squared distance: strictly inside.
INSIDE = 0.45
#: Squared distances of centres count as this fraction of the largest one at least.
COINCIDENT = 1e-16
#: The least slack of a constraint that rounding may leave, relative to its size.
ROUNDING = 1e-16


@kernel
def cluster_centres(
    counts: FloatArray, means: FloatArray, labels: IntArray, n_clusters: int
) -> tuple[FloatArray, FloatArray]:
    """The weighted means (K x d) and the weights of the clusters.

    Updated arm by arm, so that the centre of coincident estimates is exactly their position.
    """
    centres = np.zeros((n_clusters, means.shape[1]))
    totals = np.zeros(n_clusters)
    for i in range(counts.shape[0]):
        k = labels[i]
        totals[k] += counts[i]
        share = counts[i] / totals[k]
        for c in range(means.shape[1]):
            centres[k, c] += share * (means[i, c] - centres[k, c])
    return centres, totals


@kernel
def twice_psi(centres: FloatArray, least: FloatArray, totals: FloatArray) -> float:
    """min over ordered pairs k, j of f(least_k, total_j) |c_k - c_j|^2."""
    lowest = np.inf
    for k in range(least.shape[0]):
        for j in range(least.shape[0]):
            if j != k:
                share = totals[j] / (least[k] + totals[j])
                lowest = min(lowest, least[k] * share * squared(centres, k, j))
    return lowest


@kernel
def boc_statistic(
    counts: FloatArray, means: FloatArray, labels: IntArray, n_clusters: int
) -> float:
    """``Z = 1/2 max(sqrt(Z2) - sqrt(Z1), 0)^2`` of any partition into non-empty clusters.

    Z1 is the weighted scatter about the centres and Z2 = 2 psi(N) at the centres. In the norm
    ``sum_m N_m |.|^2`` the estimates are sqrt(Z1) away from the centres, and these sqrt(Z2) away
    from means with another partition: by the triangle inequality Z is at most the logarithm of the
    generalised likelihood ratio, whatever the partition, and no optimal clustering is needed.
    """
    centres, totals = cluster_centres(counts, means, labels, n_clusters)
    least = np.full(n_clusters, np.inf)
    scatter = 0.0
    for i in range(counts.shape[0]):
        k = labels[i]
        least[k] = min(least[k], counts[i])
        scatter += counts[i] * squared_between(means, i, centres, k)
    excess = np.sqrt(twice_psi(centres, least, totals)) - np.sqrt(scatter)
    return 0.5 * max(excess, 0.0) ** 2


@kernel
def boc_proportions(
    centres: FloatArray, labels: IntArray, proportions: FloatArray
) -> tuple[float, float]:
    """Write the ``proportions`` that maximise psi; returns psi and an upper bound of any psi.

    They are equal inside a cluster, x_k for each of its n_k arms. With u_k = 1/x_k the terms of
    2 psi are ``D_kj / (u_k + u_j / n_j)``, D_kj = |c_k - c_j|^2, so up to scale it is a separable
    convex problem with linear constraints:

    minimise ``T = sum_k n_k / u_k`` subject to ``u_k + u_j / n_j <= D_kj`` for all k != j,

    and max psi = 1 / (2 T). Prices y >= 0 with g_k = sum_j (y_kj + y_jk / n_k) bound it from below:
    ``T >= (sum_k sqrt(n_k g_k))^2 / sum_kj y_kj D_kj`` (the Lagrange dual at the best scale of y).
    A primal-dual interior point method follows y_kj slack_kj = target -> 0 until both bounds of T
    agree to TOLERANCE. Coincident centres (psi = 0) count as very near ones. K is at least 2.
    """
    n_clusters = centres.shape[0]
    n_pairs = n_clusters * (n_clusters - 1)
    size = np.zeros(n_clusters)
    for i in range(labels.shape[0]):
        size[labels[i]] += 1.0
    square, scale = squared_distances(centres)
    u = np.empty(n_clusters)  # strictly inside
    for k in range(n_clusters):
        u[k] = INSIDE
        for j in range(n_clusters):
            if j != k:
                u[k] = min(u[k], INSIDE * square[k, j])
    price = np.ones((n_clusters, n_clusters))
    tightness = np.zeros((n_clusters, n_clusters))
    longest, shortest, rest = bracket(square, size, u, price, tightness)
    for k in range(n_clusters):
        for j in range(n_clusters):
            if j != k:  # all products y slack equal, and their sum the present T
                price[k, j] = longest / n_pairs * tightness[k, j]
    longest, shortest, rest = bracket(square, size, u, price, tightness)
    step = np.empty(n_clusters)
    diagonal = np.empty(n_clusters)
    matrix = np.empty((n_clusters, n_clusters))
    for _ in range(MAX_STEPS):
        target = REDUCTION * rest / n_pairs
        if longest <= (1.0 + TOLERANCE) * shortest or not newton_step(
            size, u, price, tightness, target, step, matrix, diagonal
        ):
            break
        advance(size, u, price, tightness, target, step, matrix)
        longest, shortest, rest = bracket(square, size, u, price, tightness)
    share = 1.0 / (u * longest)
    for i in range(labels.shape[0]):
        proportions[i] = share[labels[i]]
    return 0.5 * twice_psi(centres, share, size * share), 0.5 * scale / shortest


@kernel
def squared_distances(centres: FloatArray) -> tuple[FloatArray, float]:
    """D_kj in units of the largest one (of 1 if all centres coincide), and that unit."""
    n_clusters = centres.shape[0]
    square = np.zeros((n_clusters, n_clusters))
    largest = 0.0
    for k in range(n_clusters):
        for j in range(k):
            square[k, j] = squared(centres, k, j)
            square[j, k] = square[k, j]
            largest = max(largest, square[k, j])
    unit = largest if largest > 0.0 else 1.0
    for k in range(n_clusters):
        for j in range(n_clusters):
            square[k, j] = max(square[k, j] / unit, COINCIDENT)
    return square, unit


@kernel
def bracket(
    square: FloatArray, size: FloatArray, u: FloatArray, price: FloatArray, tightness: FloatArray
) -> tuple[float, float, float]:
    """T at u, its lower bound by the prices, and sum y_kj slack_kj; writes 1 / slack_kj."""
    time = 0.0
    root = 0.0
    worth = 0.0
    rest = 0.0
    for k in range(size.shape[0]):
        forth = 0.0
        back = 0.0
        for j in range(size.shape[0]):
            if j != k:
                slack = max(square[k, j] - u[k] - u[j] / size[j], ROUNDING * square[k, j])
                tightness[k, j] = 1.0 / slack
                rest += price[k, j] * slack
                worth += price[k, j] * square[k, j]
                forth += price[k, j]
                back += price[j, k]
        time += size[k] / u[k]
        root += np.sqrt(size[k] * forth + back)
    return time, root * root / worth, rest


@kernel
def newton_step(
    size: FloatArray,
    u: FloatArray,
    price: FloatArray,
    tightness: FloatArray,
    target: float,
    step: FloatArray,
    normal: FloatArray,
    diagonal: FloatArray,
) -> bool:
    """Write the Newton step of u towards y_kj slack_kj = target; False if rounding prevents it.

    ``normal`` and ``diagonal`` are work space.
    """
    for k in range(size.shape[0]):
        step[k] = size[k] / (u[k] * u[k])
        diagonal[k] = 2.0 * step[k] / u[k]
    for k in range(size.shape[0]):
        part = 1.0 / size[k]
        for j in range(size.shape[0]):
            if j != k:
                step[k] -= target * (tightness[k, j] + part * tightness[j, k])
                forth = price[k, j] * tightness[k, j]
                back = price[j, k] * tightness[j, k]
                diagonal[k] += forth + part * part * back
                normal[k, j] = forth / size[j] + part * back
        normal[k, k] = diagonal[k]
    if not cholesky(normal, diagonal):
        return False
    solve_vector(normal, step)
    return True


@kernel
def advance(
    size: FloatArray,
    u: FloatArray,
    price: FloatArray,
    tightness: FloatArray,
    target: float,
    step: FloatArray,
    change: FloatArray,
) -> None:
    """Go along the Newton step, u and the prices each as far as they stay well positive.

    ``change`` is work space.
    """
    fastest = REACH
    steepest = REACH
    for k in range(size.shape[0]):
        fastest = max(fastest, -step[k] / u[k])
        for j in range(size.shape[0]):
            if j != k:
                push = step[k] + step[j] / size[j]
                fastest = max(fastest, push * tightness[k, j])
                change[k, j] = (target + price[k, j] * push) * tightness[k, j] - price[k, j]
                steepest = max(steepest, -change[k, j] / price[k, j])
    for k in range(size.shape[0]):
        u[k] += REACH / fastest * step[k]
        for j in range(size.shape[0]):
            if j != k:
                price[k, j] += REACH / steepest * change[k, j]
