"""The loop: what it checks of a rule, and what a look leaves as it is."""

import json
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import boclust
from boclust.extend import Sampling, Struct, f1, group, i1, kernel, register, scratch
from boclust.run.engine import RuleError
from boclust.sampling import SAMPLING
from boclust.sources import Simulated, arm_keys

LINE = boclust.Instance([0.0, 0.5, 3.0, 3.5], 2)


@pytest.fixture(autouse=True)
def forgotten():
    """What a test registers is gone when it ends."""
    before = dict(SAMPLING)
    yield
    SAMPLING.clear()
    SAMPLING.update(before)


class Tally(Struct):
    """Sums of squares, the turn, and a place that is not saved."""

    squares: f1
    turn: i1
    work: f1 = scratch


@kernel
def observe(run, own, arm):
    own.squares[arm] += run.sample[0] ** 2


@kernel
def update(run, own):
    group(run)
    own.turn[0] += 1


@kernel
def select(run, own):
    """Every other time the arm with the least sum of squares, else all in turn."""
    m = run.counts.shape[0]
    if own.turn[0] % 2 == 0:
        return own.turn[0] // 2 % m
    for i in range(m):
        own.work[i] = own.squares[i]
    return own.work.argmin()


@dataclass(frozen=True)
class Squares(Sampling):
    name: ClassVar[str] = "squares"
    reason: ClassVar[str] = "the least squares so far"
    kernels: ClassVar = (observe, update, select)

    def new(self, problem):
        m = problem.n_arms
        return Tally(squares=np.zeros(m), turn=np.zeros(1, dtype=np.int64), work=np.zeros(m))

    def check(self, problem, run, state):
        assert state.turn[0] >= 0


@kernel
def out_of_range(run, own):
    return own.turn[0] + 4


@kernel
def negative(run, own):
    return -1


@pytest.mark.parametrize(("bad", "arm"), [(out_of_range, r"\d+"), (negative, "-1")])
def test_an_arm_that_does_not_exist_stops_the_run(bad, arm):
    """A simulation and a learner alike, with an error that names the rule."""

    class Wrong(Squares):
        name = "wrong"
        kernels = (observe, update, bad)

    register(Wrong)
    rule = boclust.Algorithm("wrong", "local-directional")
    message = rf"^the sampling rule 'wrong' must select an arm from 0 to 3, got {arm}$"
    with pytest.raises(ValueError, match=message):
        boclust.simulate(LINE, [rule], [0.1], 2)
    learner = boclust.Learner(4, 2, 0.1, algorithm=rule)
    for _ in range(4):  # forced exploration comes first
        arm = learner.ask()
        learner.tell(arm, LINE.means[arm, 0])
    before = learner.state()
    with pytest.raises(RuleError, match=message):
        learner.ask(20)
    assert learner.pulls.tolist() == [1, 1, 1, 1]
    assert {**learner.state(), "pending": 0} == {**before, "pending": 0}


def source(seed):
    made = Simulated(LINE)
    made.reset(keys=arm_keys(4, seed, (0, 0)))
    return made


def go_on(learner, sample, steps):
    while not learner.done and steps > 0:
        arm = learner.ask()
        learner.tell(arm, sample(arm))
        steps -= 1


def everything(learner):
    """All arrays of the run and of both states, work space included."""
    return {
        f"{owner}.{name}": value.copy()
        for owner, struct in learner._live.structs.items()
        for name, value in vars(struct).items()
        if isinstance(value, np.ndarray) and name not in ("reach", "weights")
    }


@pytest.mark.compiled
@pytest.mark.parametrize("name", boclust.algorithms())
@pytest.mark.parametrize("threshold", [np.inf, -np.inf])
def test_a_look_with_an_infinite_threshold_changes_nothing(name, threshold):
    """Except for work space, which every look fills before it reads it."""
    learner = boclust.Learner(4, 2, 1e-6, algorithm=name)
    sample = source(2)
    for _ in range(4):
        go_on(learner, sample, 15)
        before, saved = everything(learner), learner.state()
        first = learner._engine.statistic(learner._live, threshold)
        assert learner._engine.statistic(learner._live, threshold) == first
        assert learner.state() == saved
        for key, array in everything(learner).items():
            np.testing.assert_array_equal(array, before[key], err_msg=key)


@pytest.mark.parametrize("steps", [3, 30])
def test_the_state_of_a_rule_of_ones_own_is_saved_with_the_run(steps):
    register(Squares)
    rule = boclust.Algorithm("squares", "local-directional")
    (row,) = boclust.simulate(LINE, [rule], [0.1], 1, seed=6).table.to_pylist()
    whole = boclust.Learner(4, 2, 0.1, algorithm=rule)
    go_on(whole, source(6), row["n_samples"])
    assert whole.pulls.tolist() == row["pulls"]
    sample = source(6)
    first = boclust.Learner(4, 2, 0.1, algorithm=rule)
    go_on(first, sample, steps)
    saved = json.loads(json.dumps(first.state()))
    assert {"sampling.squares", "sampling.turn"} <= set(saved)
    assert "sampling.work" not in saved
    second = boclust.Learner(4, 2, 0.1, algorithm=rule)
    second.restore(saved)
    go_on(second, sample, row["n_samples"] - steps)
    assert second.state() == whole.state()
