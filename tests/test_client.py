"""``boclust.Client``: the answers and errors of a local study, even over a bad connection."""

import dataclasses
import signal
import socket
import threading
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import numpy as np
import pytest

import boclust
from boclust import client as client_module
from boclust._data import as_data
from boclust.client import AccessError
from boclust.server import tokens
from boclust.study import errors
from boclust.study.status import Estimate, PlainExplanation
from boclust.study.storage.store import store
from support.server_process import served

ARMS = ["a", {"name": "b", "cost": 2.0, "tags": ["lab"]}, "c"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One server for all tests, with tokens; each has studies of its own."""
    folder = tmp_path_factory.mktemp("server")
    url = f"sqlite:///{folder / 'studies.db'}"
    _, token = tokens.create(store(url, False), "all tests", "admin", None)
    _, teller = tokens.create(store(url, True), "ann", "tell", None)
    with served(url, "--rate", 0, folder=folder) as one:
        one.url, one.token, one.teller = url, token, teller
        yield one
        one.stop()


@pytest.fixture
def client(server):
    with boclust.Client(server.address, server.token) as one:
        yield one


@pytest.fixture
def both(server, client, request):
    """A study as the client and as this process see it."""
    with ExitStack() as stack:

        def make(name=request.node.name, **more):
            remote = client.create(name, ARMS, 2, 0.1, **more)
            return remote, stack.enter_context(boclust.Study.open(server.url, name))

        yield make


def test_a_study_from_beginning_to_end(both, tmp_path):
    remote, local = both(budget={"cost": 500}, lease=60.0)
    assert remote.name == local.name
    assert remote.parameters["family"] == {"name": "gaussian", "sigma": 1.0}
    ask = remote.ask(client="ann")
    assert ask == local.find_ask(ask.id)
    assert remote.ask(client="ann") == ask
    told = remote.tell(ask, 1.5, metadata={"by": "hand"})
    assert remote.tell(ask, 1.5, metadata={"by": "hand"}) == told
    asks = remote.ask(2)
    assert len({one.client for one in asks}) == 1
    assert remote.tell_many([(asks[0], 0.5), ("c", 7, "row 3"), {"arm": 0, "value": 1.0}])
    assert remote.tell(1, np.float64(0.25), key="k") == remote.tell("b", 0.25, key="k")
    assert remote.status() == local.status()
    assert dataclasses.replace(local.explain(), nearest=None) == remote.explain()
    assert list(remote.history()) == list(local.history())
    assert list(remote.history(3, 2)) == list(local.history(3, 2))
    for name in ("values.csv", "values.parquet"):
        theirs, ours = tmp_path / name, tmp_path / f"local-{name}"
        assert remote.export(theirs) == local.export(ours) == 5
        assert theirs.read_bytes() == ours.read_bytes()
    event = remote.correct(told, 1.6, "misread", client="ann")
    assert remote.correct(told, 1.6, "misread") == event
    assert remote.void(told, "unplugged") == event + 1
    remote.pause()
    with pytest.raises(errors.StudyPausedError):
        remote.ask()
    remote.resume(client="ann")
    remote.change_budget(3)
    with pytest.raises(errors.StudyStoppedError) as ended:
        remote.ask()
    assert ended.value.how == "budget"
    remote.change_budget({"cost": 1000.0})
    remote.change_budget(None)
    remote.stop("no funds")
    assert remote.status().state == "stopped"
    assert local.verify().ok


def test_answers_come_back_as_they_were():
    """Also numbers that JSON writes as null."""
    with boclust.Study.create("sqlite://", "parsed", ARMS, 2, 0.1) as study:
        study.ask(client="ann")
        explanation = study.explain()
        names = [arm.name for arm in study.arms]
        plain = as_data(PlainExplanation.of(explanation, names))
        found = client_module._EXPLANATION.validate_python(plain).explanation()
        assert plain["evidence"] is None
        assert found == dataclasses.replace(explanation, nearest=None)
        estimate = Estimate(12.4, 0.0, float("inf"))
        status = dataclasses.replace(
            study.status(), remaining_samples=estimate, remaining_cost=estimate.times(0.0)
        )
        plain = as_data(status)
        assert plain["remaining_samples"] == {"value": 12.4, "low": 0.0, "high": None}
        assert plain["remaining_cost"] == {"value": 0.0, "low": 0.0, "high": 0.0}
        assert client_module._STATUS.validate_python(plain) == status
        assert client_module._STATUS.validate_python(plain | {"later": 1}) == status


def test_long_histories_come_by_pages(both):
    remote, local = both()
    local.tell_many([("a", float(i)) for i in range(2345)])
    assert [event["seq"] for event in remote.history()] == list(range(1, 2347))
    assert len(list(remote.history(10, 1500))) == 1500


def test_events_as_they_happen(both):
    remote, local = both()
    events = remote.events()
    assert next(events)["kind"] == "created"
    remote.tell("a", 1.0)
    assert next(events) == next(iter(local.history(1)))
    events.close()


@pytest.mark.parametrize("name", ["a/b", "..", "~1", "é", "a b?", "x%2Fy", "<b>"])
def test_any_name(client, name):
    made = client.create(name, 3, 2, 0.1)
    assert (made.name, client.study(name).name) == (name, name)
    assert made.tell(0, 1.0) == 2
    assert name in [one["name"] for one in client.studies()]


def test_all_that_create_takes(both):
    options = dict(
        dim=2, family=boclust.SubGaussian(2.0), lease=5.0, budget=100,
        algorithm=boclust.Algorithm("challenger"), key="again",
    )  # fmt: skip
    remote, local = both(**options)
    again, _ = both(**options)
    assert again.parameters == remote.parameters == local.parameters
    assert remote.tell_many([("a", [1.0, 2.0]), (1, np.array([0.0, 1.0]))]) == [2, 3]
    with pytest.raises(errors.StudyExistsError):
        both(**options | {"dim": 3})


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda s: s.tell("nobody", 1.0), boclust.InvalidInputError, "got 'nobody'"),
        (lambda s: s.tell("a", float("nan")), boclust.InvalidInputError, "NaN"),
        (lambda s: s.tell("a", object()), boclust.InvalidInputError, "object"),
        (lambda s: s.tell("a", 2**53 + 1), boclust.InvalidInputError, "rounds"),
        (lambda s: s.tell("a", "1"), boclust.InvalidInputError, "value"),
        (lambda s: s.tell_many([("a",)]), boclust.InvalidInputError, "observation must be"),
        (lambda s: s.tell_many([]), boclust.InvalidInputError, "observations"),
        (lambda s: s.void(99, "x"), errors.StudyNotFoundError, "99"),
        (lambda s: s.ask(0), boclust.InvalidInputError, "^n"),
        (lambda s: s.export("values.xls"), boclust.InvalidInputError, "path must be"),
        (lambda s: s.change_budget(0), boclust.InvalidInputError, "samples"),
    ],
)
def test_bad_input_is_the_error_that_it_is_locally(both, call, error, message):
    remote, local = both()
    with pytest.raises(error, match=message):
        call(remote)
    assert local.status().events == 1


def test_conflicts_and_what_is_not_there(client, both):
    remote, _ = both()
    remote.tell("a", 1.0, key="k")
    with pytest.raises(boclust.ConflictError, match="the key 'k' was used"):
        remote.tell("a", 2.0, key="k")
    for name in ("nobody", "no/body"):
        with pytest.raises(errors.StudyNotFoundError, match="no study"):
            client.study(name)
    for bad in ("127.0.0.1:8000", None):
        with pytest.raises(ValueError, match="url must be"):
            boclust.Client(bad)
    with pytest.raises(ValueError, match=r"name must be .*, got 3"):
        client.study(3)
    with pytest.raises(ValueError, match="retries"):
        boclust.Client("http://127.0.0.1", retries=-1)


def test_tokens(server, client):
    client.create("tides", 3, 2, 0.1)
    with boclust.Client(server.address, server.teller) as teller:
        assert teller.study("tides").tell(0, 1.0) == 2
        with pytest.raises(AccessError, match="admin"):
            teller.create("new", 3, 2, 0.1)
    for wrong in (None, "boc_x_y"):
        with boclust.Client(server.address, wrong) as nobody, pytest.raises(AccessError) as said:
            nobody.studies()
        assert "boc_" not in str(said.value)


@pytest.mark.slow
def test_a_restart_is_sat_out(tmp_path, monkeypatch):
    """Kill the server and start another while a client tells: each value is recorded once."""
    url = f"sqlite:///{tmp_path / 'studies.db'}"
    boclust.Study.create(url, "tides", 3, 2, 1e-300).close()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    told, enough = [], threading.Event()

    def work(address):
        with boclust.Client(address, retries=40) as client:
            study = client.study("tides")
            for i in range(200):
                told.append(study.tell(i % 3, float(i)))
                if i == 20:
                    enough.set()

    with served(url, "--port", port, folder=tmp_path) as first:
        thread = threading.Thread(target=work, args=(first.address,))
        thread.start()
        assert enough.wait(60)
        first.signal(signal.SIGKILL)
    with served(url, "--port", port, folder=tmp_path):
        thread.join(120)
    assert not thread.is_alive()
    with boclust.Study.open(url, "tides") as study:
        values = [event["value"] for event in study.history() if event["kind"] == "told"]
    assert values == [float(i) for i in range(200)]
    assert told == list(range(2, 202))


class Scripted(BaseHTTPRequestHandler):
    """Gives the answers in ``script`` one after the other; None breaks the connection."""

    script: ClassVar[list] = []
    seen: ClassVar[list] = []

    def do_POST(self):
        self.seen.append(self.rfile.read(int(self.headers["content-length"])))
        self.seen.append(self.headers["idempotency-key"])
        status = self.script.pop(0)
        if status is None:
            self.connection.close()
            return
        self.send_response(status)
        body = b'{"events": [5]}' if status == 200 else b"<html>busy</html>"
        self.send_header("content-length", str(len(body)))
        if status == 429:
            self.send_header("retry-after", "3")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *said):
        pass


@pytest.fixture
def scripted(monkeypatch):
    """A remote study on a scripted server, and the pauses of its client."""
    slept = []
    monkeypatch.setattr(client_module.time, "sleep", slept.append)
    monkeypatch.setattr(Scripted, "seen", [])
    server = ThreadingHTTPServer(("127.0.0.1", 0), Scripted)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    remote = object.__new__(boclust.client.RemoteStudy)
    remote._http = client_module._Http(f"http://127.0.0.1:{server.server_port}", None, 10, 3)
    remote._path = "studies/tides"

    def run(*script):
        monkeypatch.setattr(Scripted, "script", list(script))
        return remote, slept

    yield run
    remote._http.session.close()
    server.shutdown()
    thread.join()
    server.server_close()


def test_what_is_sent_again_is_the_same(scripted):
    remote, slept = scripted(None, 503, 429, 200)
    assert remote.tell("a", 1.0) == 5
    assert len(set(Scripted.seen)) == 2
    assert Scripted.seen[1]
    assert len(slept) == 3
    assert slept[2] >= 3  # as the server said
    assert slept[0] < slept[1]


def test_it_gives_up_after_so_many_tries(scripted):
    remote, slept = scripted(503, 502, 504, 503)
    with pytest.raises(boclust.StudyError, match="the server answered 503"):
        remote.tell("a", 1.0)
    assert len(slept) == 3
    remote, _ = scripted(None, None, None, None)
    with pytest.raises(errors.ServerLostError, match=r"127\.0\.0\.1: cannot reach the server"):
        remote.tell("a", 1.0)
    remote, _ = scripted(418)
    with pytest.raises(boclust.StudyError, match="the server answered 418"):
        remote.tell("a", 1.0)
