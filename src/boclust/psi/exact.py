"""psi for d > 1: branch and bound over rival pairs and cuts, with a bracket at every stage.

Lower bounds: the spanning-tree bound of a rival pair, the longest bond of a cut, the Lagrangian
dual of a cut. Upper bounds: feasible alternatives. A cut can beat the best alternative only if no
bond across it costs more, so only unions of the components of the graph {bonds that cost at least
as much as the best alternative} are tried: usually two or three components, not 2^s subsets.
"""

import heapq
from dataclasses import dataclass, field

import numpy as np

from boclust._validate import BoolArray, FloatArray, IntArray
from boclust.psi.bond import bond_value
from boclust.psi.cut import bracket_cut, cut_problem, repair
from boclust.psi.search import local_search
from boclust.psi.tree import bottleneck, tree_bounds

#: Relative width at which a bracket counts as closed.
TOLERANCE = 1e-8
#: What one cut is solved to: far below, so that values of different methods can be compared.
_CUT_TOLERANCE = 1e-12
#: Sizes of the perturbations of one cut, relative to the length of the rival pair.
_LADDER = (0.0, 1e-3, 1e-5, 1e-7, 1e-9)


@dataclass
class Search:
    """The state of one search: the best alternative, and a bound below everything visited."""

    means: FloatArray
    weights: FloatArray
    labels: IntArray
    max_cuts: int
    upper: float = np.inf
    alternative: FloatArray | None = None
    cluster: int = -1
    side: BoolArray = field(default_factory=lambda: np.empty(0, dtype=np.bool_))
    rival: tuple[int, int] = (-1, -1)
    floor: float = np.inf
    cuts_solved: int = 0

    def __post_init__(self) -> None:
        self.clusters = Clusters(self.means, self.labels)

    def run(self) -> float:
        """Visit (cluster, rival pair) by increasing tree bound until none can improve.

        Returns the lower end of the bracket: no alternative is cheaper.
        """
        bounds, cluster, first, second = self.tree_bounds()
        for i in np.argsort(bounds, kind="stable"):
            if self.closed(bounds[i]) or self.spent(bounds[i]):
                break
            self.visit(int(cluster[i]), int(first[i]), int(second[i]))
        return min(self.upper, self.floor)

    def run_tree(self) -> float:
        """The spanning-tree lower bound; only the cut that attains it is solved."""
        bounds, cluster, first, second = self.tree_bounds()
        i = int(bounds.argmin())
        k, m, n = int(cluster[i]), int(first[i]), int(second[i])
        members = self.clusters.members(k)
        cut = np.empty(len(members), dtype=np.bool_)
        bottleneck(self.means, self.weights, members, m, n, cut)
        self.solve(k, m, n, cut, float(bounds[i]))
        return float(bounds[i])

    def tree_bounds(self) -> tuple[FloatArray, IntArray, IntArray, IntArray]:
        """A lower bound for every (cluster, rival pair)."""
        return tree_bounds(self.means, self.weights, *self.clusters.arrays)

    def closed(self, bound: float) -> bool:
        """Whether nothing with this lower bound can improve the best alternative noticeably."""
        if bound < self.upper * (1 - TOLERANCE):
            return False
        self.floor = min(self.floor, float(bound))
        return True

    def spent(self, bound: float) -> bool:
        """Whether the budget of cuts is used up; what has this bound is then left open."""
        if self.cuts_solved < self.max_cuts:
            return False
        self.floor = min(self.floor, float(bound))
        return True

    def visit(self, cluster: int, m: int, n: int) -> None:
        """Solve the cuts of one cluster against one rival pair that are still worth it."""
        members = self.clusters.members(cluster)
        s = len(members)
        cut = np.empty(s, dtype=np.bool_)
        least, _, _ = bottleneck(self.means, self.weights, members, m, n, cut)
        if self.closed(least):
            return
        self.solve(cluster, m, n, cut, least)
        if s == 2:
            return
        first = int(sum(1 << i for i in range(s) if cut[i]))
        costs = bond_costs(self.means, self.weights, members, m, n)
        queue = self._cuts_below(costs, first, least)
        while queue:
            bound, code = heapq.heappop(queue)
            if self.closed(bound) or self.spent(bound):
                return
            cut = np.array([code >> i & 1 for i in range(s)], dtype=np.bool_)
            self.solve(cluster, m, n, cut, bound)

    def _cuts_below(
        self, costs: FloatArray, solved: int, least: float
    ) -> list[tuple[float, int]]:
        """Cuts whose every bond costs less than the best alternative, cheapest first.

        Beyond ``max_cuts`` of them the rest is left open; no cut costs less than ``least``.
        """
        s = len(costs)
        dear = costs >= self.upper * (1 - TOLERANCE)
        if dear.any():
            self.floor = min(self.floor, float(costs[dear].min()))
        parts = components(dear)
        everything = (1 << s) - 1
        queue: list[tuple[float, int]] = []
        if len(parts) < 2:
            return queue
        for code in range(1, 1 << (len(parts) - 1)):
            if code > self.max_cuts:
                self.floor = min(self.floor, least)
                break
            subset = sum(part for i, part in enumerate(parts) if code >> i & 1)
            if subset in (solved, everything ^ solved):
                continue
            inside = np.array([bool(subset >> i & 1) for i in range(s)])
            queue.append((float(costs[np.ix_(inside, ~inside)].max()), subset))
        heapq.heapify(queue)
        return queue

    def solve(self, cluster: int, m: int, n: int, cut: BoolArray, bound: float) -> None:
        """Bracket one cut and keep its alternative if it is the best so far.

        Positions are taken relative to one of the arms, which keeps the digits of small gaps.
        """
        self.cuts_solved += 1
        members = self.clusters.members(cluster)
        arms, left, right, local_m, local_n = cut_problem(members, cut, m, n)
        origin = self.means[arms[0]]
        mu, w = self.means[arms] - origin, self.weights[arms]
        lam = np.empty_like(mu)
        seeds = ladder(mu, local_m, local_n)
        lower, upper = bracket_cut(
            mu, w, left, right, local_m, local_n, seeds, _CUT_TOLERANCE, lam
        )
        lower = max(lower, bound)
        if upper - lower > TOLERANCE * upper and lower < self.upper:
            upper, lam = local_search(mu, w, left, right, local_m, local_n, (upper, lam))
        if upper < self.upper:
            self.upper, self.cluster, self.side, self.rival = upper, cluster, cut.copy(), (m, n)
            self.alternative = self.means.copy()
            self.alternative[arms] = lam + origin
            settle(self.alternative, self.weights, arms[left], arms[right], m, n)
        self.floor = min(self.floor, lower)


