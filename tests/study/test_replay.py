"""The state is a function of the log: replayed, restored or run through, the same bits."""

import numpy as np
import pytest

import boclust
from boclust.study import NothingToAskError, StudyStoppedError, snapshot

FEW = dict(arms=7, n_clusters=3)
PROBLEMS = [
    *((name, dict(arms=6, n_clusters=2)) for name in boclust.algorithms()),
    ("span", dict(FEW, dim=2)),
    ("atboc", dict(FEW, dim=2)),
    ("lucbboc-ucb", dict(FEW, dim=2)),
    ("span", dict(FEW, family=boclust.Bernoulli())),
    ("span", dict(FEW, family=boclust.Poisson("mean"))),
    ("span", dict(FEW, family=boclust.Exponential())),
    ("span", dict(FEW, family=boclust.Bounded(-20, 20))),
    ("span", dict(FEW, family=boclust.Bounded(-20, 20), dim=2)),
    ("boc-elim", dict(FEW, family=boclust.Bernoulli())),
    ("span", dict(arms=60, n_clusters=3)),
    ("span", dict(arms=60, n_clusters=3, dim=2)),
    ("span", dict(arms=4, n_clusters=4)),
]


def sample(rng, study, arm):
    spec = study._session.spec
    mean = 3.0 * (arm % spec.n_clusters) + 0.1 * arm
    if spec.family.name == "bernoulli":
        return float(rng.random() < 0.1 + 0.8 * (arm % 2))
    if spec.family.name == "poisson":
        return float(rng.poisson(1 + mean))
    if spec.family.name == "exponential":
        return float(rng.exponential(1 + mean))
    value = np.clip(rng.normal(mean, 1.0, spec.dim), -20, 20)
    return float(value[0]) if spec.dim == 1 else value.tolist()


def work(study, rng, rounds):
    """Asks, answers in any order, values without an ask, and some revisions."""
    told = []
    for _ in range(rounds):
        try:
            asks = study.ask(int(rng.integers(1, 9)), client=f"client {rng.integers(3)}")
        except (StudyStoppedError, NothingToAskError):
            asks = []
        rng.shuffle(asks)
        for ask in asks[: rng.integers(len(asks) + 1)]:
            told.append(study.tell(ask, sample(rng, study, ask.arm)))
        arms = rng.integers(len(study.arms), size=rng.integers(4)).tolist()
        told += study.tell_many([(arm, sample(rng, study, arm)) for arm in arms])
        if told and rng.random() < 0.05:
            study.void(told.pop(rng.integers(len(told))), "random")
        if told and rng.random() < 0.05:
            seq = told[rng.integers(len(told))]
            arm = next(study.history(seq - 1))["arm"]
            number = [a.name for a in study.arms].index(arm)
            study.correct(seq, sample(rng, study, number), f"random {rng.random()}")


def bits(study):
    """The state in use, in bytes."""
    return study._session.read(lambda _, state: snapshot.dump(state))


@pytest.mark.compiled
@pytest.mark.parametrize(("algorithm", "problem"), PROBLEMS)
def test_a_study_is_its_log(memory, monkeypatch, rng, algorithm, problem):
    """Run through by one process, by others that open it from snapshots, and replayed."""
    monkeypatch.setattr(snapshot, "interval", lambda state: 11)
    study = boclust.Study.create(
        memory, "x", **{"delta": 1e-3, "algorithm": algorithm, "lease": 1e6, **problem}
    )
    for _ in range(6):
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
@pytest.mark.parametrize(("algorithm", "problem"), PROBLEMS)
def test_restored_learners_go_on_the_same(memory, rng, algorithm, problem):
    """At every moment: a learner that is restored takes the next samples as the first one does."""
    study = boclust.Study.create(
        memory, "x", **{"delta": 1e-9, "algorithm": algorithm, "lease": 1e6, **problem}
    )
    learner = study._session.spec.learner()
    for turn in range(60):
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
