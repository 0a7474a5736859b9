"""New studies: created, forked from another, or found in a database."""

import json
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from boclust.study import log
from boclust.study.errors import CorruptError, StudyExistsError, StudyNotFoundError
from boclust.study.events import Event, Kind, iso, unpack
from boclust.study.schema import check_schema, found_schema, make_tables, migrate
from boclust.study.session import Session, Transaction
from boclust.study.spec import Spec
from boclust.study.state import State
from boclust.study.store import Store
from boclust.study.tables import studies

_ALL = sa.select(studies.c.id, studies.c.name).order_by(studies.c.name)


def upgrade(store: Store, only_if_new: bool = False) -> None:
    """Bring the tables up to date, or make them."""

    def work(connection: Connection) -> None:
        store.lock_makers(connection)
        if found_schema(connection) == 0:
            make_tables(connection)
        elif not only_if_new:
            migrate(connection)
        check_schema(connection)

    store.write(work)


def create(store: Store, name: str, spec: Spec, source: Session | None = None) -> Session:
    """A new study; a fork has the values of ``source`` that stand, in their order.

    One that exists is returned if it was made by the same call: one whose answer was lost, or one
    with the same key.
    """
    upgrade(store, only_if_new=True)

    def work(connection: Connection) -> Session:
        store.lock_makers(connection)
        number = _number(connection, name)
        written = spec.to_json()
        if number is None:
            insert = sa.insert(studies).values(name=name).returning(studies.c.id)
            number = int(connection.execute(insert).scalar_one())
            now = store.lock(connection, number)
            transaction = Transaction(connection, number, State(spec), now)
            transaction.record(Event(0, Kind.CREATED, 0, payload=written))
            if source is not None:
                _copy(transaction, source)
        else:
            first = log.at(connection, number, 1)
            if first is None or not _same(before := first.payload or "{}", written):
                raise StudyExistsError(f"{store.place} has a study {name!r} already")
            return Session(store, number, name, Spec.from_json(before))
        return Session(store, number, name, spec)

    return store.write(work)


def _same(written: str, other: str) -> bool:
    """Whether two first events say the same, up to what the version that wrote them chose."""
    one, two = json.loads(written), json.loads(other)
    own = {"version": None, "rule": None}
    return bool(one | own == two | own)


def _copy(transaction: Transaction, source: Session) -> None:
    """Record the values of another study, with their times and keys."""
    connection, spec = transaction.connection, transaction.state.spec
    changed = log.revised(log.revisions(connection, source.number))
    for page in log.pages(connection, source.number):
        copied = [
            event._replace(ask=None, value=value)
            for event in page
            if event.kind == Kind.TOLD
            and (value := changed.get(event.seq, event.value)) is not None
        ]
        if copied:
            values = unpack([event.value or b"" for event in copied], spec.dim)
            spec.family.check_samples(values, "family")  # another family, perhaps
            transaction.record(*copied)


def open_study(store: Store, name: str) -> Session:
    """A study that exists."""

    def work(connection: Connection) -> Session:
        check_schema(connection)
        number = _number(connection, name)
        if number is None:
            raise StudyNotFoundError(f"{store.place} has no study {name!r}")
        first = log.at(connection, number, 1)
        if first is None or first.kind != Kind.CREATED or first.payload is None:
            raise CorruptError(f"the log of the study {name!r} has no beginning")
        return Session(store, number, name, Spec.from_json(first.payload))

    return store.read(work)


def names(store: Store) -> list[dict[str, Any]]:
    """The studies of a database: name, number of events, time of the last one."""

    def work(connection: Connection) -> list[dict[str, Any]]:
        check_schema(connection)
        found = []
        for number, name in connection.execute(_ALL).all():
            length = log.length(connection, number)
            last = log.at(connection, number, length)
            if last is not None:
                found.append({"name": name, "events": length, "last": iso(last.time)})
        return found

    return store.read(work)


def _number(connection: Connection, name: str) -> int | None:
    found = connection.execute(sa.select(studies.c.id).where(studies.c.name == name)).scalar()
    return None if found is None else int(found)
