"""The evidence of ``local-bounded``: bets that cannot win on average, and a true lower bound."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, minimize
from scipy.special import logsumexp
from scipy.stats import binom

from boclust.evidence.betting import (
    DISTANCES,
    GAMBLERS,
    LARGEST_RISK,
    SHARES,
    bounded_evidence,
    cheapest_mean,
    place_bets,
)
from boclust.problem.families import Bounded
from boclust.run.state import Problem
from boclust.stopping.certificate import LocalBounded
from support.instances import JIT_OFF, few
from support.runs import judged

CLAIMS = [(0, 1, 2, 3), (1, 0, 2, 3), (0, 1, 1, 2), (1, 0, 2, 1), (0, 1, 2, 0)]


class State:
    """What the kernels keep of the samples of each arm."""

    def __init__(self, n_arms=4):
        self.counts, self.totals, self.spreads = np.zeros((3, n_arms))
        self.gains, self.stakes = np.zeros((2, n_arms, 2, GAMBLERS))

    def take(self, arm, value):
        before = self.counts[arm], self.totals[arm], self.spreads[arm]
        self.spreads[arm] = place_bets(value, *before, self.gains[arm], self.stakes[arm])
        self.counts[arm] += 1
        self.totals[arm] += value

    def evidence(self, claim, limit=np.inf):
        sums = self.counts, self.totals, self.spreads
        return bounded_evidence(*sums, self.gains, self.stakes, *claim, limit)

    def log_wealth(self, arm, side, mean):
        y = mean if side == 0 else 1 - mean
        logs = self.gains[arm, side] - self.stakes[arm, side] * y + np.log(SHARES)
        return np.logaddexp.reduce(logs)

    def log_product(self, h, means):
        """log W: gamblers of side 0 where h < 0, of side 1 where h > 0."""
        return sum(self.log_wealth(i, int(h[i] > 0), means[i]) for i in np.flatnonzero(h))


def filled(samples):
    samples = list(samples)
    state = State(len(samples))
    for arm, values in enumerate(samples):
        for value in values:
            state.take(arm, float(value))
    return state


def random_samples(rng, most):
    """Four arms of any kind: Beta, Bernoulli, uniform or constant."""
    for mean in rng.random(4):
        size = int(rng.integers(1, most))
        kind = rng.integers(4)
        if kind == 0:
            strength = rng.uniform(1, 50)
            yield rng.beta(mean * strength + 1e-3, (1 - mean) * strength + 1e-3, size)
        elif kind == 1:
            yield (rng.random(size) < mean).astype(float)
        elif kind == 2:
            yield mean + (rng.random(size) - 0.5) * 2 * min(mean, 1 - mean)
        else:
            yield np.full(size, mean)


def extreme_states(rng):
    """Constant arms at and off the ends, single samples, very unequal and very many samples."""
    yield filled([np.zeros(50), np.zeros(9), np.zeros(200), np.ones(80)])
    yield filled([np.ones(50), np.ones(5), np.ones(20), np.zeros(300)])
    yield filled([np.full(60, 0.3), np.full(60, 0.3), np.full(60, 0.3), np.full(60, 0.8)])
    yield filled([[0.2], [0.3], [0.5], [1.0]])
    yield filled([[0.0], [0.0], [0.0], [1.0]])
    many = 2000 if JIT_OFF else 100_000
    bell = rng.beta(5, 5, many)
    small = many // 10
    long = filled([bell, bell[:small], 0.2 * bell[:small], 0.5 + 0.5 * bell[-small:]])
    yield long
    short = filled([[], bell[:3], 0.2 * bell[:40], 0.5 + 0.5 * bell[:900]])
    for mixed, whole in zip(vars(short).values(), vars(long).values(), strict=True):
        mixed[0] = whole[0]
    yield short


def contrast(claim, direction, rival_sign):
    a, b, m, n = claim
    h = np.zeros(4)
    h[[a, b]] += direction, -direction
    h[[m, n]] -= rival_sign, -rival_sign
    return h


def least_wealth(state, h, rng, starts=2):
    """The minimum of log W over means in [0, 1] with h . mean >= 0, by SLSQP from some starts."""
    used = np.flatnonzero(h)
    signs = h[used]
    sides = (signs > 0).astype(int)
    gains, stakes = state.gains[used, sides] + np.log(SHARES), state.stakes[used, sides]
    estimate = (state.totals / state.counts)[used]

    def objective(means):
        logs = gains - stakes * np.where(sides == 0, means, 1 - means)[:, None]
        top = logs.max(axis=1)
        parts = np.exp(logs - top[:, None])
        slopes = (parts * stakes).sum(axis=1) / parts.sum(axis=1)
        return (top + np.log(parts.sum(axis=1))).sum(), np.where(sides == 0, -slopes, slopes)

    found = np.inf
    for _ in range(starts):
        start = estimate + rng.normal(0, rng.choice([0.01, 0.1, 0.3]), len(used))
        start = np.clip(start - signs * min(signs @ start, 0) / (signs @ signs), 0, 1)
        got = minimize(
            objective,
            start,
            jac=True,
            method="SLSQP",
            bounds=[(0, 1)] * len(used),
            constraints=LinearConstraint(signs, 0, np.inf),
            options=dict(ftol=1e-12, maxiter=300),
        )
        if np.isfinite(got.x).all():  # SLSQP leaves the region by a little: go back inside
            means = np.clip(got.x, 0, 1)
            outside = max(-(signs @ means), 0)
            share = outside / (outside + signs @ sides)
            found = min(found, objective((1 - share) * means + share * sides)[0])
    return found


def rival_sign(state, claim):
    estimate = state.totals / state.counts
    return np.sign(estimate[claim[2]] - estimate[claim[3]])


def test_the_gamblers():
    assert sum(SHARES) == pytest.approx(1, abs=1e-12)
    assert min(SHARES) > 0
    assert list(DISTANCES) == sorted(DISTANCES, reverse=True)
    assert LARGEST_RISK < 1


def test_bets_follow_their_formula(rng):
    """The product of 1 + b (x - p), from the samples themselves."""
    for samples in random_samples(rng, 30):
        state = filled([samples])
        for side, k in product(range(2), range(GAMBLERS)):
            xs = samples if side == 0 else 1 - samples
            u, wealth, stake = DISTANCES[k], 1.0, 0.0
            y = rng.random()
            for i, x in enumerate(xs):
                predicted = [(0.5 + xs[:j].sum()) / (j + 1) for j in range(i + 1)]
                s = np.sqrt((0.25 + ((xs[:i] - predicted[:i]) ** 2).sum()) / (i + 1))
                p = max(predicted[i] - u * s, 0)
                b = u / (s * (1 + u**2))
                if b * p > LARGEST_RISK:
                    b = LARGEST_RISK / p
                wealth *= (1 + b * (x - p)) / np.exp(b * (y - p))
                stake += b
            assert state.stakes[0, side, k] == pytest.approx(stake, rel=1e-9)
            log_wealth = state.gains[0, side, k] - state.stakes[0, side, k] * y
            assert log_wealth == pytest.approx(np.log(wealth), rel=1e-9, abs=1e-9)


PASTS = [
    (0, 0.0, 0.0),
    (1, 0.0, 0.25),
    (1, 1.0, 0.25),
    (7, 0.0, 0.4),
    (7, 7.0, 0.4),
    (40, 12.0, 0.1),
    (40, 12.0, 9.0),
    (100_000, 0.0, 0.5),
    (100_000, 1e5, 0.5),
    (100_000, 5e4, 1e3),
]


def distributions(rng):
    """Two- and three-point distributions on [0, 1]."""
    points = [0.0, 0.02, 0.3, 0.5, 0.9, 1.0]
    for low, high, p in product(points, points, [0.003, 0.2, 0.5, 0.9, 0.999]):
        yield [low, high], [1 - p, p]
    for _ in range(40):
        yield rng.choice([*points, *rng.random(3)], 3), rng.dirichlet(np.full(3, 0.5))


def test_no_gambler_wins_on_average(rng):
    """E of one step's factor at the true mean is at most one, whatever the past; by enumeration."""
    closest = 0.0
    for past in PASTS[:: 3 if JIT_OFF else 1]:
        for values, chances in distributions(rng):
            mean = float(np.dot(values, chances))
            average = np.zeros((2, GAMBLERS))
            stakes = []
            for value, chance in zip(values, chances, strict=True):
                gain, stake = np.zeros((2, 2, GAMBLERS))
                place_bets(float(value), *past, gain, stake)
                y = np.array([[mean], [1 - mean]])
                average += chance * np.exp(gain - stake * y)
                stakes.append(stake)
            assert average.max() <= 1 + 1e-12
            closest = max(closest, average[:, 0].max())
            assert (stakes[0] == stakes[-1]).all()  # bets do not depend on the sample
            assert (stakes[0] >= 0).all()
            assert (np.diff(stakes[0]) <= 0).all()
    assert closest > 0.9999  # the bound is attained where the null is the mean


