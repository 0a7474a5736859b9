"""A database of studies: its connection, its transactions and its errors.

Every write is one transaction that holds the study's lock. On SQLite this is the write lock of the
file (BEGIN IMMEDIATE; with WAL and synchronous=FULL a committed write survives a power loss). On
PostgreSQL it is the lock of the study's row. Other writers wait up to ``PATIENCE`` seconds.

If the connection breaks before COMMIT was sent, nothing has changed, and the store repeats the work
on a new connection. If it breaks during COMMIT, the outcome is unknown, and the store repeats the
work only if that is idempotent.
"""

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import NullPool

from boclust._validate import invalid, shown
from boclust.study.errors import (
    BusyError,
    CorruptError,
    DiskFullError,
    ReadOnlyError,
    ServerLostError,
    StorageError,
    StudyNotFoundError,
)
from boclust.study.storage.tables import studies

#: Seconds that a call waits for the lock.
PATIENCE = 60.0
#: Seconds for which the store tries to reconnect to a lost server.
RECONNECT = 5.0

T = TypeVar("T")

_ACCEPTED = "'sqlite:///file.db', 'sqlite://' (in memory) or 'postgresql+psycopg://...'"
_IMMUTABLE = "'sqlite:///file:FILE?mode=ro&immutable=1&uri=true'"
#: Error classes, their messages, and the SQLite texts or PostgreSQL codes that they stand for.
_ERRORS: list[tuple[type[StorageError], str, tuple[str, ...]]] = [
    (DiskFullError, "the disk is full", ("disk is full", "53100")),
    (ReadOnlyError, "the database is read-only", ("readonly database", "25006")),
    (CorruptError, "it is damaged or not a database", ("malformed", "not a database")),
    (BusyError, f"it was locked for {PATIENCE:g} s", ("is locked", "55P03")),
    (StorageError, "the file cannot be opened", ("unable to open database file",)),
    (StorageError, "an error of the disk, or a limit on file sizes", ("disk I/O error",)),
]
_NOW = sa.select(sa.cast(sa.extract("epoch", sa.func.clock_timestamp()) * 1_000_000, sa.BigInteger))
_LOCK_ROW = _NOW.where(studies.c.id == sa.bindparam("study")).with_for_update(of=studies)
#: Begins a PostgreSQL transaction that reads one snapshot; SQLite always reads one.
_READ_SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
#: The advisory lock for creating tables and studies: an arbitrary number.
_LOCK_CREATION = sa.select(sa.func.pg_advisory_xact_lock(7_262_317))
#: Connections inherited from a parent process: closing them here would break the parent's.
_INHERITED: list[Any] = []


class Store:
    """One database with one connection, which threads use in turn (``mutex``)."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self.place = url.render_as_string(hide_password=True)
        self.is_sqlite = url.get_backend_name() == "sqlite"
        self.is_memory = self.is_sqlite and url.database in (None, "", ":memory:")
        self._engine = _engine(url, self.is_sqlite)
        self._connection: Connection | None = None
        self.mutex = threading.RLock()
        self._pid = os.getpid()

    def read(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` in a transaction that sees one unchanging snapshot of the database."""
        return self._transact(work, "BEGIN" if self.is_sqlite else _READ_SNAPSHOT, repeatable=True)

    def write(self, work: Callable[[Connection], T], repeatable: bool = True) -> T:
        """Run ``work`` in a transaction; returns only after the commit.

        Pass ``repeatable`` if ``work`` is idempotent: the store may then repeat it after a commit
        whose outcome is unknown.
        """
        return self._transact(work, "BEGIN IMMEDIATE" if self.is_sqlite else "", repeatable)

    def lock(self, connection: Connection, study: int) -> int:
        """Lock a study against other writers; returns the time."""
        if self.is_sqlite:  # BEGIN IMMEDIATE has locked the file
            return self.now(connection)
        return int(connection.execute(_LOCK_ROW, {"study": study}).scalar_one())

    def lock_creation(self, connection: Connection) -> None:
        """Lock the database against others who create tables or studies."""
        if not self.is_sqlite:
            connection.execute(_LOCK_CREATION)

    def now(self, connection: Connection) -> int:
        """Microseconds since 1970, by the clock that all users of the database share."""
        if self.is_sqlite:
            return time.time_ns() // 1000
        return int(connection.execute(_NOW).scalar_one())

    def close(self) -> None:
        """Close the connection; a database in memory is kept."""
        if not self.is_memory:
            with self.mutex:
                self._disconnect()

    def _transact(self, work: Callable[[Connection], T], begin: str, repeatable: bool) -> T:
        give_up = time.monotonic() + RECONNECT
        with self.mutex:
            while True:
                committing = False
                try:
                    connection = self._connected()
                    transaction = connection.begin()
                    try:
                        if begin:
                            connection.exec_driver_sql(begin)
                        result = work(connection)
                        committing = True
                        transaction.commit()
                    except BaseException:
                        with suppress(DBAPIError):
                            connection.rollback()
                        if committing:  # the state of the connection is unknown
                            self.close()
                        raise
                    return result
                except DBAPIError as error:
                    lost = not self.is_sqlite and _is_lost(error)
                    if lost or error.connection_invalidated:
                        self._disconnect()
                    safe = repeatable or not committing
                    if lost and safe and time.monotonic() < give_up:
                        time.sleep(0.1)
                        continue
                    raise self._translated(error, lost, safe) from error

    def _connected(self) -> Connection:
        """The open connection, or a new one, also in a process that was forked."""
        if self._pid != os.getpid():
            _INHERITED.append((self._connection, self._engine))
            self._connection, self._pid = None, os.getpid()
            self._engine = _engine(self.url, self.is_sqlite)
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            with suppress(DBAPIError):
                self._connection.close()
        self._connection = None

    def _translated(self, error: DBAPIError, lost: bool, safe: bool) -> StorageError:
        message = str(error.orig).strip()
        if lost:
            unknown = "" if safe else "; it is unknown whether the last write was committed"
            reason = f"cannot reach the server{unknown} ({message})"
            return ServerLostError(f"{self.place}: {reason}")
        folder = Path(self.url.database or "").parent
        if "unable to open" in message and folder.is_dir() and not os.access(folder, os.W_OK):
            return ReadOnlyError(
                f"{self.place}: its folder is read-only, but SQLite writes there even to read; use "
                f"{_IMMUTABLE} for a database that does not change ({message})"
            )
        code = getattr(error.orig, "sqlstate", None)
        for kind, meaning, signs in _ERRORS:
            if code in signs or any(sign in message for sign in signs):
                return kind(f"{self.place}: {meaning} ({message})")
        return StorageError(f"{self.place}: {message}")


