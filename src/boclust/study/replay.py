"""From the log to the state: by the snapshot and the events after it, or all events anew."""

import warnings

from sqlalchemy.engine import Connection

from boclust.study import log, snapshot
from boclust.study.errors import CorruptError
from boclust.study.events import Kind
from boclust.study.spec import Spec
from boclust.study.state import State

_REVISIONS = (Kind.VOIDED, Kind.CORRECTED)


def current(connection: Connection, study: int, spec: Spec, known: State | None) -> State:
    """The state after all events, on from the one that is known.

    An event that voids or corrects concerns the past: then what is known is of no use.
    """
    state = _from_snapshot(connection, study, spec) if known is None else known
    if state is None:
        return replayed(connection, study, spec)
    while page := log.tail(connection, study, state.seq):
        if any(event.kind in _REVISIONS for event in page):
            return current(connection, study, spec, None)
        state.apply(page)
        if len(page) < log.PAGE:
            break
    return state


def replayed(connection: Connection, study: int, spec: Spec, upto: int = log.END) -> State:
    """The state after all events up to ``upto``, from the first one on."""
    revised = log.revised(log.revisions(connection, study, upto))
    state = State(spec)
    for page in log.pages(connection, study, upto):
        if page[-1].seq != state.seq + len(page):
            raise CorruptError(f"the log has a gap after event {state.seq}")
        state.apply(page, revised)
    return state


def _from_snapshot(connection: Connection, study: int, spec: Spec) -> State | None:
    """The state that was saved, if it can be used and nothing before it was revised since."""
    saved = snapshot.find(connection, study)
    if saved is None:
        return None
    if saved.problem:
        if saved.version == snapshot.VERSION:
            warnings.warn(
                f"the snapshot of the study {saved.problem} and is not used: the state is computed "
                "from the log, in which nothing is missing",
                RuntimeWarning,
                stacklevel=2,
            )
        return None
    if any(event.seq > saved.seq for event in log.revisions(connection, study)):
        return None
    return snapshot.load(spec, saved.state)
