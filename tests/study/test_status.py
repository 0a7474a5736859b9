"""Estimates of the remaining samples."""

import numpy as np
import pytest

import boclust
from boclust.study.status import remaining

MEANS = [0, 0.5, 1, 2.5, 3, 4.5, 5]


@pytest.mark.slow
def test_how_often_the_interval_holds():
    """Not a guarantee: the measurement that the docstring of ``remaining`` reports."""
    inside = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        learner = boclust.Learner(7, 3, 0.01)
        estimate = None
        while not learner.done:
            if learner.n_samples == 600:
                estimate = remaining(learner.copy())
            arm = learner.ask()
            learner.tell(arm, float(rng.normal(MEANS[arm])))
        if estimate is not None:
            inside.append(estimate.low <= learner.n_samples - 600 <= estimate.high)
    assert len(inside) >= 30
    assert np.mean(inside) >= 0.85
