"""A sweep by one thread and by more."""

import os
import time
from collections.abc import Iterator
from functools import partial

from boclust.bench.base import Row, Setting, interleaved, measured
from boclust.paper.simulated import SEVEN_ARMS

TITLE = "Threads"
NOTE = (
    "Wall time of simulate(..., jobs=) on the seven arms (0, .5, 1, 2.5, 3, 4.5, 5; K = 3), "
    "algorithm span, delta = 0.01; the baseline is one thread. Other work on the machine shows."
)
ACROSS: str | None = None
BASELINE = False

#: How many times faster two threads are to be than one.
MARK = 1.8


def _seconds(jobs: int, trials: int) -> float:
    from boclust.simulation import simulate

    began = time.perf_counter()
    simulate(SEVEN_ARMS, ["span"], [0.01], trials, jobs=jobs)
    return time.perf_counter() - began


def rows(setting: Setting) -> Iterator[Row]:
    """A row a number of threads: powers of two up to the number of processors."""
    trials = 400 if setting.quick else 2000
    numbers = [2]
    while 2 * numbers[-1] <= (os.cpu_count() or 1):
        numbers.append(2 * numbers[-1])
    _seconds(1, 1)  # compiles
    work = {str(jobs): partial(_seconds, jobs, trials) for jobs in (1, *numbers)}
    found = interleaved(work, 2 * setting.repeats - 1)
    for jobs in numbers:
        mark = MARK if jobs == 2 else None
        own = found[str(jobs)]
        where = {"jobs": jobs, "trials": trials}
        yield measured("span", where, own, baseline=found["1"], least_ratio=mark)
