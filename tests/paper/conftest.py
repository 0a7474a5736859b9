"""Figures from made up cells."""

from pathlib import Path

import pytest

import boclust
from boclust.paper import figure
from boclust.paper.cells import Cell
from boclust.paper.simulated import Problem, SimulatedFigure
from boclust.sources import Simulated
from figures import made_up

SMALL = boclust.Instance([0, 1, 5, 6], 2)


@pytest.fixture
def made(monkeypatch):
    """A figure, its made up cells and its points; simulated ones on a small instance."""

    def make(name, **factors):
        one = figure(name, Path("nowhere"))
        if isinstance(one, SimulatedFigure):
            problem = Problem(SMALL, Simulated(SMALL), name)
            monkeypatch.setattr(type(one), "make_problem", lambda self: problem)
        if name == "movielens_means":
            monkeypatch.setattr(
                type(one), "cells", lambda *_, **__: [Cell({"means of": "x"}, list)]
            )
        found = [(cell, made_up(cell, **factors)) for cell in one.cells(quick=True)]
        return one, found, one.paper_points() + one.points(found)

    return make
