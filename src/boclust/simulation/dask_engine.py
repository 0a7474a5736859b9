"""Run tasks on a Dask cluster: at a given address, or of worker processes started here."""

import logging
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

from boclust._validate import invalid
from boclust.simulation.engines import Runner, Task, WorkersLost
from boclust.simulation.trials import Job, Trials
from boclust.simulation.versions import differences, versions

#: Seconds to wait for the scheduler.
PATIENCE = 5

T = TypeVar("T")


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        accepted = "'threads' or 'processes' unless Dask is installed (pip install 'boclust[dask]')"
        raise invalid("engine", accepted, "'dask'") from None
    return distributed


@contextmanager
def dask_running(workers: int, scheduler: str | None) -> Iterator[Runner]:
    """A client of the scheduler, or of a local cluster with this number of processes."""
    distributed = _distributed()
    lost = (CancelledError, distributed.KilledWorker, distributed.comm.CommClosedError)
    with ExitStack() as stack:
        # Errors that matter are raised
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
    except (OSError, ValueError, AssertionError) as error:  # AssertionError: no port
        got = f"{address!r}, which does not answer ({type(error).__name__})"
        accepted = "the address of a Dask scheduler, like 'tcp://host:8786'"
        raise invalid("scheduler", accepted, got) from None


def _completed(client: Any, tasks: Sequence[Task]) -> Iterator[tuple[int, Trials]]:
    """Yield results as they finish.

    Dask repeats the tasks of a lost worker and drops those of a lost client.
    """
    # Send each job as a task, not as data: Dask can then rebuild what a lost worker held
    jobs = {id(task.job): task.job for task in tasks}
    sent = {key: client.submit(_same, job, pure=False) for key, job in jobs.items()}
    here = versions()
    numbers = {
        client.submit(_trials, sent[id(task.job)], task.numbers, here, retries=2, pure=False): i
        for i, task in enumerate(tasks)
    }
    for future in _distributed().as_completed(list(numbers), loop=client.loop):
        yield numbers.pop(future), future.result()  # raises, unlike the iterator, when cancelled
        future.release()


def _leave_interrupts_to_the_client() -> None:
    """Ignore Ctrl-C on a local worker: the terminal sends it to all processes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _same(value: T) -> T:
    return value


def _trials(job: Job, numbers: range, expected: dict[str, str]) -> Trials:
    """Run a task on a worker, which must have the client's versions: then results are equal."""
    if different := differences(expected, versions(), "at the client", "at a worker"):
        raise invalid("scheduler", "a cluster whose workers have the client's versions", different)
    return Task(job, numbers)()
