"""The closed form the paper prints for one-parameter families: where it is right and where not."""

import numpy as np
import pytest

import boclust
from support.instances import few

CASES = {
    "bernoulli": (boclust.Bernoulli(), [0.1, 0.25, 0.55, 0.95]),
    "poisson": (boclust.Poisson(), [1.0, 2.0, 6.0, 30.0]),
    "exponential": (boclust.Exponential(), [1.0, 1.3, 3.0, 3.5]),
}


def test_it_is_exact_for_gaussian_arms(rng):
    for _ in few(60):
        m = int(rng.integers(3, 7))
        means, weights = rng.standard_normal(m), 10.0 ** rng.uniform(-3, 0, m)
        k = int(rng.integers(2, m))
        exact = boclust.infimum(means, weights, k, method="exact")
        printed = boclust.infimum(means, weights, k, method="printed")
        assert printed.value == pytest.approx(exact.value, rel=1e-9)
        assert printed.exact


@pytest.mark.parametrize("name", CASES)
def test_it_is_not_exact_elsewhere(name):
    fam, means = CASES[name]
    weights = np.full(len(means), 1 / len(means))
    exact = boclust.infimum(means, weights, 2, fam, method="exact")
    printed = boclust.infimum(means, weights, 2, fam, method="printed")
    assert abs(printed.value / exact.value - 1) > 0.05
    assert not printed.exact
    assert (printed.lower, printed.upper) == (0, np.inf)
    assert "neither" in printed.note


def test_its_alternative_does_not_lie_on_the_boundary_of_another_clustering():
    """The multiplier closes a gap of means, while the clusters are formed by natural parameters."""
    fam, means = CASES["bernoulli"]
    printed = boclust.infimum(means, np.full(4, 0.25), 2, fam, method="printed")
    moved = np.sort(fam.natural(printed.alternative[:, 0]))
    gaps = np.sort(np.diff(moved))
    assert gaps[-1] > 1.05 * gaps[-2] or gaps[-1] < 0.95 * gaps[-2]
