"""Figures from made up tasks."""

from pathlib import Path

import pytest

import boclust
from boclust.paper import figure
from boclust.paper.simulated_figure import Problem, SimulatedFigure
from boclust.paper.tasks import Task
from boclust.sources import Simulated
from support.figures import made_up

SMALL = boclust.Instance([0, 1, 5, 6], 2)


@pytest.fixture
def made(monkeypatch):
    """A figure, its made up tasks and its points; simulated ones on a small instance."""

    def make(name, **factors):
        one = figure(name, Path("nowhere"))
        if isinstance(one, SimulatedFigure):
            problem = Problem(SMALL, Simulated(SMALL), name)
            monkeypatch.setattr(type(one), "make_problem", lambda self: problem)
        if name == "movielens_means":
            monkeypatch.setattr(
                type(one), "tasks", lambda *_, **__: [Task({"means of": "x"}, list)]
            )
        found = [(task, made_up(task, **factors)) for task in one.tasks(quick=True)]
        return one, found, one.paper_points() + one.points(found)

    return make
