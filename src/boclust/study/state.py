"""The state of a study as a function of its log: a fold over the events.

Time enters by the events' own times only (an ask has expired when the time of a later ask is past
its lease), and arms were written down when they were chosen, so a replay is exact. A value that was
voided is left out of the replay, one that was corrected is replaced, all others keep their order.
"""

import json
from collections.abc import Iterable, Mapping
from copy import copy
from operator import mul
from typing import NamedTuple

import numpy as np

from boclust._validate import IntArray
from boclust.study.checks import Budget
from boclust.study.events import Event, Kind, unpack
from boclust.study.spec import Spec
from boclust.study.trace import Course


class Held(NamedTuple):
    """An ask that has not been answered."""

    arm: int
    client: str | None
    until: int  # microseconds since 1970


class Batch(NamedTuple):
    """What the learner is given at once: see ``Learner.replay``, and ``Course`` for the moments."""

    steps: list[int]
    values: list[bytes]
    marks: list[int]
    moments: list[tuple[int, float, int]]


class State:
    """Everything that the events up to ``seq`` determine."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.learner = spec.learner()
        #: Bytes that the learner's arrays have.
        self.size = sum(array.nbytes for array in self.learner.arrays().values())
        self.course = Course(len(spec.arms))
        self.seq = 0
        self.time = 0
        #: Asks by their seq, in the order of asking and so of expiring.
        self.asks: dict[int, Held] = {}
        #: Values told of each arm: they were paid for, voided or not.
        self.taken = [0] * len(spec.arms)
        self._costs = [arm.cost for arm in spec.arms]
        self.budget = spec.budget
        self.paused = False
        #: Why the study was stopped by hand.
        self.closed: str | None = None
        self.voided = 0
        self.corrected = 0

    def apply(
        self,
        events: Iterable[Event],
        revised: Mapping[int, bytes | None] | None = None,
        planned: bool = False,
    ) -> None:
        """Take in the next events.

        ``revised`` holds what stands for values that events of the log, perhaps later ones, voided
        or corrected. ``planned``: the learner has been asked already, only the log has not.
        """
        batch = Batch([], [], [], [])
        samples = sum(self.taken)
        for event in events:
            self.seq, self.time = event.seq, max(self.time, event.time)
            if event.kind == Kind.TOLD:
                value = event.value if not revised else revised.get(event.seq, event.value)
                self.taken[event.arm or 0] += 1
                self.asks.pop(event.ask or 0, None)
                if value is not None:
                    batch.steps.append(event.arm or 0)
                    batch.values.append(value)
                samples += 1
                if samples % self.course.stride == 0:
                    batch.marks.append(len(batch.steps))
                    batch.moments.append((samples, self.cost, self.time))
                    if self.course.is_full(len(batch.moments)):  # from here on they are rarer
                        self._learn(batch)
                        batch = Batch([], [], [], [])
            elif event.kind == Kind.ASKED:
                if (count := self._asked(event)) and not planned:
                    batch.steps.append(-count)
            else:
                self._rarely(event)
        self._learn(batch)

    def _learn(self, batch: Batch) -> None:
        """Take values and asks into the learner, and points into the course."""
        if batch.steps or batch.marks:
            shown = self.learner.replay(
                np.array(batch.steps, dtype=np.int64),
                unpack(batch.values, self.spec.dim),
                np.array(batch.marks, dtype=np.int64),
            )
            self.course.add(batch.moments, shown.tolist())

    def copy(self) -> "State":
        """Another in the same state; what one is told does not concern the other."""
        twin = copy(self)
        twin.learner = self.learner.copy()
        twin.asks, twin.taken = dict(self.asks), list(self.taken)
        twin.course = self.course.copy()
        return twin

    def _asked(self, event: Event) -> int:
        """Note an ask; returns how many were asked for together, 0 for all but the first."""
        while self.asks:
            oldest = next(iter(self.asks))
            if self.asks[oldest].until > event.time:
                break
            del self.asks[oldest]
        until = event.time + round(1e6 * self.spec.lease)
        self.asks[event.seq] = Held(event.arm or 0, event.client, until)
        return 1 if event.payload is None else int(json.loads(event.payload)["batch"])

    def _rarely(self, event: Event) -> None:
        """Events that are neither asks nor values."""
        said = json.loads(event.payload or "{}")
        if event.kind == Kind.VOIDED:
            self.voided += 1
        elif event.kind == Kind.CORRECTED:
            self.corrected += 1
        elif event.kind in (Kind.PAUSED, Kind.RESUMED):
            self.paused = event.kind == Kind.PAUSED
        elif event.kind == Kind.BUDGET:
            self.budget = Budget(**said["budget"])
        elif event.kind == Kind.STOPPED and said["how"] == "stopped":
            self.closed = said["reason"]

    # --- what follows -------------------------------------------------------------------------

    @property
    def cost(self) -> float:
        """What all values that were told have cost."""
        return float(sum(map(mul, self.taken, self._costs)))

    @property
    def ended(self) -> str | None:
        """How the study ended: "certified", "stopped" (by hand), "budget"; None while it runs."""
        if self.learner.done:
            return "certified"
        if self.closed is not None:
            return "stopped"
        return "budget" if self.is_spent(0, 0.0) else None

    def is_spent(self, samples: int, cost: float) -> bool:
        """Whether the budget is at its end with so many samples and so much cost on the way."""
        most = self.budget
        if most.samples is not None and sum(self.taken) + samples >= most.samples:
            return True
        return most.cost is not None and self.cost + cost >= most.cost

    def live(self, now: int) -> dict[int, Held]:
        """The asks whose lease has not expired."""
        return {seq: held for seq, held in self.asks.items() if held.until > now}

    def pending(self, now: int) -> IntArray:
        """How many of them there are of each arm."""
        arms = [held.arm for held in self.live(now).values()]
        return np.bincount(arms, minlength=len(self.spec.arms)).astype(np.int64)
