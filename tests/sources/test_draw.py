"""One sample of any source by the kernel: means, spreads, supports, records, permutations."""

import math
from itertools import pairwise, permutations

import numpy as np
import pytest
from scipy import stats

import boclust
from boclust.sources import Beta, Replay, Simulated, arm_keys
from boclust.sources.draw import sampler, shuffle
from boclust.sources.random import normal, uniform
from support.instances import few

LEVEL = 0.001
LINE = [0.2, 0.5, 0.9]
PLANE = [[0.2, 0.6], [0.5, 0.5], [0.9, 0.1]]
SCALAR = {
    "bernoulli": boclust.Bernoulli(),
    "poisson": boclust.Poisson(),
    "exponential": boclust.Exponential(),
}


def sources():
    """A source of every kind, in one and in two dimensions."""
    for means in (LINE, PLANE):
        yield Simulated(boclust.Instance(means, 2, boclust.Gaussian(sigma=2.0)))
        yield Simulated(boclust.Instance(means, 2, boclust.SubGaussian(sigma=0.5)))
        yield Simulated(boclust.Instance(means, 2, boclust.Bounded(-1, 3)))
        yield Simulated(boclust.Instance(means, 2, boclust.Bounded(-1, 3)), noise=Beta(sd=0.7))
        yield Simulated(boclust.Instance(means, 2), noise=Beta(sd=0.2))
        for noise in ("bernoulli", "poisson", "exponential"):
            yield Simulated(boclust.Instance(means, 2), noise=noise)
        table = np.arange(60.0).reshape((3, 20) if means is LINE else (3, 10, 2))
        for replace, shuffled in ((True, True), (False, True), (False, False)):
            yield Replay(table, replace, shuffled)
    for family in SCALAR.values():
        yield Simulated(boclust.Instance(LINE, 2, family))


def column(source, keys, arm, count):
    """The first samples of an arm by the kernel, count x d."""
    arguments = source.kernel_arguments(keys)
    draw, values = sampler(source.kind), np.empty((count, source.dim))
    for i in range(count):
        assert draw(arguments, keys[arm], arm, i, values[i])
    return values


def test_every_kind_has_a_source():
    kinds = {"normal", "bernoulli", "poisson", "exponential", "beta", "replay", "replay-once"}
    assert {source.kind for source in sources()} == kinds


@pytest.mark.parametrize("source", list(sources()))
def test_the_callable_gives_what_the_kernel_gives(source, rng):
    for keys in (arm_keys(3, 5), arm_keys(3, 5, spawn_key=(0, 7))):
        expected = [column(source, keys, arm, 10) for arm in range(3)]
        source.reset(keys=keys)
        assert source.given.tolist() == [0, 0, 0]
        for arm in rng.permutation(np.repeat(range(3), 10)):
            number = source.given[arm]
            value = source(int(arm))
            assert isinstance(value, float if source.dim == 1 else np.ndarray)
            np.testing.assert_array_equal(np.reshape(value, -1), expected[arm][number])
        assert source.given.tolist() == [10, 10, 10]


@pytest.mark.parametrize("dim", [1, 3])
@pytest.mark.parametrize("sigma", [1.0, 2.5])
def test_normal_samples_are_those_of_the_trial(dim, sigma, rng):
    means = rng.standard_normal((4, dim))
    source = Simulated(boclust.Instance(means, 2, boclust.Gaussian(sigma)), seed=3)
    keys = np.random.SeedSequence(3).generate_state(4, np.uint64)
    for arm in range(4):
        for i in range(20):
            noise = [normal(keys[arm], i * dim + c) for c in range(dim)]
            expected = means[arm] + sigma * np.array(noise)
            np.testing.assert_array_equal(np.reshape(source(arm), -1), expected)


