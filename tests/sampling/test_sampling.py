"""Sampling kernels against slow versions written from the text."""

from itertools import combinations

import numpy as np
import pytest
from boclust.sampling.challenger_steps import (
    SCORE_PRECISION,
    clearly_stronger,
    weakest_quadruple,
)

import boclust
from boclust.psi.bond import bond_value
from support.runs import bottleneck, states


def test_the_weakest_quadruple_by_kruskal(rng):
    for means, counts, labels, arms, start, gaps in states(rng, 100):
        m, d = means.shape
        c = SCORE_PRECISION
        shrunk, logs = counts**2 / (counts + c), np.log1p(counts / c)

        def score(a, b, p, q, means=means, shrunk=shrunk, logs=logs, d=d):
            only = [x for x in (a, b) if x not in (p, q)]
            cost = 0.5 * logs[only].sum() + d / 2 * logs[[p, q]].sum()
            return bond_value(means, shrunk, a, b, p, q) - cost

        best = np.inf
        for p, q in combinations(range(m), 2):
            if labels[p] == labels[q]:
                continue
            for k in range(labels.max() + 1):
                members = np.flatnonzero(labels == k).tolist()
                if len(members) > 1:
                    found = bottleneck(members, lambda a, b, p=p, q=q: score(a, b, p, q))
                    best = min(best, found)
        quad = np.zeros(4, np.int64)
        tree = np.zeros(m, np.int64)
        got = weakest_quadruple(
            gaps, 1 / shrunk, logs, d, arms, start, np.zeros(m), np.zeros(m, np.int64), tree, quad
        )
        assert got == pytest.approx(best, rel=1e-9, abs=1e-9)
        assert score(*(int(x) for x in quad)) == pytest.approx(best, rel=1e-9, abs=1e-9)


def test_what_is_clearly_stronger_has_a_stronger_bottleneck(rng):
    """Whatever the floor; with enough samples most clusters are found to be."""
    found = []
    for means, counts, labels, arms, start, gaps in states(rng, 100):
        m, d = means.shape
        c = SCORE_PRECISION
        shrunk, logs = counts**2 / (counts + c), np.log1p(counts / c)
        for p, q in combinations(range(m), 2):
            for k in np.flatnonzero(np.diff(start) > 1) if labels[p] != labels[q] else ():

                def score(a, b, p=p, q=q, means=means, shrunk=shrunk, logs=logs, d=d):
                    only = [x for x in (a, b) if x not in (p, q)]
                    cost = 0.5 * logs[only].sum() + d / 2 * logs[[p, q]].sum()
                    return bond_value(means, shrunk, a, b, p, q) - cost

                members = arms[start[k] : start[k + 1]].tolist()
                truth = bottleneck(members, score)
                for floor in (truth - 5.0, truth - 0.1, truth + 1e-9, truth + 1.0):
                    stronger = clearly_stronger(
                        gaps, 1 / shrunk, logs, d / 2, arms, start[k], start[k + 1], p, q, floor
                    )
                    assert not stronger or floor < truth
                    found.append(stronger)
    assert 0.05 < np.mean(found) < 0.5


@pytest.mark.slow
def test_lucb_as_printed_starves_an_arm_and_the_other_does_not():
    """Seven arms, log(1/delta) = 23: runs of 100,000 samples against the paper's mean of 7,568."""
    seven = boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], 3)
    printed, upper = boclust.simulate(
        seven, ["lucbboc", "lucbboc-ucb"], [np.exp(-23)], 100, max_samples=100_000
    ).summary()
    assert printed["censored"] > 10
    assert upper["censored"] == 0
    assert upper["mean_samples"] == pytest.approx(7568, rel=0.1)
    assert upper["max_samples"] < 2 * upper["mean_samples"]
