"""``local-bounded`` in space: the supermartingale itself, from the samples, and its lower bound."""

from functools import cached_property
from itertools import product

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, minimize
from scipy.special import ive
from scipy.stats import binom

import boclust
from boclust.evidence.betting import GAMBLERS, LARGEST_RISK, SHARES
from boclust.evidence.cube import (
    CUBES,
    LEANS,
    RINGS,
    SIZES,
    SQUARES,
    cube_evidence,
    focus,
    place_bets_in_cube,
)
from boclust.problem.families import Bounded
from boclust.psi.bond import project_on_bond
from boclust.run.state import Problem
from boclust.sources import Beta, Simulated
from boclust.stopping.certificate import LocalBounded
from support.instances import JIT_OFF, few, thorough
from support.runs import judged

CLAIMS = [(0, 1, 2, 3), (1, 0, 2, 3), (0, 1, 1, 2), (1, 0, 2, 1), (0, 1, 2, 0)]


class State:
    """What the kernels keep of the samples of each arm."""

    def __init__(self, n_arms, dim):
        self.counts, self.spreads = np.zeros((2, n_arms))
        self.sums = np.zeros((n_arms, dim))  # in half ranges
        self.gains = np.zeros((n_arms, dim + 1, GAMBLERS))
        self.stakes = np.zeros((n_arms, 1, GAMBLERS))
        self.tallies = np.zeros((n_arms, dim, 3, GAMBLERS))

    def take(self, arm, value):
        told = 2.0 * np.asarray(value, dtype=float)
        self.spreads[arm] = place_bets_in_cube(
            told,
            self.counts[arm],
            self.sums[arm],
            self.spreads[arm],
            self.tallies[arm],
            self.gains[arm],
            self.stakes[arm],
        )
        self.counts[arm] += 1
        self.sums[arm] += told

    @property
    def means(self):
        return self.sums / self.counts[:, None]

    def evidence(self, claim, limit=np.inf):
        means = self.means
        gaps = np.linalg.norm(means[:, None] - means[None], axis=2)
        return cube_evidence(
            self.counts, means, gaps, self.spreads, self.gains, self.stakes, *claim, limit
        )


def filled(samples):
    """The state after these samples, one N x d array an arm."""
    state = State(len(samples), samples[0].shape[1])
    for arm, rows in enumerate(samples):
        for row in rows:
            state.take(arm, row)
    return state


#: Where the wealth of an arm is tabulated along one coordinate.
GRID = np.linspace(-1, 1, 401)


def log_sum_exp(logs):
    """Over the last axis; many times as fast as ``np.logaddexp.reduce``."""
    top = logs.max(axis=-1)
    return top + np.log(np.exp(logs - top[..., None]).sum(axis=-1))


class Arm:
    """The wealth of the gamblers of one arm from its samples, as the text has it."""

    def __init__(self, rows):
        n = len(rows)
        before = np.cumsum(rows, axis=0) - rows
        predicted = (0.5 + before) / np.arange(1, n + 1)[:, None]
        farthest = np.maximum(predicted, 1 - predicted).max(axis=1)
        self.bets = np.minimum(np.array(SIZES)[:, None], LARGEST_RISK / farthest)  # gamblers x N
        self.z = self.bets[:, :, None] * (rows - predicted)  # gamblers x N x d
        self.lost = (self.bets[:, :, None] * predicted).sum(axis=1)
        self.stakes = self.bets.sum(axis=1)
        self.rows = rows

    @cached_property
    def table(self):
        """log wealth of every gambler in every coordinate at v_c in GRID: d x GRID x gamblers."""
        return np.log1p(GRID[:, None, None, None] * self.z).sum(axis=2).transpose(2, 0, 1)

    def along(self, v):
        """log F(v) for rows of directions v, as a function of the mean."""
        place = (v + 1) / (GRID[1] - GRID[0])
        cell = np.minimum(place.astype(int), len(GRID) - 2)
        won = v @ self.lost.T + np.log(SHARES)
        for c, values in enumerate(self.table):
            part = (place - cell)[:, c, None]
            won += (1 - part) * values[cell[:, c]] + part * values[cell[:, c] + 1]
        return lambda mean: log_sum_exp(won - np.outer(v @ mean, self.stakes))

    def exact_log_wealth(self, k, v, mean):
        """Of gambler k along one direction, without the table."""
        return np.log1p(v * self.z[k]).sum() - v @ (self.stakes[k] * mean - self.lost[k])


