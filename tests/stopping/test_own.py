"""Stopping rules that belong to one sampling rule each."""

import numpy as np
import pytest

from boclust.stopping.own import threshold_growth, threshold_level


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
