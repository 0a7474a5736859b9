"""Where a study stands, for people and programs."""

from dataclasses import dataclass
from math import inf, isfinite, sqrt
from typing import Any, NamedTuple

import numpy as np

from boclust.run.learner import Learner
from boclust.study.checks import Budget
from boclust.study.spec import Arm
from boclust.study.state import State

#: Standard deviations either side of the estimate: nine in ten for a normal variable.
WIDTH = 1.645


@dataclass(frozen=True)
class Ask:
    """A sample to take: ``arm`` is its number, ``name`` its name; ``until`` when the lease ends."""

    id: str
    arm: int
    name: str
    client: str | None
    until: str


class Estimate(NamedTuple):
    """A number that is likely to lie from ``low`` to ``high``."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class ArmStatus:
    """An arm: ``samples`` that count, its mean (None before the first), asks that are out."""

    name: str
    cost: float
    tags: tuple[str, ...]
    samples: int
    estimate: list[float] | None
    pending: int
    cluster: int | None


@dataclass(frozen=True)
class Status:
    """Where a study stands.

    ``state`` is "open", "paused", or how it ended: "certified", "budget", "stopped". ``clusters``
    are names of arms, None before each arm has a sample. ``samples`` counts values told, voided or
    not; ``voided`` and ``corrected`` how many were. ``remaining_samples`` and ``remaining_cost``
    estimate what the certificate still needs: see ``remaining``; None where there is nothing to go
    by. ``guarantee`` is the statement that holds now, ``notes`` what limits it.
    """

    name: str
    state: str
    n_clusters: int
    delta: float
    clusters: list[list[str]] | None
    progress: float
    guarantee: str
    notes: tuple[str, ...]
    samples: int
    cost: float
    budget: Budget
    remaining_samples: Estimate | None
    remaining_cost: Estimate | None
    arms: tuple[ArmStatus, ...]
    asks: tuple[Ask, ...]
    voided: int
    corrected: int
    events: int


def remaining(learner: Learner) -> Estimate | None:
    """How many more samples the certificate needs.

    Evidence Z grows at a rate r for each sample and must still grow by b. It is taken for a
    Brownian motion with drift r and variance 2 r a sample, which is what the log-likelihood ratio
    against one alternative is for Gaussian samples at fixed proportions. Then the time to gain b
    has mean b / r and variance 2 b / r^2, and r itself is known up to a relative variance of 2 / Z.
    The interval is 1.645 standard deviations either side, nine in ten if all that were so: clusters
    that change, or another alternative that becomes the nearest, are not foreseen. In simulations
    (``span``, six and seven arms, delta = 0.01; 26 to 35 runs each) it held in 89 to 97 % of the
    runs from 300 samples on; after 100 it could be given in few runs only, and was too low in some.
    """
    said = learner.explain()
    if learner.done:
        return Estimate(0.0, 0.0, 0.0)
    if not isfinite(said.remaining) or said.remaining < 0:
        return None
    gap = said.threshold - said.evidence
    shown = max(said.evidence, 0.0)
    error = sqrt(2.0 / gap + (2.0 / shown if shown > 0 else inf))
    spread = WIDTH * said.remaining * error
    return Estimate(said.remaining, max(said.remaining - spread, 0.0), said.remaining + spread)


def costs_of(samples: Estimate | None, learner: Learner, arms: tuple[Arm, ...]) -> Estimate | None:
    """What so many samples cost at the present proportions."""
    if samples is None or learner.n_samples == 0:
        return None
    mean = sum(int(n) * arm.cost for n, arm in zip(learner.pulls, arms, strict=True))
    return Estimate(*(number * mean / learner.n_samples for number in samples))


def clusters_of(learner: Learner, arms: tuple[Arm, ...]) -> list[list[str]] | None:
    """The names of the arms of each cluster."""
    if (labels := learner.labels) is None:
        return None
    return [
        [arm.name for arm, label in zip(arms, labels, strict=True) if label == k]
        for k in range(learner.n_clusters)
    ]


def notes_on(state: State) -> tuple[str, ...]:
    """What limits the guarantee."""
    notes = []
    for count, done in ((state.voided, "voided"), (state.corrected, "corrected")):
        if count:
            were = "observation was" if count == 1 else "observations were"
            notes.append(
                f"{count} {were} {done}: the guarantee holds if the reasons did not depend on the "
                "values"
            )
    if parent := state.spec.parent:
        notes.append(
            f"forked from {parent['name']!r} (n_clusters = {parent['n_clusters']}, delta = "
            f"{parent['delta']:g}) after {parent['events']} events: the guarantee holds for this "
            "study alone, and if its parameters were not chosen by the values"
        )
    return tuple(notes)


def status_of(name: str, state: State, asks: tuple[Ask, ...]) -> Status:
    """All of it, from a copy of the state: to look at the evidence may change what is kept."""
    learner = state.learner
    arms = state.spec.arms
    pending = np.bincount([ask.arm for ask in asks], minlength=len(arms)).astype(np.int64)
    learner.pending = pending
    samples = remaining(learner)
    labels: Any = [None] * len(arms) if learner.labels is None else learner.labels.tolist()
    pulls, means = learner.pulls.tolist(), learner.estimates.tolist()
    return Status(
        name=name,
        state=state.ended or ("paused" if state.paused else "open"),
        n_clusters=learner.n_clusters,
        delta=learner.delta,
        clusters=clusters_of(learner, arms),
        progress=learner.progress,
        guarantee=learner.guarantee,
        notes=notes_on(state),
        samples=sum(state.taken),
        cost=state.cost,
        budget=state.budget,
        remaining_samples=samples,
        remaining_cost=costs_of(samples, learner, arms),
        arms=tuple(
            ArmStatus(
                arm.name, arm.cost, arm.tags, pulls[i], means[i] if pulls[i] else None,
                int(pending[i]), labels[i],
            )
            for i, arm in enumerate(arms)
        ),
        asks=asks,
        voided=state.voided,
        corrected=state.corrected,
        events=state.seq,
    )  # fmt: skip
