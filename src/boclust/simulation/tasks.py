"""Blocks of trials: what is handed to a worker, and what a shard of a sweep holds."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from boclust._files import Rows
from boclust.simulation.job import Job

#: How long a task should take: long beside the cost of handing it over, short enough to lose.
SECONDS = 2.0


@dataclass(frozen=True)
class Task:
    """Some trials of one algorithm; call it for their rows."""

    job: Job
    numbers: range

    def __call__(self) -> Rows:
        """The rows of these trials."""
        return list(chain.from_iterable(self.job(self.numbers)))


def blocks(job: Job, numbers: range, size: int) -> Iterator[Task]:
    """All trials of a job, in order, in tasks of ``size`` trials."""
    for first in range(0, len(numbers), size):
        yield Task(job, numbers[first : first + size])


def timed_blocks(jobs: Mapping[str, Job], numbers: range) -> list[Task]:
    """All trials of all jobs, in order, in tasks of about ``SECONDS``."""
    made: list[Task] = []
    for job in jobs.values():
        size = max(1, int(SECONDS / _seconds_of_a_trial(job, numbers[0])))
        made.extend(blocks(job, numbers, size))
    return made


def _seconds_of_a_trial(job: Job, number: int) -> float:
    """Measured on one; it is given up where it takes longer than a task should."""
    budget = job.instance.n_arms
    job.cut(budget)([number])  # compiles
    while True:
        began = time.perf_counter()
        (rows,) = job.cut(min(budget, job.max_samples))([number])
        took = time.perf_counter() - began
        over = budget >= job.max_samples or all(row["stopped"] == "certified" for row in rows)
        if over or took >= SECONDS:
            return max(took, 1e-6)
        budget *= 4
