"""The paper's points are all there, and every series of every figure is made here too."""

import csv
from pathlib import Path

import pytest

from boclust.paper import NAMES, figure
from boclust.paper.published import published, series_of

FIGURES = [name for name in NAMES if series_of(name)]


def test_points_are_those_of_the_papers_source():
    beside = Path(__file__).resolve().parents[3] / "shared" / "paper" / "figures.csv"
    if not beside.exists():
        pytest.skip("the paper's source is not beside the project")
    rows = list(csv.DictReader(beside.read_text().splitlines()))
    assert sorted({row["figure"] for row in rows}) == sorted(FIGURES)
    for row in rows:
        (point,) = (
            p
            for p in published(row["figure"], row["series"])
            if (p.x, p.y) == (float(row["x"]), float(row["y"]))
        )
        assert (point.x_name, point.y_name) == (row["x_name"], row["y_name"])
        assert (point.half_deviation is None) == (row["half_std_as_drawn"] == "")


@pytest.mark.parametrize("name", FIGURES)
def test_every_series_of_the_paper_is_measured(name, made):
    _, _, points = made(name)
    here = {p.series for p in points if p.source == "here"}
    assert set(series_of(name)) <= here
    if name != "movielens_means":
        assert any(series.startswith("span") for series in here)


def test_names_say_what_they_are():
    for name in NAMES:
        one = figure(name)
        assert one.name == name
        assert one.title
        assert one.place.startswith(("Figure", "Table"))
