"""Bandit Online Clustering (BOC): clusters of arms that share one mean vector.

J. Yang, Z. Zhong, V. Y. F. Tan, "Optimal Clustering with Bandit Feedback", JMLR 25 (2024).
Samples are Gaussian with the identity as covariance: estimates are in units of sigma.

For arms at the centres c of a partition into K clusters, 2 <= K < M, the cheapest change of the
means after which another partition into K clusters is right costs

``psi(w) = 1/2 min over ordered pairs k, l of f(least_k, total_l) |c_k - c_l|^2``,

f(x, y) = xy / (x + y), least_k the smallest weight of an arm of k, total_l the weight of all of l.

- Not more: one arm of k moves to l. If it is the only one of k, moving an arm of l to k is cheaper;
  if l is a single arm too, the two merge, and another cluster is cut in two at no cost.
- Not less: let x_1 .. x_K be the centres of the other partition, and let each arm pay for the
  nearest of them only. If clusters k and l have the same nearest one, they alone pay
  f(total_k, total_l) |c_k - c_l|^2 / 2 or more. Else each x_l is the nearest one of just one
  cluster l; some arm of a cluster k went to an x_l, l != k, and together with the arms of l, which
  pay for x_l at least, it costs f(least_k, total_l) |c_k - c_l|^2 / 2 or more.

Moves out of clusters of two or more arms alone would miss the merger of two single arms.
"""

import numpy as np

from boclust.kernels import kernel
from boclust._validate import FloatArray, IntArray
from boclust.psi.bond import squared, squared_between
from boclust.psi.cut import cholesky, solve_vector
from boclust.problem.trees import count_up, group
from boclust.run.state import Rules, Run
from boclust.sampling.codes import BOC
from boclust.sampling.atboc import farthest_behind

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
    counts: FloatArray, means: FloatArray, labels: IntArray, centres: FloatArray,
    totals: FloatArray,
) -> None:
    """The weighted means and the weights of the clusters, into ``centres`` and ``totals``.

    Updated arm by arm, so that the centre of coincident estimates is exactly their place.
    """
    centres[:] = 0.0
    totals[:] = 0.0
    for i in range(counts.shape[0]):
        k = labels[i]
        totals[k] += counts[i]
        share = counts[i] / totals[k]
        for c in range(means.shape[1]):
            centres[k, c] += share * (means[i, c] - centres[k, c])


@kernel
def weighted_kmeans(
    counts: FloatArray, means: FloatArray, labels: IntArray, centres: FloatArray,
    totals: FloatArray, reach: FloatArray, sizes: IntArray,
) -> None:
    """Weighted K-means from a maximin start; K is the number of rows of ``centres``.

    The first seed is arm 0, each next one the arm farthest from all seeds. An arm changes only to a
    strictly nearer centre and never leaves its cluster empty. The scatter falls with every round
    (or the rounds end), so no partition comes twice and the loop is finite in any arithmetic.
    ``labels`` count up in order of first appearance; ``centres`` and ``totals`` belong to them.
    ``reach`` and ``sizes`` are scratch of length M and K.
    """
    n_arms = counts.shape[0]
    n_clusters = centres.shape[0]
    reach[:] = np.inf
    seed = 0
    for k in range(n_clusters):
        for i in range(n_arms):
            gap = squared(means, seed, i)
            if gap < reach[i]:
                reach[i] = gap
                labels[i] = k
        labels[seed] = k
        reach[seed] = -1.0  # nothing is nearer, and it is not chosen again
        for i in range(n_arms):
            if reach[i] > reach[seed]:
                seed = i
    sizes[:] = 0
    for i in range(n_arms):
        sizes[labels[i]] += 1
    before = np.inf
    moved = True
    while moved:
        cluster_centres(counts, means, labels, centres, totals)
        moved = False
        scatter = 0.0
        for i in range(n_arms):
            home = labels[i]
            nearest = squared_between(means, i, centres, home)
            if sizes[home] > 1:
                for k in range(n_clusters):
                    gap = squared_between(means, i, centres, k)
                    if gap < nearest:
                        nearest = gap
                        labels[i] = k
            if labels[i] != home:
                sizes[home] -= 1
                sizes[labels[i]] += 1
                moved = True
            scatter += counts[i] * nearest
        moved = moved and scatter < before
        before = scatter
    count_up(labels, sizes)
    cluster_centres(counts, means, labels, centres, totals)


@kernel
def twice_psi(centres: FloatArray, least: FloatArray, totals: FloatArray) -> float:
    """min over ordered pairs k, l of f(least_k, total_l) |c_k - c_l|^2."""
    lowest = np.inf
    for k in range(least.shape[0]):
        for l in range(least.shape[0]):
            if l != k:
                share = totals[l] / (least[k] + totals[l])
                lowest = min(lowest, least[k] * share * squared(centres, k, l))
    return lowest


