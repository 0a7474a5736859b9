"""Rules of one's own."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import boclust
from boclust.evidence.base import Evidence
from boclust.evidence.cost import Cost
from boclust.extend import Sampling, register
from boclust.sampling import SAMPLING
from boclust.sampling.round_robin import RoundRobin
from boclust.stopping import STOPPING
from boclust.stopping.certificate import Certificate
from boclust.stopping.glr import Constant, InSpace, NoGrowth


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
    kernels: ClassVar = RoundRobin.kernels

    def new(self, problem):
        return RoundRobin().new(problem)


def test_a_rule_is_taken_by_its_name():
    instance = boclust.Instance([0, 1, 5], n_clusters=2)
    register(Turn)
    found = boclust.simulate(instance, [boclust.Algorithm("turn", "paper"), "rr"], [0.1], trials=3)
    one, other = (row["mean_samples"] for row in found.summary())
    assert one == other
    learner = boclust.Learner(3, 2, 0.1, algorithm=boclust.Algorithm("turn"))
    assert learner.ask() == 0


class Never(Evidence):
    """No claim is ever refuted."""

    share: float

    def against(self, run, a, b, m, n, threshold):
        return -self.share


def with_evidence(base, evidence):
    """A rule that goes by this evidence."""

    def new(self, problem, sampling_state):
        if base is Certificate:
            return evidence
        growth = NoGrowth(parameter=0.0)
        return InSpace(growth=growth, cost=evidence, lifts=np.zeros(problem.n_arms))

    return type("Mine", (base,), {"name": "mine", "new": new})


@pytest.mark.parametrize("base", [Constant, Certificate])
@pytest.mark.parametrize(
    ("evidence", "done"), [(Cost(precision=0.0), True), (Never(share=1.0), False)]
)
def test_evidence_of_ones_own_is_what_counts(base, evidence, done):
    register(with_evidence(base, evidence))
    learner = boclust.Learner(3, 2, 0.1, dim=2, algorithm=boclust.Algorithm("rr", "mine"))
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
    with pytest.raises(
        ValueError, match=r"^rule must be a subclass of Sampling or Stopping .*, got "
    ):
        register(rule)


def test_names_that_are_taken():
    with pytest.raises(ValueError, match="got 'rr', the name of RoundRobin"):
        register(type("Mine", (Turn,), {"name": "rr"}))
    with pytest.raises(ValueError, match="got 'constant', the name of Constant"):
        register(type("Mine", (Constant,), {"name": "constant"}))
