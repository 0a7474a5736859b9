"""``span`` for arms on a line in plain NumPy and SciPy.

Written from the text of the rules, vectorised over the bonds of a cluster where that is natural.
It chooses the same arms as the kernels and stops at the same sample, which the tests check.
"""

from itertools import combinations
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.special import erf

from benchmarks.paper_method import Exploring

SCORE_PRECISION = 16.0
OPTIMISM = 2.0
#: The mixtures of the evidence: two precisions and a share each.
MIXTURES = ((1.0, 5.0, 0.1), (6.0, 40.0, 0.9))


def bottleneck(score: Any) -> tuple[float, int, int, Any]:
    """The smallest edge of the maximum spanning tree, and one side of it."""
    size = len(score)
    best, parent, joined = score[0].copy(), np.zeros(size, dtype=int), [0]
    todo = np.ones(size, dtype=bool)
    todo[0] = False
    worst, edge = np.inf, (0, 0)
    while todo.any():
        waiting = np.flatnonzero(todo)
        new = int(waiting[best[waiting].argmax()])
        if best[new] < worst:
            worst, edge = float(best[new]), (int(parent[new]), new)
        todo[new] = False
        joined.append(new)
        better = todo & (score[new] > best)
        best[better], parent[better] = score[new][better], new
    side = np.zeros(size, dtype=bool)
    side[edge[1]] = True
    for j in joined:
        if j != edge[1] and j != 0 and side[parent[j]]:
            side[j] = True
    return worst, *edge, side


class Span(Exploring):
    """Challenger sampling with the certificate ``local-directional``; Gaussian arms, sigma = 1."""

    def __init__(self, n_arms: int, n_clusters: int, threshold: float) -> None:
        self.n_clusters = n_clusters
        self.threshold = threshold
        self.counts = np.zeros(n_arms)
        self.sums = np.zeros(n_arms)

    def tell(self, arm: int, value: Any) -> bool:
        """Take one sample; whether the run is over."""
        self.counts[arm] += 1
        self.sums[arm] += float(np.squeeze(value))
        if self.counts.min() == 0:
            return False
        self.means = self.sums / self.counts
        self.gaps = np.abs(self.means[:, None] - self.means[None])
        labels = fcluster(linkage(self.means[:, None], "single"), self.n_clusters, "maxclust")
        self.clusters = [np.flatnonzero(labels == k) for k in np.unique(labels)]
        self.rivals = [
            (int(m), int(n)) for p, q in combinations(self.clusters, 2) for m in p for n in q
        ]
        return self.update()

    def select(self) -> list[int]:
        """The least sampled of the arms in doubt."""
        arms, counts = self.doubts()
        return [int(arm) for arm in arms[counts == counts.min()]]

    def update(self) -> bool:
        """Find the weakest quadruple; whether the certificate holds, a likely weak link first."""
        c = SCORE_PRECISION
        inverse, logs = (1 + c / self.counts) / self.counts, np.log1p(self.counts / c)
        weakest = np.inf
        for arms in self.clusters:
            if len(arms) < 2:
                continue
            for m, n in self.rivals:
                single = np.where((arms == m) | (arms == n), 0.0, 0.5 * logs[arms])
                score = self.costs(arms, m, n, inverse) - 0.5 * (logs[m] + logs[n])
                score = score - single[:, None] - single[None]
                value, i, j, side = bottleneck(score)
                if value < weakest:
                    weakest = value
                    self.quad = arms[i], arms[j], m, n
                    self.cut = arms[side], arms[~side]
                    suspect = arms, m, n
        if self.link(*suspect) < self.threshold:
            return False
        return all(
            self.link(arms, m, n) >= self.threshold
            for arms in self.clusters
            if len(arms) > 1
            for m, n in self.rivals
        )

    def costs(self, arms: Any, m: int, n: int, inverse: Any) -> Any:
        """The matrix v(a, b; m, n) over the arms of a cluster."""
        bond, rival = self.gaps[np.ix_(arms, arms)], self.gaps[m, n]
        spread = inverse[arms][:, None] + inverse[arms][None] + inverse[m] + inverse[n]
        with np.errstate(invalid="ignore", divide="ignore"):
            v = (rival - bond) ** 2 / 2 / spread
            for shared, other in ((m, n), (n, m)):
                if shared in arms:
                    at = int(np.flatnonzero(arms == shared)[0])
                    x = self.means[arms] - self.means[shared]
                    y = self.means[other] - self.means[shared]
                    s, b = inverse[arms] + inverse[other], inverse[shared]
                    q = (x - y) ** 2
                    root = np.abs(s * x * y - b * q)
                    three = (y * y - x * x) ** 2 / 2 / (s * (x * x + y * y) + 2 * b * q + 2 * root)
                    v[at], v[:, at] = three, three
        return np.where(bond < rival, v, 0.0)

    def doubts(self) -> tuple[Any, Any]:
        """The quadruple with the bond that may be the shortest; shared arms count half."""
        a, b, m, n = self.quad
        if len(self.cut[0]) + len(self.cut[1]) > 2:
            one, two = self.cut
            error = np.sqrt(1 / self.counts[one][:, None] + 1 / self.counts[two][None])
            length = self.gaps[np.ix_(one, two)] - OPTIMISM * error
            i, j = np.unravel_index(length.argmin(), length.shape)
            a, b = one[i], two[j]
        arms = np.array([a, b, m, n])
        twice = np.array([a in (m, n), b in (m, n), m in (a, b), n in (a, b)])
        return arms, self.counts[arms] / np.where(twice, 2, 1)

    def link(self, arms: Any, m: int, n: int) -> float:
        """The bottleneck of a cluster against a rival pair under the evidence."""
        score = np.full((len(arms), len(arms)), -np.inf)
        for i, j in combinations(range(len(arms)), 2):
            score[i, j] = score[j, i] = self.evidence(int(arms[i]), int(arms[j]), m, n)
        return bottleneck(score)[0]

    def evidence(self, a: int, b: int, m: int, n: int) -> float:
        """Against both directions of the true bond, less log 2."""
        bond, rival = self.means[a] - self.means[b], self.means[m] - self.means[n]
        if not abs(bond) < abs(rival):
            return -np.inf
        values = []
        for sign in (1, -1):
            h = np.zeros(len(self.counts))
            h[a] += 1
            h[b] -= 1
            h[m] += sign
            h[n] -= sign
            values.append(self.contrast(h, abs(h @ self.means)))
        if len({a, b, m, n}) == 4:  # both contrasts have the same variances: the smaller gap
            values = [self.contrast(h, abs(rival) - abs(bond))]
        return float(min(values) - np.log(2))

    def contrast(self, h: Any, gap: float) -> float:
        """The one-sided mixtures along a contrast."""
        used = h != 0
        h, counts = h[used], self.counts[used]
        norm, h1, h2 = h @ h, (h**2 / counts).sum(), (h**2 / counts**2).sum()
        total = 0.0
        for c1, c2, share in MIXTURES:
            shrunk = (h**2 / (c2 + counts)).sum()
            tilt = 1 + (c1 - c2) / norm * shrunk
            cost = np.log1p(counts / c2).sum() + np.log(c2 / c1 * tilt)
            width = h1 + c2 * h2 + (c1 - c2) * h1 * h1 / norm
            normal = gap * h1 / (width * np.sqrt(shrunk / tilt))
            if normal >= 2.36:
                phi = 1 + erf(normal / 2 / np.sqrt(2))
                total += share * phi * np.exp(0.5 * gap * gap / width - 0.5 * cost)
        return float(np.log(total)) if total > 0 else -np.inf
