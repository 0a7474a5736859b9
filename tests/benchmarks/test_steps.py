"""The NumPy baseline takes the same steps, and the kernels are at least 100 times faster."""

import sys
from pathlib import Path

import pytest

import boclust
from boclust.sources import Simulated, arm_keys

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def steps(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import steps

    yield steps
    for name in ("steps", "numpy_steps"):
        sys.modules.pop(name, None)


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["span", "lucbboc-ucb"])
def test_the_baseline_chooses_the_same_arms(steps, name):
    learner, run = boclust.Learner(7, 3, steps.DELTA, algorithm=name), steps.baseline(name)
    source = Simulated(steps.SEVEN)
    source.reset(keys=arm_keys(7, 1, (0, 0)))
    for _ in range(150):
        arm = learner.ask()
        assert arm in run.candidates()
        value = source(arm)
        learner.tell(arm, value)
        assert run.tell(arm, value) == learner.done


@pytest.mark.slow
def test_kernels_against_numpy(steps):
    """A ratio measured in one run; times alone are not a pass mark."""
    rows = {row["algorithm"]: row for row in steps.measure()}
    assert rows["span"]["ratio"] >= 100
    assert rows["lucbboc-ucb"]["ratio"] >= 100