def store(url: Any, must_exist: bool) -> Store:
    """The database at ``url``; a process has one database in memory."""
    if not isinstance(url, str):
        raise invalid("url", _ACCEPTED, shown(url))
    try:
        parsed = make_url(url)
        backend = parsed.get_backend_name()
    except (ArgumentError, ValueError):
        raise invalid("url", _ACCEPTED, shown(url)) from None
    if backend == "postgresql":
        parsed = parsed.set(drivername="postgresql+psycopg")
    elif backend != "sqlite":
        raise invalid("url", _ACCEPTED, f"the database {backend!r}")
    if backend == "sqlite" and parsed.database in (None, "", ":memory:"):
        return memory()
    missing = backend == "sqlite" and not Path(parsed.database or "").exists()
    if must_exist and missing and "uri" not in parsed.query:
        raise StudyNotFoundError(f"there is no database {parsed.database}")
    return Store(parsed)


@cache
def memory() -> Store:
    """The database in the memory of this process."""
    return Store(make_url("sqlite://"))


def _engine(url: URL, is_sqlite: bool) -> Engine:
    if is_sqlite:
        arguments: dict[str, Any] = {"timeout": PATIENCE, "check_same_thread": False}
    else:
        arguments = {"connect_timeout": 10}
    try:
        engine = sa.create_engine(
            url, poolclass=NullPool, connect_args=arguments,
            paramstyle="qmark" if is_sqlite else "format",
        )  # fmt: skip
    except ModuleNotFoundError as error:
        raise StorageError(
            f"{url.get_backend_name()} needs the module {error.name}: "
            "pip install 'boclust[postgres]'"
        ) from None
    sa.event.listen(engine, "connect", _prepare_sqlite if is_sqlite else _prepare_postgresql)
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # ``_transact`` begins transactions
    give_up = time.monotonic() + PATIENCE
    while connection.execute("PRAGMA journal_mode").fetchone()[0] == "delete":
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            break  # without WAL the old journal stays, which is as durable
        except Exception as error:  # SQLite does not call the busy handler here
            if "is locked" not in str(error) or time.monotonic() > give_up:
                raise
            time.sleep(0.02)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _prepare_postgresql(connection: Any, _record: Any) -> None:
    milliseconds = int(1000 * PATIENCE)
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = {milliseconds}")
        cursor.execute(f"SET idle_in_transaction_session_timeout = {milliseconds}")
    connection.commit()


def _is_lost(error: DBAPIError) -> bool:
    """Whether the connection broke or failed (psycopg: no state, or class 08 or 57P)."""
    state = getattr(error.orig, "sqlstate", None)
    if error.connection_invalidated:
        return True
    if not isinstance(error, sa.exc.OperationalError):
        return False
    return state is None or state.startswith(("08", "57P"))
