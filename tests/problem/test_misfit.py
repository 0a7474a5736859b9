"""Samples that scatter more than their family assumes are noticed, others seldom."""

import numpy as np
import pytest
from scipy.stats import binom

from boclust import Bernoulli, Bounded, Exponential, Gaussian, Poisson, SubGaussian
from boclust.problem.families import Quadratic
from boclust.run.learner import Learner

RNG = np.random.default_rng


def scatter_of(parts):
    """What ``misfit`` is given."""
    parts = [part.reshape(len(part), -1) for part in parts]
    means = np.array([part.mean(axis=0) for part in parts])
    total = sum((part - mean).T @ (part - mean) for part, mean in zip(parts, means, strict=True))
    return total, means, np.array([float(len(part)) for part in parts])


def drawn(family, rng, dim, per_arm, scale=1.0):
    """Three arms' samples; ``scale`` times the noise, or the variance of one-parameter families."""
    if isinstance(family, SubGaussian):
        sigma = family.sigma * scale
        return [rng.normal(mean, sigma, (per_arm, dim)) for mean in (0.0, 5.0, 1e3)]
    if isinstance(family, Poisson):
        rates = [mean * rng.gamma(mean / (scale - 1), (scale - 1) / mean, per_arm)
                 if scale > 1 else np.full(per_arm, mean) for mean in (1.0, 4.0, 30.0)]  # fmt: skip
        return [rng.poisson(rate).astype(float) for rate in rates]
    return [mean * rng.gamma(1 / scale, scale, per_arm) for mean in (0.1, 1.0, 50.0)]


CASES = [
    (Gaussian(2.0), 1), (SubGaussian(0.5), 1), (Gaussian(), 2), (Gaussian(), 20), (Poisson(), 1),
    (Exponential(), 1),
]  # fmt: skip


@pytest.mark.parametrize(("family", "dim"), CASES)
@pytest.mark.parametrize("per_arm", [2, 5, 30, 300])
def test_samples_of_the_family_are_seldom_doubted(family, dim, per_arm):
    """In more than one data set of twenty with probability below 0.001, were it one of fifty."""
    n = 300
    rng = RNG(3)
    found = sum(
        bool(family.misfit(*scatter_of(drawn(family, rng, dim, per_arm)))) for _ in range(n)
    )
    assert found <= binom.ppf(0.999, n, 0.02)


@pytest.mark.parametrize(("family", "dim"), CASES)
def test_twice_the_noise_is_always_noticed(family, dim):
    rng = RNG(4)
    scale = 2.0 if isinstance(family, Quadratic) else 3.0
    for _ in range(50):
        said = family.misfit(*scatter_of(drawn(family, rng, dim, 200, scale)))
        assert said.startswith("samples ")


def test_what_is_said():
    rng = RNG(5)
    said = Gaussian(2.0).misfit(*scatter_of([np.tile([-6.0, 6.0], 500)]))
    assert said == "samples scatter with standard deviation 6, but sigma = 2 is assumed"
    alike = np.repeat(rng.normal(0, 1, (1000, 1)), 4, axis=1)
    said = Gaussian().misfit(*scatter_of([alike]))  # each coordinate alone has the right variance
    assert "deviation 1.99 in some direction" in said
    said = Poisson().misfit(*scatter_of([rng.negative_binomial(2, 0.1, 1000).astype(float)]))
    assert said.startswith("samples have 9.")
    assert said.endswith("times the variance that the family 'poisson' has at their means")


def test_less_noise_is_no_misfit():
    rng = RNG(6)
    assert Gaussian().misfit(*scatter_of([rng.normal(0, 0.01, 100)])) == ""
    assert Exponential().misfit(*scatter_of([rng.uniform(0.9, 1.1, 100)])) == ""
    assert Poisson().misfit(*scatter_of([np.zeros(10), np.ones(10)])) == ""


@pytest.mark.parametrize("family", [Bernoulli(), Bounded(0, 1)])
def test_possible_samples_that_cannot_scatter_too_much(family):
    assert not family.is_doubtable
    assert family.misfit(*scatter_of([np.tile([0.0, 1.0], 50), np.zeros(3), np.ones(3)])) == ""


@pytest.mark.parametrize(
    ("family", "dim"), [(Gaussian(2.0), 1), (Gaussian(0.5), 3), (Poisson(), 1)]
)
def test_a_learner_sees_the_scatter_of_its_samples(family, dim):
    rng = RNG(7)
    learner = Learner(3, 2, 0.1, dim, family=family)
    told = [[] for _ in range(3)]
    for _ in range(60):
        arm = learner.ask()
        sample = rng.poisson(4.0, dim) + 3.0 * arm
        told[arm].append(sample)
        learner.tell(arm, sample if dim > 1 else sample[0])
        if learner.done:
            break
    total, means, counts = scatter_of([np.array(part, dtype=float) for part in told])
    found = learner.arrays()["run.scatter"] * family.unit**2
    assert found == pytest.approx(total, rel=1e-9, abs=1e-9)
    assert learner.doubt == family.misfit(total, means, counts)
    twin = learner.copy()
    assert twin.doubt == learner.doubt
    assert (twin.arrays()["scatter"] == learner.arrays()["run.scatter"]).all()


def test_a_doubt_makes_the_guarantee_doubtful():
    rng = RNG(8)
    learner = Learner(3, 2, 0.1, family=Gaussian(0.2))
    seen = set()
    while not learner.done:
        arm = learner.ask()
        learner.tell(arm, rng.normal([0, 0.1, 9.0][arm], 1.0))
        seen.add(learner.guarantee.partition(";")[0])
    assert "none: the certificate does not hold yet" in seen
    for _ in range(20):
        learner.tell(0, rng.normal(0, 1.0))
    assert learner.doubt.startswith("samples scatter with standard deviation")
    assert learner.guarantee == (
        f"doubtful, because {learner.doubt}: wrong with probability at most 0.1, if the noise of a "
        "sample is sub-Gaussian with scale 0.2 (rule 'local-directional', any sampling)"
    )
    one = Learner(2, 1, 0.1, family=Gaussian(0.2))
    for value in (0.0, 9.0, 0.0, 9.0):
        one.tell(0, value)
    assert one.guarantee == "certain: there is only one possible clustering"


def test_nobody_watches_in_very_many_dimensions():
    learner = Learner(2, 1, 0.1, dim=51)
    learner.tell(0, np.zeros(51))
    learner.tell(0, np.full(51, 9.0))
    assert learner.doubt == ""
    assert "scatter" not in learner.arrays()
