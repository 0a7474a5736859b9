"""``simulate``: check the arguments, choose the tasks and run them."""

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from boclust._validate import (
    MOST_SAMPLES,
    choice,
    error_probabilities,
    integer,
    invalid,
    path_of,
    several,
    shown,
)
from boclust.problem.instance import Instance
from boclust.psi.bound import HopelessWarning, hopeless
from boclust.run.algorithm import Algorithm, algorithm
from boclust.simulation.engines import ENGINES, Runner, Task, running, split, timed_blocks
from boclust.simulation.results import Results
from boclust.simulation.sweep import Sweep, configuration
from boclust.simulation.trials import Job, Trials
from boclust.sources import Replay, Simulated

#: More trials are probably a typing error: their results would fill the memory.
MOST_TRIALS = 10**9


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
    ``SeedSequence(seed, spawn_key=(0, j))``, the arm and i. Results therefore depend neither on
    ``jobs`` nor on ``engine``. If the sampling rule does not use delta, one trajectory answers
    every delta.

    Parameters
    ----------
    instance:
        The means, the number of clusters and the family. A ``HopelessWarning`` is issued if its
        clusters are so close that a billion samples or more are needed.
    algorithms:
        Names from ``boclust.algorithms()``, or ``boclust.Algorithm`` objects.
    deltas:
        Error probabilities.
    trials:
        The number of trials, or a ``range`` of trial numbers. The results of several ranges,
        joined, equal those of the whole.
    seed:
        The seed of all samples.
    jobs:
        The number of workers; by default, the number of processors.
    max_samples:
        A trial that takes this many samples ends with ``stopped = "budget"`` and the clusters
        estimated so far. It stays in the results.
    progress:
        Whether to show a progress bar on standard error.
    source:
        ``boclust.sources.Simulated(instance, noise=...)`` or ``boclust.sources.Replay(records)``;
        by default, samples follow the instance's family.
    engine:
        "threads", "processes" or "dask". Dask repeats the tasks of a lost worker.
    scheduler:
        The address of a Dask scheduler; by default, "dask" starts ``jobs`` processes here.
    out:
        A folder that keeps finished work: a manifest, and one Parquet shard per task of a few
        seconds. The results are then those of all finished tasks in the folder, as
        ``Results.read(folder)`` returns them.
    resume:
        Whether to continue in a folder that already holds this simulation.
    shard:
        ``(i, n)`` runs every n-th task from the i-th on; calls with other i may share the folder.

    >>> results = simulate(Instance([0, 0.5, 5.0], n_clusters=2), deltas=[0.1], trials=20)
    >>> results.summary()[0]["errors"]
    0
    """
    if not isinstance(instance, Instance):
        raise invalid("instance", "a boclust.Instance", shown(instance))
    numbers = _check_trials(trials)
    seed = integer("seed", seed, 0)
    max_samples = integer("max_samples", max_samples, instance.n_arms, MOST_SAMPLES)
    workers = integer("jobs", jobs, 1) if jobs is not None else os.cpu_count() or 1
    _check_engine(engine, scheduler)
    chosen = _check_algorithms(algorithms)
    levels = error_probabilities(deltas)
    folder = _check_folder(out, resume, shard)
    samples = _check_source(source, instance)
    todo = {
        name: Job(name, algorithm, instance, samples, levels, seed, max_samples)
        for name, algorithm in chosen.items()
    }
    if warning := hopeless(instance, levels):
        warnings.warn(warning, HopelessWarning, stacklevel=2)
    if folder is None:
        with running(engine, workers, scheduler) as run, _bar(progress) as watched:
            return _in_memory(watched(run), todo, split(engine, todo, numbers, workers))
    config = configuration(todo, numbers)
    sweep = Sweep.find(folder, config, resume or shard is not None)
    with running(engine, workers, scheduler) as run, _bar(progress) as watched:
        sweep = sweep or Sweep.begin(folder, config, timed_blocks(todo, numbers))
        sweep.run_missing(watched(run), todo, shard or (1, 1))
    return sweep.results()


def _in_memory(run: Runner, jobs: dict[str, Job], tasks: list[Task]) -> Results:
    import pyarrow

    found = dict(run(tasks))
    trials = (found[i] for i in range(len(tasks)))
    by_algorithm = groupby(trials, attrgetter("algorithm"))
    table = pyarrow.concat_tables(Trials.join(list(parts)).table() for _, parts in by_algorithm)
    return Results(table, {name: job.guarantees for name, job in jobs.items()})


@contextmanager
def _bar(visible: bool) -> Iterator[Callable[[Runner], Runner]]:
    """Yield a function that makes a runner move a progress bar, if one is wanted."""
    if not visible:
        yield lambda run: run
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:

        def moving(run: Runner, tasks: Sequence[Task]) -> Iterator[tuple[int, Trials]]:
            line = bar.add_task("trials", total=sum(len(task.numbers) for task in tasks))
            for i, trials in run(tasks):
                bar.advance(line, len(tasks[i].numbers))
                yield i, trials

        yield lambda run: partial(moving, run)


def _check_trials(trials: int | range) -> range:
    if not isinstance(trials, range):
        return range(integer("trials", trials, 1, MOST_TRIALS))
    if not trials or min(trials[0], trials[-1]) < 0:
        raise invalid("trials", "a number of trials, or a range of integers >= 0", trials)
    return trials


def _check_algorithms(value: Any) -> dict[str, Algorithm]:
    """The algorithms by name."""
    chosen: dict[str, Algorithm] = {}
    for entry in several("algorithms", value, "a list of names from boclust.algorithms()"):
        if str(entry) in chosen:
            raise invalid("algorithms", "different from each other", f"{entry} twice")
        chosen[str(entry)] = algorithm(entry)
    return chosen


def _check_source(value: Any, instance: Instance) -> Simulated | Replay:
    if value is None:
        return Simulated(instance)
    if not isinstance(value, (Simulated, Replay)):
        accepted = "a boclust.sources.Simulated or boclust.sources.Replay"
        raise invalid("source", accepted, shown(value))
    if (value.n_arms, value.dim) != (instance.n_arms, instance.dim):
        accepted = f"a source of {instance.n_arms} arms of dimension {instance.dim}"
        raise invalid("source", accepted, f"{value.n_arms} arms of dimension {value.dim}")
    return value


def _check_engine(name: Any, scheduler: Any) -> None:
    choice("engine", name, ENGINES)
    if scheduler is None:
        return
    if not isinstance(scheduler, str) or not scheduler:
        raise invalid("scheduler", "an address like 'tcp://host:8786'", shown(scheduler))
    if name != "dask":
        raise invalid("scheduler", f"None with engine={name!r}", shown(scheduler))


def _check_folder(out: Any, resume: bool, shard: Any) -> Path | None:
    """The folder of the sweep, or None for a simulation in memory."""
    if shard is not None:
        accepted = "a tuple (i, n) with 1 <= i <= n"
        if not isinstance(shard, tuple) or len(shard) != 2:
            raise invalid("shard", accepted, shown(shard))
        if integer("shard", shard[0], 1) > integer("shard", shard[1], 1):
            raise invalid("shard", accepted, shown(shard))
    if out is None:
        if resume or shard is not None:
            raise invalid("out", f"a folder if {'resume' if resume else 'shard'} is given", None)
        return None
    return path_of("out", out, "the path of a folder")
