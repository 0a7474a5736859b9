"""Verdicts and comparisons."""

import numpy as np
import pytest

from boclust.paper.base_figure import Point, curve
from boclust.paper.verdicts import (
    COMPARABLE,
    claim_below,
    claim_comparable,
    compare,
    finding,
    verdict,
)


def line(series, slope, noise=0.0, source="here", xs=range(6)):
    return [
        Point(series, source, float(x), 10 + slope * x, y_low=10 + slope * x - noise,
              y_high=10 + slope * x + noise)
        for x in xs
    ]  # fmt: skip


def test_verdicts():
    assert verdict([True, True]) == "held"
    assert verdict([True, False]) == "held in part"
    assert verdict([False]) == verdict(["false", "unclear"]) == "not held"
    assert verdict([]) == verdict(["unclear"]) == "undecided"
    assert verdict(["true", "unclear"]) == verdict(["true", "false"]) == "held in part"
    assert finding(0.1, 0.2, 1.0) == "true"
    assert finding(1.1, 1.2, 1.0) == "false"
    assert finding(0.9, 1.1, 1.0) == "unclear"


def test_clear_and_unclear_differences():
    clear = compare(line("a", 2) + line("b", 4), "a", "b")
    assert clear.below == ["unclear", "true", "true", "true", "true"]
    assert clear.ratio == pytest.approx([(10 + 2 * x) / (10 + 4 * x) for x in clear.at])
    blurred = compare(line("a", 2, noise=50) + line("b", 4, noise=50), "a", "b")
    assert set(blurred.below) == {"unclear"}
    assert "clearly fewer at 0 of 5 places, clearly more at 0" in str(blurred)
    assert set(compare(line("a", 4) + line("b", 2), "a", "b").below[1:]) == {"false"}


def test_limits_cover_the_true_ratio():
    """Independent Gaussian heights: the 95 % limits of their ratio miss it about 1 time in 20.

    2,000 draws; the share of misses lies within 0.035 and 0.065 with probability 0.997.
    """
    rng = np.random.default_rng(0)
    missed = 0
    for _ in range(2000):
        points = []
        for series, height, sd in (("a", 100.0, 2.0), ("b", 150.0, 4.0)):
            y = height + sd * rng.normal()
            points += [
                Point(series, "here", x, y, y_low=y - 1.96 * sd, y_high=y + 1.96 * sd)
                for x in (0.0, 1.0)
            ]
        compared = compare(points, "a", "b", places=1)
        missed += not compared.low[0] <= 100 / 150 <= compared.high[0]
    assert 0.035 <= missed / 2000 <= 0.065


def test_only_the_shared_range_counts():
    points = line("a", 2, xs=range(4)) + line("b", 2, xs=range(2, 8))
    assert compare(points, "a", "b").at == [2.0, 2.25, 2.5, 2.75, 3.0]
    assert compare(points, "a", "b", within=(2.5, 9.0)).at[0] == 2.5
    apart = compare(line("a", 2, xs=range(2)) + line("b", 2, xs=range(5, 7)), "a", "b")
    assert apart.at == []
    assert "share no range" in str(apart)
    assert apart.below == apart.comparable == ["unclear"]
    assert compare([], "a", "b").at == []


def test_uncertain_places_blur_steep_curves():
    steep = [Point("a", "here", x, 10 + 100 * x, x_low=x - 0.5, x_high=x + 0.5) for x in (0, 1, 2)]
    other = [Point("b", "here", x, 30 + 100 * x, x_low=x - 0.5, x_high=x + 0.5) for x in (0, 1, 2)]
    assert set(compare(steep + other, "a", "b").below) == {"unclear"}


def test_comparable():
    near = compare(line("a", 2) + line("b", 2 * (1 + COMPARABLE)), "a", "b")
    assert set(near.comparable) == {"true"}
    far = compare(line("a", 2) + line("b", 8), "a", "b")
    assert "false" in far.comparable
    assert claim_comparable("They are alike", [near]).verdict == "held"
    assert claim_comparable("They are alike", [near, far]).verdict == "held in part"


def test_a_pair_without_a_shared_range_does_not_make_a_claim_hold():
    """One clear pair and one that cannot be compared: held in part, not held."""
    clear = compare(line("a", 2, xs=range(1, 6)) + line("b", 4, xs=range(1, 6)), "a", "b")
    nothing = compare([], "a", "c")
    assert claim_below("a is best.", [clear]).verdict == "held"
    assert claim_below("a is best.", [clear, nothing]).verdict == "held in part"
    assert claim_below("a is best.", [nothing]).verdict == "undecided"


def test_curves_are_sorted_and_of_one_source():
    points = [*reversed(line("a", 1)), *line("a", 3, source="paper")]
    assert [p.x for p in curve(points, "a")] == [0, 1, 2, 3, 4, 5]
    assert len(curve(points, "a", "paper")) == 6
