"""Durable studies: how long a value takes to be on disk, and whether a long log slows it down."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boclust.bench.base import Parameters, Row, Setting, interleaved, measured
from boclust.bench.children import output_of
from boclust.bench.memory import PEAK
from boclust.bench.postgres import NoServerError, database, server

if TYPE_CHECKING:
    from boclust.study import Study

TITLE = "Live studies"
NOTE = (
    "Wall time until a value is on disk, of 7 arms, told one by one and 100 at a time, and CPU "
    "time of the process that tells. Baseline: rows of the same size by sqlite3 alone, with the "
    "same settings (WAL, synchronous=FULL) in the same folder, that for temporary files: what the "
    "disk takes. "
    "PostgreSQL: a private server on the same disk, or the one that BOCLUST_TEST_POSTGRES names; "
    "without either there are no rows of it. A long log: the time to open the study and compute "
    "its status, kernels loaded; CPU time of a thousand single tells over that of the first "
    "thousand of a new study, blocks of 200 in turn; what peak memory grows by after the first "
    "ten thousand values."
)
ACROSS: str | None = "store"
BASELINE = False

#: Seconds a value, by how many are told at a time.
MARKS = {1: 1e-3, 100: 1e-4}
#: Seconds to open a long log, how much slower it may be than a new one, and MB that it may add.
OPEN_MARK, SLOWER_MARK, MEMORY_MARK = 3.0, 1.5, 16.0
_ARMS = 7


def new_study(url: str) -> "Study":
    """One that goes on: all arms are alike."""
    from boclust.study import Study

    return Study.create(url, "bench", _ARMS, 3, 1e-300)


def tell(study: "Study", count: int, together: int) -> None:
    """So many values, so many at a time."""
    values = np.random.default_rng(0).normal(size=count).tolist()
    rows = [(i % _ARMS, value) for i, value in enumerate(values)]
    for i in range(0, count, together):
        if together == 1:
            study.tell(*rows[i])
        else:
            study.tell_many(rows[i : i + together])


def seconds(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """How long it takes."""
    began = clock()
    work()
    return clock() - began


def rows(setting: Setting) -> Iterator[Row]:
    """Both stores, then a long log on SQLite."""
    with TemporaryDirectory() as folder:
        yield from _rates("SQLite", f"sqlite:///{folder}/rates.db", setting, Bare(folder))
        with ExitStack() as stack, suppress(NoServerError):
            url = stack.enter_context(database(stack.enter_context(server())))
            yield from _rates("PostgreSQL", url, setting)
        yield from _long(folder, 100_000 if setting.quick else 1_000_000)


class Bare:
    """Rows like those of a value, by sqlite3 alone."""

    def __init__(self, folder: str) -> None:
        self._connection = sqlite3.connect(Path(folder) / "bare.db", isolation_level=None)
        for statement in (
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = FULL",
            "CREATE TABLE bare (seq INTEGER PRIMARY KEY, time INTEGER, arm INTEGER, value BLOB)",
        ):
            self._connection.execute(statement)

    def write(self, count: int, together: int) -> None:
        """So many rows, so many to a transaction."""
        for _ in range(0, count, together):
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(
                "INSERT INTO bare (time, arm, value) VALUES (?, ?, ?)",
                [(time.time_ns(), i % _ARMS, bytes(8)) for i in range(together)],
            )
            self._connection.execute("COMMIT")


def _rates(store: str, url: str, setting: Setting, bare: Bare | None = None) -> Iterator[Row]:
    """Seconds a value."""
    with new_study(url) as study:
        ours = partial(tell, study)
        ours(100, 1)  # loads the kernels
        for together, most in MARKS.items():
            count = (200 if setting.quick else 1000) * (1 if together == 1 else 10)
            work = {"wall": _each(ours, count, together)}
            work["cpu"] = _each(ours, count, together, time.process_time)
            if bare:
                work["bare"] = _each(bare.write, count, together)
            found = interleaved(work, setting.repeats)
            where: Parameters = {"told at a time": together, "store": store}
            mark = most if bare else None
            wall, theirs = found["wall"], found.get("bare", [])
            yield measured("a value", where, wall, baseline=theirs, most=mark)
            yield measured("a value: CPU", where, found["cpu"])


def _each(
    write: Callable[[int, int], None],
    count: int,
    together: int,
    clock: Callable[[], float] = time.perf_counter,
) -> Callable[[], float]:
    return lambda: seconds(lambda: write(count, together), clock) / count


class LongLog:
    """A study with many values beside a new one, each in a file of its own."""

    def __init__(self, folder: str | Path) -> None:
        self.url = f"sqlite:///{folder}/long.db"
        self._young = f"sqlite:///{folder}/young.db"
        self.study = new_study(self.url)

    def grow(self, count: int) -> None:
        """So many values more."""
        for _ in range(0, count, 10_000):
            tell(self.study, 10_000, 1000)

    def slower(self) -> float:
        """CPU time of a thousand single tells over that of a new study's first thousand."""
        with new_study(self._young) as young:
            both = {"young": young, "old": self.study}
            work = {
                name: lambda study=study: seconds(lambda: tell(study, 200, 1), time.process_time)
                for name, study in both.items()
            }
            found = interleaved(work, 5)
        return median(found["old"]) / median(found["young"])

    def opened(self) -> float:
        """Seconds until the status of the study is known to one who opens it."""
        from boclust.study import Study

        def work() -> None:
            with Study.open(self.url, "bench") as study:
                study.status()

        return seconds(work)


_LONG = """
from boclust.bench.studies import LongLog
log = LongLog({folder!r})
log.grow(10_000)
{peak}
log.grow({values} - 10_000)
{peak}
print(log.slower())
print(*(log.opened() for _ in range(4)))
"""


class Long(NamedTuple):
    """What a long log costs: see ``LongLog``, and MB that the peak of memory grew by."""

    memory: float
    slower: float
    opened: list[float]


def long_log(folder: str | Path, values: int) -> Long:
    """Measured in a process of its own, whose memory is its own; the study stays in the folder."""
    said = output_of(_LONG.format(folder=str(folder), values=values, peak=PEAK)).split()
    before, after, slower, _, *opened = map(float, said)  # the first to open loads kernels
    return Long(after - before, slower, opened)


def _long(folder: str, values: int) -> Iterator[Row]:
    found = long_log(folder, values)
    where: Parameters = {"values": values, "store": "SQLite"}
    yield measured("open", where, found.opened, most=OPEN_MARK)
    yield measured("slower than new", where, [found.slower], "times", most=SLOWER_MARK)
    yield measured("memory", where, [found.memory], "MB", most=MEMORY_MARK)