@pytest.mark.parametrize("means", [[0.0, 0.4, 3.0, 3.5], [[0.0, 0], [0.5, 0], [3, 3], [3, 3.5]]])
def test_a_simulated_trial_is_a_clustering_of_the_source(means):
    """The same samples lead to the same pulls, down to the number."""
    instance = boclust.Instance(means, 2)
    source = Simulated(instance)
    rows = boclust.simulate(instance, ["span"], [0.1], 3, seed=8).table.to_pylist()
    for row in rows:
        source.reset(keys=arm_keys(4, 8, spawn_key=(0, row["trial"])))
        result = boclust.cluster(source, 4, 2, 0.1, dim=instance.dim)
        assert result.pulls.tolist() == row["pulls"] == source.given.tolist()


def expected_variance(source, mean):
    arguments = source.kernel_arguments(arm_keys(3, 0))
    spread, (low, high) = arguments.spread, arguments.records[:, 0]
    return {
        "normal": spread**2,
        "bernoulli": (mean - low) * (high - mean),
        "poisson": mean,
        "exponential": mean**2,
        "beta": spread**2,
    }[source.kind]


@pytest.mark.parametrize("source", [s for s in sources() if isinstance(s, Simulated)])
def test_simulated_moments(source):
    """Means and variances of independent coordinates, each within 3.9 standard errors."""
    keys = arm_keys(3, 11)
    for arm in (0, 2):
        drawn = column(source, keys, arm, len(few(4000)))
        for c in range(source.dim):
            x, mean = drawn[:, c], source.instance.means[arm, c]
            variance = expected_variance(source, mean)
            assert abs(x.mean() - mean) < 3.9 * np.sqrt(variance / len(x))
            squares = (x - mean) ** 2
            error = max(squares.std(), 0.05 * variance) / np.sqrt(len(x))
            assert abs(squares.mean() - variance) < 3.9 * error
        if source.dim == 2:
            assert stats.spearmanr(*drawn.T).pvalue > LEVEL


def beta_law(mean, sd, low, high):
    """By its moments: mean p and variance p (1 - p) / (a + b + 1) on the unit interval."""
    p, variance = (mean - low) / (high - low), (sd / (high - low)) ** 2
    total = p * (1 - p) / variance - 1
    return stats.beta(p * total, (1 - p) * total, loc=low, scale=high - low)


@pytest.mark.parametrize(
    ("noise", "family", "law"),
    [
        (None, boclust.Gaussian(2.0), lambda mean: stats.norm(mean, 2.0)),
        ("gaussian", boclust.SubGaussian(0.5), lambda mean: stats.norm(mean, 0.5)),
        ("exponential", boclust.Gaussian(), lambda mean: stats.expon(0, mean)),
        (None, boclust.Exponential(), lambda mean: stats.expon(0, mean)),
        (Beta(sd=0.1), boclust.Gaussian(), lambda mean: beta_law(mean, 0.1, 0, 1)),
        (Beta(sd=0.9), boclust.Bounded(-1, 3), lambda mean: beta_law(mean, 0.9, -1, 3)),
    ],
)
def test_continuous_distributions(noise, family, law):
    source = Simulated(boclust.Instance(LINE, 2, family), noise=noise)
    for arm, mean in enumerate(LINE):
        drawn = column(source, arm_keys(3, 2), arm, len(few(4000)))[:, 0]
        assert stats.kstest(drawn, law(mean).cdf).pvalue > LEVEL


def test_two_values_and_their_probabilities():
    source = Simulated(boclust.Instance([-1.0, 0.2, 3.0], 2, boclust.Bounded(-1, 3)))
    count = len(few(4000))
    low, middle, high = (column(source, arm_keys(3, 1), arm, count)[:, 0] for arm in range(3))
    assert (low == -1).all()
    assert (high == 3).all()
    assert set(middle) == {-1.0, 3.0}
    assert stats.binomtest(int((middle == 3).sum()), count, 0.3).pvalue > LEVEL


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-0.1, 0.3), (1e-3, 1e9), (-9e59, 9e59)])
def test_beta_samples_stay_in_their_interval(low, high):
    """Standard deviations close to the widest: nearly all samples are rounded to an end."""
    family = boclust.Bounded(low, high)
    means = low + (high - low) * np.array([0.001, 0.37, 0.999])
    room = np.sqrt(((means - low) * ((high - means) / (high - low))).min() * (high - low))
    for share in (1 - 1e-9, 0.9, 1e-3, 1e-12):
        source = Simulated(boclust.Instance(means, 2, family), noise=Beta(sd=room * share))
        for arm in range(3):
            family.check_samples(column(source, arm_keys(3, 4), arm, len(few(500))))


