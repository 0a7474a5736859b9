"""The version of the tables in a database, making them, and bringing them up to date.

The number of the last migration is in the table ``boclust_version`` (in schema 1 it was alembic's
own ``alembic_version``). Alembic is loaded only when there is something to migrate.
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
from boclust.study.tables import SCHEMA, metadata, version

_OURS = {name: set(table.columns.keys()) for name, table in metadata.tables.items()}
#: The tables of schema 1, known by their columns.
_FIRST = {
    "alembic_version": {"version_num"},
    **{name: _OURS[f"boclust_{name}"] for name in ("studies", "events", "snapshots")},
}


def found_schema(connection: Connection) -> int:
    """The version of the tables; 0 where there are none, whatever other tables there are."""
    found = inspect(connection).get_multi_columns(
        filter_names=[*_OURS, *_FIRST], kind=ObjectKind.ANY
    )
    columns = {name: {column["name"] for column in its} for (_, name), its in found.items()}
    present = [name for name in _OURS if name in columns]
    if not present:
        first = all(columns.get(name) == its for name, its in _FIRST.items())
        return int(first and _number(connection, "alembic_version") == 1)
    told = columns.get(version.name) == _OURS[version.name]
    number = _number(connection, version.name) if told else None
    if number is None:
        raise CorruptError(
            f"the database has a table {present[0]!r}, but no version of boclust's tables: it is "
            "another's, or damaged"
        )
    if number == SCHEMA and (odd := [name for name in _OURS if columns.get(name) != _OURS[name]]):
        raise CorruptError(f"the table {odd[0]!r} is missing, or not the one that boclust made")
    return number


def _number(connection: Connection, table: str) -> int | None:
    """The version in a table of versions, if it is one that boclust writes."""
    written = connection.execute(text(f"SELECT version_num FROM {table}")).scalars().all()
    return int(written[0]) if len(written) == 1 and str(written[0]).isdecimal() else None


def check_schema(connection: Connection) -> None:
    """Refuse tables of another version."""
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


def make_tables(connection: Connection) -> None:
    """All tables, where there are none."""
    metadata.create_all(connection, checkfirst=False)
    connection.execute(insert(version).values(version_num=f"{SCHEMA:04}"))


def migrate(connection: Connection) -> None:
    """Run the migrations that are missing, in the transaction of ``connection``."""
    found = found_schema(connection)
    _refuse_newer(found)
    if found == SCHEMA:
        return
    from alembic import command
    from alembic.config import Config

    if found == 1:  # alembic must find the number where it looks for it
        version.create(connection)
        connection.execute(insert(version).values(version_num="0001"))
        connection.execute(text("DROP TABLE alembic_version"))
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
