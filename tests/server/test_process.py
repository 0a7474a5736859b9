"""Server processes: start, stop, and no acknowledged value is lost."""

import signal
import socket
import threading
import time

import httpx
import numpy as np
import pytest

import boclust
from boclust.server import tokens
from boclust.study.storage.store import store
from support.disks import disk, filled
from support.processes import PATIENCE

#: They run processes that `make coverage` does not see.
pytestmark = [pytest.mark.slow, pytest.mark.compiled]

PROBLEM = dict(arms=list("abc"), n_clusters=2, delta=1e-300)  # goes on for ever


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'studies.db'}"
    return request.getfixturevalue("database")


def told(url):
    """The values in the log: (number, arm, value) by their keys."""
    with boclust.Study.open(url, "tides") as study:
        assert study.verify().ok
        rows = [e for e in study.history() if e["kind"] == "told"]
    assert len({e["key"] for e in rows}) == len(rows)
    return {e["key"]: (e["seq"], e["arm"], e["value"]) for e in rows}


class Tellers:
    """Threads that tell values with keys of their own until they are stopped, or so many each.

    ``acknowledged`` has what the server said it recorded. A connection that is lost is no error:
    the same value is sent again.
    """

    def __init__(self, address, count, rounds=None, pause=0.0):
        self.address = address
        self.acknowledged = {}
        self.unexpected = []
        self.seconds = []
        self._stop = threading.Event()
        self._rounds, self._pause = rounds, pause
        self._threads = [threading.Thread(target=self._tell, args=(i,)) for i in range(count)]
        for thread in self._threads:
            thread.start()

    def _tell(self, number):
        done = 0
        with httpx.Client(timeout=PATIENCE) as http:
            while not self._stop.is_set() and done != self._rounds:
                row = {
                    "arm": "abc"[number % 3],
                    "value": number + done / 1e6,
                    "key": f"{number} {done}",
                }
                if self._send(http, row):
                    done += 1
                time.sleep(self._pause)

    def _send(self, http, row):
        began = time.perf_counter()
        try:
            answer = http.post(
                f"{self.address}/api/v1/studies/tides/observations",
                json={"observations": [row], "client": "teller"},
            )  # fmt: skip
        except httpx.TransportError:
            time.sleep(0.02)
            return False
        if answer.status_code != 200:
            self.unexpected.append((answer.status_code, answer.text))
            return True
        self.seconds.append(time.perf_counter() - began)
        self.acknowledged[row["key"]] = (answer.json()["events"][0], row["arm"], row["value"])
        return True

    def join(self):
        for thread in self._threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()

    def stop(self):
        self._stop.set()
        self.join()


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_graceful_stop_answers_what_has_come(url, serve, number):
    """Every value is acknowledged or not in the log; then the process ends with 0."""
    boclust.Study.create(url, "tides", **PROBLEM).close()
    server = serve(url)
    tellers = Tellers(server.address, 6)
    while len(tellers.acknowledged) < 40:
        time.sleep(0.01)
    server.signal(number)
    code, out, err = server.ended()
    tellers.stop()
    assert (code, out.splitlines()[-1], err) == (0, "Stopped.", "")
    assert tellers.unexpected == []
    assert told(url) == tellers.acknowledged


