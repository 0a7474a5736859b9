"""Curves over log(1/delta), and labels at their ends."""

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.lines import Line2D

from boclust.plots.curves import Curve, apart, draw_curves, spaced
from boclust.plots.style import BOUND_LINE, COLOURS
from support.instances import few


def curves(names, censored=(0, 0)):
    n = len(censored)
    return [Curve(name, [*range(1, n + 1)], [0.1] * n, censored) for name in names]


def bounds(figure):
    """The lines in the style of the lower bound."""
    dashes = Line2D([], [], **BOUND_LINE)._unscaled_dash_pattern
    return [line for line in figure.axes[0].lines if line._unscaled_dash_pattern == dashes]


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
    (line,) = bounds(figure)
    assert line.get_ydata().tolist() == [0.5, 1]


def test_the_lower_bound_of_one_delta_is_a_line():
    figure = draw_curves("title", "note", [0.1], curves(["one", "two"], [0]), [0.5])
    (line,) = bounds(figure)
    assert len(line.get_xdata()) == 2
    assert set(line.get_ydata()) == {0.5}
    first, second = (bar[0].get_xdata()[0] for bar in figure.axes[0].containers)
    low, high = figure.axes[0].get_xlim()
    assert low < first < second < high


def test_an_infinite_lower_bound_is_left_out():
    figure = draw_curves("title", "note", [0.1, 0.01], curves(["one"]), [np.inf, np.inf])
    assert bounds(figure) == []
    assert words(figure) == ["one"]


def test_means_of_runs_that_never_stopped_are_hollow_under_an_arrow():
    figure = draw_curves("title", "note", [0.1, 0.01], curves(["one"], [0, 3]), None)
    hollow, arrow = figure.axes[0].lines[1:]
    assert hollow.get_markerfacecolor() == "white"
    assert "arrow" in arrow.get_marker()
    assert hollow.get_ydata().tolist() == arrow.get_ydata().tolist() == [2]
    figure = draw_curves("title", "note", [0.1, 0.01], curves(["one"]), None)
    assert len(figure.axes[0].lines) == 1


def test_deltas_near_each_other_share_a_tick():
    deltas = [0.1, 0.099, 0.098, 0.0975, 0.05, 0.0101, 0.01]
    figure = draw_curves("title", "note", deltas, curves(["one"], [0] * 7), None)
    figure.draw_without_rendering()
    boxes = [label.get_window_extent() for label in figure.axes[0].get_xticklabels()]
    assert len(boxes) == 3
    boxes.sort(key=lambda box: box.x0)
    assert all(left.x1 < right.x0 for left, right in pairwise(boxes))


def test_ticks_are_as_far_apart_as_asked(rng):
    for _ in few(100):
        places = rng.uniform(size=8)
        kept = spaced(places, 0.2)
        assert (np.diff(places[kept]) <= -0.2).all()
        for place in places:  # none more could be kept
            assert any(0 <= places[one] - place < 0.2 for one in kept)


def test_long_names_of_algorithms_are_cut():
    figure = draw_curves("title", "note", [0.1, 0.01], curves(["of many words " * 9]), None)
    assert len(words(figure)[0]) == 20
    figure.draw_without_rendering()


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
