"""Rules of one's own."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

import boclust
from boclust.extend import SAMPLING, STOPPING, Sampling, register
from boclust.sampling.round_robin import RoundRobin
from boclust.stopping.constant import Constant


@pytest.fixture(autouse=True)
def forgotten():
    """What a test registers is gone when it ends."""
    before = dict(SAMPLING), dict(STOPPING)
    yield
    for known, old in zip((SAMPLING, STOPPING), before, strict=True):
        known.clear()
        known.update(old)


@dataclass(frozen=True)
class Turn(Sampling):
    name: ClassVar[str] = "turn"
    reason: ClassVar[str] = "its turn"

    def kernels(self, dim):
        return RoundRobin().kernels(dim)


def test_a_rule_is_taken_by_its_name():
    instance = boclust.Instance([0, 1, 5], n_clusters=2)
    register(Turn)
    found = boclust.simulate(instance, [boclust.Algorithm("turn", "paper"), "rr"], [0.1], trials=3)
    one, other = (row["mean_samples"] for row in found.summary())
    assert one == other
    learner = boclust.Learner(3, 2, 0.1, algorithm=boclust.Algorithm("turn"))
    assert learner.ask() == 0


def test_a_class_may_be_defined_anew():
    register(Turn)
    assert register(Turn) is Turn


@pytest.mark.parametrize("rule", [int, 3, Sampling, Constant(), type("Nameless", (Constant,), {})])
def test_what_is_no_rule(rule):
    with pytest.raises(ValueError, match=r"rule: .* accepted: a subclass of Sampling or Stopping"):
        register(rule)


def test_names_that_are_taken():
    with pytest.raises(ValueError, match="'rr' is the name of RoundRobin"):
        register(type("Mine", (Turn,), {"name": "rr"}))
    with pytest.raises(ValueError, match="'constant' is the name of Constant"):
        register(type("Mine", (Constant,), {"name": "constant"}))
