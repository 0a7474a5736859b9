"""Durable studies: how long a value takes to be on disk, and whether a long log slows it down."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from benchmarks.measure import PEAK, Parameters, Row, interleaved, measured, output_of
from benchmarks.postgres import NoServerError, database, server
from boclust import Study

TITLE = "Live studies"
NOTE = (
    "Wall time until a value is on disk, of 7 arms, told one by one and 100 at a time, and CPU "
    "time of the process that tells. Baseline: sqlite3 alone writes rows of the same size with the "
    "same settings (WAL, synchronous=FULL) to the same folder for temporary files, which shows the "
    "time of the disk. PostgreSQL: a private server on the same disk, or the one that "
    "BOCLUST_TEST_POSTGRES names; no rows without either. A long log: the time to open the study "
    "and compute its status, kernels loaded; CPU time of a thousand single tells over that of the "
    "first thousand of a new study, blocks of 200 in turn; growth of the peak memory after the "
    "first ten thousand values."
)
ACROSS = "store"

#: Seconds per value, by how many are told at a time.
MARKS = {1: 1e-3, 100: 1e-4}
#: Seconds to open a long log, how much slower it may be than a new one, and MB that it may add.
OPEN_MARK, SLOWER_MARK, MEMORY_MARK = 3.0, 1.5, 16.0
_ARMS = 7


def new_study(url: str) -> Study:
    """A study that does not stop: all arms are alike."""
    return Study.create(url, name="bench", arms=_ARMS, n_clusters=3, delta=1e-300)


def tell(study: Study, count: int, together: int) -> None:
    """Tell ``count`` values, ``together`` at a time."""
    values = np.random.default_rng(0).normal(size=count).tolist()
    rows = [(i % _ARMS, value) for i, value in enumerate(values)]
    for i in range(0, count, together):
        if together == 1:
            study.tell(*rows[i])
        else:
            study.tell_many(rows[i : i + together])


def seconds(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """The time that some work takes."""
    began = clock()
    work()
    return clock() - began


def rows(quick: bool) -> Iterator[Row]:
    """Both stores, then a long log on SQLite."""
    with TemporaryDirectory() as folder:
        yield from _rates("SQLite", f"sqlite:///{folder}/rates.db", quick, Bare(folder))
        with ExitStack() as stack, suppress(NoServerError):
            url = stack.enter_context(database(stack.enter_context(server())))
            yield from _rates("PostgreSQL", url, quick)
        values = 100_000 if quick else 1_000_000
        long = long_log(folder, values)
    where: Parameters = {"values": values, "store": "SQLite"}
    yield measured("open", where, long.opened, most=OPEN_MARK)
    yield measured("slower than new", where, [long.slower], "times", most=SLOWER_MARK)
    yield measured("memory", where, [long.memory], "MB", most=MEMORY_MARK)


class Bare:
    """Rows as large as those of a value, written by sqlite3 alone."""

    def __init__(self, folder: str) -> None:
        self._connection = sqlite3.connect(Path(folder) / "bare.db", isolation_level=None)
        for statement in (
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = FULL",
            "CREATE TABLE bare (seq INTEGER PRIMARY KEY, time INTEGER, arm INTEGER, value BLOB)",
        ):
            self._connection.execute(statement)

    def write(self, count: int, together: int) -> None:
        """Write ``count`` rows, ``together`` per transaction."""
        for _ in range(0, count, together):
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(
                "INSERT INTO bare (time, arm, value) VALUES (?, ?, ?)",
                [(time.time_ns(), i % _ARMS, bytes(8)) for i in range(together)],
            )
            self._connection.execute("COMMIT")


def _rates(store: str, url: str, quick: bool, bare: Bare | None = None) -> Iterator[Row]:
    """Seconds per value."""
    with new_study(url) as study:
        tell(study, 100, 1)  # loads the kernels
        for together, most in MARKS.items():
            count = (200 if quick else 1000) * (1 if together == 1 else 10)
            write = partial(tell, study, count, together)
            work = {
                "wall": partial(seconds, write),
                "CPU": partial(seconds, write, time.process_time),
            }
            if bare:
                work["bare"] = partial(seconds, partial(bare.write, count, together))
            total = interleaved(work)
            found = {name: [one / count for one in times] for name, times in total.items()}
            where: Parameters = {"told at a time": together, "store": store}
            mark = most if bare else None
            theirs = found.get("bare", ())
            yield measured("a value", where, found["wall"], baseline=theirs, most=mark)
            yield measured("a value: CPU", where, found["CPU"])


class LongLog:
    """A study with many values beside a new one, each in a file of its own."""

    def __init__(self, folder: str | Path) -> None:
        self.url = f"sqlite:///{folder}/long.db"
        self._new = f"sqlite:///{folder}/new.db"
        self.study = new_study(self.url)

    def grow(self, count: int) -> None:
        """Tell ``count`` more values."""
        for _ in range(0, count, 10_000):
            tell(self.study, 10_000, 1000)

    def slower(self) -> float:
        """CPU time of a thousand single tells over that of a new study's first thousand."""
        with new_study(self._new) as new:
            both = {"new": new, "old": self.study}
            work = {
                name: partial(seconds, partial(tell, study, 200, 1), time.process_time)
                for name, study in both.items()
            }
            found = interleaved(work, 5)
        return median(found["old"]) / median(found["new"])

    def opened(self) -> float:
        """Seconds to open the study and compute its status."""

        def work() -> None:
            with Study.open(self.url, "bench") as study:
                study.status()

        return seconds(work)


_LONG = """
from benchmarks.studies import LongLog
log = LongLog({folder!r})
log.grow(10_000)
{peak}
log.grow({values} - 10_000)
{peak}
print(log.slower())
print(*(log.opened() for _ in range(4)))
"""


class Long(NamedTuple):
    """The cost of a long log: growth of the peak memory in MB; for the others see ``LongLog``."""

    memory: float
    slower: float
    opened: list[float]


def long_log(folder: str | Path, values: int) -> Long:
    """Measure a long log in a process of its own; the study stays in the folder."""
    printed = output_of(_LONG.format(folder=str(folder), values=values, peak=PEAK)).split()
    before, after, slower, _, *opened = map(float, printed)  # the first to open loads kernels
    return Long(after - before, slower, opened)
