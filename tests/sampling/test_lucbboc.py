"""LUCBBOC: the suspicious pairs by the text of Algorithm 2."""

from itertools import combinations

import numpy as np
import pytest

import boclust
from boclust.problem.linkage import single_linkage
from support.instances import few
from support.rules import ready


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("lopsided", [False, True])
def test_suspicious_pairs_by_the_text_of_algorithm_2(upper, lopsided, rng):
    """On a line an interval may reach farther on one side than on the other."""
    for _ in few(100):
        m = int(rng.integers(3, 9))
        dim = 1 if lopsided else int(rng.integers(1, 4))
        counts = rng.integers(1, 200, m).astype(float)
        means = rng.standard_normal((m, dim))
        k = int(rng.integers(2, m))
        name = "lucb-ucb" if upper else "lucb"
        driven = ready(name, boclust.Gaussian(), k, counts, means * counts[:, None], 0.05)
        run, own = driven.run, driven.own
        if lopsided:
            own.below[:], own.above[:] = rng.exponential(size=(2, m))
        driven.update()
        means, labels = run.means, run.labels
        gaps = np.linalg.norm(means[:, None] - means[None], axis=2)

        def shortest(i, j, own=own, gaps=gaps, means=means):
            i, j = (i, j) if means[i, 0] < means[j, 0] else (j, i)
            return gaps[i, j] - own.above[i] - own.below[j]

        def longest(i, j, own=own, gaps=gaps, means=means):
            i, j = (i, j) if means[i, 0] < means[j, 0] else (j, i)
            return gaps[i, j] + own.below[i] + own.above[j]

        closest = []
        for p, q in combinations(range(k), 2):
            pairs = [
                (i, j) for i in np.flatnonzero(labels == p) for j in np.flatnonzero(labels == q)
            ]
            i, j = min(pairs, key=lambda pair: gaps[pair])
            closest.append((shortest(i, j), i, j))
        farthest = []
        for c in range(k):
            members = np.flatnonzero(labels == c)
            if len(members) > 1:
                tree = single_linkage(means[members], 2)
                for edge in tree.edges if upper else tree.edges[-1:]:
                    i, j = members[edge]
                    farthest.append((longest(i, j), i, j))
        assert set(own.potential[2:]) == set(min(closest)[1:])
        assert set(own.potential[:2]) == set(max(farthest)[1:])


@pytest.mark.parametrize("name", ["lucb", "lucb-ucb"])
@pytest.mark.parametrize("ties", [False, True])
def test_suspects_of_the_last_clusters_are_those_of_new_ones(name, ties, rng):
    """From sample to sample, also where clusters change, distances tie or intervals are open."""
    changes = 0
    for _ in few(20):
        m, k = 7, int(rng.integers(2, 6))
        truth = rng.standard_normal(m)
        truth = np.rint(2 * truth) if ties else truth
        driven = ready(name, boclust.Gaussian(), k, np.ones(m), truth)
        run, own = driven.run, driven.own
        for _ in range(30):
            before = run.labels.copy()
            noise = rng.integers(-1, 2, 1) if ties else rng.standard_normal(1)
            arm = int(rng.integers(m))
            driven.tell(arm, truth[arm] + noise)
            if rng.random() < 0.1:
                own.below[arm] = np.inf
            driven.update()
            found = own.potential.copy(), run.labels.copy(), run.arms.copy(), run.start.copy()
            run.start[:] = 0  # nothing is known of any clusters
            driven.update()
            for one, other in zip(
                found, (own.potential, run.labels, run.arms, run.start), strict=True
            ):
                np.testing.assert_array_equal(one, other)
            changes += (run.labels != before).any()
    assert changes > len(few(20))


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
