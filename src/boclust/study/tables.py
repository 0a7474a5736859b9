"""The tables: studies, their events, and one snapshot each.

An event is never changed or removed. ``seq`` counts the events of a study from 1 without gaps. The
indexes are partial: an event that has no key, answers no ask and revises no other costs none.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
)

#: The version of these tables: the number of the last migration.
SCHEMA = 1

metadata = MetaData()

studies = Table(
    "studies",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False, unique=True),
)

events = Table(
    "events",
    metadata,
    Column("study", Integer, ForeignKey("studies.id"), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", SmallInteger, nullable=False),
    Column("time", BigInteger, nullable=False),  # microseconds since 1970
    Column("client", String),
    Column("key", String),
    Column("ask", BigInteger),  # the seq of the ask that a value answers
    Column("target", BigInteger),  # the seq of the event that is voided or corrected
    Column("arm", Integer),
    Column("value", LargeBinary),  # the numbers of a sample, little-endian float64
    Column("payload", Text),  # all else, JSON in ASCII
    sqlite_with_rowid=False,
)

for name in ("key", "ask", "target"):
    column = events.c[name]
    given = column.isnot(None)
    Index(
        f"events_{name}", events.c.study, column, unique=name != "target",
        sqlite_where=given, postgresql_where=given,
    )  # fmt: skip

snapshots = Table(
    "snapshots",
    metadata,
    Column("study", Integer, ForeignKey("studies.id"), primary_key=True),
    Column("seq", BigInteger, nullable=False),
    Column("version", String, nullable=False),
    Column("checksum", String, nullable=False),
    Column("state", LargeBinary, nullable=False),
)
