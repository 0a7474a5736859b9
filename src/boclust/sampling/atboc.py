"""The optimal proportions of the present estimates, followed from step to step (Algorithm 1).

psi is a minimum of linear functions of the proportions, one for each alternative. The alternatives
found so far are kept: after a sample only the cost of the sampled arm changes. They bound psi from
above, so only alternatives that cost noticeably less need be looked for. The program over them (a
small matrix game) is solved anew where the mixture of its last solution, which bounds max psi from
above, does not show that the proportions are still good. What is tracked satisfies
``psi(w) >= (1 - TOLERANCE) max psi`` unless that took more than ``ATTEMPTS`` alternatives; then the
next step goes on from there.
"""

import numpy as np

from boclust.kernels import kernel
from boclust._validate import FloatArray
from boclust.psi.confusing import confusing_instance
from boclust.kernels import copy_matrix, copy_vector
from boclust.problem.families.laws import divergence
from boclust.problem.trees import group
from boclust.run.state import Rules, Run, Track
from boclust.sampling.codes import AVERAGE, WEIGHTED
from boclust.psi.game import best_proportions
from boclust.sampling.turn_kernels import fewest

#: How far from optimal the tracked proportions may be.
TOLERANCE = 0.01
#: How much less than all that are kept an alternative must cost to be worth keeping.
NOTICEABLE = 0.25 * TOLERANCE
#: How many alternatives are added in one step at most.
ATTEMPTS = 10
#: What every arm keeps of an equal share, so that no weight is zero.
FLOOR = 1e-3


@kernel
def cost_of_move(family: int, mean: FloatArray, other: FloatArray) -> float:
    """d(mean, other), coordinate by coordinate."""
    total = 0.0
    for c in range(mean.shape[0]):
        total += divergence(family, mean[c], other[c])
    return total


@kernel
def keep_cut(family: int, means: FloatArray, track: Track, alternative: FloatArray) -> None:
    """Keep one more alternative; when there is no room, in place of the one that binds least."""
    capacity, m = track.costs.shape
    at = track.n_cuts[0]
    if at == capacity:
        slackest = -1.0
        for j in range(capacity):
            value = cost_at(track.costs, j, track.shares)
            if track.mixture[j] == 0.0 and value > slackest:
                slackest = value
                at = j
    else:
        track.n_cuts[0] += 1
    copy_matrix(track.cuts[at], alternative)
    for i in range(m):
        track.costs[at, i] = cost_of_move(family, means[i], alternative[i])


@kernel
def least_cost(track: Track, weights: FloatArray) -> float:
    """What the kept alternatives cost at least: an upper bound of psi."""
    least = np.inf
    for j in range(track.n_cuts[0]):
        least = min(least, cost_at(track.costs, j, weights))
    return least


@kernel
def mixed_cost(track: Track) -> float:
    """``max_m (x C)_m`` of the last game's mixture x: an upper bound of max psi, if there is one.

    Costs have changed since and alternatives have been added, but x is still a mixture.
    """
    n_arms = track.costs.shape[1]
    mixed = track.trial[3]
    mixed[:] = 0.0
    total = 0.0
    for j in range(track.n_cuts[0]):
        share = track.mixture[j]
        if share > 0.0:
            total += share
            for i in range(n_arms):
                mixed[i] += share * track.costs[j, i]
    most = 0.0
    for i in range(n_arms):
        most = max(most, mixed[i])
    return most / total if total > 0.0 else np.inf


@kernel
def cost_at(costs: FloatArray, j: int, weights: FloatArray) -> float:
    """``c_j . w`` of one alternative."""
    value = 0.0
    for i in range(weights.shape[0]):
        value += costs[j, i] * weights[i]
    return value


@kernel
def find_shares(rules: Rules, run: Run, track: Track, space: bool | None) -> None:
    """Bring ``track.shares`` to the optimal proportions of the present estimates."""
    m = run.means.shape[0]
    alternative = np.empty_like(run.means)
    candidate = track.trial[0]
    corner = track.trial[1]
    best = track.trial[2]
    copy_vector(candidate, track.shares)
    copy_vector(best, track.shares)
    low = -1.0
    for _ in range(ATTEMPTS):
        limit = (1.0 - NOTICEABLE) * least_cost(track, candidate)
        value = confusing_instance(rules, run, candidate, limit, alternative, space)
        if value > low:
            low = value
            copy_vector(best, candidate)
        if not value > 0.0:  # a tie: there is nothing to aim at
            break
        if value < limit:
            keep_cut(rules.family, run.means, track, alternative)
        if low >= (1.0 - TOLERANCE) * mixed_cost(track):
            break
        high = best_proportions(
            track.costs, track.n_cuts[0], track.table, track.basis, corner, track.mixture
        )
        if low >= (1.0 - TOLERANCE) * high:
            break
        for i in range(m):
            candidate[i] = 0.5 * (corner[i] + best[i])
            candidate[i] = (1.0 - FLOOR) * candidate[i] + FLOOR / m
    copy_vector(track.shares, best)


@kernel
def look_on_line(rules: Rules, run: Run) -> None:
    """``look_for_shares`` for d = 1."""
    look_for_shares(rules, run, None)


@kernel
def look_in_space(rules: Rules, run: Run) -> None:
    """``look_for_shares`` for d > 1."""
    look_for_shares(rules, run, True)


@kernel
def look_for_shares(rules: Rules, run: Run, space: bool | None) -> None:
    """The clusters, and the present optimal proportions into what the counts are to follow.

    Average tracking (ATBOC) follows the sum of all proportions so far, direct tracking (DTBOC) the
    present ones, weighted tracking (WATBOC) an average in which each older one counts half.
    """
    group(run)
    track = run.track
    m = run.counts.shape[0]
    changed = False
    for i in range(m):
        changed = changed or track.labels[i] != run.labels[i]
        track.labels[i] = run.labels[i]
    if changed:  # alternatives to other clusters are none to these, perhaps
        track.n_cuts[0] = 0
        track.mixture[:] = 0.0
    find_shares(rules, run, track, space)
    first = track.aims[0] == 0.0  # before every arm had a sample: equal shares
    for i in range(m):
        if rules.sampling == AVERAGE:
            track.aims[i] += track.shares[i] + (1.0 - 1.0 / m if first else 0.0)
        elif rules.sampling == WEIGHTED:
            track.aims[i] = 0.5 * (track.aims[i] + track.shares[i])
        else:
            track.aims[i] = track.shares[i]


@kernel
def lagging_arm(rules: Rules, run: Run) -> int:
    """The arm whose count lags most behind what it should be (line 7 of Algorithm 1)."""
    return farthest_behind(run.pulls, run.track.aims)


@kernel
def farthest_behind(pulls: FloatArray, aims: FloatArray) -> int:
    """The arm whose share of the samples lags most behind its share of the aims.

    Asks may come before every arm has a sample; there are no aims then, and all arms are alike.
    """
    total = 0.0
    aimed = 0.0
    for i in range(pulls.shape[0]):
        total += pulls[i]
        aimed += aims[i]
    if aimed == 0.0:
        return fewest(pulls)
    arm = 0
    lag = -np.inf
    for i in range(pulls.shape[0]):
        behind = aims[i] * total / aimed - pulls[i]
        if aims[i] > 0.0 and behind > lag:
            lag = behind
            arm = i
    return arm
