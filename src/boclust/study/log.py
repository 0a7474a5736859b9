"""The log of a study: queries on the table of events.

Every query except ``count_told`` uses an index, so that its time does not grow with the log.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Dialect

from boclust.study.events import Event, Kind
from boclust.study.storage.tables import events

#: The number of events per page.
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
_COUNT_TOLD = sa.select(sa.func.count()).where(
    events.c.study == sa.bindparam("study"), events.c.kind == Kind.TOLD
)

#: A number beyond every seq.
END = 2**62


def _events(connection: Connection, query: Any, **parameters: Any) -> list[Event]:
    return [Event._make(row) for row in connection.execute(query, parameters)]


def tail(
    connection: Connection, study: int, after: int, upto: int = END, most: int = END
) -> list[Event]:
    """The next events, at most ``most`` of them or one page."""
    return _events(connection, _TAIL, study=study, after=after, upto=upto, page=min(most, PAGE))


def pages(connection: Connection, study: int, upto: int = END) -> Iterator[list[Event]]:
    """The whole log, page by page."""
    after = 0
    while page := tail(connection, study, after, upto):
        yield page
        after = page[-1].seq


def at(connection: Connection, study: int, seq: int) -> Event | None:
    """The event with that number."""
    return next(iter(_events(connection, _AT, study=study, seq=seq)), None)


def told_by_ask(connection: Connection, study: int, ask: int) -> Event | None:
    """The observation that answers an ask."""
    return next(iter(_events(connection, _TOLD_BY_ASK, study=study, ask=ask)), None)


def told_by_keys(connection: Connection, study: int, keys: Sequence[str]) -> dict[str, Event]:
    """The observations that have one of the keys."""
    found: dict[str, Event] = {}
    for i in range(0, len(keys), PAGE):  # databases limit the parameters of one statement
        for event in _events(connection, _BY_KEYS, study=study, keys=keys[i : i + PAGE]):
            if event.key is not None:
                found[event.key] = event
    return found


def revisions(connection: Connection, study: int, upto: int = END) -> list[Event]:
    """All events that void or correct an observation."""
    return _events(connection, _REVISIONS, study=study, upto=upto)


def revisions_of(connection: Connection, study: int, seq: int) -> list[Event]:
    """The events that void or correct one observation."""
    return _events(connection, _REVISIONS_OF, study=study, seq=seq)


def revised_values(found: Sequence[Event]) -> dict[int, bytes | None]:
    """The present value of each revised observation, by its seq; None if it is voided."""
    return {
        event.target: None if event.kind == Kind.VOIDED else event.value
        for event in found
        if event.target is not None
    }


def length(connection: Connection, study: int) -> int:
    """The number of events."""
    return int(connection.execute(_LENGTH, {"study": study}).scalar() or 0)


def count_told(connection: Connection, study: int) -> int:
    """The number of observations, counted row by row."""
    return int(connection.execute(_COUNT_TOLD, {"study": study}).scalar() or 0)


def append(connection: Connection, study: int, new: Sequence[Event]) -> None:
    """Insert events, by the driver directly: every tell pays for this call."""
    rows = [(study, *event) for event in new]
    connection.exec_driver_sql(_insert(connection.dialect), rows)


@lru_cache(maxsize=8)
def _insert(dialect: Dialect) -> str:
    return str(sa.insert(events).compile(dialect=dialect))