@kernel
def boc_statistic(
    counts: FloatArray, means: FloatArray, labels: IntArray, centres: FloatArray,
    totals: FloatArray, least: FloatArray,
) -> float:
    """``Z = 1/2 max(sqrt(Z2) - sqrt(Z1), 0)^2`` of any partition into non-empty clusters.

    Z1 is the weighted scatter about the centres and Z2 = 2 psi(N) at the centres. In the norm
    ``sum_m N_m |.|^2`` the estimates are sqrt(Z1) away from the centres, and these sqrt(Z2) away
    from means with another partition: by the triangle inequality Z is at most the logarithm of the
    generalised likelihood ratio, whatever the partition, and no optimal clustering is needed.
    ``centres``, ``totals`` and ``least`` are written.
    """
    cluster_centres(counts, means, labels, centres, totals)
    least[:] = np.inf
    scatter = 0.0
    for i in range(counts.shape[0]):
        k = labels[i]
        least[k] = min(least[k], counts[i])
        scatter += counts[i] * squared_between(means, i, centres, k)
    excess = np.sqrt(twice_psi(centres, least, totals)) - np.sqrt(scatter)
    return 0.5 * max(excess, 0.0) ** 2


@kernel
def bracket(
    square: FloatArray, size: FloatArray, u: FloatArray, price: FloatArray, tightness: FloatArray,
) -> tuple[float, float, float]:
    """T at u, its lower bound by the prices, and sum y_kl slack_kl; writes 1 / slack_kl."""
    time = 0.0
    root = 0.0
    worth = 0.0
    rest = 0.0
    for k in range(size.shape[0]):
        forth = 0.0
        back = 0.0
        for l in range(size.shape[0]):
            if l != k:
                slack = max(square[k, l] - u[k] - u[l] / size[l], ROUNDING * square[k, l])
                tightness[k, l] = 1.0 / slack
                rest += price[k, l] * slack
                worth += price[k, l] * square[k, l]
                forth += price[k, l]
                back += price[l, k]
        time += size[k] / u[k]
        root += np.sqrt(size[k] * forth + back)
    return time, root * root / worth, rest


@kernel
def newton_step(
    size: FloatArray, u: FloatArray, price: FloatArray, tightness: FloatArray, target: float,
    normal: FloatArray, diagonal: FloatArray, step: FloatArray,
) -> bool:
    """The Newton step of u towards y_kl slack_kl = target; False where rounding prevents it."""
    for k in range(size.shape[0]):
        step[k] = size[k] / (u[k] * u[k])
        diagonal[k] = 2.0 * step[k] / u[k]
    for k in range(size.shape[0]):
        part = 1.0 / size[k]
        for l in range(size.shape[0]):
            if l != k:
                step[k] -= target * (tightness[k, l] + part * tightness[l, k])
                forth = price[k, l] * tightness[k, l]
                back = price[l, k] * tightness[l, k]
                diagonal[k] += forth + part * part * back
                normal[k, l] = forth / size[l] + part * back
        normal[k, k] = diagonal[k]
    if not cholesky(normal, diagonal):
        return False
    solve_vector(normal, step)
    return True


@kernel
def advance(
    size: FloatArray, u: FloatArray, price: FloatArray, tightness: FloatArray, target: float,
    step: FloatArray, change: FloatArray,
) -> None:
    """Go along the Newton step, u and the prices each as far as they stay well positive."""
    fastest = REACH
    steepest = REACH
    for k in range(size.shape[0]):
        fastest = max(fastest, -step[k] / u[k])
        for l in range(size.shape[0]):
            if l != k:
                push = step[k] + step[l] / size[l]
                fastest = max(fastest, push * tightness[k, l])
                change[k, l] = (target + price[k, l] * push) * tightness[k, l] - price[k, l]
                steepest = max(steepest, -change[k, l] / price[k, l])
    for k in range(size.shape[0]):
        u[k] += REACH / fastest * step[k]
        for l in range(size.shape[0]):
            if l != k:
                price[k, l] += REACH / steepest * change[k, l]


