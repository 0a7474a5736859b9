"""The optimal proportions found from kept alternatives, against the exact optimum."""

import numpy as np
import pytest

import boclust
from boclust import Instance
from boclust.kernels import kernel
from boclust.problem.linkage import single_linkage
from boclust.psi.game import best_proportions
from boclust.run.clusters import group
from boclust.run.state import Problem
from boclust.sampling.kept_alternatives import TOLERANCE, find_shares, mixed_cost
from support.instances import few
from support.tracking import PROBLEMS, contradicts, draw, psi, sampled

#: In space a cut is solved to a small part of what tracking can tell.
SOLVED = TOLERANCE / 10


def optimum(family, means, k):
    return 1 / boclust.lower_bound(Instance(means, k, family)).t_star


def steps_to_optimum(family, run, own):
    """How many more steps the shares need to be within the tolerance; None: nothing to compare."""
    k = len(run.start) - 1
    linkage = single_linkage(run.positions, k)
    if linkage.d_inter - linkage.d_intra < 1e-9:
        return None  # a tie, but for rounding
    if run.means.shape[1] > 1 and np.bincount(run.labels).max() > 2:
        return None  # the alternatives are not the nearest ones
    best = optimum(family, run.means, k)
    for steps in range(10):
        if psi(family, run.means, own.shares, k) >= (1 - TOLERANCE - 2e-3) * best:
            return steps
        find_shares(run, own)
    return 10


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("kind", PROBLEMS)
def test_the_shares_are_nearly_optimal(kind, rng):
    """psi(shares) >= (1 - TOLERANCE) max psi of the present estimates.

    Now and then ATTEMPTS alternatives are not enough; then the next steps get there.
    """
    family, truth, driven = sampled(kind, rng)
    run, own = driven.run, driven.own
    steps = []
    for t in range(400):
        arm = t % len(truth)
        driven.tell(arm, draw(family, truth[arm], rng))
        driven.update()
        assert own.shares.sum() == pytest.approx(1)
        assert own.shares.min() > 0
        if t >= 200 and t % 11 == 0:
            steps.append(steps_to_optimum(family, run, own))
    steps = np.array([s for s in steps if s is not None])
    assert len(steps) >= 10
    assert np.mean(steps == 0) >= 0.9
    assert steps.max() <= 3


@pytest.mark.parametrize("kind", ["gaussian", "plane"])
def test_from_scratch_it_takes_a_few_steps(kind, rng):
    """Without a kept alternative the shares come near within a few looks at the same estimates."""
    family, _, driven = sampled(kind, rng, each=60)
    run, own = driven.run, driven.own
    k = len(run.start) - 1
    best = optimum(family, run.means, k)
    ratios = []
    for _ in range(8):
        find_shares(run, own)
        ratios.append(psi(family, run.means, own.shares, k) / best)
    assert ratios[-1] >= 1 - TOLERANCE - 2e-3
    assert (np.diff(ratios) >= -1e-9).all()  # the estimates have not moved: never worse


def test_alternatives_to_other_clusters_are_dropped(rng):
    _, _, driven = sampled("gaussian", rng, each=80)
    run, own = driven.run, driven.own
    for _ in range(4):
        driven.update()
    kept = own.n_cuts[0]
    assert kept > 1
    driven.update()
    assert own.n_cuts[0] >= kept
    before = run.labels.copy()
    run.sums[0, 0] = 9 * run.counts[0]  # arm 0 is elsewhere now
    driven.refresh(0)
    group(run)
    assert (run.labels != before).any()
    own.n_cuts[0] = 20
    own.cuts[:20] = 7.0  # no alternative to anything: they must not count
    driven.update()
    assert own.n_cuts[0] < 20
    assert not (own.cuts[: own.n_cuts[0]] == 7.0).all(axis=(1, 2)).any()
    np.testing.assert_array_equal(own.labels, run.labels)


