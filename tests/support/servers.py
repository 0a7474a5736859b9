"""A private PostgreSQL server that a test may kill."""

import os
import signal
from contextlib import contextmanager, suppress
from pathlib import Path

from benchmarks.postgres import Private


class Mortal(Private):
    def kill(self):
        """Kill the server and all its processes with SIGKILL."""
        first = (self.folder / "data" / "postmaster.pid").read_text().split()[0]
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for process in (first, *children):
            with suppress(ProcessLookupError):
                os.kill(int(process), signal.SIGKILL)
        self.process.wait(timeout=60)


@contextmanager
def mortal_server():
    own = Mortal()
    try:
        yield own
    finally:
        own.remove()
