"""From the log to the state, by a snapshot or by a full replay, and whether all of them agree."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy.engine import Connection

from boclust.study import log, snapshot
from boclust.study.errors import CorruptError
from boclust.study.events import Kind
from boclust.study.spec import Spec
from boclust.study.state import State

_REVISIONS = (Kind.VOIDED, Kind.CORRECTED)


def current(connection: Connection, study: int, spec: Spec, known: State | None) -> State:
    """The state after all events, computed from ``known`` if possible.

    A void or a correction changes the past: then ``known`` is useless.
    """
    state = _from_snapshot(connection, study, spec) if known is None else known
    if state is None:
        return replay(connection, study, spec)
    while page := log.tail(connection, study, state.seq):
        if any(event.kind in _REVISIONS for event in page):
            return current(connection, study, spec, None)
        state.apply(page)
        if len(page) < log.PAGE:
            break
    return state


def replay(connection: Connection, study: int, spec: Spec, upto: int = log.END) -> State:
    """The state after all events up to ``upto``, computed from the first event on."""
    revised = log.revised_values(log.revisions(connection, study, upto))
    state = State(spec)
    for page in log.pages(connection, study, upto):
        if page[-1].seq != state.seq + len(page):
            raise CorruptError(f"the log has a gap after event {state.seq}")
        state.apply(page, revised)
    return state


def _from_snapshot(connection: Connection, study: int, spec: Spec) -> State | None:
    """The state of the snapshot, if it is usable and no event before it was revised later."""
    saved = snapshot.find(connection, study)
    if saved is None:
        return None
    if saved.problem:
        if saved.version == snapshot.VERSION:
            _warn(f"the snapshot of the study {saved.problem}")
        return None
    if any(event.seq > saved.seq for event in log.revisions(connection, study)):
        return None
    try:
        return snapshot.load(spec, saved.state)
    except CorruptError as error:
        _warn(str(error))
        return None


def _warn(problem: str) -> None:
    message = f"{problem}: the state is computed from the log instead, which is complete"
    warnings.warn(message, RuntimeWarning, stacklevel=2)


@dataclass(frozen=True)
class Verification:
    """The result of a replay of the log; ``ok`` if there is no problem.

    ``snapshot`` is "equal" if the replay gives the same bits; otherwise it says that they differ,
    or why they were not compared.
    """

    events: int
    samples: int
    snapshot: str
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether there is no problem."""
        return not self.problems


def verify(
    connection: Connection, study: int, spec: Spec, in_use: Callable[[], State]
) -> Verification:
    """Replay the log twice: up to the snapshot, and to the end, where the state is ``in_use``."""
    problems = []
    found = "none"
    try:
        if (saved := snapshot.find(connection, study)) is not None:
            found = saved.problem or "was not compared"
            if not saved.problem:
                then = replay(connection, study, spec, saved.seq)
                same = then.seq == saved.seq and snapshot.dump(then) == saved.state
                found = "equal" if same else "differs from the log"
            if found != "equal" and saved.version == snapshot.VERSION:
                problems.append(f"the snapshot after event {saved.seq} {found}")
        state = in_use()
        now = replay(connection, study, spec, state.seq)
        if snapshot.dump(now) != snapshot.dump(state):
            problems.append("the state in use differs from the log")
    except CorruptError as error:
        problems.append(str(error))
    told = log.count_told(connection, study)
    return Verification(log.length(connection, study), told, found, tuple(problems))