def test_kept_alternatives_and_their_costs(rng):
    """Each is another clustering or its boundary, at the cost of the present estimates."""
    for kind in ("gaussian", "plane", "poisson"):
        family, truth, driven = sampled(kind, rng, each=30)
        run, own = driven.run, driven.own
        for t in few(60):
            driven.tell(t % len(truth), draw(family, truth[t % len(truth)], rng))
            driven.update()
        n = own.n_cuts[0]
        assert n > 1
        for cut, cost in zip(own.cuts[:n], own.costs[:n], strict=True):
            np.testing.assert_allclose(
                cost, family.divergence(run.means, cut), rtol=1e-9, atol=1e-12
            )
            assert contradicts(family, cut, run.labels)


@pytest.mark.parametrize("kind", ["gaussian", "plane"])
def test_the_last_mixture_bounds_the_game(kind, rng):
    """From above, however the costs have moved since; right after a game it is the game's value.

    After a thousand samples of each arm one more moves the costs so little that the bound is good.
    """
    family, truth, driven = sampled(kind, rng, each=1000)
    own = driven.own
    m, capacity = len(truth), len(own.costs)
    assert mixed_cost(own) == np.inf  # no game yet
    close = []
    for t in few(80):
        arm = t % len(truth)
        driven.tell(arm, draw(family, truth[arm], rng))
        if own.n_cuts[0] > 0:
            bound = mixed_cost(own)
            corner, mixture = np.empty(m), own.mixture.copy()
            table, basis = np.empty((m + 2, capacity + 3)), np.empty(m + capacity, np.int64)
            value = best_proportions(own.costs, own.n_cuts[0], table, basis, corner, mixture)
            assert value <= bound * (1 + 1e-9)
            before, own.mixture[:] = own.mixture.copy(), mixture
            assert mixed_cost(own) == pytest.approx(value, rel=1e-8)
            own.mixture[:] = before
            close.append(value / bound)
        driven.update()
    assert np.median(close) > 1 - TOLERANCE


@pytest.mark.compiled
def test_when_the_memory_is_full(rng):
    """Alternatives that bind stay, and the shares stay nearly optimal."""
    family, truth, driven = sampled("gaussian", rng, each=20)
    run, own = driven.run, driven.own
    own = own.replaced(
        cuts=own.cuts[:9].copy(), costs=own.costs[:9].copy(), mixture=own.mixture[:9].copy()
    )
    driven.own = own
    full, steps = 0, []
    for t in range(400):
        driven.tell(t % len(truth), draw(family, truth[t % len(truth)], rng))
        driven.update()
        assert own.n_cuts[0] <= 9
        full += own.n_cuts[0] == 9
        if t >= 100 and t % 10 == 0:
            steps.append(steps_to_optimum(family, run, own))
    assert full > 100
    assert np.mean(np.array(steps) == 0) >= 0.8
    assert max(steps) <= 3


@kernel
def cost_of_nearest(run, search, weights):
    return search.cost(run, weights, np.inf)


@pytest.mark.parametrize("kind", PROBLEMS)
def test_the_nearest_alternative(kind, rng):
    family, truth, driven = sampled(kind, rng, each=40)
    run, own = driven.run, driven.own
    k = len(run.start) - 1
    for _ in few(20):
        w = rng.dirichlet(np.ones(len(truth))) * 0.9 + 0.1 / len(truth)
        got = cost_of_nearest(run, own.search, w)
        alternative = own.search.nearest
        assert got == pytest.approx(w @ family.divergence(run.means, alternative), rel=1e-7)
        assert contradicts(family, alternative, run.labels)
        least = psi(family, run.means, w, k)
        if run.means.shape[1] == 1:
            assert got == pytest.approx(least, rel=1e-7)
        elif np.bincount(run.labels).max() <= 2:
            assert got == pytest.approx(least, rel=SOLVED)


@pytest.mark.parametrize(
    ("field", "value"), [("n_cuts", 99), ("labels", 9), ("mixture", -1.0), ("shares", 0.0)]
)
def test_restored_states_are_checked(field, value, rng):
    """Before ``observe`` sees them: it trusts the number of alternatives."""
    family, _, driven = sampled("gaussian", rng)
    problem = Problem(7, 1, 3, family, 0.1)
    driven.rule.check(problem, driven.run, driven.own)
    getattr(driven.own, field)[0] = value
    with pytest.raises(ValueError, match=f"sampling.{field}"):
        driven.rule.check(problem, driven.run, driven.own)
