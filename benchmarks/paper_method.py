"""The paper's algorithms as it describes them, in plain NumPy and SciPy: the baseline.

ATBOC (Algorithm 1), LUCBBOC (Algorithm 2) and BOC-ELIM (Algorithm 3) as objects to ask for an arm
and to tell a sample, for Gaussian arms with sigma = 1. psi is the least of the quadratic programs
of Lemma 5, by ADMM where they have several constraints (``paper_qcqp``); w* comes from SLSQP with
finite differences (``paper_search``). Meant to be decent: all programs of one shape are solved as
one batch, programs with one constraint in closed form, the list of programs is kept while the
clusters stay, one spanning tree gives the clusters and their splits. Time it on one thread
(``OPENBLAS_NUM_THREADS=1``): the CPU time of idle threads would count too.
"""

import time
from typing import Any

import numpy as np
from exploring import Exploring
from paper_elim import DELTA, BocElim
from paper_search import ITERATIONS, TOP, Search, distances, proportions, single_linkage


class Paper(Exploring):
    """What ATBOC and LUCBBOC share: forced exploration, Z(t) and the threshold (Section IV)."""

    def __init__(
        self, n_arms: int, n_clusters: int, dim: int, delta: float = DELTA, full: bool = True,
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
        self.statistic = self.search.look(t, self.means, self.counts, self.labels)
        self.look()
        need = self.dim * np.log1p(self.counts).sum() - 2 * np.log(self.delta)
        return bool(self.statistic >= need)

    def wait(self) -> None:
        """Before every arm has a sample."""

    def look(self) -> None:
        """What the sampling rule goes by."""
        raise NotImplementedError


class Atboc(Paper):
    """Average tracking of the optimal proportions of the estimates (Algorithm 1)."""

    def __init__(
        self, n_arms: int, n_clusters: int, dim: int, delta: float = DELTA, full: bool = True,
        iterations: int = ITERATIONS, warm: bool = True, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(n_arms, n_clusters, dim, delta, full, **options)
        self.iterations, self.warm = iterations, warm
        self.shares = np.full(n_arms, 1 / n_arms)
        self.aims = np.zeros(n_arms)

    def wait(self) -> None:
        """Equal shares."""
        self.aims += self.shares

    def look(self) -> None:
        """Line 12: w*(t), from the last one or from equal shares."""
        start = self.shares if self.warm else None
        self.shares = proportions(self.search, self.means, start, self.iterations)
        self.aims += self.shares

    def pick(self) -> list[int]:
        """Line 7: the arm that lags most behind the average of the proportions."""
        lag = np.where(self.aims > 0, self.counts - self.aims, np.inf)
        return [int(arm) for arm in np.flatnonzero(lag == lag.min())]


class Lucbboc(Paper):
    """LUCBBOC-sampling (Algorithm 2).

    ``upper``: of all edges of the clusters' trees the one with the largest upper bound, in place
    of the longest edge of each (lines 4 to 8), as the library's ``lucbboc-ucb``.
    """

    def __init__(
        self, n_arms: int, n_clusters: int, dim: int, delta: float = DELTA, full: bool = True,
        upper: bool = False, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(n_arms, n_clusters, dim, delta, full, **options)
        self.upper = upper

    def look(self) -> None:
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

    def pick(self) -> list[int]:
        """Line 10: the least sampled of the four arms."""
        counts = self.counts[self.potential]
        return [int(arm) for arm in self.potential[counts == counts.min()]]


KINDS: dict[str, Any] = {"atboc": Atboc, "lucbboc": Lucbboc, "boc-elim": BocElim}


def begun(
    instance: Any, kind: str, before: int, rng: Any, known: Any = None, **options: Any
) -> Any:
    """A run that has told ``before`` samples of each arm (BOC-ELIM, which goes in rounds: none).

    ``known`` gives ATBOC the proportions of its estimates to begin with. Without it they come from
    a first step that starts at equal shares and takes much longer than the others.
    """
    m, k, d = instance.n_arms, instance.n_clusters, instance.dim
    run = KINDS[kind](m, k, d, **options)
    if kind == "boc-elim":
        return run
    run.counts[:] = before
    run.sums += before * instance.means + np.sqrt(before) * rng.standard_normal((m, d))
    if kind == "atboc":
        run.aims[:] = before
        if known is not None:
            run.shares = known(run.sums / before)
            return run
    run.tell(0, instance.means[0])
    return run


def seconds_of_steps(
    run: Any, instance: Any, samples: int, rng: Any, budget: float = np.inf, stops: bool = False
) -> float:
    """CPU seconds a step: the choice of an arm and one sample told; at least one is timed.

    After ``budget`` seconds no further step is begun. A run that could stop goes on, unless it
    ``stops``.
    """
    noise = rng.standard_normal((samples, instance.dim))
    began, last = time.process_time(), time.perf_counter() + budget  # the latter costs less to ask
    for told in range(samples):
        arm = run.ask()
        over = run.tell(arm, instance.means[arm] + noise[told])
        if (over and stops) or time.perf_counter() > last:
            break
    return (time.process_time() - began) / (told + 1)


def seconds_a_sample(
    instance: Any, kind: str, samples: int, before: int = 1, seed: int = 0,
    budget: float = np.inf, **options: Any,
) -> float:  # fmt: skip
    """CPU seconds a sample over ``samples`` steps of a run from ``before`` samples of each arm on.

    ``kind`` is one of ``KINDS``, ``options`` go to ``begun``.
    """
    rng = np.random.default_rng(seed)
    run = begun(instance, kind, before, rng, **options)
    return seconds_of_steps(run, instance, samples, rng, budget)