def test_a_second_signal_stops_at_once(url, serve):
    """While a request hangs because its body never arrives."""
    server = serve(url)
    host, port = server.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as hanging:
        hanging.sendall(
            b"POST /api/v1/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b"Content-Length: 10\r\n\r\n{"
        )
        time.sleep(0.5)
        server.signal(signal.SIGTERM)
        time.sleep(0.5)
        assert server.process.poll() is None
        server.signal(signal.SIGTERM)
        assert server.ended()[0] == -signal.SIGTERM


def test_a_server_that_is_killed_loses_nothing_that_it_acknowledged(url, serve, tmp_path):
    """SIGKILL at three moments while six clients tell; each time another server continues."""
    boclust.Study.create(url, "tides", **PROBLEM).close()
    port = free_port()
    server = serve(url, "--port", port)
    tellers = Tellers(server.address, 6)
    rng = np.random.default_rng(7)
    for _ in range(3):
        before = len(tellers.acknowledged)
        while len(tellers.acknowledged) < before + 30:
            time.sleep(0.005)
        time.sleep(rng.uniform(0, 0.02))
        server.signal(signal.SIGKILL)
        assert server.ended()[0] == -signal.SIGKILL
        server = serve(url, "--port", port)
    tellers.stop()
    assert tellers.unexpected == []
    recorded = told(url)
    for key, value in tellers.acknowledged.items():
        assert recorded[key] == value
    # sent but not acknowledged: at most the last request of each client
    assert len(recorded) - len(tellers.acknowledged) <= 6


def test_32_clients_at_once(url, serve):
    """Every acknowledged value exactly once; no error at all, since every value has its own key.

    Each client tells 60 values; meanwhile four others ask and look.
    """
    boclust.Study.create(url, "tides", **PROBLEM).close()
    server = serve(url, "--rate", 0)
    seen = []

    def look(number):
        with server.http() as http:
            for i in range(25):
                asked = {"n": 1, "client": f"looker {number}"}
                seen.append(http.post("studies/tides/asks", json=asked).status_code)
                path = ("", "/explain", "/history?after=5", "/trace", "/picture")[i % 5]
                seen.append(http.get(f"studies/tides{path}").status_code)

    lookers = [threading.Thread(target=look, args=(i,)) for i in range(4)]
    tellers = Tellers(server.address, 32, rounds=60)
    for thread in lookers:
        thread.start()
    tellers.join()
    for thread in lookers:
        thread.join(PATIENCE)
    assert set(seen) == {200}
    assert tellers.unexpected == []
    assert len(tellers.acknowledged) == 32 * 60
    assert told(url) == tellers.acknowledged


def test_logs_have_no_secrets(url, serve):
    _, text = tokens.create(store(url, False), "ann", "admin", None)
    secret = text.split("_", 2)[2]
    server = serve(url, "--log")
    with server.http(text) as http:
        assert http.get("whoami").json()["name"] == "ann"
        assert http.post("login", json={"token": text}).is_success
        assert http.get("whoami").is_success  # by the cookie as well
        assert http.post("login", json={"token": text + "x"}).status_code == 401
        assert http.post("studies", json={"name": text}).status_code == 422
    server.signal(signal.SIGTERM)
    code, out, err = server.ended()
    assert code == 0
    assert '"POST /api/v1/login HTTP/1.1" 200' in err
    for written in (out, err):
        assert secret not in written
        assert text not in written


def test_a_password_of_the_database_is_printed_nowhere(serve, mortal):
    plain = mortal.url("postgres")
    url = plain.replace("boclust@", "boclust:hunter2@")
    server = serve(url, "--log")
    with server.http() as http:
        assert http.get("health").is_success
        mortal.stop("immediate")
        lost = http.get("health")
        assert (lost.status_code, lost.json()["type"]) == (503, "urn:boclust:server-lost")
        assert "boclust@" not in lost.text
        mortal.start()
        assert http.get("health").is_success  # it goes on by itself
        mortal.stop("immediate")
        http.get("studies")
    server.signal(signal.SIGTERM)
    code, out, err = server.ended()
    assert code == 0
    assert "hunter2" not in out + err
    assert "***" in out
    mortal.start()


def test_a_full_disk(tmp_path, serve):
    """The refusal says so, no acknowledged value is lost, and the server continues afterwards."""
    small = tmp_path / "disk"
    small.mkdir()
    with disk(small, 4) as folder:
        url = f"sqlite:///{folder / 'studies.db'}"
        boclust.Study.create(url, "tides", **PROBLEM).close()
        server = serve(url)
        with server.http() as http:

            def tell(number):
                row = {"arm": "a", "value": float(number), "key": str(number)}
                return http.post("studies/tides/observations", json={"observations": [row]})

            kept = []
            with filled(folder, 200_000):
                while (answer := tell(len(kept))).is_success:
                    kept.append(answer.json()["events"][0])
                assert answer.status_code == 507
                assert answer.headers["content-type"] == "application/problem+json"
                assert "disk of the database is full" in answer.json()["detail"]
                assert http.get("studies/tides").json()["status"]["samples"] == len(kept) > 0
            kept += tell(len(kept)).raise_for_status().json()["events"]
        assert [number for number, *_ in told(url).values()] == kept
