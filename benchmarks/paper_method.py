"""The paper's ATBOC (Algorithm 1) and LUCBBOC (Algorithm 2) in plain NumPy and SciPy.

For Gaussian arms with sigma = 1. psi is the least of the quadratic programs of Lemma 5, by ADMM if
they have several constraints (``paper_qcqp``); w* comes from SLSQP with finite differences
(``paper_search``). A fair baseline: it solves all programs of one shape as one batch, programs with
one constraint in closed form, keeps the list of programs while the clusters stay the same, and
takes the clusters and their splits from one spanning tree.
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from benchmarks.paper_search import ITERATIONS, TOP, Search, distances, proportions, single_linkage


class Exploring(ABC):
    """Asks for the least sampled arm while it has fewer than sqrt(t / M) samples (Algorithm 1)."""

    counts: Any

    def ask(self) -> int:
        """The next arm."""
        return self.candidates()[0]

    def candidates(self) -> list[int]:
        """The arms that the rule does not prefer to each other; forced exploration first."""
        least = int(self.counts.argmin())
        n, t = self.counts[least], self.counts.sum()
        if n == 0 or n * n * len(self.counts) < t:
            return [least]
        return self.select()

    @abstractmethod
    def select(self) -> list[int]:
        """The arms that the sampling rule prefers."""


class Paper(Exploring):
    """What ATBOC and LUCBBOC share: forced exploration, Z(t) and the threshold (Section IV)."""

    def __init__(
        self, n_arms: int, n_clusters: int, dim: int, delta: float, full: bool = True,
        top: int = TOP, **options: Any,
    ) -> None:  # fmt: skip
        self.n_clusters, self.dim, self.delta = n_clusters, dim, delta
        self.search = Search(n_clusters, full, top, **options)
        self.counts, self.sums = np.zeros(n_arms), np.zeros((n_arms, dim))
        self.labels: Any = None
        self.statistic = 0.0

    def tell(self, arm: int, value: Any) -> bool:
        """Take one sample; whether the run is over (lines 9 to 13 of Algorithm 1)."""
        self.counts[arm] += 1
        self.sums[arm] += value
        if self.counts.min() == 0:
            self.wait()
            return False
        self.means = self.sums / self.counts[:, None]
        self.gaps = distances(self.means)
        self.labels, self.edges = single_linkage(self.gaps, self.n_clusters)
        t = int(self.counts.sum())
        self.statistic = self.search.update(t, self.means, self.counts, self.labels)
        self.update()
        threshold = self.dim * np.log1p(self.counts).sum() - 2 * np.log(self.delta)
        return bool(self.statistic >= threshold)

    def wait(self) -> None:
        """Take part in a step before every arm has a sample."""

    @abstractmethod
    def update(self) -> None:
        """Prepare the sampling rule."""


class Atboc(Paper):
    """Average tracking of the optimal proportions of the estimates (Algorithm 1)."""

    def __init__(
        self, n_arms: int, n_clusters: int, dim: int, delta: float, full: bool = True,
        iterations: int = ITERATIONS, warm: bool = True, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(n_arms, n_clusters, dim, delta, full, **options)
        self.iterations, self.warm = iterations, warm
        self.shares = np.full(n_arms, 1 / n_arms)
        self.aims = np.zeros(n_arms)

    def wait(self) -> None:
        """Equal shares."""
        self.aims += self.shares

    def update(self) -> None:
        """Line 12: w*(t), from the last one or from equal shares."""
        start = self.shares if self.warm else None
        self.shares = proportions(self.search, self.means, start, self.iterations)
        self.aims += self.shares

    def select(self) -> list[int]:
        """Line 7: the arm that lags most behind the average of the proportions."""
        lag = np.where(self.aims > 0, self.counts - self.aims, np.inf)
        return [int(arm) for arm in np.flatnonzero(lag == lag.min())]


class Lucbboc(Paper):
    """LUCBBOC-sampling (Algorithm 2).

    ``upper``: of all edges of the clusters' trees the one with the largest upper bound, in place
    of the longest edge of each (lines 4 to 8), as the library's ``lucbboc-ucb``.
    """

    def __init__(
        self, n_arms: int, n_clusters: int, dim: int, delta: float, full: bool = True,
        upper: bool = False, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(n_arms, n_clusters, dim, delta, full, **options)
        self.upper = upper

    def update(self) -> None:
        """Lines 2 to 9: the two suspicious pairs."""
        inside = np.log(2.0 ** (self.dim + 1) * len(self.counts) * self.counts**2)
        alpha = np.sqrt(2 / self.counts * (inside - np.log(self.delta)))
        m, n = np.nonzero(np.triu(self.labels[:, None] != self.labels))
        between = np.sort(self.labels[np.array([m, n])], axis=0)
        pair = between[0] * self.n_clusters + between[1]
        order = np.lexsort((self.gaps[m, n], pair))
        closest = order[np.unique(pair[order], return_index=True)[1]]  # of each two clusters
        m, n = m[closest], n[closest]
        weakest = int((self.gaps[m, n] - alpha[m] - alpha[n]).argmin())
        far = m[weakest], n[weakest]
        a, b = self.edges.T
        length = self.gaps[a, b]
        bound = length + alpha[a] + alpha[b]
        if not self.upper:  # edges are sorted: the last of a cluster is its longest
            last = {int(self.labels[arm]): e for e, arm in enumerate(a)}
            keep = np.zeros(len(a), dtype=bool)
            keep[list(last.values())] = True
            bound = np.where(keep, bound, -np.inf)
        near = self.edges[int(bound.argmax())]
        self.potential = np.array([*near, *far])

    def select(self) -> list[int]:
        """Line 10: the least sampled of the four arms."""
        counts = self.counts[self.potential]
        return [int(arm) for arm in self.potential[counts == counts.min()]]