@kernel
def boc_proportions(
    centres: FloatArray, labels: IntArray, proportions: FloatArray, matrices: FloatArray,
    vectors: FloatArray,
) -> tuple[float, float]:
    """The proportions that maximise psi, one an arm; returns psi and an upper bound of any psi.

    They are equal inside a cluster, x_k for each of its n_k arms. With u_k = 1/x_k the terms of
    2 psi are ``D_kl / (u_k + u_l / n_l)``, D_kl = |c_k - c_l|^2, so up to scale it is a separable
    convex problem with linear constraints:

    minimise ``T = sum_k n_k / u_k`` subject to ``u_k + u_l / n_l <= D_kl`` for all k != l,

    and max psi = 1 / (2 T). Prices y >= 0 with g_k = sum_l (y_kl + y_lk / n_k) bound it from below:
    ``T >= (sum_k sqrt(n_k g_k))^2 / sum_kl y_kl D_kl`` (the Lagrange dual at the best scale of y).
    A primal-dual interior point method follows y_kl slack_kl = target -> 0 until the two ends agree
    to TOLERANCE. Coincident centres (psi = 0) count as very near ones. ``matrices`` and ``vectors``
    are scratch of shape (4, K, K) and (4, K).
    """
    n_clusters = centres.shape[0]
    square, price, tightness, normal = matrices[0], matrices[1], matrices[2], matrices[3]
    size, u, step, diagonal = vectors[0], vectors[1], vectors[2], vectors[3]
    size[:] = 0.0
    for i in range(labels.shape[0]):
        size[labels[i]] += 1.0
    largest = 0.0
    for k in range(n_clusters):
        for l in range(k):
            square[k, l] = squared(centres, k, l)
            square[l, k] = square[k, l]
            largest = max(largest, square[k, l])
    scale = largest if largest > 0.0 else 1.0
    for k in range(n_clusters):
        u[k] = INSIDE
        for l in range(n_clusters):
            if l != k:
                square[k, l] = max(square[k, l] / scale, COINCIDENT)
                u[k] = min(u[k], INSIDE * square[k, l])
    n_pairs = n_clusters * (n_clusters - 1)
    price[:] = 1.0
    longest, shortest, rest = bracket(square, size, u, price, tightness)
    for k in range(n_clusters):
        for l in range(n_clusters):
            if l != k:  # all products y slack equal, and their sum the present T
                price[k, l] = longest / n_pairs * tightness[k, l]
    longest, shortest, rest = bracket(square, size, u, price, tightness)
    for _ in range(MAX_STEPS):
        target = REDUCTION * rest / n_pairs
        if longest <= (1.0 + TOLERANCE) * shortest or not newton_step(
            size, u, price, tightness, target, normal, diagonal, step
        ):
            break
        advance(size, u, price, tightness, target, step, normal)
        longest, shortest, rest = bracket(square, size, u, price, tightness)
    for k in range(n_clusters):
        step[k] = 1.0 / (u[k] * longest)
        diagonal[k] = size[k] * step[k]
    for i in range(labels.shape[0]):
        proportions[i] = step[labels[i]]
    return 0.5 * twice_psi(centres, step, diagonal), 0.5 * scale / shortest


def threshold_level(n_arms: int, dim: int, delta: float) -> float:
    """``M d Psi(log(1/delta) / (M d))``, the part of the threshold that does not change in a run.

    ``Psi(x) = min over 1/2 < a < 1 of (g(a) + x) / a`` with
    ``g(a) = 2a (1 - log(4a)) + log zeta(2a) - 1/2 log(1 - a)`` (Kaufmann and Koolen, "Mixture
    Martingales Revisited", JMLR 22 (2021), for Gaussian samples).
    """
    from scipy.optimize import minimize_scalar
    from scipy.special import zeta

    n_coordinates = n_arms * dim
    x = -np.log(delta) / n_coordinates

    def quotient(a: float) -> float:
        g = 2.0 * a * (1.0 - np.log(4.0 * a)) + np.log(zeta(2.0 * a)) - 0.5 * np.log1p(-a)
        return float((g + x) / a)

    best = minimize_scalar(quotient, bounds=(0.5, 1.0), method="bounded", options={"xatol": 1e-9})
    return float(n_coordinates * best.fun)


@kernel
def boc_threshold(counts: FloatArray, dim: int, level: float) -> float:
    """``beta(delta, t) = 2 d sum_m log(4 + log N_m) + M d Psi(log(1/delta) / (M d))``.

    With probability 1 - delta, sum_m N_m |estimate_m - mean_m|^2 / 2 stays below it at all times:
    the M d coordinates are independent Gaussian arms. ``level`` is what ``threshold_level`` gives.
    """
    total = 0.0
    for i in range(counts.shape[0]):
        total += np.log(4.0 + np.log(counts[i]))
    return level + 2.0 * dim * total


@kernel
def look_for_equal_means(rules: Rules, run: Run) -> None:
    """The clusters, of weighted K-means or of single linkage, and the proportions for them."""
    peer = run.peer
    if rules.sampling == BOC:
        weighted_kmeans(
            run.counts, run.means, run.labels, peer.centres, peer.totals, run.work, peer.sizes
        )
    else:
        group(run)
        cluster_centres(run.counts, run.means, run.labels, peer.centres, peer.totals)
    boc_proportions(peer.centres, run.labels, peer.shares, peer.matrices, peer.vectors)


@kernel
def arm_behind_equal_means(rules: Rules, run: Run) -> int:
    """Direct tracking: the arm farthest behind its proportion."""
    return farthest_behind(run.pulls, run.peer.shares)
