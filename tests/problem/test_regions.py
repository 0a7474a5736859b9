"""Confidence regions: against integrals and roots, and how often they hold."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import binom

import boclust
from boclust.problem.regions import PRECISION, regions
from support.instances import few
from support.laws import penalty

BOUNDED = boclust.Bounded(-2.0, 6.0)
FAMILIES = [
    *((boclust.Gaussian(2.0), d) for d in (1, 2, 3, 10)),
    (boclust.SubGaussian(1.0), 1),
    (boclust.SubGaussian(1.0), 5),
    (BOUNDED, 1),
    (BOUNDED, 3),
    (boclust.Bernoulli(), 1),
    (boclust.Poisson("mean"), 1),
    (boclust.Exponential(), 1),
]
EACH = pytest.mark.parametrize(
    ("family", "dim"), FAMILIES, ids=[f"{family.name} {dim}" for family, dim in FAMILIES]
)


def mixture(size, count, dim):
    """The average of exp(u . S - N |u|^2 / 2) over u ~ N(0, I/c), |S| = size, by integration."""

    def average(length):
        def density(u):
            prior = np.exp(-PRECISION * u * u / 2) * np.sqrt(PRECISION / (2 * np.pi))
            return np.exp(u * length - count * u * u / 2) * prior

        middle, spread = length / (count + PRECISION), 1 / np.sqrt(count + PRECISION)
        return quad(density, middle - 12 * spread, middle + 12 * spread, epsabs=0, epsrel=1e-11)[0]

    return average(size) * average(0.0) ** (dim - 1)


@pytest.mark.parametrize("dim", [1, 2, 5])
@pytest.mark.parametrize("count", [1, 7, 1000])
@pytest.mark.parametrize(("m", "delta"), [(3, 0.1), (20, 1e-6)])
def test_radii_are_where_the_mixture_reaches_its_level(dim, count, m, delta):
    family = boclust.SubGaussian(0.5)
    top = 1.0
    while mixture(top, count, dim) < m / delta:
        top *= 1.5
    size = brentq(lambda s: mixture(s, count, dim) - m / delta, 0.0, top, rtol=1e-13)
    found = regions(family, np.zeros((1, dim)), np.array([float(count)]), m, delta)
    radius = found[0] if dim > 1 else found[0, 1]
    assert radius == pytest.approx(family.sigma * size / count, rel=1e-8)


@pytest.mark.parametrize("family", [f for f, _ in FAMILIES if f.scalar_only], ids=lambda f: f.name)
def test_limits_are_where_the_likelihood_ratio_reaches_its_level(family, rng):
    for _ in few(50):
        count = float(rng.integers(1, 500))
        mean = float(rng.integers(1, max(count, 2))) / count
        (low, high), *_ = regions(family, np.array([[mean]]), np.array([count]), 4, 0.01)
        for end in (low, high):
            if end in (0.0, 1.0):
                continue  # the end of the space is inside
            cost = family.divergence(np.array([[mean]]), np.array([[end]]))[0]
            ratio = count * cost - penalty(family.law, mean * count, count)
            assert ratio == pytest.approx(np.log(4 / 0.01), rel=1e-6)
        assert low <= mean <= high


def draw(family, truth, rng, shape):
    """Samples around the truth (..., d), as far from it as the family allows."""
    if family.name in ("subgaussian", "bounded"):  # two points: Hoeffding's worst case
        low, high = family.sample_range if family.name == "bounded" else (-1.0, 1.0)
        share = (truth - low) / (high - low)
        return np.where(rng.random(shape) < share, high, low)
    return family.sample(truth, rng, shape) if family.scalar_only else rng.normal(truth, 2.0, shape)


def missed(family, dim, rng, delta, narrower=1.0):
    """In how many runs a region ever misses its mean, and the number of runs.

    Three arms, looked at after each of their first samples: whatever is sampled adaptively is a
    part of that.
    """
    m, runs, steps = 3, len(few(60 if family.scalar_only else 400)), 150
    truth = np.full((m, dim), 0.0 if family.name in ("gaussian", "subgaussian") else 0.4)
    truth[1] += 0.3
    counts = np.arange(1.0, steps + 1)
    count = 0
    for _ in range(runs):
        samples = draw(family, truth[:, None], rng, (m, steps, dim))
        means = samples.cumsum(axis=1) / counts[:, None]
        miss = False
        for arm in range(m):
            found = regions(family, means[arm], counts, m, delta)
            if dim == 1:
                low, high = found.T
                middle = means[arm, :, 0]
                low, high = (middle + narrower * (end - middle) for end in (low, high))
                miss |= bool(((truth[arm, 0] < low) | (truth[arm, 0] > high)).any())
            else:
                away = np.linalg.norm(means[arm] - truth[arm], axis=1)
                miss |= bool((away > narrower * found).any())
        count += miss
    return count, runs


@EACH
def test_regions_hold_for_all_arms_at_all_times(family, dim, rng):
    """delta = 0.2; a false alarm has probability at most 1e-6 for each family, by an exact bound.

    Regions of half the size would be found out.
    """
    delta = 0.2
    count, runs = missed(family, dim, rng, delta)
    assert count <= binom.ppf(1 - 1e-6, runs, delta)
    count, runs = missed(family, dim, rng, delta, narrower=0.4)
    if len(few(400)) == 400:
        assert count > binom.ppf(1 - 1e-6, runs, delta)


@EACH
def test_the_regions_of_a_learner(family, dim, rng):
    learner = boclust.Learner(3, 2, 0.05, dim=dim, family=family)
    assert np.isnan(learner.regions).all()
    samples = draw(family, np.full((1, dim), 0.4), rng, (5, dim))
    for sample in samples[:4]:
        learner.tell(1, sample)
    learner.tell(2, samples[4])
    found = learner.regions
    assert found.shape == ((3, 2) if dim == 1 else (3,))
    assert np.isnan(found[0]).all()
    for arm, told in ((1, samples[:4]), (2, samples[4:])):
        own = regions(family, told.mean(axis=0)[None], np.array([float(len(told))]), 3, 0.05)[0]
        assert found[arm] == pytest.approx(own, rel=1e-12)


@EACH
def test_the_smallest_delta(family, dim):
    found = regions(family, np.full((1, dim), 0.4), np.array([10.0]), 10**6, 5e-324)
    assert np.isfinite(found).all()


def test_bounded_regions_stay_inside():
    learner = boclust.Learner(2, 1, 0.05, family=BOUNDED)
    learner.tell(0, 6.0)
    assert learner.regions[0].tolist() == [-2.0, 6.0]


@pytest.mark.parametrize(
    ("family", "value"),
    [(boclust.Bernoulli(), 0), (boclust.Bernoulli(), 1), (boclust.Poisson(), 0)],
    ids=str,
)
def test_samples_on_the_boundary(family, value):
    learner = boclust.Learner(2, 1, 0.05, family=family)
    for _ in range(50):
        learner.tell(0, value)
    low, high = learner.regions[0]
    assert low <= value <= high
    assert high - low < 0.3
