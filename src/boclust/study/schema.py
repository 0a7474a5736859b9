"""The version of the tables in a database, and bringing it up to date.

Alembic keeps the number of the last migration in the table ``alembic_version``; it is loaded only
when there is something to migrate.
"""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from boclust.study.errors import (
    CorruptError,
    NewerSchemaError,
    OlderSchemaError,
    StudyNotFoundError,
)
from boclust.study.tables import SCHEMA


def found_schema(connection: Connection) -> int:
    """The version of the tables; 0 where there are none."""
    names = inspect(connection).get_table_names()
    if "alembic_version" not in names:
        if names:
            raise CorruptError("the database holds other tables than those of boclust's studies")
        return 0
    number = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return int(number or 0)


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


def migrate(connection: Connection) -> None:
    """Run the migrations that are missing, in the transaction of ``connection``."""
    _refuse_newer(found_schema(connection))
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
