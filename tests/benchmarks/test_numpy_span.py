"""``span`` in NumPy chooses the same arms and stops at the same sample."""

import pytest

import boclust
from benchmarks.numpy_span import Span
from boclust.sources import Simulated, arm_keys

SEVEN = boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], 3)


@pytest.mark.compiled
def test_the_same_arms():
    learner = boclust.Learner(7, 3, delta=0.01)
    run = Span(7, 3, learner.explain().threshold)
    source = Simulated(SEVEN)
    source.reset(keys=arm_keys(7, 1, (0, 0)))
    for _ in range(150):
        arm = learner.ask()
        assert arm in run.candidates()
        value = source(arm)
        learner.tell(arm, value)
        assert run.tell(arm, value) == learner.done
