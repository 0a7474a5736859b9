"""The paper's own way to psi: ADMM for each cut (Algorithm 4), full and partial search (Remark 4).

The problem is not convex, so ADMM finds a local solution at best. Its result is repaired to
feasibility: what it returns is always an upper bound on psi.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from boclust._validate import FloatArray, IntArray, clusters, integer, invalid, weights_vector
from boclust.kernels import copy_matrix, kernel
from boclust.problem.families import Family, Gaussian, check_family
from boclust.problem.families.gaussian import check_quadratic
from boclust.problem.linkage import single_linkage
from boclust.psi.bond import project_on_bond
from boclust.psi.cut import cost_of_change, cut_problem, repair
from boclust.psi.exact import Clusters

#: More quadratic programs than this are refused: the number grows like K^3 s^2 2^s.
MAX_PROBLEMS = 2_000_000
_TOLERANCE = 1e-8
_MAX_STEPS = 2000


@dataclass(frozen=True)
class Problems:
    """A list of quadratic programs (cluster, cut, rival pair) with the costs ADMM found."""

    cost: FloatArray
    cluster: IntArray
    cut: IntArray
    first: IntArray
    second: IntArray

    def take(self, index: IntArray) -> "Problems":
        """The problems at these places."""
        return Problems(*(getattr(self, f)[index] for f in self.__dataclass_fields__))


def full_search(means: FloatArray, weights: FloatArray, parts: Clusters) -> Problems:
    """Solve every quadratic program of Lemma 5 by ADMM."""
    sizes = np.diff(parts.start)
    pairs = (sizes.sum() ** 2 - (sizes**2).sum()) // 2
    count = int(pairs * (2.0 ** (sizes - 1.0) - 1).sum())
    if count > MAX_PROBLEMS:
        accepted = f"'exact' or 'tree' for more than {MAX_PROBLEMS} quadratic programs"
        raise invalid("method", accepted, f"'admm' for {count}")
    return Problems(
        *solve_all(means, weights, parts.arms, parts.start, _TOLERANCE, _MAX_STEPS)
    )


def solve(
    means: FloatArray, weights: FloatArray, parts: Clusters, problems: Problems, index: int
) -> tuple[float, FloatArray]:
    """The cost and the alternative of one quadratic program."""
    alternative = np.empty_like(means)
    cost = admm_problem(
        means,
        weights,
        parts.members(int(problems.cluster[index])),
        problems.cut[index],
        problems.first[index],
        problems.second[index],
        _TOLERANCE,
        _MAX_STEPS,
        alternative,
    )
    return float(cost), alternative


@dataclass
class PartialSearch:
    """Remark 4: all quadratic programs at t = 1, 2, 4, 8, ..., only the ``top`` best in between.

    >>> search = PartialSearch(n_clusters=2, top=3)
    >>> means = [0, 1, 2, 5, 6]
    >>> full = search.value(1, means, [1, 1, 1, 1, 1])
    >>> abs(search.value(3, means, [1, 1, 1, 1, 1]) - full) < 1e-6
    True
    """

    n_clusters: int
    top: int
    family: Family = field(default_factory=Gaussian)
    _labels: IntArray | None = field(default=None, init=False, repr=False)
    _kept: Problems | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        integer("n_clusters", self.n_clusters, 1)
        integer("top", self.top, 1)
        check_quadratic(check_family(self.family))

    def value(self, t: int, means: Any, weights: Any) -> float:
        """An upper bound on psi at time ``t``; also searched in full when the clusters changed."""
        step = integer("t", t, 1)
        mu = self.family.check_means(means)
        w = weights_vector(weights, len(mu)) / self.family.variance_proxy
        if w.min() <= 0:
            return 0.0
        labels = single_linkage(mu, clusters(self.n_clusters, len(mu))).labels
        parts = Clusters(mu, labels)
        changed = self._labels is None or not np.array_equal(labels, self._labels)
        if self._kept is None or changed or step & (step - 1) == 0:
            problems = full_search(mu, w, parts)
            self._labels = labels
            self._kept = problems.take(np.argsort(problems.cost, kind="stable")[: self.top])
            return float(self._kept.cost[0]) if len(self._kept.cost) else np.inf
        kept = self._kept
        return min((solve(mu, w, parts, kept, i)[0] for i in range(len(kept.cost))), default=np.inf)


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
def solve_all(
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
