"""Stopping rules that belong to one sampling rule each."""

import numpy as np
import pytest

import boclust
from boclust.psi.equal_means import boc_statistic
from boclust.run.state import Problem
from boclust.stopping.own import (
    BocStatistic,
    Decided,
    FixedSize,
    threshold_growth,
    threshold_level,
)
from support.rules import ready, started


def problem(n_arms=4, n_clusters=2, family=None, delta=0.1):
    return Problem(n_arms, 1, n_clusters, family or boclust.Gaussian(), delta)


def test_a_fixed_sample_size():
    rule = FixedSize(per_arm=3)
    driven = ready("fss", boclust.Gaussian(), 2, [3.0, 3, 2, 9], np.zeros(4))
    own = rule.new(problem(), driven.own)
    assert rule.kernels[1](driven.run, own, 0.0) == -np.inf
    driven.tell(2, 0.0)
    assert rule.kernels[1](driven.run, own, 0.0) == np.inf
    assert "guarantees nothing" in rule.guarantee(problem())
    with pytest.raises(ValueError, match="per_arm"):
        FixedSize(per_arm=0)


@pytest.mark.parametrize("name", ["elimination", "maxgap-elim", "maxgap-ucb", "maxgap-top2ucb"])
def test_the_elimination_has_decided(name):
    """The sampling rule's state is shared, and so is the option ``constant``."""
    driven = started(name, boclust.Gaussian(), 4, 1, 2, constant=True)
    rule = Decided(constant=True)
    own = rule.new(problem(), driven.own)
    assert rule.kernels[1](driven.run, own, 0.0) == -np.inf
    while not driven.own.done[0]:
        arm = driven.select()
        driven.tell(arm, [0.0, 0.1, 9.0, 9.1][arm])
        if driven.run.counts.all():
            driven.update()
    assert rule.kernels[1](driven.run, own, 0.0) == np.inf
    assert driven.run.labels.tolist() == [0, 0, 1, 1]
    assert "at most 0.1" in Decided().guarantee(problem())
    assert "nothing" in rule.guarantee(problem())


@pytest.mark.parametrize("constant", [False, True])
def test_the_statistic_of_boc(constant, rng):
    rule = BocStatistic(constant=constant)
    counts, sums = np.array([5.0, 7, 3, 9]), np.array([0.0, 1.0, 30.0, 88.0])
    driven = ready("boc", boclust.Gaussian(), 2, counts, sums)
    driven.update()
    own = rule.new(problem(), driven.own)
    z = boc_statistic(counts, sums[:, None] / counts[:, None], np.array([0, 0, 1, 1]), 2)
    growth = 0.0 if constant else threshold_growth(counts, 1)
    assert rule.kernels[1](driven.run, own, 0.0) == z - growth
    level = np.log(10) if constant else threshold_level(4, 1, 0.1)
    assert rule.threshold(problem()) == pytest.approx(level)
    assert rule.threshold(problem(n_clusters=1)) == -np.inf
    assert "same mean" in rule.guarantee(problem()) or constant
    assert "its proof" in rule.guarantee(problem(family=boclust.SubGaussian())) or constant
    assert rule.refusal(problem(family=boclust.Bernoulli()))


def test_constant_threshold_of_boc():
    """BOC's statistic is compared with log(1/delta) itself: many fewer samples, no guarantee."""
    instance = boclust.Instance([0.0, 0.0, 3.0, 3.0], 2)
    names = [boclust.Algorithm("boc", constant=True), boclust.Algorithm("boc")]
    rows = boclust.simulate(instance, names, [0.1], 3, max_samples=500).summary()
    swept, proven = sorted(rows, key=lambda row: row["mean_samples"])
    assert swept["guarantee"].startswith("none")
    assert "same mean" in proven["guarantee"]
    rule = BocStatistic()
    assert "for Gaussian samples" not in rule.guarantee(problem())
    assert "its proof is for Gaussian samples" in rule.guarantee(problem(family=boclust.Bounded()))


def zeta(s: float) -> float:
    n = np.arange(1, 2000)
    return float((n**-s).sum() + 2000 ** (1 - s) / (s - 1) + 0.5 * 2000**-s)


@pytest.mark.parametrize("delta", [0.5, 0.1, 1e-10, 1e-300])
@pytest.mark.parametrize(("n_arms", "dim"), [(3, 1), (11, 3), (500, 20)])
def test_the_threshold_by_a_grid(n_arms, dim, delta):
    size = n_arms * dim
    a = np.unique(np.r_[np.linspace(0.5, 1, 1001)[1:-1], 1 - np.geomspace(1e-6, 0.5, 1000)[:-1]])
    g = 2 * a - 2 * a * np.log(4 * a) + np.log([zeta(2 * x) for x in a]) - np.log(1 - a) / 2
    expected = size * ((g + np.log(1 / delta) / size) / a).min()
    assert threshold_level(n_arms, dim, delta) == pytest.approx(expected, rel=1e-5)
    counts = np.arange(1.0, n_arms + 1)
    expected += sum(2 * dim * np.log(4 + np.log(n)) for n in counts)
    level = threshold_level(n_arms, dim, delta)
    assert level + threshold_growth(counts, dim) == pytest.approx(expected, rel=1e-5)
