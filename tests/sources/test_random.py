"""Counter-based random numbers against their distributions, at level 0.001 with fixed keys."""

import numpy as np
import pytest
from scipy import special, stats

from boclust.sources import random as kernels
from support.instances import few

KEY = np.uint64(0x123456789ABCDEF)
LEVEL = 0.001
WORD = 1 << 64


def many(count, function, *parameters):
    return np.array([function(KEY, i, *parameters) for i in few(count)])


def chi_square(observed, probabilities):
    """The p-value of counts, neighbours pooled until each expects ten."""
    total = observed.sum()
    pooled = [[0.0, 0.0]]
    for seen, probability in zip(observed, probabilities, strict=True):
        if pooled[-1][1] >= 10:
            pooled.append([0.0, 0.0])
        pooled[-1][0] += seen
        pooled[-1][1] += probability * total
    if len(pooled) > 1 and pooled[-1][1] < 10:
        last = pooled.pop()
        pooled[-1][0] += last[0]
        pooled[-1][1] += last[1]
    seen, expected = np.array(pooled).T
    assert len(seen) > 1
    assert expected.sum() == pytest.approx(total)
    return stats.chisquare(seen, expected * (total / expected.sum())).pvalue


def key_of(word, index=0):
    """The key whose SplitMix64 output at ``index`` is ``word``: each of its steps undone."""

    def unshift(z, by):
        x = z
        for _ in range(64 // by):
            x = z ^ (x >> by)
        return x

    z = unshift(word, 31) * pow(0x94D049BB133111EB, -1, WORD) % WORD
    z = unshift(z, 27) * pow(0xBF58476D1CE4E5B9, -1, WORD) % WORD
    return np.uint64((unshift(z, 30) - (index + 1) * 0x9E3779B97F4A7C15) % WORD)


def key_with_uniform(u, index=0):
    """A key whose uniform number at ``index`` is within 2^-52 of u."""
    return key_of(min(int(u * 2.0**53), 2**53 - 1) << 11, index)


LARGEST_U = key_with_uniform(1.0)
SMALLEST_U = key_of(0)


def test_uniform_and_normal_are_what_they_were():
    """SplitMix64 with whole numbers; the reference output for seed 0 begins 0xE220A8397B1DCDAF."""

    def splitmix(key, index):
        z = (key + (index + 1) * 0x9E3779B97F4A7C15) % WORD
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
        return z ^ (z >> 31)

    assert splitmix(0, 0) == 0xE220A8397B1DCDAF
    for key in (0, 1, int(KEY), WORD - 1):
        for index in (0, 1, 2, 1000, 10**9):
            word = splitmix(key, index)
            assert int(kernels.bits(np.uint64(key), index)) == word
            assert kernels.uniform(np.uint64(key), index) == ((word >> 11) + 0.5) * 2.0**-53
            one, two = (kernels.uniform(np.uint64(key), 2 * index + j) for j in (0, 1))
            expected = np.sqrt(-2 * np.log(one)) * np.cos(2 * np.pi * two)
            assert kernels.normal(np.uint64(key), index) == pytest.approx(expected, rel=1e-14)
    assert kernels.uniform(np.uint64(1), 0) == float.fromhex("0x1.22145bd91204cp-1")
    assert kernels.normal(np.uint64(1), 0) == pytest.approx(-0.028249746095854695, rel=1e-14)


@pytest.mark.parametrize("index", [0, 5])
def test_the_ends_of_the_uniform_numbers(index):
    assert kernels.uniform(key_of(0, index), index) == 2.0**-54
    assert kernels.uniform(key_of(WORD - 1, index), index) == 1.0
    for u in (0.1, 0.5, 0.999):
        assert kernels.uniform(key_with_uniform(u, index), index) == pytest.approx(u, abs=3e-16)


@pytest.mark.parametrize("key", [LARGEST_U, SMALLEST_U])
def test_extreme_uniform_numbers_are_harmless(key):
    assert kernels.below(key, 0, 3) in (0, 2)
    assert kernels.bernoulli(key, 0, 0.0) == 0
    assert kernels.bernoulli(key, 0, 1.0) == 1
    assert np.isfinite(kernels.normal(key, 0))
    for mean in (1e-60, 1.0, 1e60):
        assert 0 < kernels.exponential(key, 0, mean) < np.inf
    for mean in (0.0, 1e-6, 1.0, 9.99, 10.0, 1e6):
        assert 0 <= kernels.poisson(key, 0, mean) < np.inf
        assert 0 <= kernels.poisson_by_rejection(key, max(mean, 10.0)) < np.inf
    for shape in (1e-6, 0.01, 1.0, 1e10):
        assert np.isfinite(kernels.log_gamma_sample(key, shape))


@pytest.mark.parametrize("count", [1, 2, 7, 1000])
def test_below(count):
    drawn = many(20_000, kernels.below, count).astype(int)
    assert drawn.min() >= 0
    assert drawn.max() < count
    if count > 1:
        observed = np.bincount(drawn, minlength=count)
        assert chi_square(observed, np.full(count, 1 / count)) > LEVEL


@pytest.mark.parametrize("mean", [0.0, 1e-3, 0.3, 0.5, 0.999, 1.0])
def test_bernoulli(mean):
    drawn = many(20_000, kernels.bernoulli, mean)
    assert set(drawn) <= {0.0, 1.0}
    assert stats.binomtest(int(drawn.sum()), len(drawn), mean).pvalue > LEVEL


@pytest.mark.parametrize("mean", [1e-60, 1e-6, 1.0, 1e6, 1e60])
def test_exponential(mean):
    drawn = many(20_000, kernels.exponential, mean)
    assert drawn.min() > 0
    assert stats.kstest(drawn / mean, "expon").pvalue > LEVEL


@pytest.mark.parametrize("mean", [0.0, 1e-60, 1e-6, 0.01, 1.0, 5.0, 9.999])
def test_small_poisson_counts_are_quantiles(mean):
    """k = quantile(u) up to the rounding of a sum: P(count < k) < u <= P(count <= k)."""
    tails = [1e-3, 1e-5, 1e-7, 1e-9, 1e-12, 1e-14]
    grid = [*np.linspace(0.001, 0.999, 50), *tails, *(1 - t for t in tails)]
    for u in grid:
        key = key_with_uniform(u)
        exact = kernels.uniform(key, 0)
        k = kernels.poisson(key, 0, mean)
        assert stats.poisson.cdf(k - 1, mean) - 1e-15 < exact
        assert exact <= stats.poisson.cdf(k, mean) + 1e-15
    last = kernels.poisson(LARGEST_U, 0, mean)  # no further than double precision sees
    assert stats.poisson.sf(last - 2, mean) > 5e-17


@pytest.mark.parametrize("mean", [0.7, 9.999, 10.0, 10.5, 31.0, 500.0, 1e4, 1e6, 1e9])
def test_poisson(mean):
    drawn = many(100_000, kernels.poisson, mean)
    assert drawn.min() >= 0
    assert (drawn == np.floor(drawn)).all()
    edges = np.unique(stats.poisson.ppf(np.linspace(0.005, 0.995, 60), mean))
    observed = np.bincount(np.searchsorted(edges, drawn), minlength=len(edges) + 1)
    cumulative = np.concatenate([[0], stats.poisson.cdf(edges, mean), [1]])
    assert chi_square(observed, np.diff(cumulative)) > LEVEL
    assert abs(drawn.mean() - mean) < 3.3 * np.sqrt(mean / len(drawn))
    spread = np.sqrt((2 + 1 / mean) / len(drawn))  # of the sample variance over the mean
    assert abs(drawn.var() / mean - 1) < 3.3 * spread


@pytest.mark.parametrize("mean", [1e15, 1e30, 1e60])
def test_huge_poisson_counts_are_nearly_the_mean(mean):
    drawn = many(1000, kernels.poisson, mean)
    assert (drawn == np.floor(drawn)).all()
    assert np.abs(drawn / mean - 1).max() < max(5 / np.sqrt(mean), 3e-16)


@pytest.mark.parametrize("mean", [10.0, 30.0, 1e3, 1e6])
def test_poisson_probabilities(mean):
    sd = np.sqrt(mean)
    for k in np.unique(np.floor(np.linspace(max(0, mean - 20 * sd), mean + 20 * sd, 300))):
        exact = stats.poisson.logpmf(k, mean)
        assert kernels.log_poisson(k, mean) == pytest.approx(exact, rel=1e-10, abs=1e-8)


def test_rejection_is_exact():
    """No probability of acceptance above one, and both shortcuts agree with it.

    On the step of one k the acceptance P(k) (a/s^2 + b) / hat is largest where s is smallest; the
    ends of the steps solve a quadratic.
    """
    for mean in [*np.linspace(10, 60, len(few(1001))), *np.logspace(1, 6, len(few(200)))]:
        a, b, hat, certain = kernels.stretch(mean)
        sd = np.sqrt(mean)
        k = np.arange(max(0, np.floor(mean - 12 * sd)), np.ceil(mean + 14 * sd) + 20)
        t = np.append(k, k[-1] + 1) - mean - 0.43
        half = 2 * a - b / 2 + np.abs(t)  # b s^2 + half s = a
        root = np.sqrt(half**2 + 4 * a * b)
        with np.errstate(divide="ignore"):
            s = np.where(half > 0, 2 * a / (root + half), (root - half) / (2 * b))
        centre = (t[:-1] < 0) & (t[1:] >= 0)
        least = np.minimum(s[:-1], s[1:])
        most = np.where(centre, 0.5, np.maximum(s[:-1], s[1:]))
        weight = stats.poisson.pmf(k, mean) / hat
        most_likely = weight * (a / least**2 + b)
        least_likely = weight * (a / most**2 + b)
        assert most_likely.max() < 1
        assert least_likely[most >= 0.07].min() > certain
        assert (most_likely <= least)[least < 0.013].all()


SHAPES = [(0.011, 0.011), (0.02, 3.0), (0.5, 0.5), (1.0, 1.0), (2.0, 3.0), (50.0, 0.2), (1e4, 3e5)]


@pytest.mark.parametrize(("a", "b"), SHAPES)
def test_beta(a, b):
    """Counts between edges down to 1e-200 and up to 1 - 1e-10: beyond, samples round to the end."""
    drawn = many(20_000, kernels.beta, a, b)
    assert drawn.min() >= 0
    assert drawn.max() <= 1
    exact = stats.beta(a, b)
    edges = [1e-200, 1e-100, 1e-30, 1e-10, 1 - 1e-10, *exact.ppf(np.linspace(0.02, 0.98, 49))]
    edges = np.unique(np.clip(edges, 1e-250, 1 - 1e-10))
    observed = np.bincount(np.searchsorted(edges, drawn), minlength=len(edges) + 1)
    assert chi_square(observed, np.diff([0, *exact.cdf(edges), 1])) > LEVEL
    error = exact.std() / np.sqrt(len(drawn))
    assert abs(drawn.mean() - exact.mean()) < 3.3 * error
    fourth = exact.stats("k") + 3
    spread = np.sqrt((fourth - 1) / len(drawn))
    assert abs(drawn.var() / exact.var() - 1) < 3.3 * spread
    if min(a, b) >= 0.5:
        assert stats.kstest(drawn, exact.cdf).pvalue > LEVEL


def gamma_logs(shape):
    keys = [np.uint64(kernels.bits(KEY, i)) for i in few(20_000)]
    return np.array([kernels.log_gamma_sample(key, shape) for key in keys])


@pytest.mark.parametrize("shape", [0.01, 0.3, 1.0, 4.5, 1e3, 1e9])
def test_gamma(shape):
    drawn = np.exp(gamma_logs(shape))
    assert stats.kstest(drawn, stats.gamma(shape).cdf).pvalue > LEVEL


@pytest.mark.parametrize("shape", [1e-6, 0.01])
def test_gamma_numbers_too_small_for_double_precision(shape):
    """P(log X < l) = e^(shape l) / Gamma(shape + 1) up to a factor 1 - e^l."""
    logs = gamma_logs(shape)
    small = logs[logs < -50]
    probability = np.exp(-50 * shape) / special.gamma(shape + 1)
    assert stats.binomtest(len(small), len(logs), probability).pvalue > LEVEL
    assert stats.kstest(np.exp(shape * (small + 50)), "uniform").pvalue > LEVEL


def test_a_sample_depends_on_nothing_but_its_key_and_number(rng):
    ways = [(kernels.poisson, 3.0), (kernels.poisson, 40.0), (kernels.beta, 0.5, 2.0)]
    for function, *parameters in ways:
        forward = [function(KEY, i, *parameters) for i in range(50)]
        for i in rng.permutation(50):
            assert function(KEY, int(i), *parameters) == forward[i]
        assert forward != [function(KEY + np.uint64(1), i, *parameters) for i in range(50)]


@pytest.mark.parametrize(
    ("function", "parameters"),
    [
        (kernels.exponential, (1.0,)),
        (kernels.poisson, (5.0,)),
        (kernels.poisson, (50.0,)),
        (kernels.beta, (2.0, 3.0)),
    ],
)
def test_neighbouring_samples_and_arms_are_uncorrelated(function, parameters):
    one = many(20_000, function, *parameters)
    two = np.array([function(KEY + np.uint64(1), i, *parameters) for i in few(20_000)])
    assert stats.spearmanr(one[:-1], one[1:]).pvalue > LEVEL
    assert stats.spearmanr(one, two).pvalue > LEVEL
