"""The clusters of a run are those of single linkage, found anew or from the last ones."""

import numpy as np
import pytest

import boclust
from boclust.problem.linkage import single_linkage
from boclust.run.clusters import clusters_stand, group, group_anew
from boclust.run.state import new_run
from support.instances import few

LAW = boclust.Gaussian().law


def test_grouping_is_single_linkage(rng):
    for _ in few(200):
        m, d = int(rng.integers(2, 12)), int(rng.integers(1, 4))
        points = rng.standard_normal((m, d))
        for k in range(1, m + 1):
            state = new_run(LAW, m, d, k)
            state.gaps[:] = np.linalg.norm(points[:, None] - points[None], axis=2)
            group(state)
            np.testing.assert_array_equal(state.labels, single_linkage(points, k).labels)
            for c in range(k):
                members = state.arms[state.start[c] : state.start[c + 1]]
                np.testing.assert_array_equal(members, np.flatnonzero(state.labels == c))


@pytest.mark.parametrize("ties", [False, True])
def test_grouping_from_the_last_clusters(ties, rng):
    """The same as anew, whether one arm's move leaves the last clusters standing or not."""
    stood = 0
    for _ in few(40):
        m, d = int(rng.integers(2, 10)), int(rng.integers(1, 4))
        k = int(rng.integers(1, m + 1))
        points = 3 * rng.standard_normal((m, d))
        state, fresh = new_run(LAW, m, d, k), new_run(LAW, m, d, k)
        assert not clusters_stand(state)
        for _ in range(20):
            points[rng.integers(m)] += rng.standard_normal(d)
            points = np.rint(points) if ties else points
            state.gaps[:] = np.linalg.norm(points[:, None] - points[None], axis=2)
            fresh.gaps[:] = state.gaps
            stood += clusters_stand(state) and 1 < k < m
            group(state)
            group_anew(fresh)
            for name in ("labels", "arms", "start"):
                np.testing.assert_array_equal(getattr(state, name), getattr(fresh, name))
    assert stood > len(few(40))
