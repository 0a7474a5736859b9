"""Studies of every algorithm, family and dimension, and how tests work on them."""

import numpy as np

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
    return study._session.read(lambda state: snapshot.dump(state))


def told(means, n_clusters, family=None):
    """A learner with one sample of each arm."""
    learner = boclust.Learner(len(means), n_clusters, 0.1, dim=means.shape[1], family=family)
    for arm, mean in enumerate(means):
        learner.tell(arm, mean)
    return learner
