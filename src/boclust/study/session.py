"""A study as one process sees it: the state that it keeps in memory, and its transactions.

The state in memory is ahead of the log only inside a transaction. If the transaction fails, the
session drops that state and reads it again.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from sqlalchemy.engine import Connection

from boclust.study import log, snapshot
from boclust.study.errors import StudyNotFoundError
from boclust.study.events import Event, Kind, iso, to_json
from boclust.study.replay import current, replay
from boclust.study.spec import Spec
from boclust.study.state import PendingAsk, State
from boclust.study.status import Ask
from boclust.study.storage.store import Store

T = TypeVar("T")


class Transaction:
    """A transaction that holds the study's lock: the state, the time, and what it writes."""

    def __init__(self, connection: Connection, study: int, state: State, now: int) -> None:
        self.connection = connection
        self.study = study
        self.state = state
        self.now = now
        self.changed = False
        self._ended = state.ended

    def record(self, *drafts: Event, planned: bool = False) -> list[Event]:
        """Append events, given without number, and apply them to the state.

        Events without a time get the present one; those copied from another study keep theirs.
        """
        self.changed = True
        before = self.state.seq
        events = self._numbered(drafts)
        log.append(self.connection, self.study, events)
        self.state.apply(events, planned=planned)
        self._record_ending()
        if before // (apart := snapshot.interval(self.state)) < self.state.seq // apart:
            snapshot.write(self.connection, self.study, self.state)
        return events

    def revise(self, draft: Event) -> Event:
        """Append an event that voids or corrects another, and recompute the state."""
        self.changed = True
        (event,) = self._numbered([draft])
        log.append(self.connection, self.study, [event])
        self.state = replay(self.connection, self.study, self.state.spec)
        self._record_ending()
        snapshot.write(self.connection, self.study, self.state)
        return event

    def _numbered(self, drafts: Sequence[Event]) -> list[Event]:
        first = self.state.seq + 1
        return [
            Event(first + i, draft.kind, draft.time or self.now, *draft[3:])
            for i, draft in enumerate(drafts)
        ]

    def _record_ending(self) -> None:
        """Append an event if the study has just ended, for readers of the log."""
        ended = self.state.ended
        if ended not in (None, "stopped", self._ended):
            labels = self.state.learner.labels
            payload = {"how": ended, "labels": None if labels is None else labels.tolist()}
            events = self._numbered([Event(0, Kind.STOPPED, 0, payload=to_json(payload))])
            log.append(self.connection, self.study, events)
            self.state.apply(events)
        self._ended = ended


class Session:
    """An open study in a store."""

    def __init__(self, store: Store, number: int, name: str, spec: Spec) -> None:
        self.store = store
        self.number = number
        self.name = name
        self.spec = spec
        self.arm_numbers = {arm.name: i for i, arm in enumerate(spec.arms)}
        self._state: State | None = None

    def write(self, work: Callable[[Transaction], T], repeatable: bool = True) -> T:
        """Run ``work`` in a transaction; returns only after the commit."""
        ours: list[Transaction] = []

        def attempt(connection: Connection) -> T:
            self._drop_state(ours)
            now = self.store.lock(connection, self.number)
            state = self.state(connection)
            ours.append(Transaction(connection, self.number, state, max(now, state.time)))
            result = work(ours[-1])
            self._state = ours[-1].state
            return result

        with self.store.mutex:
            try:
                return self.store.write(attempt, repeatable)
            except BaseException:
                self._drop_state(ours)
                raise

    def _drop_state(self, ours: list[Transaction]) -> None:
        """Drop the state in memory if a transaction has changed it."""
        if ours and ours[-1].changed:
            self._state = None

    def copied_state(self) -> tuple[State, int]:
        """A copy of the present state, and the time: computing with it blocks no other thread."""

        def work(connection: Connection) -> tuple[State, int]:
            state = self.state(connection)
            return state.copy(), max(self.store.now(connection), state.time)

        return self.store.read(work)

    def read(self, work: Callable[[State], T]) -> T:
        """Run ``work`` on the present state, which it must not change; other threads wait."""
        return self.store.read(lambda connection: work(self.state(connection)))

    def state(self, connection: Connection) -> State:
        """The present state, in a transaction."""
        known, self._state = self._state, None  # an error must not leave a half-applied state
        self._state = current(connection, self.number, self.spec, known)
        return self._state

    def pages(
        self, after: int = 0, upto: int = log.END, limit: int = log.END
    ) -> Iterator[list[Event]]:
        """The events after number ``after``, one transaction per page."""
        tail = partial(log.tail, study=self.number, upto=upto)
        while limit > 0 and (page := self.store.read(partial(tail, after=after, most=limit))):
            yield page
            after = page[-1].seq
            limit -= len(page)

    # --- asks ---------------------------------------------------------------------------------

    def ask_id(self, seq: int) -> str:
        """The id of an ask, unique among all studies."""
        return f"{self.spec.token}-{seq}"

    def ask_number(self, id: str) -> int:
        """The number of the event of an ask."""
        token, _, number = id.partition("-")
        if token != self.spec.token or not (number.isascii() and number.isdigit()):
            raise StudyNotFoundError(f"the study {self.name!r} has no ask {id!r}")
        return int(number)

    def public_ask(self, seq: int, ask: PendingAsk) -> Ask:
        """An ask as clients see it."""
        name = self.spec.arms[ask.arm].name
        return Ask(self.ask_id(seq), ask.arm, name, ask.client, iso(ask.until))
