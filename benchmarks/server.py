"""The study server under load: how long calls take through HTTP, alone and 32 at a time."""

import http.client
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from benchmarks.measure import Parameters, Row, measured
from benchmarks.postgres import NoServerError, database
from benchmarks.postgres import server as postgres
from benchmarks.studies import new_study
from boclust import Study

TITLE = "The study server"
NOTE = (
    "Wall time of calls through HTTP on loopback, as clients see it; calls per second. A client "
    "asks, tells the value, and reads the status every tenth time. Clients are threads of one "
    "process and the server is another: on two cores both count. The median and the range of three "
    "parts of the run. A call that fails, or an acknowledged value that is not in the log exactly "
    "once, is an error. PostgreSQL as in the section on studies."
)
ACROSS = "store"

#: Clients at a time.
CLIENTS = (1, 32)
_CALLS = ("ask", "tell", "status")


class Call(NamedTuple):
    """An answered call: when it began and how long it took."""

    kind: str
    began: float
    seconds: float


@contextmanager
def serving(url: str) -> Iterator[tuple[str, int]]:
    """Start a server process without a rate limit; its host and port."""
    program = "from boclust.cli import main; main()"
    command = [sys.executable, "-c", program, "serve", "--url", url, "--port", "0", "--rate", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            line = process.stdout.readline() if process.stdout else ""
            if (found := re.search(r"http://([\d.]+):(\d+)/", line)) is None:
                raise RuntimeError(f"the server did not start: {line or 'it printed nothing'}")
            yield found[1], int(found[2])
        finally:
            process.terminate()
            process.wait()  # its last lines still have a reader


class Client(threading.Thread):
    """Asks and tells until the time is over; ``told`` holds the acknowledged values."""

    def __init__(self, place: tuple[str, int], number: int, until: float) -> None:
        super().__init__()
        self._connection = http.client.HTTPConnection(*place, timeout=120)
        self._number = number
        self._until = until
        self.calls: list[Call] = []
        self.told: dict[str, float] = {}
        self.error: Exception | None = None

    def run(self) -> None:
        """Stop at the end or at the first error."""
        try:
            rng = np.random.default_rng(self._number)
            while time.perf_counter() < self._until:
                (ask,) = self._call("ask", "asks", {"client": f"client {self._number}"})["asks"]
                value = float(rng.normal())
                row = {"ask": ask["id"], "value": value}
                self._call("tell", "observations", {"observations": [row]})
                self.told[ask["id"]] = value
                if len(self.told) % 10 == 1:
                    self._call("status", "", None)
        except Exception as error:
            self.error = error
        finally:
            self._connection.close()

    def _call(self, kind: str, path: str, body: Any) -> Any:
        began = time.perf_counter()
        where = f"/api/v1/studies/bench/{path}".rstrip("/")
        if body is None:
            self._connection.request("GET", where)
        else:
            sent = json.dumps(body).encode()
            self._connection.request("POST", where, sent, {"content-type": "application/json"})
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{kind}: {answer.status} {text.decode()}")
        self.calls.append(Call(kind, began, time.perf_counter() - began))
        return json.loads(text)


def load(url: str, clients: int, seconds: float) -> list[Call]:
    """The calls of several clients; checks that the log holds each acknowledged value once."""
    with serving(url) as place:
        warm = Client(place, clients, time.perf_counter() + 1.0)
        warm.start()
        warm.join()
        until = time.perf_counter() + seconds
        threads = [Client(place, number, until) for number in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for thread in (warm, *threads):
        if thread.error is not None:
            raise thread.error
    with Study.open(url, "bench") as study:
        recorded = [(e["ask"], e["value"]) for e in study.history() if e["kind"] == "told"]
    acknowledged = {ask: value for thread in (warm, *threads) for ask, value in thread.told.items()}
    if len(recorded) != len(acknowledged) or dict(recorded) != acknowledged:
        raise RuntimeError(
            f"{len(acknowledged)} values were acknowledged, the log has {len(recorded)}"
        )
    return [call for thread in threads for call in thread.calls]


def rows(quick: bool) -> Iterator[Row]:
    """Both stores, each with one client and with many, in new databases."""
    for clients in CLIENTS:
        with TemporaryDirectory() as folder:
            yield from _of("SQLite", f"sqlite:///{folder}/bench.db", clients, quick)
    with ExitStack() as stack, suppress(NoServerError):
        where = stack.enter_context(postgres())
        for clients in CLIENTS:
            with database(where) as url:
                yield from _of("PostgreSQL", url, clients, quick)


def _of(store: str, url: str, clients: int, quick: bool) -> Iterator[Row]:
    new_study(url).close()
    calls = load(url, clients, 4.0 if quick else 60.0)
    yield from _figures(calls, {"clients": clients, "store": store})


def _figures(calls: list[Call], where: Parameters) -> Iterator[Row]:
    """Percentiles by kind of call, and calls per second, each of three parts of the run."""
    ends = np.array([call.began + call.seconds for call in calls])
    edges = np.linspace(min(call.began for call in calls), ends.max(), 4)
    part = np.clip(np.searchsorted(edges, ends, side="right") - 1, 0, 2)
    for kind in _CALLS:
        times = np.array([call.seconds if call.kind == kind else np.nan for call in calls])
        for percent in (50, 99):
            parts = (times[(part == i) & ~np.isnan(times)] for i in range(3))
            found = [float(np.percentile(one, percent)) for one in parts if len(one)]
            yield measured(f"{kind}: p{percent}", where, found)
    rates = [float((part == i).sum() / (edges[i + 1] - edges[i])) for i in range(3)]
    yield measured("calls answered", where, rates, "per second")
