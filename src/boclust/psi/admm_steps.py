"""The paper's Algorithm 4: consensus ADMM for one cut, and its full and partial search.

The problem is not convex, so ADMM finds a local solution at best. Its result is repaired to
feasibility: what it returns is always an upper bound on psi.
"""

import numpy as np

from boclust.kernels import kernel
from boclust._validate import FloatArray, IntArray
from boclust.psi.bond import project_on_bond
from boclust.psi.cut import cost_of_change, cut_problem, repair
from boclust.kernels import copy_matrix


@kernel
def admm_cut(
    mu: FloatArray, w: FloatArray, left: IntArray, right: IntArray, m: int, n: int,
    tolerance: float, max_steps: int, lam: FloatArray,
) -> float:
    """Algorithm 4 for one cut (P1, P2) against (m, n); returns the cost of the repaired lambda.

    Departures from the print: line 4 averages eta_l + u_l (the print repeats lambda there), the
    start is mu instead of 0, so that the answer does not depend on the origin, and the copies
    eta_l must agree with lambda too before it stops. rho is the geometric mean of the weights;
    ``tolerance`` is relative to the rival pair's length.
    """
    k, d = mu.shape
    n_bonds = left.shape[0]
    eta = np.empty((n_bonds, k, d))
    dual = np.zeros((n_bonds, k, d))
    copy_matrix(lam, mu)
    for l in range(n_bonds):
        eta[l] = mu
    rho = 0.0
    scale = 0.0
    for i in range(k):
        rho += np.log(w[i]) / k
    rho = np.exp(rho)
    for c in range(d):
        scale += (mu[m, c] - mu[n, c]) ** 2
    small = tolerance * np.sqrt(scale)
    for _ in range(max_steps):
        change = 0.0
        for i in range(k):
            for c in range(d):
                total = w[i] * mu[i, c]
                for l in range(n_bonds):
                    total += rho * (eta[l, i, c] + dual[l, i, c])
                total /= w[i] + n_bonds * rho
                change += (total - lam[i, c]) ** 2
                lam[i, c] = total
        for l in range(n_bonds):
            eta[l] = lam - dual[l]
            project_on_bond(eta[l], left[l], right[l], m, n)
            for i in range(k):
                for c in range(d):
                    gap = eta[l, i, c] - lam[i, c]
                    dual[l, i, c] += gap
                    change += gap * gap
        if np.sqrt(change) < small:
            break
    repair(lam, w, left, right, m, n)
    return cost_of_change(mu, w, lam)


@kernel
def admm_problem(
    mu: FloatArray, w: FloatArray, members: IntArray, code: int, m: int, n: int, tolerance: float,
    max_steps: int, alternative: FloatArray,
) -> float:
    """One QCQP of Lemma 5: the cut ``code`` (a bit set) of ``members`` against (m, n)."""
    cut = np.empty(members.shape[0], np.bool_)
    for i in range(members.shape[0]):
        cut[i] = code >> i & 1 == 1
    arms, left, right, local_m, local_n = cut_problem(members, cut, m, n)
    k = arms.shape[0]
    local_mu = np.empty((k, mu.shape[1]))
    local_w = np.empty(k)
    for i in range(k):  # positions relative to one of the arms, which keeps the digits of gaps
        local_mu[i] = mu[arms[i]] - mu[arms[0]]
        local_w[i] = w[arms[i]]
    lam = np.empty_like(local_mu)
    cost = admm_cut(local_mu, local_w, left, right, local_m, local_n, tolerance, max_steps, lam)
    copy_matrix(alternative, mu)
    for i in range(k):
        alternative[arms[i]] = lam[i] + mu[arms[0]]
    return cost


@kernel
def full_search(
    mu: FloatArray, w: FloatArray, arms: IntArray, start: IntArray, tolerance: float,
    max_steps: int,
) -> tuple[FloatArray, IntArray, IntArray, IntArray, IntArray]:
    """Every QCQP of Lemma 5; returns (costs, clusters, cuts as bit sets, m, n)."""
    n_clusters = start.shape[0] - 1
    n_pairs = 0
    n_cuts = 0
    for k in range(n_clusters):
        n_pairs += (start[k + 1] - start[k]) * (arms.shape[0] - start[k + 1])
        n_cuts += 2 ** (start[k + 1] - start[k] - 1) - 1
    total = n_pairs * n_cuts
    cost = np.empty(total)
    cluster = np.empty(total, np.int64)
    cut = np.empty(total, np.int64)
    first = np.empty(total, np.int64)
    second = np.empty(total, np.int64)
    scratch = np.empty_like(mu)
    e = 0
    for k in range(n_clusters):
        members = arms[start[k] : start[k + 1]]
        for code in range(1, 2 ** (members.shape[0] - 1)):
            for p in range(n_clusters):
                for i in range(start[p], start[p + 1]):
                    for j in range(start[p + 1], arms.shape[0]):
                        cost[e] = admm_problem(
                            mu, w, members, code, arms[i], arms[j], tolerance, max_steps, scratch
                        )
                        cluster[e] = k
                        cut[e] = code
                        first[e] = arms[i]
                        second[e] = arms[j]
                        e += 1
    return cost, cluster, cut, first, second
