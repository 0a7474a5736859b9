"""A sweep by one thread, by more, and by two processes for comparison."""

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import boclust
from benchmarks.measure import REPEATS, Parameters, Row, interleaved, measured

TITLE = "Threads"
NOTE = (
    "Wall time of simulate(..., jobs=) on the seven arms (0, .5, 1, 2.5, 3, 4.5, 5; K = 3), "
    "algorithm span, delta = 0.01, many short sweeps in turn; the baseline is one thread. Two "
    "processes that are already running do the same work and share nothing: they show what the "
    "machine can give."
)
ACROSS = None

#: How many times faster than one thread two threads must be.
MARK = 1.7
#: Trials of one sweep, which is short compared with busy moments of the machine.
TRIALS = 200


def sweep(trials: int, jobs: int = 1, seed: int = 0) -> None:
    """Simulate the seven arms."""
    instance = boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], 3)
    boclust.simulate(instance, ["span"], [0.01], trials, seed=seed, jobs=jobs)


def by_processes(pool: ProcessPoolExecutor) -> None:
    """Two processes simulate half of the trials each."""
    halves = [pool.submit(sweep, TRIALS // 2, seed=seed) for seed in range(2)]
    for half in halves:
        half.result()


def seconds_of(work: Callable[[], None]) -> float:
    """Wall time."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def rows(quick: bool) -> Iterator[Row]:
    """One row per number of threads: powers of two up to the number of processors."""
    jobs = [2]
    while 2 * jobs[-1] <= (os.cpu_count() or 1):
        jobs.append(2 * jobs[-1])
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        ways = {f"{n} threads": partial(sweep, TRIALS, n) for n in jobs}
        ways |= {"2 processes": partial(by_processes, pool), "one": partial(sweep, TRIALS)}
        work = {way: partial(seconds_of, run) for way, run in ways.items()}
        interleaved(work, 1)  # compiles
        found = interleaved(work, (3 if quick else 12) * REPEATS)
    one = found.pop("one")
    for way, own in found.items():
        mark = MARK if way == "2 threads" else None
        where: Parameters = {"by": way, "trials": TRIALS}
        yield measured("span", where, own, baseline=one, least_ratio=mark)
