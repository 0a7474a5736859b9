"""Near alternatives in space against the exact ones."""

import numpy as np
import pytest

import boclust
from boclust.psi.near import near_alternative
from boclust.run.clusters import group
from support.instances import few
from support.rules import ready
from support.tracking import contradicts

#: How well a cut is solved.
SOLVED = 1e-3


def estimates(rng, dim, m):
    return rng.standard_normal((m, dim)), rng.dirichlet(np.ones(m)) * 0.9 + 0.1 / m


@pytest.mark.parametrize("dim", [2, 3])
def test_the_change_at_the_bottleneck(dim, rng):
    """An alternative, at its cost, not below psi; psi itself where clusters have at most two."""
    family, pairs = boclust.Gaussian(), 0
    for _ in few(40):
        m = int(rng.integers(3, 8))
        means, w = estimates(rng, dim, m)
        k = int(rng.integers(2, m))
        run = ready("rr", family, k, np.ones(m), means).run
        group(run)
        alternative = np.empty_like(means)
        got = near_alternative(run.means, run.gaps, w, run.arms, run.start, np.inf, alternative)
        assert got == pytest.approx(w @ family.divergence(means, alternative), rel=1e-9)
        assert contradicts(family, alternative, run.labels)
        found = boclust.infimum(means, w, k, family, method="exact")
        assert got >= found.lower * (1 - 1e-6)
        if np.bincount(run.labels).max() <= 2:
            assert got <= (1 + SOLVED) * found.upper
            pairs += 1
        else:
            assert got <= 1.25 * found.upper
    assert pairs


@pytest.mark.parametrize("dim", [2, 5])
def test_only_an_alternative_below_the_limit_is_looked_for(dim, rng):
    """The same one as without a limit, or none and the limit itself."""
    for _ in few(60):
        m = int(rng.integers(3, 10))
        means, w = estimates(rng, dim, m)
        k = int(rng.integers(2, m))
        run = ready("rr", boclust.Gaussian(), k, np.ones(m), means).run
        group(run)
        problem = run.means, run.gaps, w, run.arms, run.start
        free, bound, none = np.empty_like(means), np.empty_like(means), np.full_like(means, np.nan)
        cost = near_alternative(*problem, np.inf, free)
        assert near_alternative(*problem, 1.1 * cost, bound) == cost
        np.testing.assert_array_equal(bound, free)
        limit = cost * rng.uniform(0.3, 0.999)
        assert near_alternative(*problem, limit, none) == limit
        assert np.isnan(none).all()