@dataclass
class Clusters:
    """The arms cluster by cluster, each with its single-linkage tree, as the kernels want them."""

    means: FloatArray
    labels: IntArray

    def __post_init__(self) -> None:
        from boclust.problem import trees

        self.arms = np.argsort(self.labels, kind="stable")
        sizes = np.bincount(self.labels)
        self.start = np.concatenate([[0], np.cumsum(sizes)])
        first, second = [], []
        for k, size in enumerate(sizes):
            members = self.members(k)
            if size > 1:
                a, b, _ = trees.minimum_spanning_tree(self.means[members])
                first.append(members[a])
                second.append(members[b])
        self.first = np.concatenate([np.empty(0, dtype=np.int64), *first])
        self.second = np.concatenate([np.empty(0, dtype=np.int64), *second])
        self.edge_start = np.concatenate([[0], np.cumsum(sizes - 1)])

    @property
    def arrays(self) -> tuple[IntArray, ...]:
        """In the order of the kernels' arguments."""
        return self.arms, self.start, self.first, self.second, self.edge_start

    def members(self, k: int) -> IntArray:
        """The arms of cluster k."""
        return self.arms[self.start[k] : self.start[k + 1]]


def bond_costs(
    means: FloatArray, weights: FloatArray, members: IntArray, m: int, n: int
) -> FloatArray:
    """The matrix v(a, b; m, n) over the arms of a cluster."""
    s = len(members)
    costs = np.zeros((s, s))
    for i in range(s):
        for j in range(i):
            costs[i, j] = costs[j, i] = bond_value(
                means, weights, members[i], members[j], m, n
            )
    return costs


def components(graph: BoolArray) -> list[int]:
    """The connected components of a symmetric boolean matrix, as bit sets."""
    s = len(graph)
    rest = (1 << s) - 1
    rows = [sum(1 << j for j in range(s) if graph[i, j] and i != j) for i in range(s)]
    parts = []
    while rest:
        part = fresh = rest & -rest
        while fresh:
            i = (fresh & -fresh).bit_length() - 1
            fresh = (fresh | rows[i] & ~part) & ~(1 << i)
            part |= rows[i]
        parts.append(part)
        rest &= ~part
    return parts


def bonds_across(cut: BoolArray) -> tuple[IntArray, IntArray]:
    """All pairs (one side, other side) of a cut, in local numbers."""
    inside, outside = np.flatnonzero(cut), np.flatnonzero(~cut)
    return np.repeat(inside, len(outside)), np.tile(outside, len(inside))


def ladder(mu: FloatArray, m: int, n: int) -> FloatArray:
    """Perturbations of the means for ``bracket_cut``: fixed directions, decreasing sizes."""
    noise = np.random.default_rng(0).standard_normal(mu.shape)
    sizes = np.array(_LADDER) * float(np.linalg.norm(mu[m] - mu[n]))
    return np.asarray(sizes[:, None, None] * noise)


def settle(
    points: FloatArray, weights: FloatArray, left: IntArray, right: IntArray, m: int, n: int
) -> None:
    """Repair what rounding did to feasibility when the positions were put back in place."""
    for _ in range(8):
        before = points[[m, n]].copy()
        repair(points, weights, left, right, m, n)
        if (points[[m, n]] == before).all():
            return
