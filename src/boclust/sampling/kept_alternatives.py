"""The optimal proportions w*(t) of the present estimates, followed from step to step.

Algorithm 1 computes ``w*(t) = argmax_w psi(w, estimates)`` anew after each sample. One sample moves
the maximum little, so what has been found is kept; this makes a step about as cheap as one
evaluation of psi.

psi is a minimum of linear functions of the proportions, one for each alternative ("cut"). After a
sample only the cost of the sampled arm changes (``reprice``). The kept alternatives bound psi from
above, so only alternatives that cost noticeably less need be looked for. The program over them, a
small matrix game (``psi.game``), is solved anew only if the mixture of its last solution, which
bounds max psi from above, does not show that the proportions are still good. The proportions
satisfy ``psi(w) >= (1 - TOLERANCE) max psi`` unless that took more than ``ATTEMPTS`` alternatives;
then the next step goes on from there.
"""

from typing import Any

import numpy as np

from boclust._validate import FloatArray
from boclust.kernels import Struct, copy_matrix, copy_vector, f1, f2, f3, i1, kernel, scratch
from boclust.psi.game import best_proportions
from boclust.psi.line import line_alternative
from boclust.psi.near import near_alternative
from boclust.run.saved import check_means, check_range
from boclust.run.state import Problem, Run

#: How far from optimal the proportions may be.
TOLERANCE = 0.01
#: How much less than all that are kept an alternative must cost to be worth keeping.
NOTICEABLE = 0.25 * TOLERANCE
#: How many alternatives are added in one step at most.
ATTEMPTS = 10
#: What every arm keeps of an equal share, so that no weight is zero.
FLOOR = 1e-3


class OnLine(Struct):
    """The nearest alternative for d = 1: its cost is psi."""

    nearest: f2 = scratch  # M x 1

    def cost(self, run: Run, weights: FloatArray, limit: float) -> float:
        """The cost of the ``nearest`` alternative, which is written; 0 if the clusters are tied."""
        n_clusters = run.start.shape[0] - 1
        _, cost = line_alternative(
            run.law, run.means, run.positions, run.labels, n_clusters, weights, self.nearest
        )
        return cost


class InSpace(Struct):
    """A near alternative for d > 1: the cheapest change at the bottleneck of a spanning tree."""

    nearest: f2 = scratch  # M x d

    def cost(self, run: Run, weights: FloatArray, limit: float) -> float:
        """The cost of the ``nearest`` alternative, if it is below ``limit``; else ``limit``."""
        return near_alternative(
            run.means, run.gaps, weights, run.arms, run.start, limit, self.nearest
        )


class Kept(Struct):
    """The optimal proportions at present, and the alternatives kept from step to step."""

    search: Any  # ``OnLine`` or ``InSpace``
    shares: f1  # the proportions
    labels: i1  # the clusters that the kept alternatives contradict
    cuts: f3  # capacity x M x d, the alternatives
    n_cuts: i1  # (1,), how many are kept
    costs: f2 = scratch  # capacity x M, what a sample of each arm tells against them
    mixture: f1  # capacity, the weights of the alternatives in the last game


def nothing_kept(problem: Problem) -> dict[str, Any]:
    """The fields of ``Kept`` before the first sample.

    There is room for more alternatives than the M that can bind at once, so that some may rest.
    """
    m, capacity = problem.n_arms, 4 * problem.n_arms
    search = OnLine if problem.dim == 1 else InSpace
    return {
        "search": search(nearest=np.zeros((m, problem.dim))),
        "shares": np.full(m, 1.0 / m),
        "labels": np.full(m, -1, dtype=np.int64),
        "cuts": np.zeros((capacity, m, problem.dim)),
        "n_cuts": np.zeros(1, dtype=np.int64),
        "costs": np.zeros((capacity, m)),
        "mixture": np.zeros(capacity),
    }


def check_kept(problem: Problem, kept: Kept) -> None:
    """Refuse a restored state that no run can have."""
    check_range("sampling.n_cuts", kept.n_cuts, 0, len(kept.cuts))
    check_range("sampling.labels", kept.labels, -1, problem.n_clusters - 1)
    check_range("sampling.mixture", kept.mixture, 0.0, 1.0 + 1e-6)
    check_means("sampling.cuts", problem.family, kept.cuts[: kept.n_cuts[0]])
    check_range("sampling.shares", kept.shares, FLOOR / problem.n_arms, 1.0)