def sphere(dim, rng):
    """Directions with equal weights: evenly spaced on the circle, else very many random ones."""
    if dim == 2:
        angles = 2 * np.pi * np.arange(256) / 256
        return np.column_stack([np.cos(angles), np.sin(angles)])
    w = rng.standard_normal((20_000, dim))
    return w / np.linalg.norm(w, axis=1)[:, None]


def log_supermartingale(arms, claim, w):
    """log of the average over w, as a function of means for which the claim holds."""
    a, b, m, n = claim
    if {a, b} & {m, n}:
        j = a if a in (m, n) else b
        i, k = (b if j == a else a), (n if j == m else m)
        r, _ = focus(w.shape[1])
        rival = arms[k].along(w)

        def logs(means):
            e = direction(means[i] - means[j])
            shared = arms[j].along((r * e - w) / (1 + r))
            return rival(means[k]) + shared(means[j]) + arms[i].along(-e[None])(means[i])

    else:
        one, two = arms[m].along(w), arms[n].along(-w)

        def logs(means):
            e = direction(means[a] - means[b])
            bond = arms[a].along(-e[None])(means[a]) + arms[b].along(e[None])(means[b])
            return one(means[m]) + two(means[n]) + bond

    return lambda means: log_sum_exp(logs(means)) - np.log(len(w))


def direction(vector):
    length = np.linalg.norm(vector)
    return vector / length if length > 0 else np.eye(len(vector))[0]


def made_true(means, claim):
    """Means in the cube near these for which the claim holds."""
    a, b, m, n = claim
    point = np.ascontiguousarray(np.clip(means, 0, 1))
    project_on_bond(point, a, b, m, n)
    point = np.clip(point, 0, 1)
    bond, rival = np.linalg.norm(point[a] - point[b]), np.linalg.norm(point[m] - point[n])
    if bond < rival:  # the ends were in the way: shorten the rival pair
        fixed, moved = (m, n) if m in (a, b) else (n, m)
        point[moved] = point[fixed] + (point[moved] - point[fixed]) * bond / rival * (1 - 1e-12)
    return point


def least_supermartingale(arms, claim, estimates, w, effort):
    """The least one over all means for which the claim holds, by Powell's method.

    It starts from the estimates, and from those where one arm has moved and closed the gap alone.
    Any means give an upper bound of the least one.
    """
    used = sorted(set(claim))
    log_value = log_supermartingale(arms, claim, w)

    def objective(x):
        means = estimates.copy()
        means[used] = x.reshape(len(used), -1)
        return log_value(made_true(means, claim))

    bond, rival = (
        estimates[claim[0]] - estimates[claim[1]],
        estimates[claim[2]] - estimates[claim[3]],
    )
    gap = np.linalg.norm(rival) - np.linalg.norm(bond)
    moves = [0 * bond, direction(bond), -direction(bond), -direction(rival), direction(rival)]
    starts = []
    for arm, move in zip((claim[0], *claim), moves, strict=True):
        starts.append(estimates.copy())
        starts[-1][arm] += gap * move
    options = dict(maxfev=effort)
    return min(
        minimize(objective, start[used].ravel(), method="Powell", options=options).fun
        for start in starts
    )


