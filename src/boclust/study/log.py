"""The log of a study in the database: what is asked of the table ``events``.

Every question but ``told`` goes by an index, so that none takes longer as the log grows.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Dialect

from boclust.study.events import Event, Kind
from boclust.study.tables import events

#: Events that are read at a time.
PAGE = 10_000

_COLUMNS = [events.c[name] for name in Event._fields]
_OF_STUDY = sa.select(*_COLUMNS).where(events.c.study == sa.bindparam("study"))
_TAIL = (
    _OF_STUDY.where(events.c.seq > sa.bindparam("after"), events.c.seq <= sa.bindparam("upto"))
    .order_by(events.c.seq)
    .limit(sa.bindparam("page"))
)
_AT = _OF_STUDY.where(events.c.seq == sa.bindparam("seq"))
_TOLD_BY_ASK = _OF_STUDY.where(events.c.ask == sa.bindparam("ask"))
_BY_KEYS = _OF_STUDY.where(events.c.key.in_(sa.bindparam("keys", expanding=True)))
_REVISIONS = _OF_STUDY.where(
    events.c.target.isnot(None), events.c.seq <= sa.bindparam("upto")
).order_by(events.c.seq)
_REVISIONS_OF = _OF_STUDY.where(events.c.target == sa.bindparam("seq")).order_by(events.c.seq)
_LENGTH = sa.select(sa.func.max(events.c.seq)).where(events.c.study == sa.bindparam("study"))
_TOLD = sa.select(sa.func.count()).where(
    events.c.study == sa.bindparam("study"), events.c.kind == Kind.TOLD
)

#: No log is as long.
END = 2**62


def _rows(connection: Connection, question: Any, **asked: Any) -> list[Event]:
    return [Event._make(row) for row in connection.execute(question, asked)]


def tail(
    connection: Connection, study: int, after: int, upto: int = END, most: int = END
) -> list[Event]:
    """The next events, at most ``most`` of them or a page."""
    return _rows(connection, _TAIL, study=study, after=after, upto=upto, page=min(most, PAGE))


def pages(connection: Connection, study: int, upto: int = END) -> Iterator[list[Event]]:
    """The whole log."""
    after = 0
    while page := tail(connection, study, after, upto):
        yield page
        after = page[-1].seq


def at(connection: Connection, study: int, seq: int) -> Event | None:
    """The event with that number."""
    return next(iter(_rows(connection, _AT, study=study, seq=seq)), None)


def told_by_ask(connection: Connection, study: int, ask: int) -> Event | None:
    """The value that answered an ask."""
    return next(iter(_rows(connection, _TOLD_BY_ASK, study=study, ask=ask)), None)


def told_by_keys(connection: Connection, study: int, keys: Sequence[str]) -> dict[str, Event]:
    """The values that were told with one of the keys; a statement takes some ten thousands."""
    found: dict[str, Event] = {}
    for i in range(0, len(keys), PAGE):
        for event in _rows(connection, _BY_KEYS, study=study, keys=keys[i : i + PAGE]):
            if event.key is not None:
                found[event.key] = event
    return found


def revisions(connection: Connection, study: int, upto: int = END) -> list[Event]:
    """All that was voided or corrected."""
    return _rows(connection, _REVISIONS, study=study, upto=upto)


def revisions_of(connection: Connection, study: int, seq: int) -> list[Event]:
    """What was done to one event."""
    return _rows(connection, _REVISIONS_OF, study=study, seq=seq)


def revised(found: Sequence[Event]) -> dict[int, bytes | None]:
    """What stands now for each event that was revised: a value, or nothing."""
    return {
        event.target: None if event.kind == Kind.VOIDED else event.value
        for event in found
        if event.target is not None
    }


def length(connection: Connection, study: int) -> int:
    """How many events there are."""
    return int(connection.execute(_LENGTH, {"study": study}).scalar() or 0)


def told(connection: Connection, study: int) -> int:
    """How many values there are, counted."""
    return int(connection.execute(_TOLD, {"study": study}).scalar() or 0)


def append(connection: Connection, study: int, new: Sequence[Event]) -> None:
    """Write events down, by the driver itself: every value costs this."""
    rows = [(study, *event) for event in new]
    connection.exec_driver_sql(_append_by(connection.dialect), rows)


@lru_cache(maxsize=8)
def _append_by(dialect: Dialect) -> str:
    return str(sa.insert(events).compile(dialect=dialect))
