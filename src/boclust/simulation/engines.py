"""Who does the tasks: threads here, processes here, or the workers of a Dask cluster."""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
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
    pool: Executor
    if engine == "threads":
        pool = ThreadPoolExecutor(workers)
    else:
        pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"))
    try:
        yield lambda tasks: _completed(pool, tasks)
    except BrokenProcessPool as error:
        raise WorkersLost(f"a worker process ended: {error}") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _completed(pool: Executor, tasks: Sequence[Task]) -> Iterator[tuple[int, Rows]]:
    numbers = {pool.submit(task): i for i, task in enumerate(tasks)}
    for future in as_completed(list(numbers)):
        yield numbers.pop(future), future.result()