def random_samples(rng, dim, most):
    """Four arms of any kind: Beta, Bernoulli, uniform or constant, other means far or near."""
    centre = rng.random(dim)
    for _ in range(4):
        mean = np.clip(centre + rng.normal(0, rng.choice([0.05, 0.3, 1.0]), dim), 0, 1)
        size = int(rng.integers(1, most)), dim
        kind = rng.integers(4)
        if kind == 0:
            strength = rng.uniform(1, 50)
            yield rng.beta(mean * strength + 1e-3, (1 - mean) * strength + 1e-3, size)
        elif kind == 1:
            yield (rng.random(size) < mean).astype(float)
        elif kind == 2:
            yield mean + (rng.random(size) - 0.5) * 2 * np.minimum(mean, 1 - mean)
        else:
            yield np.tile(mean, (size[0], 1))


def extreme_samples(rng, dim):
    """Constant arms at and off the ends, single samples, coincident means, unequal numbers."""
    ends = [np.zeros((40, dim)), np.zeros((9, dim)), np.zeros((90, dim)), np.ones((60, dim))]
    yield ends
    yield [1 - rows for rows in ends]
    yield [np.full((60, dim), x) for x in (0.3, 0.3, 0.3, 0.8)]
    yield [np.full((1, dim), x) for x in (0.2, 0.3, 0.5, 1.0)]
    bell = rng.beta(5, 5, (400, dim))
    yield [bell, bell[:3], 0.2 * bell[:40], 0.5 + 0.5 * bell[:200]]
    yield [bell[:50], bell[50:100], bell[100:150], 0.4 + 0.6 * bell[150:200]]


def all_samples(rng, dim, count):
    """So many random ones, and the extreme ones."""
    for _ in few(count):
        yield list(random_samples(rng, dim, 120))
    yield from extreme_samples(rng, dim)


def test_the_sizes_and_the_rings():
    assert len(SIZES) == GAMBLERS
    assert list(SIZES) == sorted(SIZES, reverse=True)
    assert SIZES[0] >= 2 * LARGEST_RISK
    assert SIZES[1] < LARGEST_RISK  # only the first gambler is ever limited
    assert SIZES[-1] == RINGS[-1] == 0
    assert RINGS[0] == np.pi
    assert list(RINGS) == sorted(RINGS, reverse=True)


@pytest.mark.parametrize("dim", [2, 3, 5, 10, 50])
def test_the_cost_of_a_direction(dim):
    """Not below the entropy of the von Mises-Fisher distribution with that mean; by scipy."""
    r, cost = focus(dim)
    k = np.linspace(1e-3, 400, 400_001)
    nu = dim / 2 - 1
    log_average = np.log(ive(nu, k)) + k - nu * np.log(k)
    log_average -= log_average[0] - k[0] ** 2 / (2 * dim)
    exact = (k * r - log_average).max()
    assert cost >= exact
    assert cost < 1.15 * exact


