"""The state is a function of the log: a replay, a restore and a run give the same bits."""

import numpy as np
import pytest

import boclust
from boclust.study import snapshot
from support.instances import thorough
from support.problems import PROBLEMS, bits, sample, work


@pytest.mark.compiled
@pytest.mark.parametrize("rounds", [2, thorough(6)])
@pytest.mark.parametrize(("algorithm", "problem"), PROBLEMS)
def test_a_study_is_its_log(memory, monkeypatch, rng, algorithm, problem, rounds):
    """In one process, in others that open it from snapshots, and replayed."""
    monkeypatch.setattr(snapshot, "interval", lambda state: 11)
    study = boclust.Study.create(
        memory, "x", **{"delta": 1e-3, "algorithm": algorithm, "lease": 1e6, **problem}
    )
    for _ in range(rounds):
        work(study, rng, 12)
        assert study.verify().ok
        other = boclust.Study.open(memory, "x")
        assert bits(other) == bits(study)
        before = bits(study)
        study.status(), study.explain()
        assert bits(study) == before  # to look changes nothing
        work(other, rng, 3)
        assert bits(other) == bits(study)
    assert study.verify().snapshot == "equal"


@pytest.mark.compiled
@pytest.mark.parametrize("turns", [25, thorough(60)])
@pytest.mark.parametrize(("algorithm", "problem"), PROBLEMS)
def test_restored_learners_go_on_the_same(memory, rng, algorithm, problem, turns):
    """At every moment, a restored learner continues exactly like the original."""
    study = boclust.Study.create(
        memory, "x", **{"delta": 1e-9, "algorithm": algorithm, "lease": 1e6, **problem}
    )
    learner = study._session.spec.learner()
    for turn in range(turns):
        arms = [0] if learner.done else learner.ask(int(rng.integers(1, 4)))
        samples = [np.atleast_1d(sample(rng, study, arm)) for arm in arms]
        twin = learner.copy()
        for arm, value in zip(arms, samples, strict=True):
            learner.tell(arm, value)
        twin.pending = learner.pending
        twin.replay(np.array(arms), np.array(samples))
        for name, array in learner.arrays().items():
            assert array.tobytes() == twin.arrays()[name].tobytes(), (turn, name)
        if not learner.done:
            assert learner.ask() == twin.ask()
        learner = twin
