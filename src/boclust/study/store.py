"""A database of studies: connections, transactions, and its errors in plain words.

Every write is one transaction that holds the study's lock: on SQLite the file's write lock (BEGIN
IMMEDIATE; WAL, synchronous=FULL: what is acknowledged survives a loss of power), on PostgreSQL the
lock of the study's row. Others wait for it, up to ``PATIENCE`` seconds.

A connection that is lost before COMMIT was sent has changed nothing: the work is repeated on a new
one. Lost during COMMIT, it may or may not have been done: it is repeated only where doing it twice
is the same as once.
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

from boclust._validate import fail, shown
from boclust.study.errors import (
    BusyError,
    CorruptError,
    DiskFullError,
    ReadOnlyError,
    ServerLostError,
    StorageError,
    StudyNotFoundError,
)
from boclust.study.tables import studies

#: Seconds that a call waits for others who hold the lock.
PATIENCE = 60.0
#: Seconds during which a lost server is tried again.
RECONNECT = 5.0

T = TypeVar("T")

_ACCEPTED = "'sqlite:///file.db', 'sqlite://' (in memory) or 'postgresql+psycopg://...'"
_UNWRITTEN = "'sqlite:///file:FILE?mode=ro&immutable=1&uri=true'"
#: What SQLite says, or the code that PostgreSQL gives, and what it means.
_SAYINGS: list[tuple[type[StorageError], str, tuple[str, ...]]] = [
    (DiskFullError, "no room is left", ("disk is full", "53100")),
    (ReadOnlyError, "it cannot be written", ("readonly database", "25006")),
    (CorruptError, "it is damaged or no database", ("malformed", "not a database")),
    (BusyError, f"it was locked for {PATIENCE:g} s", ("is locked", "55P03")),
    (StorageError, "the file cannot be opened", ("unable to open database file",)),
    (StorageError, "the disk, or a limit on files, refused", ("disk I/O error",)),
]
_NOW = sa.select(sa.cast(sa.extract("epoch", sa.func.clock_timestamp()) * 1_000_000, sa.BigInteger))
_LOCK_ROW = _NOW.where(studies.c.id == sa.bindparam("study")).with_for_update(of=studies)
#: How a PostgreSQL transaction that reads begins; SQLite's see one moment anyhow.
_UNCHANGING = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
#: What those who make tables or studies lock: a number that nobody else is likely to.
_MAKERS = sa.select(sa.func.pg_advisory_xact_lock(7_262_317))
#: Connections of a parent process: closing them here would disturb it.
_INHERITED: list[Any] = []


class Store:
    """One database, by one connection that threads take turns (``mutex``) to use."""

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
        """What ``work`` finds, in one transaction, during which nothing changes for it."""
        return self._transact(work, "BEGIN" if self.is_sqlite else _UNCHANGING, repeatable=True)

    def write(self, work: Callable[[Connection], T], repeatable: bool = True) -> T:
        """What ``work`` returns once all that it wrote is there to stay.

        ``repeatable``: that it may be done again where it is not known whether it was done.
        """
        return self._transact(work, "BEGIN IMMEDIATE" if self.is_sqlite else "", repeatable)

    def lock(self, connection: Connection, study: int) -> int:
        """Keep others from writing to a study; returns the time."""
        if self.is_sqlite:  # locked by BEGIN IMMEDIATE
            return self.now(connection)
        return int(connection.execute(_LOCK_ROW, {"study": study}).scalar_one())

    def lock_makers(self, connection: Connection) -> None:
        """Keep others from making tables and studies."""
        if not self.is_sqlite:
            connection.execute(_MAKERS)

    def now(self, connection: Connection) -> int:
        """Microseconds since 1970, by the one clock that all who use the database have."""
        if self.is_sqlite:
            return time.time_ns() // 1000
        return int(connection.execute(_NOW).scalar_one())

    def close(self) -> None:
        """Let go of the connection; a database in memory lives on."""
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
                        if committing:  # who knows what the connection is in the middle of
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
        """The connection, a new one where there is none or it belongs to a parent process."""
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
        said = str(error.orig).strip()
        if lost:
            unknown = "" if safe else "; whether the last write was kept is not known"
            return ServerLostError(f"{self.place}: the server cannot be reached{unknown} ({said})")
        folder = Path(self.url.database or "").parent
        if "unable to open" in said and folder.is_dir() and not os.access(folder, os.W_OK):
            return ReadOnlyError(
                f"{self.place}: its folder cannot be written, as SQLite must even to read it; what "
                f"nobody writes can be read as {_UNWRITTEN} ({said})"
            )
        code = getattr(error.orig, "sqlstate", None)
        for kind, meaning, sayings in _SAYINGS:
            if code in sayings or any(saying in said for saying in sayings):
                return kind(f"{self.place}: {meaning} ({said})")
        return StorageError(f"{self.place}: {said}")


def store(url: Any, must_exist: bool) -> Store:
    """The database at ``url``; one in memory is shared by all of this process."""
    if not isinstance(url, str):
        raise fail("url", f"is {shown(url)}", _ACCEPTED)
    try:
        parsed = make_url(url)
        backend = parsed.get_backend_name()
    except (ArgumentError, ValueError):
        raise fail("url", f"is {shown(url)}", _ACCEPTED) from None
    if backend == "postgresql":
        parsed = parsed.set(drivername="postgresql+psycopg")
    elif backend != "sqlite":
        raise fail("url", f"names the database {backend!r}", _ACCEPTED)
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
    connection.isolation_level = None  # transactions begin as ``_transact`` says
    give_up = time.monotonic() + PATIENCE
    while connection.execute("PRAGMA journal_mode").fetchone()[0] == "delete":
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            break  # where there can be none the other journal stays, which is as durable
        except Exception as error:  # the busy handler is not asked for this one
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
    """Whether the connection broke or could not be made (psycopg: no state, or class 08 or 57)."""
    state = getattr(error.orig, "sqlstate", None)
    if error.connection_invalidated:
        return True
    if not isinstance(error, sa.exc.OperationalError):
        return False
    return state is None or state.startswith(("08", "57P"))
