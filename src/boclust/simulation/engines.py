"""Who does the tasks: threads here, processes here, or the workers of a Dask cluster."""

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import TypeAlias

from boclust._files import Rows
from boclust.simulation.tasks import Task

#: Takes tasks and gives back, whichever is finished next, the number of a task and its rows.
Runner: TypeAlias = Callable[[Sequence[Task]], Iterator[tuple[int, Rows]]]


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
    """Threads that fetch one task after the other; this one alone where one is asked for.

    A pool would make a future of each task, which costs a tenth of a short trial.
    """
    if workers == 1:
        yield from ((number, task()) for number, task in enumerate(tasks))
        return
    waiting = deque(enumerate(tasks))
    done: SimpleQueue[tuple[int, Rows | BaseException]] = SimpleQueue()
    threads = [Thread(target=_fetch, args=(waiting, done)) for _ in range(workers)]
    try:
        for thread in threads:
            thread.start()
        for _ in tasks:
            number, found = done.get()
            if isinstance(found, BaseException):
                raise found
            yield number, found
    finally:
        waiting.clear()
        for thread in threads:
            if thread.ident is not None:  # it was started
                thread.join()


def _fetch(
    waiting: "deque[tuple[int, Task]]", done: "SimpleQueue[tuple[int, Rows | BaseException]]"
) -> None:
    """Do what is waiting until nothing is."""
    while True:
        try:
            number, task = waiting.popleft()
        except IndexError:
            return
        try:
            done.put((number, task()))
        except BaseException as error:
            done.put((number, error))
            return


def _completed(pool: ProcessPoolExecutor, tasks: Sequence[Task]) -> Iterator[tuple[int, Rows]]:
    numbers = {pool.submit(task): i for i, task in enumerate(tasks)}
    for future in as_completed(list(numbers)):
        yield numbers.pop(future), future.result()
