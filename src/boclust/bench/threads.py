"""A sweep by one thread and by more, and by two processes for comparison."""

import multiprocessing
import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from boclust.bench.base import Parameters, Row, Setting, interleaved, measured
from boclust.paper.simulated_figure import SEVEN_ARMS

TITLE = "Threads"
NOTE = (
    "Wall time of simulate(..., jobs=) on the seven arms (0, .5, 1, 2.5, 3, 4.5, 5; K = 3), "
    "algorithm span, delta = 0.01, many short sweeps in turn; the baseline is one thread. Two "
    "processes that share nothing and have long been started do the same: what they reach is what "
    "the machine gives."
)
ACROSS: str | None = None
BASELINE = False

#: How many times faster two threads are to be than one.
MARK = 1.8
#: Trials of one sweep: short beside the moments in which other work is done on the machine.
TRIALS = 200


def _seconds(jobs: int) -> float:
    began = time.perf_counter()
    _sweep(range(TRIALS), jobs)
    return time.perf_counter() - began


def _sweep(numbers: range, jobs: int = 1) -> None:
    from boclust.simulation import simulate

    simulate(SEVEN_ARMS, ["span"], [0.01], numbers, jobs=jobs)


def _seconds_of_processes(pool: ProcessPoolExecutor) -> float:
    began = time.perf_counter()
    list(pool.map(_sweep, [range(TRIALS)[i::2] for i in range(2)]))
    return time.perf_counter() - began


def rows(setting: Setting) -> Iterator[Row]:
    """A row a number of threads: powers of two up to the number of processors."""
    numbers = [2]
    while 2 * numbers[-1] <= (os.cpu_count() or 1):
        numbers.append(2 * numbers[-1])
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        work = {str(jobs): partial(_seconds, jobs) for jobs in (1, *numbers)}
        work["processes"] = partial(_seconds_of_processes, pool)
        interleaved(work, 1)  # compiles
        found = interleaved(work, (3 if setting.quick else 12) * setting.repeats)
    for jobs in numbers:
        mark = MARK if jobs == 2 else None
        yield _beside_one(f"{jobs} threads", found[str(jobs)], found["1"], mark)
    yield _beside_one("2 processes", found["processes"], found["1"])


def _beside_one(by: str, own: list[float], one: list[float], mark: float | None = None) -> Row:
    where: Parameters = {"by": by, "trials": TRIALS}
    return measured("span", where, own, baseline=one, least_ratio=mark)
