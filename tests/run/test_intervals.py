"""The intervals of the arms of a run, in the unit of their positions."""

import numpy as np
import pytest

import boclust
from boclust.problem.intervals import radius
from boclust.run.intervals import interval
from support.instances import few
from support.laws import penalty
from support.limits import slow_limits
from support.rules import ready

FAMILIES = [
    family(space=space)
    for family in (boclust.Bernoulli, boclust.Poisson, boclust.Exponential)
    for space in ("natural", "mean")
]


def samples(family, rng, m):
    counts = rng.integers(1, rng.choice([6, 200]), m).astype(float)
    if family.name == "bernoulli":
        return counts, rng.binomial(counts.astype(int), rng.uniform(0.02, 0.98, m)).astype(float)
    means = 10 ** rng.uniform(-1, 1, m)
    if family.name == "poisson":
        return counts, rng.poisson(counts * means).astype(float)
    return counts, means * rng.gamma(counts)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f"{f.name}-{f.space}")
def test_the_interval_around_a_position(family, rng):
    """[position - below, position + above] is the interval of the mean, as positions."""
    delta = 0.05
    for _ in few(60):
        m = 4
        counts, sums = samples(family, rng, m)
        run = ready("rr", family, 2, counts, sums).run
        for i in range(m):
            most = (np.log(m / delta) + penalty(family.law, sums[i], counts[i])) / counts[i]
            low, high = slow_limits(family, sums[i] / counts[i], most)
            with np.errstate(divide="ignore"):
                ends = family.positions(np.array([low, high]))
            place = family.positions(family.estimate(sums, counts))[i]
            below, above = interval(run, i, delta, False)
            got = place - below, place + above
            assert got[0] == pytest.approx(ends[0], rel=1e-5, abs=1e-9)
            digits = 1e-16 / (1 - high) if family.name == "bernoulli" and high < 1 else 0.0
            assert got[1] == pytest.approx(ends[1], rel=1e-5, abs=1e-9 + 4 * digits)
            assert min(below, above) >= 0


def test_the_interval_of_gaussian_arms_is_the_radius(rng):
    counts = rng.integers(1, 100, 5).astype(float)
    run = ready("rr", boclust.Gaussian(), 2, counts, rng.standard_normal((5, 3))).run
    for arm, count in enumerate(counts):
        alpha = radius(count, 5, 3, 0.02)
        assert interval(run, arm, 0.02, False) == (alpha, alpha)


@pytest.mark.parametrize("family", [boclust.Gaussian(), *FAMILIES], ids=str)
def test_constant_intervals(family, rng):
    """With ``constant``: the means l with N d(mean, l) <= log(1/delta), and no guarantee."""
    truth = [1.0, 2.0, 7.0] if family.name in ("exponential", "poisson") else [0.2, 0.4, 0.8]
    delta = 0.3
    sums = [family.sample(mean, rng, 40).sum() for mean in truth]
    run = ready("rr", family, 2, np.full(3, 40.0), sums).run
    for arm in range(3):
        place = run.positions[arm, 0]
        below, above = interval(run, arm, delta, True)
        for end in (place - below, place + above):
            if family.name == "gaussian":
                cost = 0.5 * (end - place) ** 2
            else:
                there = end if family.space == "mean" else family.mean(np.array([end]))[0]
                cost = family.divergence(run.sums[arm] / 40, np.array([there]))[0]
            assert 40 * cost == pytest.approx(np.log(1 / delta), rel=1e-6)
