"""A PostgreSQL server for benchmarks and tests: a private one, from the installed binaries.

``BOCLUST_TEST_POSTGRES`` may be the URL of another server (with an account that may create
databases), "skip" or, for the tests, "required".
"""

import os
import shutil
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

VARIABLE = "BOCLUST_TEST_POSTGRES"


class NoServerError(RuntimeError):
    """PostgreSQL is not available, or not wanted."""


class Server(Protocol):
    """A server that can hold databases."""

    def admin(self, statement: str) -> None:
        """Run one statement in a database that always exists."""
        ...

    def url(self, database: str) -> str:
        """The URL of one of its databases, for SQLAlchemy."""
        ...


class Elsewhere:
    """A server that already runs."""

    def __init__(self, url: str) -> None:
        from sqlalchemy.engine import make_url

        self._url = make_url(url).set(drivername="postgresql+psycopg")

    def admin(self, statement: str) -> None:
        """Run one statement in the database of the URL."""
        _run(self._url.set(drivername="postgresql").render_as_string(False), statement)

    def url(self, database: str) -> str:
        """The URL of one of its databases."""
        return self._url.set(database=database).render_as_string(hide_password=False)


class Private:
    """A server in a temporary folder, which listens on a socket there; not as root."""

    def __init__(self) -> None:
        self.bin = binaries()
        self.folder = Path(tempfile.mkdtemp(prefix="boclust-pg-", dir="/tmp"))
        self.user = "postgres" if os.getuid() == 0 else None
        if self.user:
            shutil.chown(self.folder, self.user, self.user)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._run("initdb", "-D", self.data, "-U", "boclust", "-A", "trust", "-E", "UTF8")
        self.start()

    @property
    def data(self) -> str:
        """The folder of the databases."""
        return str(self.folder / "data")

    def _as_user(self, *command: str) -> list[str]:
        return [*(["runuser", "-u", self.user, "--"] if self.user else []), *command]

    def _run(self, name: str, *arguments: str) -> None:
        command = self._as_user(str(self.bin / name), *arguments)
        subprocess.run(command, check=True, capture_output=True, cwd=self.folder)

    def start(self) -> None:
        """Start the server and wait until it answers."""
        import psycopg

        options = ["-k", str(self.folder), "-p", str(self.port), "-c", "listen_addresses="]
        command = self._as_user(str(self.bin / "postgres"), "-D", self.data, *options)
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder)
        give_up = time.monotonic() + 60
        while True:
            try:
                self.admin("SELECT 1")
                return
            except psycopg.OperationalError:
                if time.monotonic() > give_up or self.process.poll() is not None:
                    raise
                time.sleep(0.05)

    def admin(self, statement: str) -> None:
        """Run one statement in the database ``postgres``."""
        _run(f"host={self.folder} port={self.port} user=boclust dbname=postgres", statement)

    def url(self, database: str) -> str:
        """The URL of one of its databases."""
        return f"postgresql+psycopg://boclust@/{database}?host={self.folder}&port={self.port}"

    def stop(self, mode: str = "fast") -> None:
        """Stop the server: "fast", or "immediate", which looks like a crash."""
        self._run("pg_ctl", "-D", self.data, "-m", mode, "-w", "stop")
        self.process.wait(timeout=60)

    def remove(self) -> None:
        """Stop the server and delete its folder."""
        if self.process.poll() is None:
            self.stop("immediate")
        shutil.rmtree(self.folder)


def binaries() -> Path:
    """The folder of ``initdb`` and ``postgres`` of the newest version."""
    if found := shutil.which("initdb"):
        return Path(found).parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: float(p.parent.name))
    if not folders:
        raise NoServerError(
            f"PostgreSQL is not installed: install it, or set {VARIABLE} to the URL of a server, "
            "or to 'skip'"
        )
    return folders[-1]


@contextmanager
def server() -> Iterator[Server]:
    """The server that the variable names, or a private one; ``NoServerError`` without either."""
    setting = os.environ.get(VARIABLE, "")
    if setting == "skip":
        raise NoServerError(f"{VARIABLE} is 'skip'")
    if "://" in setting:
        yield Elsewhere(setting)
        return
    own = Private()
    try:
        yield own
    finally:
        own.remove()


@contextmanager
def database(where: Server) -> Iterator[str]:
    """The URL of a new database, which is dropped afterwards."""
    name = f"boclust_{uuid.uuid4().hex}"
    where.admin(f"CREATE DATABASE {name}")
    try:
        yield where.url(name)
    finally:
        where.admin(f"DROP DATABASE {name} WITH (FORCE)")


def _run(server: str, statement: str) -> None:
    try:
        import psycopg
    except ModuleNotFoundError:
        raise NoServerError("PostgreSQL needs psycopg: pip install 'boclust[postgres]'") from None
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(statement.encode())
