"""``boclust serve`` in a process of its own, on loopback."""

import os
import re
import signal
import subprocess
from contextlib import contextmanager

import httpx

from processes import PATIENCE, command_line


class Served:
    """A process that runs ``boclust serve``."""

    def __init__(self, url, *options, folder):
        self.log = folder / f"server-{os.urandom(4).hex()}.log"
        where = [] if url is None else ["--url", url]
        command = command_line("serve", *where, "--port", 0, *options)
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True
            )
        self.first = self.process.stdout.readline()
        found = re.search(r"http://\S+", self.first)
        assert found, self.first + self.log.read_text()
        self.address = found[0].rstrip("/")

    def http(self, token=None):
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        return httpx.Client(base_url=f"{self.address}/api/v1/", headers=headers, timeout=PATIENCE)

    def signal(self, number):
        os.kill(self.process.pid, number)

    def ended(self):
        """The exit code, and all that it wrote."""
        out, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, self.first + out, self.log.read_text()

    def close(self):
        if self.process.poll() is None:
            self.signal(signal.SIGKILL)
        self.process.communicate(timeout=PATIENCE)


@contextmanager
def served(url, *options, folder):
    server = Served(url, *options, folder=folder)
    try:
        yield server
    finally:
        server.close()
