"""``boclust serve`` in a process of its own, on loopback."""

import os
import re
import signal
import subprocess
import time
from contextlib import contextmanager

import httpx

from support.processes import PATIENCE, command_line


class Served:
    """A process that runs ``boclust serve`` and writes its output to files."""

    def __init__(self, url, *options, folder):
        name = os.urandom(4).hex()
        self.out, self.err = folder / f"{name}.out", folder / f"{name}.err"
        where = [] if url is None else ["--url", url]
        command = command_line("serve", *where, "--port", 0, *options)
        with self.out.open("wb") as out, self.err.open("wb") as err:
            self.process = subprocess.Popen(command, stdout=out, stderr=err, start_new_session=True)
        give_up = time.monotonic() + PATIENCE
        while not (found := re.search(r"at (http://\S+)\n", self.out.read_text())):
            assert self.process.poll() is None, self.err.read_text()
            assert time.monotonic() < give_up
            time.sleep(0.02)
        self.address = found[1].rstrip("/")

    def http(self, token=None):
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        return httpx.Client(base_url=f"{self.address}/api/v1/", headers=headers, timeout=PATIENCE)

    def signal(self, number):
        os.kill(self.process.pid, number)

    def ended(self):
        """The exit code and the output."""
        self.process.wait(timeout=PATIENCE)
        return self.process.returncode, self.out.read_text(), self.err.read_text()

    def stop(self):
        """Stop it by a signal, so that its coverage is counted."""
        self.signal(signal.SIGTERM)
        assert self.ended()[0] == 0

    def close(self):
        if self.process.poll() is None:
            self.signal(signal.SIGKILL)
        self.process.wait(timeout=PATIENCE)


@contextmanager
def served(url, *options, folder):
    server = Served(url, *options, folder=folder)
    try:
        yield server
    finally:
        server.close()
