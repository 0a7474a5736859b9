"""What kernels know of a family, against the family's own formulas and against derivatives."""

import pickle

import numpy as np
import pytest

import boclust
from boclust.problem.families.law import GaussianLaw
from support import laws
from support.instances import few

ONE_PARAMETER = [
    family(space)
    for family in (boclust.Bernoulli, boclust.Poisson, boclust.Exponential)
    for space in ("natural", "mean")
]
FAMILIES = [boclust.Gaussian(), *ONE_PARAMETER]
EACH = pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f"{f.name}-{f.space}")


def a_mean(family, rng):
    if family.name == "gaussian":
        return rng.normal()
    return rng.uniform(0.05, 0.95) if family.name == "bernoulli" else 10 ** rng.uniform(-1, 1)


@EACH
def test_laws_and_families_agree(family, rng):
    law = family.law
    for _ in few(100):
        mean, other = a_mean(family, rng), a_mean(family, rng)
        as_array = np.array([mean])
        cost = family.divergence(as_array[:, None], np.array([[other]]))[0]
        assert laws.divergence(law, mean, other) == pytest.approx(cost, rel=1e-10, abs=1e-15)
        theta = laws.natural(law, mean)
        assert theta == pytest.approx(family.natural(as_array)[0], rel=1e-12)
        assert laws.mean_of_natural(law, theta) == pytest.approx(mean, rel=1e-9)
        place = laws.position(law, mean)
        assert place == pytest.approx(family.positions(as_array)[0], rel=1e-12)
        assert laws.mean_at(law, place) == pytest.approx(mean, rel=1e-9)


@EACH
def test_estimates_are_those_of_the_family(family, rng):
    sums = [1.0, 2.0, 5.0] if family.name == "exponential" else [0.0, 2.0, 5.0]
    for total in sums:
        assert laws.estimate(family.law, total, 5.0) == family.estimate([total], [5])[0]


@EACH
def test_the_variance_is_the_slope_of_the_mean_map(family, rng):
    law = family.law
    for _ in few(50):
        mean = a_mean(family, rng)
        theta = laws.natural(law, mean)
        step = 1e-6 * max(abs(theta), 1e-2)
        slope = laws.mean_of_natural(law, theta + step) - laws.mean_of_natural(law, theta - step)
        slope /= 2 * step
        assert laws.variance(law, mean) == pytest.approx(slope, rel=1e-5)
        spread = slope if family.space == "mean" else 1 / slope
        assert laws.spread(law, mean) == pytest.approx(spread, rel=1e-5)


@EACH
def test_a_group_rests_where_the_slope_of_its_cost_is_the_push(family, rng):
    law = family.law
    rested = 0
    for _ in few(100):
        mean, push = a_mean(family, rng), 0.3 * rng.normal()
        place = laws.rest(law, mean, push)
        there = laws.mean_at(law, place)
        if not np.isfinite(place) or not np.isfinite(there):
            continue
        step = 1e-5 * max(abs(place), 1e-2)
        above, below = (
            laws.divergence(law, mean, laws.mean_at(law, place + sign * step)) for sign in (1, -1)
        )
        if np.isfinite(above) and np.isfinite(below):
            assert (above - below) / (2 * step) == pytest.approx(push, rel=1e-3, abs=1e-5)
            rested += 1
    assert rested > len(few(100)) / 2


def test_families_of_one_kind_share_a_law():
    quadratic = [boclust.Gaussian(), boclust.SubGaussian(3.0), boclust.Bounded(0, 5)]
    assert len({id(family.law) for family in quadratic}) == 1
    assert isinstance(quadratic[0].law, GaussianLaw)
    assert boclust.Bernoulli().law is boclust.Bernoulli().law
    assert boclust.Bernoulli().law is not boclust.Bernoulli("mean").law


@EACH
def test_a_family_with_a_law_can_be_copied(family):
    assert family.law is pickle.loads(pickle.dumps(family)).law
