"""Tasks, and the engines that run them: threads, processes or the workers of a Dask cluster."""

import multiprocessing
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from threading import Lock, Thread
from typing import TypeAlias

from boclust.simulation.trials import Job, Trials

ENGINES = ("threads", "processes", "dask")
#: How long a task of a sweep should take: long compared with the cost of sending it to a worker,
#: short enough to lose.
TASK_SECONDS = 2.0


@dataclass(frozen=True)
class Task:
    """Some trials of one algorithm: the work of one worker, and one shard of a sweep."""

    job: Job
    numbers: range

    def __call__(self) -> Trials:
        """Run the trials."""
        return self.job(self.numbers)


#: Runs tasks and yields the index of each and its trials, in the order in which they finish.
Runner: TypeAlias = Callable[[Sequence[Task]], Iterator[tuple[int, Trials]]]
_Tasks: TypeAlias = list[tuple[int, Task]]
_Found: TypeAlias = list[tuple[int, Trials]]


class WorkersLost(RuntimeError):  # noqa: N818 - a state of the engine, as SourceExhausted
    """The engine lost its workers or its scheduler and cannot continue."""


def split(engine: str, jobs: Mapping[str, Job], numbers: range, workers: int) -> list[Task]:
    """All trials of all jobs, in order, in tasks that suit the engine."""
    if engine == "dask":
        return timed_blocks(jobs, numbers)
    size = 1 if engine == "threads" else max(1, len(numbers) // (8 * workers))
    return [task for job in jobs.values() for task in _blocks(job, numbers, size)]


def timed_blocks(jobs: Mapping[str, Job], numbers: range) -> list[Task]:
    """All trials of all jobs, in order, in tasks of about ``TASK_SECONDS``."""
    tasks: list[Task] = []
    for job in jobs.values():
        size = max(1, int(TASK_SECONDS / _seconds_per_trial(job, numbers[0])))
        tasks.extend(_blocks(job, numbers, size))
    return tasks


def _blocks(job: Job, numbers: range, size: int) -> Iterator[Task]:
    for first in range(0, len(numbers), size):
        yield Task(job, numbers[first : first + size])


def _seconds_per_trial(job: Job, number: int) -> float:
    """Measured on one trial, cut short when it takes longer than a task should."""
    budget = job.instance.n_arms
    job.cut(budget)([number])  # compiles
    while True:
        began = time.perf_counter()
        trial = job.cut(min(budget, job.max_samples))([number])
        took = time.perf_counter() - began
        over = budget >= job.max_samples or trial.certified.all()
        if over or took >= TASK_SECONDS:
            return max(took, 1e-6)
        budget *= 4


@contextmanager
def running(engine: str, workers: int, scheduler: str | None) -> Iterator[Runner]:
    """Start the workers of an engine, and stop them at the end in any case."""
    if engine == "dask":
        from boclust.simulation.dask_engine import dask_running

        with dask_running(workers, scheduler) as runner:
            yield runner
        return
    if engine == "threads":
        yield partial(_by_threads, workers)
        return
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"))
    try:
        yield lambda tasks: _completed(pool, tasks)
    except BrokenProcessPool as error:
        raise WorkersLost(f"a worker process ended: {error}") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _by_threads(workers: int, tasks: Sequence[Task]) -> Iterator[tuple[int, Trials]]:
    """Run tasks in threads that fetch several at a time; one worker is the calling thread.

    A pool would create a future per task, which costs a tenth of a short trial.
    """
    waiting, turn = deque(enumerate(tasks)), Lock()

    def run_some() -> _Found:
        with turn:
            taken = _next(waiting, workers)
        return _together(taken)

    if workers == 1:
        while found := run_some():
            yield from found
        return
    done: SimpleQueue[_Found | BaseException] = SimpleQueue()
    threads = [Thread(target=_fetch, args=(run_some, done)) for _ in range(workers)]
    try:
        for thread in threads:
            thread.start()
        missing = len(tasks)
        while missing > 0:
            result = done.get()
            if isinstance(result, BaseException):
                raise result
            missing -= len(result)
            yield from result
    finally:
        with turn:
            waiting.clear()
        for thread in threads:
            if thread.ident is not None:  # it was started
                thread.join()


def _fetch(run_some: Callable[[], _Found], done: "SimpleQueue[_Found | BaseException]") -> None:
    """Run tasks until none is waiting."""
    try:
        while found := run_some():
            done.put(found)
    except BaseException as error:
        done.put(error)


def _next(waiting: "deque[tuple[int, Task]]", workers: int) -> _Tasks:
    """The next task, and as many more of its job as one call of the kernel should run.

    At most half a fair share of what is left, so that all workers finish at about the same time.
    """
    if not waiting:
        return []
    taken = [waiting.popleft()]
    job, trials = taken[0][1].job, len(taken[0][1].numbers)
    most = min(job.fitting, 1 + len(waiting) // (2 * workers))
    while waiting and waiting[0][1].job is job and trials < most:
        taken.append(waiting.popleft())
        trials += len(taken[-1][1].numbers)
    return taken


def _together(taken: _Tasks) -> _Found:
    """Run tasks of one job in one call."""
    if not taken:
        return []
    trials = taken[0][1].job([number for _, task in taken for number in task.numbers])
    found: _Found = []
    first = 0
    for i, task in taken:
        end = first + len(task.numbers)
        found.append((i, trials[first:end]))
        first = end
    return found


def _completed(pool: ProcessPoolExecutor, tasks: Sequence[Task]) -> Iterator[tuple[int, Trials]]:
    numbers = {pool.submit(task): i for i, task in enumerate(tasks)}
    for future in as_completed(list(numbers)):
        yield numbers.pop(future), future.result()
