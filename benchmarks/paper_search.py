"""psi over all the paper's quadratic programs or the best of them, and SLSQP around it."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy.optimize import minimize

from benchmarks.paper_qcqp import Shape, solve

#: Relative accuracy and iteration limit of ADMM (epsilon of Algorithm 4 is not given a value).
TOLERANCE, MAX_STEPS = 1e-6, 50
#: Programs that a partial search keeps (c of Remark 4 is not given a value).
TOP = 10
#: Iterations of SLSQP at most, SciPy's own limit: 20 to 100 bring it within 1 % of the best psi.
ITERATIONS = 100
#: Step of the finite differences: above the noise of ADMM, below the scale of the proportions.
STEP = 1e-6
LEAST = 1e-9
#: Coordinates of an arm in a block of programs with one constraint: they stay in the cache.
BLOCK = 5000


def distances(means: Any) -> Any:
    """All distances between arms."""
    gaps = means[:, None] - means[None]
    return np.sqrt((gaps * gaps).sum(-1))


def single_linkage(gaps: Any, n_clusters: int) -> tuple[Any, Any]:
    """(labels, edges): SLINK's clusters, and the edges of its tree that lie inside of them.

    The edges of the minimum spanning tree (here by Prim) are SLINK's merges; the longest K - 1 are
    left out. The longest one inside a cluster is where SLINK splits that cluster in two. Edges are
    sorted by their length.
    """
    n_arms = len(gaps)
    ahead = gaps.copy()  # columns of arms that are in the tree are infinite
    ahead[:, 0] = np.inf
    reach, parent = ahead[0].copy(), np.zeros(n_arms, dtype=int)
    order, length = np.empty(n_arms - 1, dtype=int), np.empty(n_arms - 1)
    for step in range(n_arms - 1):
        new = reach.argmin()
        order[step], length[step] = new, reach[new]
        ahead[:, new] = reach[new] = np.inf
        closer = ahead[new] < reach
        reach[closer], parent[closer] = ahead[new][closer], new
    inside = np.argsort(length, kind="stable")[: n_arms - n_clusters]
    joins = np.zeros(n_arms, dtype=bool)
    joins[order[inside]] = True
    labels, found = [0] * n_arms, 0
    for new, old in zip(order.tolist(), parent[order].tolist(), strict=True):
        found += not joins[new]
        labels[new] = labels[old] if joins[new] else found
    return np.array(labels), np.column_stack([parent[order[inside]], order[inside]])


def shape_of(one: int, two: int, shared: bool) -> Shape:
    """The constraints of a cut into ``one`` and ``two`` arms, numbered in this order.

    Then come the rival arms m and n; a rival arm of the cluster itself is m = 0, and n comes next.
    """
    size = one + two
    m, n = (0, size) if shared else (size, size + 1)
    bonds = [(a, b) for a in range(one) for b in range(one, size)]
    four = [(a, b, m, n) for a, b in bonds if a != m]
    three = [(b, a, n) for a, b in bonds if a == m]
    return Shape(
        np.array(four, dtype=int).reshape(-1, 4), np.array(three, dtype=int).reshape(-1, 3), (m, n)
    )


@dataclass(frozen=True)
class Programs:
    """Programs of one shape: the numbers of their arms, (arms, batch)."""

    shape: Shape
    arms: Any

    def costs(self, means: Any, weights: Any, tolerance: float, max_steps: int) -> Any:
        """Their values at these weights."""
        size = self.arms.shape[1]
        block = max(BLOCK // means.shape[1], 1) if self.shape.n_bonds == 1 else size
        return np.concatenate([
            solve(
                np.take(means.T, arms, axis=1).transpose(1, 0, 2), weights[arms], self.shape,
                tolerance, max_steps,
            )
            for arms in (self.arms[:, i : i + block] for i in range(0, size, block))
        ])  # fmt: skip


def all_programs(labels: Any) -> list[Programs]:
    """Every cluster, cut of it in two and rival pair (Lemma 5), by shape.

    Of the 2^s - 2 choices of P1 half suffice: P1 and P2 have the same role.
    """
    clusters = [np.flatnonzero(labels == k) for k in range(labels.max() + 1)]
    batches: dict[tuple[int, int, bool], list[Any]] = {}
    for own, members in enumerate(clusters):
        others = [arms for k, arms in enumerate(clusters) if k != own]
        outside = [(m, n) for p, q in combinations(others, 2) for m in p for n in q]
        rest = [n for arms in others for n in arms]
        first, tail = members[0], members[1:]
        for size in range(len(tail)):
            for more in combinations(tail, size):
                one = (first, *more)
                two = tuple(a for a in tail if a not in more)
                apart = batches.setdefault((len(one), len(two), False), [])
                apart.extend((*one, *two, m, n) for m, n in outside)
                for side, other in ((one, two), (two, one)):  # m goes first, in P1
                    joint = batches.setdefault((len(side), len(other), True), [])
                    for m in side:
                        order = (m, *(a for a in side if a != m), *other)
                        joint.extend((*order, n) for n in rest)
    return [
        Programs(shape_of(*key), np.ascontiguousarray(np.array(rows).T))
        for key, rows in batches.items()
        if rows
    ]


class Search:
    """psi at given estimates: the least cost of all programs, or of the ``top`` kept ones."""

    def __init__(
        self, n_clusters: int, full: bool = True, top: int = TOP, tolerance: float = TOLERANCE,
        max_steps: int = MAX_STEPS,
    ) -> None:  # fmt: skip
        self.n_clusters, self.full, self.top = n_clusters, full, top
        self.tolerance, self.max_steps = tolerance, max_steps
        self._labels: Any = None
        self._every: list[Programs] = []
        self._kept: list[Programs] = []
        self._programs: list[Programs] = []

    def update(self, t: int, means: Any, weights: Any, labels: Any = None) -> float:
        """psi at time t; chooses the programs that ``psi`` solves until the next update (Remark 4).

        Partial search solves all of them at powers of two, and when the clusters have changed.
        """
        if labels is None:
            labels, _ = single_linkage(distances(means), self.n_clusters)
        changed = self._labels is None or not np.array_equal(labels, self._labels)
        if changed:
            self._labels, self._every = labels, all_programs(labels)
        whole = self.full or changed or t & (t - 1) == 0
        self._programs = self._every if whole else self._kept
        found = self._costs(means, weights)
        if whole and not self.full:
            self._keep(found)
        return least(found)

    def psi(self, means: Any, weights: Any) -> float:
        """The least cost of the programs of the last update."""
        return least(self._costs(means, weights))

    def _costs(self, means: Any, weights: Any) -> list[Any]:
        limits = self.tolerance, self.max_steps
        return [batch.costs(means, weights, *limits) for batch in self._programs]

    def _keep(self, found: list[Any]) -> None:
        """The programs with the ``top`` least costs."""
        every = np.sort(np.concatenate(found)) if found else np.zeros(1)
        bar = every[min(self.top, len(every)) - 1]
        self._kept = [
            Programs(batch.shape, np.ascontiguousarray(batch.arms[:, costs <= bar]))
            for batch, costs in zip(self._every, found, strict=True)
            if (costs <= bar).any()
        ]


def least(found: list[Any]) -> float:
    """The least of all costs; infinite if there is no program (K = 1 or K = M)."""
    return min((float(costs.min()) for costs in found), default=np.inf)


def psi(means: Any, weights: Any, n_clusters: int, **options: Any) -> float:
    """psi(w, mu) by a full search, for Gaussian arms with sigma = 1; means (M, d)."""
    if weights.min() <= 0:
        return 0.0
    return Search(n_clusters, **options).update(1, means, weights)


def proportions(
    search: Search, means: Any, start: Any = None, iterations: int = ITERATIONS, step: float = STEP
) -> Any:
    """w* of the estimates: SLSQP with finite differences over the programs of the last update.

    From ``start`` or equal shares. The objective is divided by its first value: psi grows with the
    square of the gaps, and SLSQP's tolerance is absolute. An end that is worse than the start, as
    happens at kinks, is not taken.
    """
    n_arms = len(means)
    w0 = np.full(n_arms, 1 / n_arms) if start is None else start
    first = search.psi(means, w0)
    scale = first if 0 < first < np.inf else 1.0
    result = minimize(
        lambda w: -search.psi(means, np.maximum(w, LEAST)) / scale, w0, method="SLSQP",
        bounds=[(LEAST, 1.0)] * n_arms,
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1.0, "jac": np.ones_like},
        options={"maxiter": iterations, "eps": step},
    )  # fmt: skip
    shares = np.maximum(result.x, LEAST)
    shares /= shares.sum()
    return shares if search.psi(means, shares) >= first else w0
