"""A private PostgreSQL server for the tests, from the binaries that are installed."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psycopg

VARIABLE = "BOCLUST_TEST_POSTGRES"


def binaries():
    """The folder of ``initdb`` and ``postgres``, of the newest version, or None."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: float(p.parent.name))
    return folders[-1] if folders else None


class Server:
    """A server on a folder of its own; PostgreSQL refuses to run as root."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="boclust-pg-", dir="/tmp"))
        self.bin = binaries()
        if self.bin is None:
            raise RuntimeError(
                f"PostgreSQL is not installed: install it, or set {VARIABLE} to the URL of a server"
            )
        self.user = "postgres" if os.getuid() == 0 else None
        if self.user:
            shutil.chown(self.folder, self.user, self.user)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._run("initdb", "-D", self.data, "-U", "boclust", "-A", "trust", "-E", "UTF8")
        self.process = None
        self.start()

    @property
    def data(self):
        return str(self.folder / "data")

    def _as_user(self, *command):
        return (["runuser", "-u", self.user, "--"] if self.user else []) + list(command)

    def _run(self, name, *arguments):
        command = self._as_user(str(self.bin / name), *arguments)
        subprocess.run(command, check=True, capture_output=True, cwd=self.folder)

    def start(self):
        """Start it and wait until it answers."""
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

    def admin(self, statement):
        """Run one statement in the database that is always there."""
        with psycopg.connect(
            f"host={self.folder} port={self.port} user=boclust dbname=postgres", autocommit=True
        ) as connection:
            connection.execute(statement)

    def url(self, database):
        return f"postgresql+psycopg://boclust@/{database}?host={self.folder}&port={self.port}"

    def stop(self, mode="fast"):
        """Stop it: "fast", or "immediate", which is how a crash looks."""
        self._run("pg_ctl", "-D", self.data, "-m", mode, "-w", "stop")
        self.process.wait(timeout=60)

    def kill(self):
        """End it and all its processes with SIGKILL."""
        first = (self.folder / "data" / "postmaster.pid").read_text().split()[0]
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for process in (first, *children):
            with suppress(ProcessLookupError):
                os.kill(int(process), signal.SIGKILL)
        self.process.wait(timeout=60)

    def remove(self):
        if self.process.poll() is None:
            self.stop("immediate")
        shutil.rmtree(self.folder)
