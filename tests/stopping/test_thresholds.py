"""Thresholds and guarantees of the rules that compare the generalised likelihood ratio."""

import numpy as np
import pytest

from boclust.problem.families import Gaussian
from boclust.run.state import Problem
from boclust.stopping.glr import Constant, Heuristic, Mixture, Paper


def test_thresholds_and_guarantees():
    problem = Problem(7, 1, 3, Gaussian(), 0.01)
    assert Paper().threshold(problem) == pytest.approx(2 * np.log(100))
    for rule in (Mixture(), Constant(), Heuristic()):
        assert rule.threshold(problem) == pytest.approx(np.log(100))
    for rule in (Heuristic(), Constant()):
        assert rule.guarantee(problem).startswith("none")
    assert "at most 0.01" in Mixture().guarantee(problem)
