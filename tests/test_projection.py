"""Principal components."""

import numpy as np
import pytest

from boclust.projection import principal_plane


def test_distances_in_a_plane_are_kept(rng):
    flat = rng.normal(size=(6, 2)) @ np.linalg.qr(rng.normal(size=(5, 5)))[0][:2]
    at, shares = principal_plane(flat)
    between = np.linalg.norm(flat[:, None] - flat, axis=2)
    assert np.linalg.norm(at[:, None] - at, axis=2) == pytest.approx(between)
    assert sum(shares) == pytest.approx(1)


@pytest.mark.parametrize("m", [0, 1, 4])
def test_points_that_coincide_have_no_shares(m):
    at, shares = principal_plane(np.ones((m, 3)))
    assert at.shape == (m, 2)
    assert (at == 0).all()
    assert shares is None
