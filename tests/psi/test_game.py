"""The matrix game: bounds from both sides that meet, against HiGHS, closed forms and T*."""

import numpy as np
import pytest
from scipy.optimize import linprog

import boclust
from boclust.psi.game import best_proportions, play
from support.instances import CHECKED, few, thorough

SIZES = [(1, 1), (1, 4), (2, 1), (2, 6), (3, 2), (6, 10), (7, 20), (10, 4), (12, 50), (20, 80)]


def solved(costs, n_cuts=None, pivots=None):
    """z, the proportions and the mixture, with nothing but NaN in what the kernel may not read."""
    capacity, n_arms = costs.shape
    table = np.full((n_arms + 2, capacity + 3), np.nan)
    basis = np.full(n_arms + capacity, -1)
    w, x = np.full(n_arms, np.nan), np.full(capacity, np.nan)
    n = capacity if n_cuts is None else n_cuts
    if pivots is None:
        return best_proportions(costs, n, table, basis, w, x), w, x
    return play(costs, n, pivots, table, basis, w, x), w, x


def bounds(costs, **how):
    """Both bounds of z, after all that holds whatever the accuracy has been checked."""
    z, w, x = solved(costs, **how)
    for weights in (w, x):
        assert weights.min() >= 0
        assert weights.sum() == pytest.approx(1, rel=1e-12)
    assert z == pytest.approx((costs @ w).min(), rel=1e-12)
    return z, (x @ costs).max()


def by_highs(costs):
    """max z subject to z <= c_j . w, w in the simplex."""
    n_cuts, n_arms = costs.shape
    scale = costs.max()
    found = linprog(
        np.append(np.zeros(n_arms), -1),
        A_ub=np.column_stack([-costs / scale, np.ones(n_cuts)]),
        b_ub=np.zeros(n_cuts),
        A_eq=np.append(np.ones(n_arms), 0)[np.newaxis],
        b_eq=[1],
        method="highs",
        options=dict(primal_feasibility_tolerance=1e-10, dual_feasibility_tolerance=1e-10),
    )
    return -found.fun * scale


def dense(rng, m, n):
    return rng.uniform(size=(n, m))


def sparse(rng, m, n):
    """Like the cuts of a clustering: three to six arms each, the others cost nothing."""
    costs = np.zeros((n, m))
    for row in costs:
        arms = rng.permutation(m)[: rng.integers(3, 7)]
        row[arms] = rng.exponential(size=len(arms)) * (0.1 + rng.exponential())
    return costs


def even(rng, m, n):
    """All arms of a cut cost the same: every step of the method is degenerate."""
    return (sparse(rng, m, n) > 0) * rng.integers(1, 4, size=(n, 1)).astype(float)