def test_evidence_is_the_least_wealth_of_the_claim(rng):
    """Equal to a search over all means where the claim holds, and never above it."""
    checked = 0
    for _ in few(200):
        state = filled(random_samples(rng, 120))
        claim = CLAIMS[int(rng.integers(len(CLAIMS)))]
        got = state.evidence(claim)
        if got == -np.inf:
            continue
        sign = rival_sign(state, claim)
        found = [least_wealth(state, contrast(claim, d, sign), rng) for d in (1, -1)]
        assert got <= min(found) - np.log(2) + 1e-9
        assert got == pytest.approx(min(found) - np.log(2), abs=1e-3)
        checked += 1
    assert checked


def test_extreme_states_keep_the_lower_bound(rng):
    refuted = 0
    for state in extreme_states(rng):
        for claim in CLAIMS:
            got = state.evidence(claim)
            assert not np.isnan(got)
            if got == -np.inf:
                continue
            refuted += got > 5
            for direction in (1, -1):
                h = contrast(claim, direction, rival_sign(state, claim))
                found = least_wealth(state, h, rng)
                assert got <= found - np.log(2) + 1e-9 * (1 + abs(got))
    assert refuted > 3


def test_evidence_is_below_the_supermartingale_of_every_true_claim(rng):
    """At any means where the claim holds: log of the average of the two W of its direction."""
    checked = 0
    states = [filled(random_samples(rng, 150)) for _ in few(100)] + list(extreme_states(rng))
    for state, claim in product(states, CLAIMS):
        got = state.evidence(claim)
        if got == -np.inf:
            continue
        estimate = state.totals / state.counts
        for _ in range(20):
            means = np.clip(estimate + rng.normal(0, rng.choice([0.02, 0.2, 1]), 4), 0, 1)
            bond, rival = means[claim[0]] - means[claim[1]], means[claim[2]] - means[claim[3]]
            if abs(bond) < abs(rival):
                continue
            direction = 1 if bond > 0 else -1
            both = [state.log_product(contrast(claim, direction, s), means) for s in (1, -1)]
            assert got <= np.logaddexp(*both) - np.log(2) + 1e-9 * (1 + abs(got))
            checked += 1
    assert checked