@pytest.mark.parametrize("dim", [2, 5])
def test_tallies_follow_their_formulas(dim, rng):
    for rows in random_samples(rng, dim, 40):
        state, arm = filled([rows]), Arm(rows)
        size = np.abs(arm.z)
        squares = (-np.log1p(-size) - size - size**3 / 3).sum(axis=1).T
        cubes = (arm.z**3 / 3).sum(axis=1).T
        np.testing.assert_allclose(state.tallies[0, :, SQUARES], squares, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(state.tallies[0, :, CUBES], cubes, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(state.tallies[0, :, LEANS], (arm.bets @ rows).T, rtol=1e-9)
        np.testing.assert_allclose(state.stakes[0, 0], arm.stakes, rtol=1e-9)
        np.testing.assert_allclose(state.gains[0, :dim], -squares - abs(cubes), rtol=1e-9)
        assert size.max() <= LARGEST_RISK + 1e-12


@pytest.mark.parametrize("dim", [2, 3, 5])
def test_no_direction_has_won_less(dim, rng):
    """B v.(estimate - mu) - |P||v| - sum v^2 K is below the wealth for every |v| <= 1."""
    samples = [rows for some in all_samples(rng, dim, 25 if dim < 5 else 8) for rows in some]
    for rows in samples[:: 12 if JIT_OFF else 2]:
        state, arm = filled([rows]), Arm(rows[:1999])
        mean = rng.random(dim)
        directions = [*rng.normal(0, 1, (20, dim)), *np.eye(dim), *-np.eye(dim)]
        for v in directions:
            v = v / np.linalg.norm(v) * rng.choice([1.0, 1.0, rng.random()])
            for k in range(GAMBLERS):
                bound = state.stakes[0, 0, k] * (v @ (rows.mean(axis=0) - mean))
                bound += np.linalg.norm(v) * state.gains[0, dim, k]
                bound += v**2 @ state.gains[0, :dim, k]
                assert bound <= arm.exact_log_wealth(k, v, mean) + 1e-9 * (1 + abs(bound))


def test_no_gambler_wins_on_average(rng):
    """E of one step's factor is at most one, along any v, for independent coordinates."""
    closest = 0.0
    for past in ([], [[0.0, 0.0]], [[1.0, 0.0]] * 30, rng.random((20, 2)), [[0.3, 0.6]] * 50):
        for _ in range(60):
            v = rng.normal(0, 1, 2)
            v /= max(np.linalg.norm(v), 1)
            points, chances = rng.choice([0, 0.1, 0.5, 1], (2, 2)), rng.dirichlet([1, 1], 2)
            mean = (points * chances).sum(axis=1)
            average = np.zeros(GAMBLERS)
            for one, two in product(range(2), range(2)):
                rows = np.array([*past, [points[0, one], points[1, two]]], dtype=float)
                arm = Arm(rows)
                step = np.log1p(v * arm.z[:, -1]).sum(axis=1)
                predicted = (0.5 + rows[:-1].sum(axis=0)) / len(rows)
                step -= arm.bets[:, -1] * (v @ (mean - predicted))
                average += chances[0, one] * chances[1, two] * np.exp(step)
            assert average.max() <= 1 + 1e-12
            closest = max(closest, average[0])
    assert closest > 0.999


@pytest.mark.parametrize(("dim", "count"), [(2, 10), (5, 2), thorough(2, 25), thorough(5, 8)])
def test_evidence_is_below_the_supermartingale_of_every_true_claim(dim, count, rng):
    """At means near the estimates and far from them, for which the claim holds."""
    w = sphere(dim, rng)
    checked = 0
    for samples in all_samples(rng, dim, count):
        state, arms = filled(samples), [Arm(rows) for rows in samples]
        for claim in CLAIMS[:: 2 if dim > 2 or JIT_OFF else 1]:
            got = state.evidence(claim)
            assert not np.isnan(got)
            if got == -np.inf:
                continue
            log_value = log_supermartingale(arms, claim, w)
            for spread in (0.0, 0.02, 0.2):
                means = made_true(state.means / 2 + rng.normal(0, spread, (4, dim)), claim)
                found = log_value(means)
                assert got <= found + 1e-3 + 1e-9 * abs(found)
                checked += 1
    assert checked


@pytest.mark.parametrize("count", [2, thorough(25)])
@pytest.mark.parametrize("claim", [(0, 1, 2, 3), (1, 0, 2, 1)])
def test_evidence_is_below_the_least_supermartingale(claim, count, rng):
    """In the plane, by a search over all means for which the claim holds."""
    w = sphere(2, rng)
    checked = 0
    for samples in all_samples(rng, 2, count):
        state, arms = filled(samples), [Arm(rows) for rows in samples]
        got = state.evidence(claim)
        if got > -3:
            least = least_supermartingale(arms, claim, state.means / 2, w, 200)
            assert got <= least + 1e-3 + 1e-9 * abs(least)
            checked += 1
    assert checked


def least_sum(lines, weights, gap):
    """The least sum of log-sum-exp of lines (intercepts, slopes) with sum weight t >= gap."""

    def objective(t):
        logs = np.array(
            [one + two * x + np.log(SHARES) for (one, two), x in zip(lines, t, strict=True)]
        )
        top = logs.max(axis=1)
        parts = np.exp(logs - top[:, None])
        slopes = (parts * [two for _, two in lines]).sum(axis=1) / parts.sum(axis=1)
        return (top + np.log(parts.sum(axis=1))).sum(), slopes

    start = np.full(len(lines), gap / sum(weights))
    limit = LinearConstraint(weights, gap, np.inf)
    options = dict(ftol=1e-10, maxiter=200)
    found = minimize(objective, start, jac=True, method="SLSQP", constraints=limit, options=options)
    t = found.x + max(gap - np.dot(weights, found.x), 0) / sum(weights)  # back inside
    return objective(t)[0]


@pytest.mark.parametrize("count", [4, thorough(40)])
@pytest.mark.parametrize("dim", [2, 3])
def test_rings_hold_every_direction_of_the_bond(dim, count, rng):
    """A shared arm: below the bound for each direction e of the true bond, and close to the least.

    Bond (0, 1), rival (1, 2).
    """
    r, cost = focus(dim)
    short = []
    for _ in few(count):
        alpha = rng.uniform(1, 20, (3, dim))
        samples = [rng.beta(row, 6, (int(rng.integers(20, 150)), dim)) for row in alpha]
        state = filled(samples)
        got = state.evidence((0, 1, 1, 2))
        if got == -np.inf:
            continue
        i, j, n = state.means / 2
        bond, rival = i - j, n - j
        u = rival / np.linalg.norm(rival)
        stakes, costs = state.stakes[:, 0], -state.gains
        largest, astray = costs[:, :dim].max(axis=1), costs[:, dim]
        along = r**2 * u**2 @ costs[2, :dim] + (1 - r**2) * largest[2]
        found = []
        for e in [bond, u, -u, *rng.standard_normal((30, dim))]:
            e = e / np.linalg.norm(e)
            square = (1 + r**2 - 2 * r**2 * (e @ u)) / (1 + r) ** 2
            both = 2 * r / (1 + r)
            lines = [
                (-largest[0] - astray[0], stakes[0]),
                (-square * largest[1] - both * astray[1], both * stakes[1]),
                (-along - r * astray[2], r * stakes[2]),
            ]
            gap = np.linalg.norm(rival) - e @ bond
            found.append(least_sum(lines, [1, 2, 1], gap) - cost)
        assert got <= min(found) + 1e-6
        short.append(min(found) - got)
    assert short
    assert np.median(short) < 1


@pytest.mark.slow
@pytest.mark.parametrize("claim", [(0, 1, 2, 3), (1, 0, 2, 1)])
@pytest.mark.parametrize("kind", ["beta", "bernoulli"])
def test_evidence_is_near_the_least_supermartingale(claim, kind, rng):
    """Within three units of it (of which the search may miss some) where runs usually stop."""
    w = sphere(2, rng)
    missing = []
    for _ in range(3):
        if kind == "beta":
            means = np.array([[0.4, 0.4], [0.45, 0.42], [0.6, 0.65], [0.7, 0.3]])
            strength = means * (1 - means) / 0.15**2 - 1
            alpha, beta = means * strength, (1 - means) * strength
            samples = [rng.beta(alpha[arm], beta[arm], (120, 2)) for arm in range(4)]
        else:
            means = np.array([[0.3, 0.3], [0.35, 0.32], [0.7, 0.75], [0.9, 0.2]])
            samples = [(rng.random((200, 2)) < mean).astype(float) for mean in means]
        state, arms = filled(samples), [Arm(rows) for rows in samples]
        least = least_supermartingale(arms, claim, state.means / 2, w, 1000)
        assert least > 5
        missing.append(least - state.evidence(claim))
    assert min(missing) > 0
    assert np.mean(missing) < 3


def test_what_the_evidence_does_not_depend_on(rng):
    """The order of the arms of a pair, and which corner of the cube is called zero."""
    for _ in few(40):
        samples = list(random_samples(rng, 3, 80))
        flipped = rng.random(3) < 0.5
        state, mirrored = filled(samples), filled([np.where(flipped, 1 - x, x) for x in samples])
        for a, b, m, n in CLAIMS:
            got = state.evidence((a, b, m, n))
            for other in ((b, a, m, n), (a, b, n, m), (b, a, n, m)):
                assert state.evidence(other) == pytest.approx(got, abs=1e-3)
            assert mirrored.evidence((a, b, m, n)) == pytest.approx(got, abs=2e-3)
            means = state.means
            bond, rival = (np.linalg.norm(means[i] - means[j]) for i, j in ((a, b), (m, n)))
            assert (got == -np.inf) == (not bond < rival)


def test_leaving_early(rng):
    """Evidence above ``limit`` is cut off near it; below, it is what it is without."""
    for _ in few(40):
        state = filled(list(random_samples(rng, 2, 100)))
        for claim in CLAIMS:
            full = state.evidence(claim)
            for limit in (-3.0, 0.0, 6.0):
                got = state.evidence(claim, limit)
                assert got <= full + 1e-3
                assert min(full, limit) <= got + 1e-3


@pytest.mark.parametrize("count", [20_000, thorough(100_000)])
def test_very_many_samples(count, rng):
    """Evidence, not infinite."""
    count = 2000 if JIT_OFF else count
    means = np.array([[0.3, 0.3], [0.31, 0.3], [0.5, 0.6], [0.7, 0.7]])
    state = filled([(rng.random((count, 2)) < mean).astype(float) for mean in means])
    for claim in CLAIMS:
        assert 10 < state.evidence(claim) < 10 * count


@pytest.mark.compiled
def test_a_true_claim_is_refuted_rarely_at_any_time(rng):
    """A tie is the hardest case; arms that are Bernoulli and uniform by turns."""
    runs, delta = 300, 0.2
    truth = np.array([[0.3, 0.5], [0.5, 0.5], [0.5, 0.3], [0.5, 0.5]])
    refuted = 0
    for _ in range(runs):
        state = State(4, 2)
        ever = False
        for t in range(300):
            arm = t % 4
            if (arm + t // 150) % 2:
                value = (rng.random(2) < truth[arm]).astype(float)
            else:
                value = truth[arm] + rng.uniform(-0.3, 0.3, 2)
            state.take(arm, value)
            if t % 4 == 3:
                ever = ever or state.evidence(CLAIMS[0]) >= -np.log(delta)
        refuted += ever
    assert binom.sf(refuted - 1, runs, delta) > 1e-3


def test_the_account_of_a_run(rng):
    """Samples in half ranges; the variance is known from the errors of prediction."""
    state, run = State(4, 3), judged(LocalBounded(), Bounded(), 4, 3, 2)
    for t in range(60):
        arm = t % 4
        value = (rng.random(3) + arm) / 4
        state.take(arm, value)
        run.tell(arm, 2 * value)
    assert (run.run.counts == state.counts).all()
    for name, array in vars(run.own).items():
        assert (array == vars(state)[name]).all()
    assert run.run.variance == pytest.approx((4 * state.spreads + 1) / 16)
    for claim in CLAIMS:
        for threshold in (-np.inf, 0.0, np.inf):
            assert run.against(claim, threshold) == pytest.approx(state.evidence(claim), abs=1e-9)


PLANE = boclust.Instance(
    [[0.2, 0.2], [0.25, 0.2], [0.5, 0.7], [0.55, 0.7], [0.8, 0.3], [0.85, 0.3]], 3, Bounded(0, 1)
)


@pytest.mark.compiled
def test_it_is_the_rule_for_bounded_samples():
    """The learner's default; a third of the samples that sigma = 1/2 needs."""
    problem = Problem(6, 2, 3, Bounded(), 0.05)
    assert boclust.Algorithm().rules(problem)[1].name == "local-bounded"
    half_range = boclust.Algorithm("challenger", "local-semi")
    source = Simulated(PLANE, noise=Beta(sd=0.15))
    found = boclust.simulate(PLANE, ["span", half_range], [0.05], 5, source=source).summary()
    rows = {row["algorithm"]: row for row in found}
    assert rows["span"]["mean_samples"] < 0.4 * rows[repr(half_range)]["mean_samples"]
    assert "independent of each other" in rows["span"]["guarantee"]