# --- records ----------------------------------------------------------------------------------


def test_draws_with_replacement(rng):
    sizes = [1, 4, 7]
    source = Replay([10.0 * k + np.arange(n) for k, n in enumerate(sizes)])
    keys = arm_keys(3, 9)
    count = len(few(4000))
    for arm, size in enumerate(sizes):
        drawn = column(source, keys, arm, count)[:, 0] - 10 * arm
        expected = [math.floor(uniform(keys[arm], i) * size) for i in range(count)]
        np.testing.assert_array_equal(drawn, expected)
        observed = np.bincount(drawn.astype(int), minlength=size)
        assert stats.chisquare(observed).pvalue > LEVEL or size == 1


def test_every_record_once():
    source = Replay([np.arange(5.0), np.arange(100.0, 101), np.arange(200.0, 260)], replace=False)
    keys = arm_keys(3, 0)
    arguments = source.kernel_arguments(keys)
    draw, value = sampler(source.kind), np.empty(1)
    for arm, count in enumerate(source.counts):
        drawn = column(source, keys, arm, count)[:, 0]
        np.testing.assert_array_equal(np.sort(drawn), 100.0 * arm + np.arange(count))
        for number in (count, count + 10**9):
            assert not draw(arguments, keys[arm], arm, number, value)
    assert (np.diff(column(source, keys, 2, 60)[:, 0]) < 0).any()
    recorded = Replay([np.arange(5.0), np.arange(5.0, 8)], replace=False, shuffle=False)
    np.testing.assert_array_equal(column(recorded, arm_keys(2, 0), 1, 3)[:, 0], [5, 6, 7])


def test_permutations_stay_within_the_arm_and_follow_its_key():
    begin = np.array([0, 1, 51, 101])
    keys = arm_keys(4, 0)
    order, other = np.full(101, -1), np.full(101, -1)
    shuffle(begin, keys[:3], order)
    shuffle(begin, keys[[0, 1, 3]], other)
    for first, last in pairwise(begin):
        np.testing.assert_array_equal(np.sort(order[first:last]), np.arange(first, last))
    assert (order[:51] == other[:51]).all()
    assert (order[51:] != other[51:]).any()
    assert (order[1:51] + 50 != order[51:]).any()


def test_permutations_are_uniform():
    """All 24 orders of four records, and each record at each of 20 places, equally often."""
    begin = np.array([0, 4, 24])
    order = np.zeros(24, np.int64)
    repetitions = len(few(20_000))
    seen = dict.fromkeys(permutations(range(4)), 0)
    places = np.zeros((20, 20))
    keys = arm_keys(2 * repetitions, 0).reshape(repetitions, 2)
    for k in range(repetitions):
        shuffle(begin, keys[k], order)
        seen[tuple(order[:4].tolist())] += 1
        places[np.arange(20), order[4:] - 4] += 1
    assert stats.chisquare(list(seen.values())).pvalue > LEVEL
    # rows and columns have fixed sums: (n - 1)^2 degrees of freedom, statistic scaled by (n - 1)/n
    statistic = ((places - repetitions / 20) ** 2).sum() / (repetitions / 20) * 19 / 20
    assert stats.chi2(19**2).sf(statistic) > LEVEL
    assert stats.chi2(19**2).cdf(statistic) > LEVEL
