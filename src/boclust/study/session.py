"""A study as one process sees it: what it knows of the log, and transactions on it.

What is known in memory runs ahead of the log only inside a transaction. If that fails, what is
known is forgotten and read again.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from sqlalchemy.engine import Connection

from boclust.study import log, snapshot
from boclust.study.errors import StudyNotFoundError
from boclust.study.events import Event, Kind, iso, to_json
from boclust.study.replay import current, replayed
from boclust.study.spec import Spec
from boclust.study.state import State
from boclust.study.status import Ask
from boclust.study.store import Store

T = TypeVar("T")


class Transaction:
    """A transaction that holds the study's lock: its state, the time, and what is written."""

    def __init__(self, connection: Connection, study: int, state: State, now: int) -> None:
        self.connection = connection
        self.study = study
        self.state = state
        self.now = now
        self.changed = False
        self._ended = state.ended

    def record(self, *drafts: Event, planned: bool = False) -> list[Event]:
        """Append events, given without number and time, and take them into the state.

        Those that another study had before keep their time.
        """
        self.changed = True
        before = self.state.seq
        events = self._numbered(drafts)
        log.append(self.connection, self.study, events)
        self.state.apply(events, planned=planned)
        self._mark_end()
        if before // (apart := snapshot.interval(self.state)) < self.state.seq // apart:
            snapshot.write(self.connection, self.study, self.state)
        return events

    def revise(self, draft: Event) -> Event:
        """Append an event that voids or corrects another, and compute the state anew."""
        self.changed = True
        (event,) = self._numbered([draft])
        log.append(self.connection, self.study, [event])
        self.state = replayed(self.connection, self.study, self.state.spec)
        self._mark_end()
        snapshot.write(self.connection, self.study, self.state)
        return event

    def _numbered(self, drafts: Sequence[Event]) -> list[Event]:
        first = self.state.seq + 1
        return [
            Event(first + i, draft.kind, draft.time or self.now, *draft[3:])
            for i, draft in enumerate(drafts)
        ]

    def _mark_end(self) -> None:
        """Write down that the study has just ended, for those who read the log."""
        ended = self.state.ended
        if ended not in (None, "stopped", self._ended):
            labels = self.state.learner.labels
            said = {"how": ended, "labels": None if labels is None else labels.tolist()}
            events = self._numbered([Event(0, Kind.STOPPED, 0, payload=to_json(said))])
            log.append(self.connection, self.study, events)
            self.state.apply(events)
        self._ended = ended


class Session:
    """A study in a store."""

    def __init__(self, store: Store, number: int, name: str, spec: Spec) -> None:
        self.store = store
        self.number = number
        self.name = name
        self.spec = spec
        self.numbers = {arm.name: i for i, arm in enumerate(spec.arms)}
        self._state: State | None = None

    def write(self, work: Callable[[Transaction], T], repeatable: bool = True) -> T:
        """``work`` in a transaction; acknowledged, by returning, once it is there to stay."""
        ours: list[Transaction] = []

        def attempt(connection: Connection) -> T:
            self._forget(ours)
            now = self.store.lock(connection, self.number)
            known, self._state = self._state, None
            state = current(connection, self.number, self.spec, known)
            self._state = state
            ours.append(Transaction(connection, self.number, state, max(now, state.time)))
            result = work(ours[-1])
            self._state = ours[-1].state
            return result

        with self.store.mutex:
            try:
                return self.store.write(attempt, repeatable)
            except BaseException:
                self._forget(ours)
                raise

    def _forget(self, ours: list[Transaction]) -> None:
        if ours and ours[-1].changed:
            self._state = None

    def look(self) -> tuple[State, int]:
        """A copy of the present state, and the time: who computes with it keeps nobody waiting."""

        def work(connection: Connection) -> tuple[State, int]:
            state = self.state(connection)
            return state.copy(), max(self.store.now(connection), state.time)

        return self.store.read(work)

    def read(self, work: Callable[[Connection, State], T]) -> T:
        """``work`` on the present state, which it must not change; others wait for it."""

        return self.store.read(lambda connection: work(connection, self.state(connection)))

    def state(self, connection: Connection) -> State:
        """The present state, in a transaction."""
        known, self._state = self._state, None
        self._state = current(connection, self.number, self.spec, known)
        return self._state

    def pages(
        self, after: int = 0, upto: int = log.END, limit: int = log.END
    ) -> Iterator[list[Event]]:
        """The log from event ``after`` on, each page read in a transaction of its own."""
        asked = partial(log.tail, study=self.number, upto=upto)
        while limit > 0 and (page := self.store.read(partial(asked, after=after, most=limit))):
            yield page
            after = page[-1].seq
            limit -= len(page)

    # --- asks by their names ------------------------------------------------------------------

    def ask_id(self, seq: int) -> str:
        """The name of an ask, which no other study's ask has."""
        return f"{self.spec.token}-{seq}"

    def ask_number(self, ask: str) -> int:
        """The event of an ask."""
        token, _, number = ask.partition("-")
        if token != self.spec.token or not (number.isascii() and number.isdigit()):
            raise StudyNotFoundError(f"the study {self.name!r} has no ask {ask!r}")
        return int(number)

    def ask(self, seq: int, arm: int, client: str | None, until: int) -> Ask:
        """An ask as others see it."""
        return Ask(self.ask_id(seq), arm, self.spec.arms[arm].name, client, iso(until))
