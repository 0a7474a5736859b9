"""A server in this process, and real ones in processes of their own, on loopback only."""

import os
import re
import signal
import subprocess
from contextlib import ExitStack, contextmanager

import httpx
import pytest

import boclust
from boclust.server import create_app, tokens
from boclust.study.store import store
from in_process import ADDRESS, InProcess
from processes import PATIENCE, command_line


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path / 'studies.db'}"


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Servers in this process see a new or revoked token at once."""
    monkeypatch.setattr(tokens, "FRESH", 0.0)


@pytest.fixture
def make_app(url):
    """``make_app(**settings)``: a client of an application in this process."""
    made = []

    def make(base_url=ADDRESS, **settings):
        made.append(create_app(url, **{"rate": None, **settings}))
        return InProcess(made[-1], base_url)

    yield make
    for app in made:
        app.state.boclust.close()


@pytest.fixture
def api(make_app):
    """``api(method, path, body, status=200, **more)``: what the server answers, as JSON."""
    client = make_app()

    def call(method, path, body=None, status=200, token=None, **more):
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        headers |= more.pop("headers", {})
        if method == "POST":
            more["json"] = {} if body is None else body
        answer = client.request(method, f"/api/v1/{path}", headers=headers, **more)
        assert answer.status_code == status, answer.text
        return answer.json()

    call.client = client
    return call


@pytest.fixture
def study(api, url):
    """The study "tides" of the arms a, b and c."""
    api(
        "POST",
        "studies",
        {"name": "tides", "arms": list("abc"), "n_clusters": 2, "delta": 0.1},
        201,
    )
    with boclust.Study.open(url, "tides") as one:
        yield one


@pytest.fixture
def token(url):
    """``token(role, studies=None)``: the text of a new one."""
    return lambda role="admin", studies=None: tokens.create(store(url, False), role, role, studies)[
        1
    ]


class Served:
    """A process that runs ``boclust serve``."""

    def __init__(self, url, *options, folder):
        self.log = folder / f"server-{os.urandom(4).hex()}.log"
        command = command_line("serve", "--url", url, "--port", 0, *options)
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


@pytest.fixture
def serve(tmp_path):
    """``serve(url, *options)``: a server process, ended with the test."""
    with ExitStack() as stack:
        yield lambda url, *options: stack.enter_context(served(url, *options, folder=tmp_path))
