"""The tables: studies, their events, one snapshot per study, and the tokens of a server.

All names begin with boclust, so that other tables may share the database. No event is ever changed
or removed. ``seq`` numbers the events of a study from 1 without gaps. The indexes are partial: they
hold only events that have a key, answer an ask or revise another event.
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
SCHEMA = 2

metadata = MetaData()

studies = Table(
    "boclust_studies",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False, unique=True),
)

events = Table(
    "boclust_events",
    metadata,
    Column("study", Integer, ForeignKey("boclust_studies.id"), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", SmallInteger, nullable=False),
    Column("time", BigInteger, nullable=False),  # microseconds since 1970
    Column("client", String),
    Column("key", String),
    Column("ask", BigInteger),  # the seq of the ask that this observation answers
    Column("target", BigInteger),  # the seq of the event that this one voids or corrects
    Column("arm", Integer),
    Column("value", LargeBinary),  # the numbers of a sample, little-endian float64
    Column("payload", Text),  # everything else, JSON in ASCII
    sqlite_with_rowid=False,
)

for name in ("key", "ask", "target"):
    column = events.c[name]
    given = column.isnot(None)
    Index(
        f"boclust_events_{name}", events.c.study, column, unique=name != "target",
        sqlite_where=given, postgresql_where=given,
    )  # fmt: skip

snapshots = Table(
    "boclust_snapshots",
    metadata,
    Column("study", Integer, ForeignKey("boclust_studies.id"), primary_key=True),
    Column("seq", BigInteger, nullable=False),
    Column("version", String, nullable=False),
    Column("checksum", String, nullable=False),
    Column("state", LargeBinary, nullable=False),
)

tokens = Table(
    "boclust_tokens",
    metadata,
    Column("id", String, primary_key=True),  # eight hexadecimal digits
    Column("name", String, nullable=False),
    Column("role", String, nullable=False),  # read, tell or admin
    Column("studies", Text),  # names as a JSON list; null for all
    Column("hash", String, nullable=False),  # SHA-256 of the secret, hexadecimal
    Column("created", BigInteger, nullable=False),  # microseconds since 1970
    Column("revoked", BigInteger),
)

#: The number of the last migration, in alembic's format.
version = Table("boclust_version", metadata, Column("version_num", String(32), primary_key=True))
