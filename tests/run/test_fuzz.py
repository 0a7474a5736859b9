"""Whatever is restored, replayed, asked or told: refused in one line, or taken without harm."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import boclust
from boclust import Algorithm, Learner
from boclust.extend import Problem, Run, Struct, kernel, observe_nothing, register
from boclust.run.engine import RuleError
from boclust.sampling import SAMPLING
from boclust.sampling.round_robin import RoundRobin
from boclust.stopping import STOPPING
from boclust.stopping.own import FixedSize
from run import fuzz
from support.instances import few, thorough

SETTINGS = fuzz.settings()


@pytest.mark.compiled
@pytest.mark.parametrize(("first", "count", "stride"), [(0, 240, 37), thorough(0, 5000, 4)])
def test_damaged_input_does_no_harm(first, count, stride):
    found = fuzz.in_children(first, count, stride)
    assert not found["trouble"], "\n".join(found["trouble"])
    assert sum(found["outcomes"].values()) == count
    assert found["outcomes"]["refused"] > count // 3
    assert found["outcomes"]["accepted"] > count // 50


def assert_goes_on(setting, seed, steps):
    """A run that is saved and restored now and then decides as one that never was."""
    rng = np.random.default_rng([seed, 3])
    whole, parted = setting.learner(), setting.learner()
    for _ in range(steps):
        if rng.random() < 0.3:
            saved = parted.state()
            parted = setting.learner()
            parted.restore(saved)
            assert parted.state() == saved
            assert parted.copy().state() == saved
        if not whole.done and rng.random() < 0.7:
            n = int(rng.integers(1, 4))
            assert parted.ask(n) == whole.ask(n)
        arm = int(rng.integers(setting.n_arms))
        if not whole.done and rng.random() < 0.7:
            arm = whole.ask()
            assert parted.ask() == arm
        value = setting.sample(rng, arm)
        whole.tell(arm, value)
        parted.tell(arm, value)
    assert parted.state() == whole.state()


@pytest.mark.compiled
@pytest.mark.parametrize(
    "stride", [37, pytest.param(1, marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_valid_states_are_never_refused(stride):
    for seed, setting in enumerate(SETTINGS[::stride]):
        assert_goes_on(setting, seed, few(40 if setting.n_arms < 20 else 120).stop)


@pytest.mark.parametrize("n_arms", [4, 60])
@pytest.mark.parametrize("only", ["one", "each"])
def test_where_there_is_only_one_clustering(n_arms, only):
    k = 1 if only == "one" else n_arms
    setting = fuzz.Setting("span", boclust.Gaussian(), 1, n_arms, k)
    assert_goes_on(setting, 0, 2 * n_arms)
    learner = setting.learner()
    learner.replay(np.array([*range(n_arms), -9]), np.zeros((n_arms, 1)))
    other = setting.learner()
    other.restore(learner.state())
    with pytest.raises(boclust.InvalidInputError, match="the only possible clustering, got None"):
        other.restore(learner.state() | {"certified": None})


@pytest.mark.compiled
def test_a_certified_run_is_restored():
    setting = fuzz.Setting("span", boclust.Gaussian(), 1, 3, 2)
    learner = setting.learner()
    while not learner.done:
        arm = learner.ask()
        learner.tell(arm, [0.0, 0.3, 9.0][arm])
    other = setting.learner()
    other.restore(learner.state())
    assert other.done
    assert other.state() == learner.state()
    with pytest.raises(boclust.InvalidInputError, match="None before every arm has a sample"):
        other.restore(setting.learner().state() | {"certified": [0, 0, 1]})


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("key", "change", "message"),
    [
        ("sampling.ends", lambda ends: [ends[0], ends[0], *ends[2:]], "bonds that span"),
        ("sampling.rivals", lambda rivals: [[0, 0], *rivals[1:]], "of different clusters"),
        ("sampling.clock", lambda clock: [*clock[:3], 10**6], "numbers from 0 to"),
        ("sampling.plan", lambda plan: [60, *plan[1:]], "numbers from 0 to 59"),
        ("sampling.quad", lambda quad: [quad[0], quad[0], *quad[2:]], "two arms of one cluster"),
        ("stopping.witness", lambda witness: [-1, *witness[1:]], "numbers from 0 to 59"),
    ],
)
def test_trees_among_many_arms_are_checked(key, change, message):
    setting = fuzz.Setting("span", boclust.Gaussian(2.0), 2, 60, 5)
    learner = setting.learner()
    fuzz.went_on(setting, learner, np.random.default_rng(3), 100)
    saved = learner.state()
    with pytest.raises(boclust.InvalidInputError, match=message):
        learner.restore(saved | {key: change(saved[key])})
    assert learner.state() == saved


# --- rules of one's own ---------------------------------------------------------------------------


@pytest.fixture
def _registered():
    before = dict(SAMPLING), dict(STOPPING)
    yield
    for known, old in zip((SAMPLING, STOPPING), before, strict=True):
        known.clear()
        known.update(old)


@kernel
def select_beyond(run: Run, own: Struct) -> int:
    return run.counts.shape[0]


@kernel
def not_a_number(run: Run, own: Struct, threshold: float) -> float:
    return np.nan


@dataclass(frozen=True)
class Beyond(RoundRobin):
    name: ClassVar[str] = "beyond"
    explores: ClassVar[bool] = False
    kernels = observe_nothing, RoundRobin.kernels[1], select_beyond


@dataclass(frozen=True)
class Vague(FixedSize):
    name: ClassVar[str] = "vague"
    kernels = observe_nothing, not_a_number

    def threshold(self, problem: Problem) -> float:
        return 1.0


@pytest.mark.compiled
@pytest.mark.usefixtures("_registered")
def test_rules_of_ones_own_that_misbehave():
    register(Beyond)
    register(Vague)
    learner = Learner(3, 2, 0.1, algorithm=Algorithm("beyond", "vague"))
    with pytest.raises(RuleError, match="'beyond' must select an arm from 0 to 2, got 3"):
        learner.ask()
    for arm in range(3):
        learner.tell(arm, float(arm))
    assert not learner.done
    with pytest.raises(RuleError, match="'vague' must return a number"):
        _ = learner.progress
