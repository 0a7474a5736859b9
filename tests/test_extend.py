"""Rules of one's own."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from boclust.run.extend import SAMPLING, STOPPING, Sampling, register
from boclust.stopping.constant import Constant
from boclust.stopping.weakest_link import weakest_link

import boclust
from boclust.sampling.round_robin import RoundRobin
from boclust.stopping.certificate import Certificate


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


@kernel
def never(rules, run, a, b, m, n):
    return -1.0


@pytest.mark.parametrize("base", [Constant, Certificate])
def test_evidence_of_ones_own_is_what_counts(base):
    """A rule with neither a code nor a kernel of its own compares v itself."""

    class Mine(base):
        name = "mine"

        def kernels(self, dim, family):
            return weakest_link, never

    register(Mine)
    register(type("Plain", (base,), {"name": "plain"}))
    for name, done in (("plain", True), ("mine", False)):
        learner = boclust.Learner(3, 2, 0.1, dim=2, algorithm=boclust.Algorithm("rr", name))
        for value in ([0, 0], [1, 0], [9, 9]) * 20:
            learner.tell(learner.ask(), np.array(value, dtype=float))
            if learner.done:
                break
        assert learner.done == done


def test_only_the_rule_of_mixtures_has_a_prior():
    """What another global rule means by its parameter is its own affair."""
    register(type("Other", (Constant,), {"name": "other", "parameter": 50.0}))
    instance = boclust.Instance([[0, 0], [1, 0], [4, 4]], n_clusters=2)
    rules = [boclust.Algorithm("rr", name) for name in ("other", "constant")]
    one, other = boclust.simulate(instance, rules, [0.1], trials=5).summary()
    assert one["mean_samples"] == other["mean_samples"]


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
