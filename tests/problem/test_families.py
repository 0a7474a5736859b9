"""Families: maps, divergences, estimates, samples, and what they refuse."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import gammaln

import boclust
from boclust.problem.families import check_family, family
from support import laws

ONE_PARAMETER = [boclust.Bernoulli(), boclust.Poisson(), boclust.Exponential()]
MEANS = {
    "bernoulli": [0.02, 0.3, 0.5, 0.97],
    "poisson": [0.05, 1.0, 7.5],
    "exponential": [0.1, 1, 9],
}
FAMILIES = [*ONE_PARAMETER, boclust.Gaussian(1.7)]


def _means(fam):
    return np.array(MEANS.get(fam.name, [-2.0, 0.0, 3.5]), dtype=float)


@pytest.mark.parametrize("fam", FAMILIES, ids=str)
def test_mean_map_is_the_derivative_of_the_log_partition_and_inverts(fam):
    means = _means(fam)
    theta = fam.natural(means)
    np.testing.assert_allclose(fam.mean(theta), means, rtol=1e-12)
    step = 1e-6 * (1 + abs(theta))
    slope = (fam.log_partition(theta + step) - fam.log_partition(theta - step)) / (2 * step)
    np.testing.assert_allclose(slope, means, rtol=1e-7)


@pytest.mark.parametrize("fam", FAMILIES, ids=str)
def test_divergence_is_the_bregman_divergence_of_the_log_partition(fam):
    means = _means(fam)
    for other in means:
        others = np.full_like(means, other)
        a, b = fam.natural(means), fam.natural(others)
        bregman = fam.log_partition(b) - fam.log_partition(a) - means * (b - a)
        np.testing.assert_allclose(
            fam.divergence(means[:, None], others[:, None]), bregman, rtol=1e-9, atol=1e-12
        )


def test_divergence_is_kullback_leibler_by_summation_and_integration():
    p, q = 0.3, 0.7
    kl = p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))
    assert boclust.Bernoulli().divergence(np.array([p]), np.array([q]))[0] == pytest.approx(kl)
    k = np.arange(200)
    logs = {m: k * np.log(m) - m - gammaln(k + 1) for m in (2.0, 3.5)}
    kl = (np.exp(logs[2.0]) * (logs[2.0] - logs[3.5])).sum()
    assert boclust.Poisson().divergence(np.array([2.0]), np.array([3.5]))[0] == pytest.approx(kl)
    kl = quad(
        lambda x: np.exp(-x / 2) / 2 * (np.log(1 / 2) - x / 2 - np.log(1 / 5) + x / 5), 0, 200
    )[0]
    assert boclust.Exponential().divergence(np.array([2.0]), np.array([5.0]))[0] == pytest.approx(
        kl
    )
    assert boclust.Gaussian(2.0).divergence(np.array([[1.0, 2.0]]), np.array([[3.0, 3.0]])) == 5 / 8


@pytest.mark.parametrize("fam", FAMILIES, ids=str)
def test_samples_have_the_mean_and_pass_their_own_check(fam):
    # three-sigma-like bounds with 20,000 samples; fixed seed, so this either always holds or never
    rng = np.random.default_rng(3)
    for mean in _means(fam):
        values = fam.check_samples(fam.sample(float(mean), rng, 20_000))
        assert values.shape == (20_000,)
        assert abs(values.mean() - mean) < 4 * values.std() / np.sqrt(20_000)


def test_gaussian_samples_in_space():
    values = boclust.Gaussian(0.5).sample(np.array([1.0, -1.0]), np.random.default_rng(0), 5000)
    assert values.shape == (5000, 2)
    np.testing.assert_allclose(values.mean(axis=0), [1, -1], atol=0.05)
    np.testing.assert_allclose(values.std(axis=0), 0.5, atol=0.03)


@pytest.mark.parametrize("count", [1, 4, 1000])
def test_estimates_on_the_boundary_are_members_of_the_family(count):
    for fam, totals in [(boclust.Bernoulli(), [0.0, count]), (boclust.Poisson(), [0.0])]:
        estimates = fam.estimate(totals, [count] * len(totals))
        fam.check_means([*estimates, 0.5])
        assert np.isfinite(fam.natural(estimates)).all()
        # closer to the boundary with every further sample, and always on its own side of 1/2
        assert (np.abs(estimates - np.array(totals) / count) <= 0.5 / count).all()


def test_estimates_inside_are_sample_means():
    assert boclust.Bernoulli().estimate([1.0], [4]) == 0.25
    assert boclust.Poisson().estimate([6.0], [4]) == 1.5
    assert boclust.Exponential().estimate([6.0], [4]) == 1.5
    np.testing.assert_array_equal(
        boclust.Gaussian().estimate([[2.0, 4.0], [3.0, 9.0]], [2, 3]), [[1, 2], [1, 3]]
    )


def test_positions_follow_the_space():
    means = np.array([[0.2], [0.5]])
    np.testing.assert_allclose(boclust.Bernoulli().positions(means), [[np.log(0.25)], [0.0]])
    np.testing.assert_array_equal(boclust.Bernoulli(space="mean").positions(means), means)


def test_the_space_can_change_the_clusters():
    # in the natural parameter 0.001 is far away from 0.1; in the mean it is close
    means = [0.001, 0.1, 0.3, 0.45]
    natural = boclust.Instance(means, 2, boclust.Bernoulli()).labels
    mean = boclust.Instance(means, 2, boclust.Bernoulli(space="mean")).labels
    assert natural.tolist() == [0, 1, 1, 1]
    assert mean.tolist() == [0, 0, 1, 1]


@given(st.floats(0.001, 0.999), st.floats(0.001, 0.999))
def test_divergences_are_positive_unless_equal(p, q):
    for fam in ONE_PARAMETER:
        value = fam.divergence(np.array([p]), np.array([q]))[0]
        assert value >= 0
        assert value > 0 or abs(p - q) < 1e-6


@pytest.mark.parametrize(
    ("make", "argument"),
    [
        (lambda: boclust.Gaussian(0), "sigma"),
        (lambda: boclust.Gaussian(-1.0), "sigma"),
        (lambda: boclust.SubGaussian(float("nan")), "sigma"),
        (lambda: boclust.SubGaussian("1"), "sigma"),
        (lambda: boclust.SubGaussian(True), "sigma"),
        (lambda: boclust.Gaussian(float("inf")), "sigma"),
        (lambda: boclust.Bounded(1, 1), "high"),
        (lambda: boclust.Bounded(0, float("inf")), "high"),
        (lambda: boclust.Bernoulli(space="odds"), "space"),
        (lambda: family("cauchy"), "family"),
        (lambda: family("gaussian", scale=1.0), "family 'gaussian' option"),
        (lambda: check_family("gaussian"), "family"),
        (lambda: boclust.Bernoulli().check_means([0.0, 0.5]), "means"),
        (lambda: boclust.Bernoulli().check_means([0.2, 1.0]), "means"),
        (lambda: boclust.Bernoulli().check_means([[0.2, 0.3], [0.5, 0.6]]), "means"),
        (lambda: boclust.Poisson().check_means([-1.0, 2.0]), "means"),
        (lambda: boclust.Exponential().check_means([0.0, 2.0]), "means"),
        (lambda: boclust.Bounded(0, 1).check_means([0.5, 1.5]), "means"),
        (lambda: boclust.Bernoulli().check_samples([0, 0.5]), "samples"),
        (lambda: boclust.Poisson().check_samples([1.5]), "samples"),
        (lambda: boclust.Poisson().check_samples([-1]), "samples"),
        (lambda: boclust.Exponential().check_samples([0.0]), "samples"),
        (lambda: boclust.Bounded(0, 1).check_samples([2.0]), "samples"),
        (lambda: boclust.Gaussian().check_samples([float("nan")]), "samples"),
        (lambda: boclust.Gaussian(1e-200), "sigma"),
        (lambda: boclust.Gaussian(10**400), "sigma"),
        (lambda: family("gaussian", code=1), "family 'gaussian' option"),
        (lambda: boclust.Bernoulli().check_means([1e-320, 0.5]), "means"),
        (lambda: boclust.Exponential().check_means([1e-120, 1.0]), "means"),
        (lambda: boclust.Bernoulli().estimate([5.0], [4]), "total"),
        (lambda: boclust.Poisson().estimate([-1.0], [4]), "total"),
        (lambda: boclust.Exponential().estimate([0.0], [4]), "total"),
        (lambda: boclust.Bounded(1, 5).estimate([3.0], [4]), "total"),
        (lambda: boclust.Gaussian().estimate([3.0], [1.5]), "count"),
        (lambda: boclust.Gaussian().estimate([1.0], [0]), "count"),
        (lambda: boclust.Gaussian().estimate([1.0, 2.0], [1]), "count"),
    ],
)
def test_bad_input_names_the_argument(make, argument):
    with pytest.raises(boclust.InvalidInputError, match=rf"^{argument} must be .*, got ") as caught:
        make()
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_bounded_is_subgaussian_with_half_its_range():
    fam = boclust.Bounded(1, 5)
    means, others = np.array([[2.0]]), np.array([[3.0]])
    assert fam.divergence(means, others) == boclust.SubGaussian(2.0).divergence(means, others)
    fam.check_means([1.0, 5.0])


def test_laws_and_families_agree():
    for fam in ONE_PARAMETER:
        law = fam.law
        for mean in _means(fam):
            for other in [*_means(fam), mean * (1 + 1e-9), mean * (1 - 1e-3)]:
                ours = laws.divergence(law, mean, other)
                assert ours == pytest.approx(fam.divergence([mean], [other])[0], rel=1e-12)
                theta = laws.natural(law, other)
                assert theta == pytest.approx(fam.natural(np.array([other]))[0], rel=1e-12)
                assert laws.mean_of_natural(law, theta) == pytest.approx(other, rel=1e-9)


def test_divergences_keep_their_digits_for_small_moves():
    for fam, mean, variance in [
        (boclust.Bernoulli(), 0.3, 0.21),
        (boclust.Poisson(), 7.0, 7.0),
        (boclust.Exponential(), 2.0, 4.0),
    ]:
        for move in (1e-5, 1e-7, -1e-6):
            other = mean + move
            exact = (other - mean) ** 2 / (2 * variance)
            assert fam.divergence([mean], [other])[0] == pytest.approx(exact, rel=10 * abs(move))


def test_divergences_from_the_boundary():
    bernoulli, poisson = boclust.Bernoulli(), boclust.Poisson()
    assert bernoulli.divergence([0.0], [0.3])[0] == pytest.approx(-np.log(0.7))
    assert bernoulli.divergence([1.0], [0.3])[0] == pytest.approx(-np.log(0.3))
    assert poisson.divergence([0.0], [0.3])[0] == pytest.approx(0.3)
