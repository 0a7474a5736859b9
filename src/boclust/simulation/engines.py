"""Who does the tasks: threads here, processes here, or the workers of a Dask cluster."""

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from queue import SimpleQueue
from threading import Lock, Thread
from typing import TypeAlias

from boclust._files import Rows
from boclust.simulation.tasks import Task

#: Takes tasks and gives back, whichever is finished next, the number of a task and its rows.
Runner: TypeAlias = Callable[[Sequence[Task]], Iterator[tuple[int, Rows]]]
_Tasks: TypeAlias = list[tuple[int, Task]]
_Found: TypeAlias = list[tuple[int, Rows]]


class WorkersLost(RuntimeError):  # noqa: N818 - a state of the engine, as SourceExhausted
    """Workers ended again and again, or their scheduler did: the work cannot go on."""


@contextmanager
def running(engine: str, workers: int, scheduler: str | None) -> Iterator[Runner]:
    """The workers of an engine; they are let go at the end, whatever happened."""
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


def _by_threads(workers: int, tasks: Sequence[Task]) -> Iterator[tuple[int, Rows]]:
    """Threads that fetch some tasks, and then some more; this one alone where one is asked for.

    A pool would make a future of each task, which costs a tenth of a short trial.
    """
    waiting, turn = deque(enumerate(tasks)), Lock()

    def some() -> _Found:
        with turn:
            taken = _next(waiting, workers)
        return _together(taken)

    if workers == 1:
        while found := some():
            yield from found
        return
    done: SimpleQueue[_Found | BaseException] = SimpleQueue()
    threads = [Thread(target=_fetch, args=(some, done)) for _ in range(workers)]
    try:
        for thread in threads:
            thread.start()
        missing = len(tasks)
        while missing > 0:
            told = done.get()
            if isinstance(told, BaseException):
                raise told
            missing -= len(told)
            yield from told
    finally:
        with turn:
            waiting.clear()
        for thread in threads:
            if thread.ident is not None:  # it was started
                thread.join()


def _fetch(some: Callable[[], _Found], done: "SimpleQueue[_Found | BaseException]") -> None:
    """Do what is waiting until nothing is."""
    try:
        while found := some():
            done.put(found)
    except BaseException as error:
        done.put(error)


def _next(waiting: "deque[tuple[int, Task]]", workers: int) -> _Tasks:
    """The next task, and as many more of its job as one call of a kernel should do.

    Half a fair share of what is left at most, so that all workers end at about the same time.
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
    """What these tasks of one job find."""
    numbers = [number for _, task in taken for number in task.numbers]
    found = iter(taken[0][1].job(numbers) if taken else ())
    return [(i, list(chain.from_iterable(islice(found, len(task.numbers))))) for i, task in taken]


def _completed(pool: ProcessPoolExecutor, tasks: Sequence[Task]) -> Iterator[tuple[int, Rows]]:
    numbers = {pool.submit(task): i for i, task in enumerate(tasks)}
    for future in as_completed(list(numbers)):
        yield numbers.pop(future), future.result()
