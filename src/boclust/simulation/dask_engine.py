"""Tasks on a Dask cluster: one that is running somewhere, or worker processes started here."""

import logging
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

from boclust._files import Rows
from boclust._validate import InvalidInputError, fail
from boclust.simulation.engines import Runner, WorkersLost
from boclust.simulation.job import Job
from boclust.simulation.tasks import Task
from boclust.simulation.versions import differences, versions

#: Seconds that a scheduler may take to answer.
PATIENCE = 5

T = TypeVar("T")


def _distributed() -> Any:
    """The package, where it is installed."""
    try:
        import distributed
    except ImportError:
        raise fail(
            "engine",
            "is 'dask', which is not installed",
            "'threads', 'processes', or 'dask' after pip install 'boclust[dask]'",
        ) from None
    return distributed


@contextmanager
def dask_running(workers: int, scheduler: str | None) -> Iterator[Runner]:
    """A client of the scheduler, or of a local cluster of that many processes."""
    distributed = _distributed()
    lost = (CancelledError, distributed.KilledWorker, distributed.comm.CommClosedError)
    with ExitStack() as stack:
        # what matters is raised
        stack.enter_context(distributed.utils.silence_logging_cmgr(logging.CRITICAL))
        address: Any = scheduler
        if scheduler is None:
            address = stack.enter_context(
                distributed.LocalCluster(
                    n_workers=workers, threads_per_worker=1, processes=True,
                    dashboard_address=None, silence_logs=logging.CRITICAL,
                )
            )  # fmt: skip
        client = stack.enter_context(_connected(address))
        if scheduler is None:
            client.run(_leave_interrupts_to_the_client)
        try:
            yield lambda tasks: _completed(client, tasks)
        except lost as error:
            reason = str(error).partition("\n")[0] or type(error).__name__
            raise WorkersLost(f"the Dask cluster gave up: {reason}") from None


def _connected(address: Any) -> Any:
    try:
        return _distributed().Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, AssertionError) as error:  # the last: a port is missing
        raise fail(
            "scheduler",
            f"{address!r} does not answer ({type(error).__name__})",
            "the address of a Dask scheduler, like tcp://host:8786",
        ) from None


def _completed(client: Any, tasks: Sequence[Task]) -> Iterator[tuple[int, Rows]]:
    """Whichever is finished next.

    Dask repeats the tasks of a worker that is lost, and drops those of a client that has gone.
    """
    # A job is a task of its own, not data: what a lost worker held of it can be made again
    jobs = {id(task.job): task.job for task in tasks}
    sent = {key: client.submit(_same, job, pure=False) for key, job in jobs.items()}
    here = versions()
    numbers = {
        client.submit(_rows, sent[id(task.job)], task.numbers, here, retries=2, pure=False): i
        for i, task in enumerate(tasks)
    }
    for future in _distributed().as_completed(list(numbers), loop=client.loop):
        yield numbers.pop(future), future.result()  # raises, unlike the iterator, when cancelled
        future.release()


def _leave_interrupts_to_the_client() -> None:
    """On a worker started here: Ctrl-C at a terminal reaches it too, and would be a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _same(value: T) -> T:
    return value


def _rows(job: Job, numbers: range, expected: dict[str, str]) -> Rows:
    """On the worker: the same versions give the same bits."""
    if told := differences(expected, versions(), "at the client", "at a worker"):
        raise InvalidInputError(f"scheduler: {told}; accepted: workers with the client's versions")
    return Task(job, numbers)()
