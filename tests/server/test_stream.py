"""Event streams of a real server: each event once, in order, from any position."""

import asyncio
import json
import signal
import threading

import pytest

import boclust
from boclust.server import stream, tokens
from boclust.study.storage.store import store
from support.processes import PATIENCE
from support.server_process import served


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One server for all tests, with tokens; each has a study of its own."""
    folder = tmp_path_factory.mktemp("server")
    url = f"sqlite:///{folder / 'studies.db'}"
    _, token = tokens.create(store(url, False), "all tests", "admin", None)
    ann = tokens.create(store(url, True), "ann", "read", None)
    with served(url, "--rate", 0, folder=folder) as one:
        one.url, one.token, one.ann = url, token, ann
        yield one
        one.stop()


@pytest.fixture
def create(server, request):
    """``create()``: a study with the name of the test, as another process sees it."""
    name = request.node.name
    return lambda delta=0.1: boclust.Study.create(server.url, name, ["a", "b", "c"], 2, delta)


def frames(answer):
    """The events of a stream, as a browser's EventSource reads them."""
    frame = {}
    for line in answer.iter_lines():
        if line:
            name, _, value = line.partition(": ")
            frame[name] = value
        elif "data" in frame:
            yield int(frame["id"]), frame["event"], json.loads(frame["data"])
            frame = {}


def taken(events, count):
    return [next(events) for _ in range(count)]


def test_a_stream_has_what_was_and_what_happens(server, create):
    with create() as study:
        study.tell("a", 1.0)
        path = f"studies/{study.name}"
        with (
            server.http(server.token) as http,
            http.stream("GET", f"{path}/events") as answer,
        ):
            assert answer.headers["content-type"].startswith("text/event-stream")
            events = frames(answer)
            assert [seq for seq, *_ in taken(events, 2)] == [1, 2]
            rows = {"observations": [{"arm": "b", "value": 2.0, "key": "k"}]}
            assert http.post(f"{path}/observations", json=rows).json() == {"events": [3]}
            assert next(events)[:2] == (3, "told")
            study.change_budget(50)  # by another process, as far as the server knows
            seq, kind, event = next(events)
            assert (seq, kind, event["kind"]) == (4, "budget-changed", "budget changed")
            assert event == next(iter(study.history(3)))
        with server.http(server.token) as http:
            on = {"headers": {"Last-Event-ID": "3"}, "params": {"after": 1}}
            with http.stream("GET", f"{path}/events", **on) as answer:
                assert next(frames(answer))[0] == 4
            with http.stream("GET", f"{path}/events", params={"after": 2}) as answer:
                assert [seq for seq, *_ in taken(frames(answer), 2)] == [3, 4]
            bad = http.get(f"{path}/events", headers={"Last-Event-ID": "x"})
            assert bad.status_code == 422


def test_a_long_history_comes_whole(server, create):
    count = 2 * stream.PAGE + 10
    with create(1e-300) as study:
        study.tell_many([("abc"[i % 3], float(i)) for i in range(count)])
    path = f"studies/{study.name}/events"
    with server.http(server.token) as http, http.stream("GET", path) as answer:
        assert [seq for seq, *_ in taken(frames(answer), count + 1)] == list(range(1, count + 2))


@pytest.mark.slow
def test_streams_end_when_the_server_does(url, serve):
    boclust.Study.create(url, "tides", ["a", "b", "c"], 2, 0.1).close()
    server = serve(url)
    with server.http() as http, http.stream("GET", "studies/tides/events") as answer:
        events = frames(answer)
        assert next(events)[0] == 1
        server.signal(signal.SIGTERM)
        assert list(events) == []  # an end, not a broken connection
    assert server.ended()[0] == 0


def test_a_stream_ends_when_its_token_is_revoked(server, create):
    with create() as study:
        made, text = server.ann
        path = f"studies/{study.name}/events"
        with server.http(text) as http, http.stream("GET", path) as answer:
            events = frames(answer)
            assert next(events)[0] == 1
            tokens.revoke(store(server.url, True), made.id)
            assert list(events) == []


def test_many_watch_and_all_see_all(server, create):
    """Eight streams while four threads tell: each sees every event once and in order."""
    with create(1e-300) as study:
        path = f"studies/{study.name}"
    seen, done = [], 1 + 4 * 25

    def watch():
        with (
            server.http(server.token) as http,
            http.stream("GET", f"{path}/events") as answer,
        ):
            seen.append([seq for seq, *_ in taken(frames(answer), done)])

    def tell(number):
        with server.http(server.token) as http:
            for i in range(25):
                row = {"arm": number % 3, "value": float(i), "key": f"{number} {i}"}
                http.post(f"{path}/observations", json={"observations": [row]})

    threads = [threading.Thread(target=watch) for _ in range(8)]
    threads += [threading.Thread(target=tell, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert seen == 8 * [list(range(1, done + 1))]


def test_heartbeats_and_a_limit_on_streams(api, study, monkeypatch):
    monkeypatch.setattr(stream, "HEARTBEAT", 0.0)
    monkeypatch.setattr(stream, "POLL", 0.01)
    notifier = api.client.app.state.boclust.notifier
    reads = []

    def read(after):
        reads.append(after)
        notifier.closing = len(reads) > 3
        return []

    async def collect():
        return [piece async for piece in stream.stream(notifier, "tides", read, 7)]

    pieces = asyncio.run(collect())
    assert pieces.count(b": nothing new\n\n") == 4
    assert reads == [7, 7, 7, 7]
    assert notifier.count == 0
    notifier.count = stream.MOST
    assert api("GET", "studies/tides/events", status=503)["type"] == "urn:boclust:too-many"