def test_the_cheapest_mean_is_a_lower_bound_at_every_price(rng):
    for _ in few(200):
        state = filled([next(random_samples(rng, 100))])
        side = int(rng.integers(2))
        gains, stakes = state.gains[0, side], state.stakes[0, side]
        price = stakes[0] * rng.choice([0.0, 0.001, 0.1, 0.5, 0.999, 1.0, 2.0])
        grid = np.linspace(0, 1, 2001)
        values = logsumexp(gains - np.outer(grid, stakes), b=SHARES, axis=1) + price * grid
        y, bound, curvature = cheapest_mean(gains, stakes, price, rng.random())
        assert 0 <= y <= 1
        assert bound <= values.min() + 1e-9
        # the grid misses the minimum by at most its step times the difference of slopes
        assert bound >= values.min() - 1e-5 - 0.0005 * max(price, stakes[0])
        step = 1e-4
        around = logsumexp(gains - np.outer(y + step * np.arange(-1, 2), stakes), b=SHARES, axis=1)
        second = (around[0] - 2 * around[1] + around[2]) / step**2
        assert curvature == pytest.approx(second, rel=0.02, abs=1e-3 * stakes[0] ** 2 + 1e-3)


def test_what_the_evidence_does_not_depend_on(rng):
    """The order of the arms of a pair, and which end of the interval is called zero."""
    for _ in few(60):
        samples = list(random_samples(rng, 100))
        state, mirrored = filled(samples), filled([1 - x for x in samples])
        for a, b, m, n in CLAIMS:
            got = state.evidence((a, b, m, n))
            for other in ((b, a, m, n), (a, b, n, m), (b, a, n, m)):
                assert state.evidence(other) == pytest.approx(got, abs=1e-3)
            assert mirrored.evidence((a, b, m, n)) == pytest.approx(got, abs=1e-3)
            estimate = state.totals / state.counts
            looks_true = abs(estimate[a] - estimate[b]) >= abs(estimate[m] - estimate[n])
            assert (got == -np.inf) == looks_true


