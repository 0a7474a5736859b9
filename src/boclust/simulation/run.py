"""``simulate``: whole trials inside a kernel, by threads, processes or a cluster."""

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path

from boclust._files import Rows
from boclust._validate import MOST_SAMPLES, error_probabilities, fail, integer, shown
from boclust.psi.bound import HopelessWarning, hopeless
from boclust.problem.instance import Instance
from boclust.run.algorithm import Algorithm
from boclust.simulation import checks
from boclust.simulation.engines import Runner, running
from boclust.simulation.job import Job
from boclust.simulation.results import Results
from boclust.simulation.sweep import Sweep, configuration
from boclust.simulation.tasks import Task, blocks, timed_blocks
from boclust.sources import Replay, Simulated


def simulate(
    instance: Instance,
    algorithms: Sequence[str | Algorithm] = ("span",),
    deltas: Sequence[float] = (0.01,),
    trials: int | range = 100,
    seed: int = 0,
    jobs: int | None = None,
    max_samples: int = 10_000_000,
    progress: bool = False,
    source: Simulated | Replay | None = None,
    engine: str = "threads",
    scheduler: str | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    shard: tuple[int, int] | None = None,
) -> Results:
    """Run every algorithm on the instance, ``trials`` times.

    Sample i of an arm in trial j is the same for every algorithm and delta: it is a function of
    ``SeedSequence(seed, spawn_key=(0, j))``, the arm and i, so results depend neither on ``jobs``
    nor on ``engine``. One trajectory answers every delta where the sampling rule does not use it. A
    trial that reaches ``max_samples`` is reported with ``stopped = "budget"`` and its guess at that
    time, never dropped. ``trials`` is their number, or a ``range`` of them: blocks of trials, put
    together, are the whole.

    A separation of the clusters that takes a billion samples or more is said before anything runs,
    by a ``HopelessWarning``.

    ``source`` says where samples come from: ``boclust.sources.Simulated(instance, noise=...)`` or
    ``boclust.sources.Replay(records)``; by itself, what the instance's family says.

    ``engine`` is "threads", "processes" or "dask": a Dask cluster at the address ``scheduler``, or
    ``jobs`` worker processes here. Tasks of a worker that is lost are done again.

    ``out`` is a folder for sweeps that must survive: it gets a manifest and, for each task of some
    seconds, a Parquet shard. With ``resume`` a later call does what is missing. ``shard=(i, n)``
    does every n-th task only, from the i-th on, beside other calls with the same folder. Results
    are then of all that the folder holds, as by ``Results.read(folder)``; their ``tasks`` says how
    much that is.

    >>> results = simulate(Instance([0, 0.5, 5.0], n_clusters=2), deltas=[0.1], trials=20)
    >>> results.summary()[0]["errors"]
    0
    """
    if not isinstance(instance, Instance):
        raise fail("instance", f"is {shown(instance)}", "a boclust.Instance")
    numbers = checks.numbers(trials)
    seed = integer("seed", seed, 0)
    max_samples = integer("max_samples", max_samples, instance.n_arms, MOST_SAMPLES)
    workers = integer("jobs", jobs, 1) if jobs is not None else os.cpu_count() or 1
    checks.engine(engine, scheduler)
    chosen = checks.algorithms(algorithms)
    levels = error_probabilities(deltas)
    folder = checks.folder(out, resume, shard)
    drawn = checks.source(source, instance)
    made = {
        name: Job(name, algorithm, instance, drawn, levels, seed, max_samples)
        for name, algorithm in chosen.items()
    }
    if told := hopeless(instance, levels):
        warnings.warn(told, HopelessWarning, stacklevel=2)
    if folder is None:
        with running(engine, workers, scheduler) as run, _bar(progress) as watched:
            return _in_memory(watched(run), made, _split(engine, made, numbers, workers))
    config = configuration(made, numbers)
    sweep = Sweep.found(folder, config, resume or shard is not None)
    with running(engine, workers, scheduler) as run, _bar(progress) as watched:
        sweep = sweep or Sweep.begin(folder, config, timed_blocks(made, numbers))
        sweep.go_on(watched(run), made, shard or (1, 1))
    return sweep.results()


def _split(engine: str, jobs: dict[str, Job], numbers: range, workers: int) -> list[Task]:
    """Threads take a trial each; what is sent elsewhere should be worth the way."""
    if engine == "dask":
        return timed_blocks(jobs, numbers)
    size = 1 if engine == "threads" else max(1, len(numbers) // (8 * workers))
    return [task for job in jobs.values() for task in blocks(job, numbers, size)]


def _in_memory(run: Runner, jobs: dict[str, Job], tasks: list[Task]) -> Results:
    found = dict(run(tasks))
    rows = list(chain.from_iterable(found[i] for i in range(len(tasks))))
    return Results(rows, {name: job.guarantees for name, job in jobs.items()})


@contextmanager
def _bar(shown: bool) -> Iterator[Callable[[Runner], Runner]]:
    """What lets a runner move a progress bar on standard error, where asked for."""
    if not shown:
        yield lambda run: run
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:

        def moving(run: Runner, tasks: Sequence[Task]) -> Iterator[tuple[int, Rows]]:
            line = bar.add_task("trials", total=sum(len(task.numbers) for task in tasks))
            for number, rows in run(tasks):
                bar.advance(line, len(tasks[number].numbers))
                yield number, rows

        yield lambda run: partial(moving, run)
