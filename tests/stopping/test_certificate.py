"""The weakest link: all of them, and the one that looks weakest, against Kruskal's trees."""

from itertools import combinations

import numpy as np
import pytest

import boclust
from boclust.run.state import durable
from boclust.evidence.mixtures import closed_evidence
from instances import few
from runs import bottleneck, ready


def slow_link(rules, run, cluster, pair):
    """The bottleneck of a cluster against a rival pair; infinite where it has one arm."""
    mixture = rules.evidence, rules.parameter, run.counts, run.means, run.gaps
    return bottleneck(
        np.flatnonzero(run.labels == cluster).tolist(),
        lambda a, b: closed_evidence(*mixture, a, b, *pair, -np.inf),
    )


@pytest.mark.parametrize("stopping", ["local", "local-semi"])
@pytest.mark.parametrize("dim", [1, 2, 3])
def test_links(stopping, dim, rng):
    """``enough`` minus infinity: the weakest of all; infinity: the suspect's, whatever it is."""
    for _ in few(40):
        m = int(rng.integers(3, 9))
        counts = rng.integers(1, 200, m).astype(float)
        sums = rng.standard_normal((m, dim)) * counts[:, None]
        algorithm = boclust.Algorithm("rr", stopping)
        engine, rules, run = ready(algorithm, boclust.Gaussian(), 2, counts, sums)
        standing, claim = engine.kernels[2], engine.calls.evidence
        rivals = [(i, j) for i, j in combinations(range(m), 2) if run.labels[i] != run.labels[j]]
        links = {(c, pair): slow_link(rules, run, c, pair) for c in range(2) for pair in rivals}
        for (c, pair), expected in links.items():
            if expected == np.inf:
                continue
            run.suspect[:] = (np.flatnonzero(run.labels == c)[0], *pair)
            before = {name: array.copy() for name, array in durable(run).items()}
            assert standing(rules, run, claim, np.inf) == pytest.approx(expected, rel=1e-12)
            assert all((durable(run)[name] == array).all() for name, array in before.items())
        weakest = min(links.values())
        assert standing(rules, run, claim, -np.inf) == pytest.approx(weakest, rel=1e-12)