def repeated(rng, m, n):
    costs = even(rng, m, n)[rng.integers(1 + n // 3, size=n) % n][:, rng.integers(m, size=m)]
    costs[costs.max(axis=1) == 0] = 1
    return costs


def small_integers(rng, m, n):
    costs = rng.integers(0, 3, size=(n, m)).astype(float)
    costs[costs.max(axis=1) == 0, 0] = 1
    return costs


def unused_arms(rng, m, n):
    costs = sparse(rng, m, n)
    costs[:, : m // 2] = 0
    costs[:, -1] += 0.5
    return costs


def tangents(rng, m, n):
    """Cuts of one bond and one rival pair found at proportions that come ever closer."""
    costs = np.zeros((n, m))
    centre = rng.dirichlet(np.ones(m))
    for row in costs:
        arms = rng.permutation(m)[: rng.integers(3, 5)]
        inverse = 1 / (
            centre[arms] * np.exp(10 ** rng.uniform(-6, -1) * rng.normal(size=len(arms)))
        )
        row[arms] = (inverse / inverse.sum()) ** 2
    return costs


def constant(rng, m, n):
    return np.ones((n, m))


def nearly(kind, size):
    def tied(rng, m, n):
        costs = kind(rng, m, n)
        return costs * (1 + size * rng.normal(size=costs.shape))

    return tied


def spread(*shape):
    def wide(rng, m, n):
        sizes = dict(cut=(n, 1), arm=(1, m), entry=(n, m))
        costs = sparse(rng, m, n)
        for name in shape:
            costs = costs * 10 ** rng.uniform(-12, 12, size=sizes[name])
        return costs

    return wide


DEGENERATE = [even, repeated, small_integers, unused_arms]
NEARLY_TIED = [
    pytest.param(nearly(kind, size), id=f"{kind.__name__}-{size:g}")
    for kind in (even, repeated, tangents, constant)
    for size in (1e-6, 1e-8, 1e-9, 1e-10, 1e-12, 1e-15)
]
WIDE = [
    pytest.param(spread(*shape), id="-".join(shape))
    for shape in (("cut",), ("arm",), ("entry",), ("cut", "arm"))
]


@pytest.mark.parametrize("count", [6, thorough(20)])
@pytest.mark.parametrize("kind", [dense, sparse, tangents, *DEGENERATE])
def test_the_value_by_highs_and_bounds_that_meet(kind, count, rng):
    for m, n in SIZES:
        for _ in few(count):
            costs = kind(rng, m, n)
            low, high = bounds(costs)
            assert high == pytest.approx(low, rel=1e-12)
            assert low == pytest.approx(by_highs(costs), rel=1e-8)


@pytest.mark.parametrize("count", [8, thorough(25)])
@pytest.mark.parametrize("kind", [*NEARLY_TIED, *WIDE])
def test_hard_games_are_bracketed_too(kind, count, rng):
    """Beyond what HiGHS resolves; the bracket needs no oracle."""
    for m, n in SIZES:
        for _ in few(count):
            low, high = bounds(kind(rng, m, n))
            assert high == pytest.approx(low, rel=1.1e-9)


@pytest.mark.parametrize(
    ("kind", "m", "n", "seed"),
    [
        pytest.param(spread("cut"), 20, 80, 280, id="prices that are not refreshed"),
        pytest.param(spread("cut"), 20, 80, 1572, id="prices that are not refreshed, again"),
        pytest.param(nearly(repeated, 1e-9), 12, 40, 16842, id="the last bounds, not the best"),
    ],
)
def test_games_that_would_go_wrong_with(kind, m, n, seed):
    """Rare, so found by search: the bounds would be 1e-6 to 1 apart."""
    low, high = bounds(kind(np.random.default_rng(seed), m, n))
    assert high == pytest.approx(low, rel=1.1e-9)


@pytest.mark.parametrize("kind", [dense, sparse, tangents, *DEGENERATE, *NEARLY_TIED, *WIDE])
def test_nothing_cycles(kind, rng):
    """A few pivots for each variable do as well as the many that are allowed."""
    for m, n in SIZES:
        for _ in few(6):
            costs = kind(rng, m, n)
            assert bounds(costs, pivots=3 * (m + n)) == bounds(costs)


@pytest.mark.parametrize("kind", [dense, sparse, even, spread("entry")])
def test_cut_short_the_bounds_are_still_bounds(kind, rng):
    for m, n in SIZES:
        costs = kind(rng, m, n)
        z, _ = bounds(costs)
        apart = []
        for pivots in (1, 2, 3, 5, 8, 13, 3 * (m + n)):
            low, high = bounds(costs, pivots=pivots)
            assert low <= z * (1 + 1e-9)
            assert high >= z * (1 - 1e-9)
            apart.append(high - low)
        assert apart[-1] <= 1.1e-9 * z
        if n > 10:
            assert apart[0] > 1e-3 * z


def test_only_the_first_cuts_count(rng):
    costs = np.full((30, 7), np.nan)
    for n in (1, 2, 5, 29):
        costs[:n] = sparse(rng, 7, n)
        z, w, x = solved(costs, n)
        assert np.all(x[n:] == 0)
        alone, w_alone, x_alone = solved(costs[:n].copy())
        assert z == alone
        assert np.array_equal(w, w_alone)
        assert np.array_equal(x[:n], x_alone)


@pytest.mark.parametrize("scale", [1e-100, 1e-12, 1.0, 1e12, 1e100])
def test_closed_forms(scale, rng):
    for m in (1, 2, 6, 20):
        row = scale * rng.uniform(0.1, 1, size=m)
        z, w, x = solved(row[np.newaxis])
        assert z == pytest.approx(row.max(), rel=1e-14)
        assert w[row.argmax()] == x[0] == 1

        z, w, x = solved(row[:, np.newaxis].copy())
        assert z == pytest.approx(row.min(), rel=1e-14)
        assert w[0] == x[row.argmin()] == 1

        wide = row * 10 ** rng.uniform(-12, 12, size=m)
        z, w, x = solved(np.diag(wide))
        harmonic = 1 / np.sum(1 / wide)
        assert z == pytest.approx(harmonic, rel=1e-12)
        assert w == pytest.approx(harmonic / wide, rel=1e-10)
        assert x == pytest.approx(harmonic / wide, rel=1e-10)


def test_two_arms_by_the_corners_of_the_lower_envelope(rng):
    for _ in few(100):
        costs = rng.uniform(size=(8, 2)) ** 3
        rise = costs[:, 0] - costs[:, 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            meet = (costs[:, 1] - costs[:, 1, np.newaxis]) / (rise[:, np.newaxis] - rise)
        first = np.append(meet[(meet > 0) & (meet < 1)], [0, 1])
        best = np.max(np.min(costs @ [first, 1 - first], axis=0))
        assert bounds(costs) == pytest.approx((best, best), rel=1e-12)


def test_a_cut_that_costs_nothing(rng):
    costs = sparse(rng, 6, 9)
    costs[[3, 7]] = 0
    z, w, x = solved(costs)
    assert z == 0
    assert w == pytest.approx(np.full(6, 1 / 6))
    assert x[3] + x[7] == x.sum() == 1


def test_a_power_of_two_changes_nothing(rng):
    for m, n in SIZES:
        costs = sparse(rng, m, n)
        z, w, x = solved(costs)
        larger, w_larger, x_larger = solved(costs * 2.0**70)
        assert larger == z * 2.0**70
        assert np.array_equal(w, w_larger)
        assert np.array_equal(x, x_larger)


@pytest.mark.parametrize("name", CHECKED)
def test_cutting_planes_with_it_find_t_star(name):
    instance, t_star, _ = CHECKED[name]
    m = instance.n_arms
    best = w = np.full(m, 1 / m)
    low, high = 0.0, np.inf
    costs = np.zeros((40, m))
    for n in range(len(costs)):
        found = boclust.infimum(instance.means, w, instance.n_clusters, instance.family)
        if found.value > low:
            low, best = found.value, w
        costs[n] = instance.family.divergence(instance.means, found.alternative)
        z, corner, x = solved(costs, n + 1)
        assert (x @ costs).max() == pytest.approx(z, rel=1e-9)
        high = min(high, z)
        w = (best + corner) / 2
    assert low <= high * (1 + 1e-9)
    assert low == pytest.approx(high, rel=2e-3)
    assert 1 / low == pytest.approx(t_star, rel=3e-3)
