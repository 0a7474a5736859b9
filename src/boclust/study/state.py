"""The state of a study: a fold over its events.

A replay is exact: the log records the arms that were chosen, and time enters only through the times
of events (an ask has expired if a later ask came after its lease). A replay skips voided values,
uses corrected ones, and keeps the order of the others.
"""

import json
from collections.abc import Iterable, Mapping
from copy import copy
from operator import mul
from typing import Literal, NamedTuple

import numpy as np

from boclust._validate import IntArray
from boclust.study.events import Event, Kind, unpack
from boclust.study.spec import Budget, Spec
from boclust.study.trace import Points

Ending = Literal["certified", "budget", "stopped"]


class PendingAsk(NamedTuple):
    """An ask without an answer."""

    arm: int
    client: str | None
    until: int  # microseconds since 1970


class Batch(NamedTuple):
    """Arguments of ``Learner.replay``, with the (samples, cost, time) of each mark."""

    steps: list[int]
    values: list[bytes]
    marks: list[int]
    moments: list[tuple[int, float, int]]


class State:
    """Everything that follows from the events up to ``seq``."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.learner = spec.learner()
        #: Bytes in the learner's arrays.
        self.size = sum(array.nbytes for array in self.learner.arrays().values())
        self.trace = Points(len(spec.arms))
        self.seq = 0
        self.time = 0
        #: Asks by their seq, in the order of asking and thus of expiry.
        self.asks: dict[int, PendingAsk] = {}
        #: Values told per arm, voided or not: all of them cost something.
        self.told = [0] * len(spec.arms)
        self._costs = [arm.cost for arm in spec.arms]
        self.budget = spec.budget
        self.paused = False
        #: The reason given to ``Study.stop``.
        self.stop_reason: str | None = None
        self.voided = 0
        self.corrected = 0

    def apply(
        self,
        events: Iterable[Event],
        revised: Mapping[int, bytes | None] | None = None,
        planned: bool = False,
    ) -> None:
        """Add the next events to the state.

        ``revised`` maps the seq of voided and corrected observations to their present value (None
        for voided ones). Pass ``planned`` if the learner has already planned the asks among the
        events.
        """
        batch = Batch([], [], [], [])
        samples = sum(self.told)
        for event in events:
            self.seq, self.time = event.seq, max(self.time, event.time)
            if event.kind == Kind.TOLD:
                value = event.value if not revised else revised.get(event.seq, event.value)
                self.told[event.arm or 0] += 1
                self.asks.pop(event.ask or 0, None)
                if value is not None:
                    batch.steps.append(event.arm or 0)
                    batch.values.append(value)
                samples += 1
                if samples % self.trace.stride == 0:
                    batch.marks.append(len(batch.steps))
                    batch.moments.append((samples, self.cost, self.time))
                    if self.trace.is_full(len(batch.moments)):  # the stride doubles here
                        self._observe(batch)
                        batch = Batch([], [], [], [])
            elif event.kind == Kind.ASKED:
                if (count := self._add_ask(event)) and not planned:
                    batch.steps.append(-count)
            else:
                self._apply_other(event)
        self._observe(batch)

    def _observe(self, batch: Batch) -> None:
        """Pass values and asks to the learner, and add points to the trace."""
        if batch.steps or batch.marks:
            evidence = self.learner.replay(
                np.array(batch.steps, dtype=np.int64),
                unpack(batch.values, self.spec.dim),
                np.array(batch.marks, dtype=np.int64),
            )
            self.trace.add(batch.moments, evidence.tolist())

    def _add_ask(self, event: Event) -> int:
        """Record an ask; returns the size of its batch, or 0 for all but the first of a batch."""
        while self.asks:
            oldest = next(iter(self.asks))
            if self.asks[oldest].until > event.time:
                break
            del self.asks[oldest]
        until = event.time + round(1e6 * self.spec.lease)
        self.asks[event.seq] = PendingAsk(event.arm or 0, event.client, until)
        return 1 if event.payload is None else int(json.loads(event.payload)["batch"])

    def _apply_other(self, event: Event) -> None:
        """Apply an event that is neither an ask nor an observation."""
        payload = json.loads(event.payload or "{}")
        if event.kind == Kind.VOIDED:
            self.voided += 1
        elif event.kind == Kind.CORRECTED:
            self.corrected += 1
        elif event.kind in (Kind.PAUSED, Kind.RESUMED):
            self.paused = event.kind == Kind.PAUSED
        elif event.kind == Kind.BUDGET:
            self.budget = Budget(**payload["budget"])
        elif event.kind == Kind.STOPPED and payload["how"] == "stopped":
            self.stop_reason = payload["reason"]

    def copy(self) -> "State":
        """An independent copy."""
        twin = copy(self)
        twin.learner = self.learner.copy()
        twin.asks, twin.told = dict(self.asks), list(self.told)
        twin.trace = self.trace.copy()
        return twin

    # --- what follows -------------------------------------------------------------------------

    @property
    def cost(self) -> float:
        """The total cost of all values told."""
        return float(sum(map(mul, self.told, self._costs)))

    @property
    def ended(self) -> Ending | None:
        """How the study ended; None while it runs."""
        if self.learner.done:
            return "certified"
        if self.stop_reason is not None:
            return "stopped"
        return "budget" if self.is_budget_spent() else None

    def is_budget_spent(self, pending: int = 0, pending_cost: float = 0.0) -> bool:
        """Whether the values told and the pending asks together reach the budget."""
        limit = self.budget
        if limit.samples is not None and sum(self.told) + pending >= limit.samples:
            return True
        return limit.cost is not None and self.cost + pending_cost >= limit.cost

    def pending_asks(self, now: int) -> dict[int, PendingAsk]:
        """The asks whose lease has not expired."""
        return {seq: ask for seq, ask in self.asks.items() if ask.until > now}

    def pending_counts(self, now: int) -> IntArray:
        """The number of pending asks per arm."""
        arms = [ask.arm for ask in self.pending_asks(now).values()]
        return np.bincount(arms, minlength=len(self.spec.arms)).astype(np.int64)
