"""The schema version of a database: check it, create the tables, run migrations.

The table ``boclust_version`` holds the number of the last migration (in schema 1 this was alembic's
own ``alembic_version``). Alembic is imported only if there is something to migrate.
"""

from pathlib import Path

from sqlalchemy import Connection, insert, inspect, text
from sqlalchemy.engine.reflection import ObjectKind

from boclust.study.errors import (
    CorruptError,
    NewerSchemaError,
    OlderSchemaError,
    StudyNotFoundError,
)
from boclust.study.storage.store import Store
from boclust.study.storage.tables import SCHEMA, metadata, version

_OURS = {name: set(table.columns.keys()) for name, table in metadata.tables.items()}
#: The tables of schema 1, recognised by their columns.
_FIRST = {
    "alembic_version": {"version_num"},
    **{name: _OURS[f"boclust_{name}"] for name in ("studies", "events", "snapshots")},
}


def prepare(store: Store) -> None:
    """Create the tables if there are none; refuse those of another version."""
    _update(store, migrating=False)


def upgrade(store: Store) -> None:
    """Create the tables if there are none; migrate those of an older version."""
    _update(store, migrating=True)


def _update(store: Store, migrating: bool) -> None:
    def work(connection: Connection) -> None:
        store.lock_creation(connection)
        if found_schema(connection) == 0:
            metadata.create_all(connection, checkfirst=False)
            connection.execute(insert(version).values(version_num=f"{SCHEMA:04}"))
        elif migrating:
            _migrate(connection)
        check_schema(connection)

    store.write(work)


def found_schema(connection: Connection) -> int:
    """The schema version of a database; 0 if it has none of our tables."""
    found = inspect(connection).get_multi_columns(
        filter_names=[*_OURS, *_FIRST], kind=ObjectKind.ANY
    )
    columns = {name: {column["name"] for column in its} for (_, name), its in found.items()}
    present = [name for name in _OURS if name in columns]
    if not present:
        first = all(columns.get(name) == its for name, its in _FIRST.items())
        return int(first and _number(connection, "alembic_version") == 1)
    known = columns.get(version.name) == _OURS[version.name]
    number = _number(connection, version.name) if known else None
    if number is None:
        raise CorruptError(
            f"the database has a table {present[0]!r} but no schema version of boclust: the table "
            "belongs to another program, or the database is damaged"
        )
    if number == SCHEMA and (odd := [name for name in _OURS if columns.get(name) != _OURS[name]]):
        raise CorruptError(f"the table {odd[0]!r} is missing or has other columns than boclust's")
    return number


def _number(connection: Connection, table: str) -> int | None:
    """The version number in a table of versions, if boclust wrote it."""
    written = connection.execute(text(f"SELECT version_num FROM {table}")).scalars().all()
    return int(written[0]) if len(written) == 1 and str(written[0]).isdecimal() else None


def check_schema(connection: Connection) -> None:
    """Refuse a database without our tables, or of another version."""
    found = found_schema(connection)
    if found == 0:
        raise StudyNotFoundError("there are no studies in the database yet")
    _refuse_newer(found)
    if found < SCHEMA:
        raise OlderSchemaError(
            f"the database has schema {found}, this version of boclust needs {SCHEMA}: "
            "upgrade it first (boclust study db upgrade, or Study.upgrade)"
        )


def _refuse_newer(found: int) -> None:
    if found > SCHEMA:
        raise NewerSchemaError(
            f"the database has schema {found}, made by a newer boclust; this one knows {SCHEMA}: "
            "install the newer version"
        )


def _migrate(connection: Connection) -> None:
    """Run the missing migrations in the transaction of ``connection``."""
    found = found_schema(connection)
    _refuse_newer(found)
    if found == SCHEMA:
        return
    from alembic import command
    from alembic.config import Config

    if found == 1:  # move the number to where alembic now looks for it
        version.create(connection)
        connection.execute(insert(version).values(version_num="0001"))
        connection.execute(text("DROP TABLE alembic_version"))
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
