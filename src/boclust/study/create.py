"""Create, fork, open and list the studies of a database."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from boclust.study import log
from boclust.study.errors import CorruptError, StudyExistsError, StudyNotFoundError
from boclust.study.events import Event, Kind, iso, unpack
from boclust.study.session import Session, Transaction
from boclust.study.spec import Spec, same_parameters
from boclust.study.state import State
from boclust.study.storage.schema import check_schema, prepare
from boclust.study.storage.store import Store
from boclust.study.storage.tables import studies

_ALL = sa.select(studies.c.id, studies.c.name).order_by(studies.c.name)


def create(store: Store, name: str, spec: Spec, source: Session | None = None) -> Session:
    """A new study; a fork starts with the values of ``source`` that are not voided.

    If the same call created the study before (its answer was lost, or it has the same key), the
    existing study is returned.
    """
    prepare(store)

    def work(connection: Connection) -> Session:
        store.lock_creation(connection)
        number = _number(connection, name)
        written = spec.to_json()
        if number is None:
            insert = sa.insert(studies).values(name=name).returning(studies.c.id)
            number = int(connection.execute(insert).scalar_one())
            now = store.lock(connection, number)
            transaction = Transaction(connection, number, State(spec), now)
            transaction.record(Event(0, Kind.CREATED, 0, payload=written))
            if source is not None:
                _copy_values(transaction, source)
            return Session(store, number, name, spec)
        first = log.at(connection, number, 1)
        if first is None or not same_parameters(before := first.payload or "{}", written):
            raise StudyExistsError(f"{store.place} already has a study {name!r}")
        return Session(store, number, name, Spec.from_json(before))

    return store.write(work)


def _copy_values(transaction: Transaction, source: Session) -> None:
    """Record the observations of another study, with their times and keys."""
    connection, spec = transaction.connection, transaction.state.spec
    revised = log.revised_values(log.revisions(connection, source.number))
    for page in log.pages(connection, source.number):
        copied = [
            event._replace(ask=None, value=value)
            for event in page
            if event.kind == Kind.TOLD
            and (value := revised.get(event.seq, event.value)) is not None
        ]
        if copied:
            values = unpack([event.value or b"" for event in copied], spec.dim)
            spec.family.check_samples(values, "family")  # the family may differ from the source's
            transaction.record(*copied)


def open_study(store: Store, name: str) -> Session:
    """An existing study."""

    def work(connection: Connection) -> Session:
        check_schema(connection)
        number = _number(connection, name)
        if number is None:
            raise StudyNotFoundError(f"{store.place} has no study {name!r}")
        first = log.at(connection, number, 1)
        if first is None or first.kind != Kind.CREATED or first.payload is None:
            raise CorruptError(f"the log of the study {name!r} has no first event")
        return Session(store, number, name, Spec.from_json(first.payload))

    return store.read(work)


def list_studies(store: Store) -> list[dict[str, Any]]:
    """The name, number of events and time of the last event of every study."""

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
