"""Confidence intervals: by root finding and by simulation."""

import numpy as np
import pytest
from scipy.stats import binom

import boclust
from boclust.problem.intervals import limits, radius
from support.instances import few
from support.laws import penalty
from support.limits import slow_limits

FAMILIES = [
    family(space=space)
    for family in (boclust.Bernoulli, boclust.Poisson, boclust.Exponential)
    for space in ("natural", "mean")
]


@pytest.mark.parametrize("family", FAMILIES[::2], ids=lambda f: f.name)
def test_limits_are_roots_of_the_divergence(family, rng):
    for _ in few(200):
        most = 10 ** rng.uniform(-6, 1.5)
        if family.name == "bernoulli":
            mean = rng.choice([rng.uniform(0.001, 0.999), 1e-6])
        else:
            mean = 10 ** rng.uniform(-6, 6)
        low, high = limits(family.law, mean, most)
        slow_low, slow_high = slow_limits(family, mean, most)
        assert low < mean < high
        assert low == pytest.approx(slow_low, rel=1e-8, abs=1e-300)
        assert high == pytest.approx(slow_high, rel=1e-8)


@pytest.mark.parametrize("most", [1e-6, 0.01, 0.3, 2.0, 30.0])
def test_limits_on_the_boundary(most):
    bernoulli, poisson = boclust.Bernoulli().law, boclust.Poisson().law
    low, high = limits(bernoulli, 0.0, most)
    assert (low, high) == (0, pytest.approx(-np.expm1(-most), rel=1e-10))
    low, high = limits(bernoulli, 1.0, most)
    assert (low, high) == (pytest.approx(np.exp(-most), rel=1e-10), 1)
    low, high = limits(poisson, 0.0, most)
    assert (low, high) == (0, pytest.approx(most, rel=1e-10))


def test_the_radius_of_section_v():
    for count, m, d, delta in [(1, 2, 1, 0.1), (7, 6, 3, 1e-3), (1e6, 50, 10, 1e-300)]:
        logs = np.log(2.0) * (d + 1) + np.log(m) + 2 * np.log(count) - np.log(delta)
        assert radius(float(count), m, d, delta) == pytest.approx(np.sqrt(2 / count * logs))


@pytest.mark.parametrize("family", FAMILIES[::2], ids=lambda f: f.name)
def test_limits_cover_at_all_times(family, rng):
    """Two arms, delta = 0.3: how often an interval ever misses its mean, by an exact bound."""
    trials, steps, delta = 120, 200, 0.3
    missed = 0
    for _ in few(trials):
        miss = False
        for mean in (0.1, 0.7):
            totals = np.cumsum(family.sample(mean, rng, steps))
            for n in range(1, steps + 1):
                most = (np.log(2 / delta) + penalty(family.law, totals[n - 1], float(n))) / n
                low, high = limits(family.law, totals[n - 1] / n, most)
                miss = miss or not low <= mean <= high
        missed += miss
    n_trials = len(few(trials))
    assert missed <= binom.ppf(1 - 1e-6, n_trials, delta)
    if n_trials == trials:
        assert missed > 0  # wide, but not for nothing


@pytest.mark.parametrize("dim", [1, 2, 10])
def test_radius_covers_at_all_times(dim, rng):
    trials, steps, delta = 300, 400, 0.5
    radii = np.array([radius(float(n), 1, dim, delta) for n in range(1, steps + 1)])
    noise = rng.standard_normal((trials, steps, dim)).cumsum(axis=1)
    errors = np.linalg.norm(noise, axis=2) / np.arange(1, steps + 1)
    missed = int((errors > radii).any(axis=1).sum())
    assert missed <= binom.ppf(1 - 1e-6, trials, delta)
