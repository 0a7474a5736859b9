"""Curves over log(1/delta), and labels at their ends."""

import numpy as np
import pytest

from boclust.plots.curves import Curve, apart, draw_curves
from boclust.plots.style import COLOURS
from instances import few


def curves(names):
    return [Curve(name, [1, 2], [0.1, 0.1]) for name in names]


def words(figure):
    return [text.get_text() for text in figure.axes[0].texts]


def test_every_curve_is_drawn_and_named():
    names = [f"algorithm {i}" for i in range(2 * len(COLOURS) + 1)]
    figure = draw_curves("title", "note", [0.1, 0.01], curves(names), None)
    assert words(figure) == names
    looks = {(bar[0].get_color(), bar[0].get_marker()) for bar in figure.axes[0].containers}
    assert len(looks) == len(names)


def test_the_lower_bound_is_dashed_grey():
    figure = draw_curves("title", "note", [0.1, 0.01], curves(["one"]), [0.5, 1])
    assert words(figure) == ["one", "lower bound"]
    (line,) = [line for line in figure.axes[0].lines if line.is_dashed()]
    assert line.get_ydata().tolist() == [0.5, 1]


def test_labels_are_pushed_apart_and_no_more_than_needed(rng):
    for _ in few(100):
        heights = rng.choice([0.0, 1.0, 5.0], 6) + rng.normal(0, 0.3, 6)
        moved = np.array(apart(heights, 0.5))
        order = np.argsort(heights)
        assert (np.diff(moved[order]) >= 0.5 - 1e-12).all()
        assert moved.mean() == pytest.approx(heights.mean())  # as least squares has it
        distance = ((moved - heights) ** 2).sum()
        gaps = 0.5 * np.arange(6)
        for _ in range(20):  # other heights with the same order and gaps
            other = np.maximum.accumulate(moved[order] + rng.normal(0, 0.1, 6) - gaps) + gaps
            assert ((other - heights[order]) ** 2).sum() >= distance - 1e-12
    assert apart([3.0, 1.0], 0.5) == [3.0, 1.0]