def test_leaving_early(rng):
    """Evidence above ``limit`` is cut off there; below, it is what it is without."""
    for _ in few(60):
        state = filled(random_samples(rng, 100))
        for claim in CLAIMS:
            full = state.evidence(claim)
            for limit in (-3.0, 0.0, 1.5, 6.0):
                got = state.evidence(claim, limit)
                assert got == pytest.approx(min(full, limit), abs=1e-3)
                assert got <= full + 1e-3


@pytest.mark.compiled
def test_a_true_claim_is_refuted_rarely_at_any_time(rng):
    """A tie is the hardest case; arms that are Bernoulli and uniform by turns."""
    runs, delta = 300, 0.2
    truth = np.array([0.3, 0.5, 0.5, 0.7])
    h = contrast(CLAIMS[0], 1, 1)
    refuted = exceeded = 0
    for _ in range(runs):
        state = State()
        ever = above = False
        for t in range(300):
            arm = t % 4
            kind = (arm + t // 150) % 2
            mean = truth[arm]
            value = float(rng.random() < mean) if kind else mean + rng.uniform(-0.3, 0.3)
            state.take(arm, value)
            if t % 4 == 3:
                ever = ever or state.evidence(CLAIMS[0]) >= -np.log(delta)
                above = above or state.log_product(h, truth) >= -np.log(delta)
        refuted += ever
        exceeded += above
    assert binom.sf(refuted - 1, runs, delta) > 1e-3
    assert binom.sf(exceeded - 1, runs, delta) > 1e-3
    assert exceeded > 0.1 * delta * runs  # the supermartingale itself is not idle


@pytest.mark.compiled
def test_beta_arms_are_told_apart_quickly(rng):
    """Round robin on three pairs of Beta arms; sigma = 1/2 would need several thousand samples."""
    means, deviation = np.array([0.2, 0.25, 0.5, 0.55, 0.8, 0.85]), 0.15
    strength = means * (1 - means) / deviation**2 - 1
    threshold = LocalBounded().threshold(Problem(6, 1, 3, Bounded(), 0.05))
    claims = [
        (a, a + 1, m, n)
        for a in (0, 2, 4)
        for m in range(6)
        for n in range(m + 1, 6)
        if m // 2 != n // 2
    ]
    samples = []
    for _ in range(10):
        state = State(6)
        t = 0
        while t < 60 or min(state.evidence(claim, threshold) for claim in claims) < threshold:
            for arm in range(6):
                state.take(
                    arm, rng.beta(means[arm] * strength[arm], (1 - means[arm]) * strength[arm])
                )
            t += 6
        samples.append(t)
    assert np.mean(samples) < 900


def test_the_account_of_a_run(rng):
    """Samples in half ranges; the variance is known from the errors of prediction."""
    state, run = State(), judged(LocalBounded(), Bounded(), 4, 1, 2)
    for t in range(60):
        arm = t % 4
        value = (rng.random() + arm) / 4
        state.take(arm, value)
        run.tell(arm, 2 * value)
    for mine, theirs in zip(
        vars(state).values(), (run.run.counts, *vars(run.own).values()), strict=True
    ):
        assert (mine == theirs).all()
    assert run.run.variance == pytest.approx((4 * state.spreads + 1) / 16)
    for claim in CLAIMS:
        for threshold in (-np.inf, 0.0, np.inf):
            assert run.against(claim, threshold) == state.evidence(claim)