@kernel
def find_shares(run: Run, kept: Kept) -> None:
    """Bring ``kept.shares`` to the optimal proportions of the present estimates."""
    forget_other_clusters(run, kept)
    n_arms = kept.shares.shape[0]
    capacity = kept.costs.shape[0]
    table = np.empty((n_arms + 2, capacity + 3))
    basis = np.empty(n_arms + capacity, np.int64)
    corner = np.empty(n_arms)
    candidate = kept.shares.copy()
    best = kept.shares.copy()
    low = -1.0  # psi(best)
    for _ in range(ATTEMPTS):
        limit = (1.0 - NOTICEABLE) * least_cost(kept, candidate)
        value = kept.search.cost(run, candidate, limit)
        if value > low:
            low = value
            copy_vector(best, candidate)
        if not value > 0.0:  # a tie: there is nothing to aim at
            break
        if value < limit:
            keep(run, kept, kept.search.nearest)
        if low >= (1.0 - TOLERANCE) * mixed_cost(kept):
            break
        high = best_proportions(kept.costs, kept.n_cuts[0], table, basis, corner, kept.mixture)
        if low >= (1.0 - TOLERANCE) * high:
            break
        for i in range(n_arms):
            candidate[i] = 0.5 * (corner[i] + best[i])
            candidate[i] = (1.0 - FLOOR) * candidate[i] + FLOOR / n_arms
    copy_vector(kept.shares, best)


@kernel
def forget_other_clusters(run: Run, kept: Kept) -> None:
    """Keep nothing if the clusters have changed: an alternative to others may be none to these."""
    changed = False
    for i in range(run.labels.shape[0]):
        changed = changed or kept.labels[i] != run.labels[i]
        kept.labels[i] = run.labels[i]
    if changed:
        kept.n_cuts[0] = 0
        kept.mixture[:] = 0.0


@kernel
def reprice(run: Run, kept: Kept, arm: int) -> None:
    """What a sample of an arm tells against the kept alternatives now."""
    for j in range(kept.n_cuts[0]):
        kept.costs[j, arm] = cost_of_move(run.law, run.means[arm], kept.cuts[j, arm])


@kernel
def cost_of_move(law: Any, mean: FloatArray, other: FloatArray) -> float:
    """d(mean, other), coordinate by coordinate."""
    total = 0.0
    for c in range(mean.shape[0]):
        total += law.divergence(mean[c], other[c])
    return total


@kernel
def keep(run: Run, kept: Kept, alternative: FloatArray) -> None:
    """Keep one more alternative; if there is no room, in place of the one that binds least."""
    capacity, n_arms = kept.costs.shape
    at = kept.n_cuts[0]
    if at == capacity:
        at = 0
        slackest = -1.0
        for j in range(capacity):
            value = cost_at(kept.costs, j, kept.shares)
            if kept.mixture[j] == 0.0 and value > slackest:
                slackest = value
                at = j
    else:
        kept.n_cuts[0] += 1
    copy_matrix(kept.cuts[at], alternative)
    for i in range(n_arms):
        kept.costs[at, i] = cost_of_move(run.law, run.means[i], alternative[i])


@kernel
def least_cost(kept: Kept, weights: FloatArray) -> float:
    """What the kept alternatives cost at least: an upper bound of psi."""
    least = np.inf
    for j in range(kept.n_cuts[0]):
        least = min(least, cost_at(kept.costs, j, weights))
    return least


@kernel
def cost_at(costs: FloatArray, j: int, weights: FloatArray) -> float:
    """``c_j . w`` of one alternative."""
    value = 0.0
    for i in range(weights.shape[0]):
        value += costs[j, i] * weights[i]
    return value


@kernel
def mixed_cost(kept: Kept) -> float:
    """``max_m (x C)_m`` of the last game's mixture x: an upper bound of max psi, if there is one.

    Costs have changed since and alternatives have been added, but x is still a mixture.
    """
    n_arms = kept.costs.shape[1]
    mixed = np.zeros(n_arms)
    total = 0.0
    for j in range(kept.n_cuts[0]):
        share = kept.mixture[j]
        if share > 0.0:
            total += share
            for i in range(n_arms):
                mixed[i] += share * kept.costs[j, i]
    most = 0.0
    for i in range(n_arms):
        most = max(most, mixed[i])
    return most / total if total > 0.0 else np.inf
