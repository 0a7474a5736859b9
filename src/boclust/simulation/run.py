"""``simulate``: whole trials inside a kernel, threads or processes over trials."""

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from itertools import chain
from typing import Any

import numpy as np

from boclust._jit import pointer
from boclust._validate import IntArray, choice, fail, integer, real
from boclust.engine import Engine
from boclust.instance import Instance
from boclust.registry import Algorithm, algorithm
from boclust.simulation.results import Results
from boclust.sources import Replay, Simulated, SourceExhausted, arm_keys

ENGINES = ("threads", "processes")


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
) -> Results:
    """Run every algorithm on the instance, ``trials`` times.

    Sample i of an arm in trial j is the same for every algorithm and delta: it is a function of
    ``SeedSequence(seed, spawn_key=(0, j))``, the arm and i, so results depend neither on ``jobs``
    nor on ``engine`` ("threads" or "processes"). One trajectory answers every delta where the
    sampling rule does not use it. A trial that reaches ``max_samples`` is reported with
    ``stopped = "budget"`` and its guess at that time, never dropped. ``trials`` is their number, or
    a ``range`` of them: blocks of trials, put together, are the whole.

    ``source`` says where samples come from: ``boclust.sources.Simulated(instance, noise=...)`` or
    ``boclust.sources.Replay(records)``; by itself, what the instance's family says.

    >>> results = simulate(Instance([0, 0.5, 5.0], n_clusters=2), deltas=[0.1], trials=20)
    >>> results.summary()[0]["errors"]
    0
    """
    if not isinstance(instance, Instance):
        raise fail("instance", f"is {instance!r}", "a boclust.Instance")
    numbers = _numbers(trials)
    integer("seed", seed, 0)
    integer("max_samples", max_samples, instance.n_arms)
    workers = integer("jobs", jobs, 1) if jobs is not None else os.cpu_count() or 1
    choice("engine", engine, ENGINES)
    if isinstance(algorithms, (str, Algorithm)):
        raise fail("algorithms", f"is {algorithms!r}", "a list of algorithms")
    levels = sorted({real("deltas", d, 0.0, 1.0) for d in deltas}, reverse=True)
    if not levels or not algorithms:
        raise fail("deltas" if not levels else "algorithms", "is empty", "at least one")
    drawn = _check_source(source, instance)
    jobs_of = [
        _Job(str(chosen), algorithm(chosen), instance, drawn, levels, seed, max_samples)
        for chosen in algorithms
    ]
    rows: list[dict[str, Any]] = []
    with _pool(engine, workers) as pool, _bar(progress, len(jobs_of) * len(numbers)) as advance:
        for job in jobs_of:
            outcomes = pool.map(job, numbers, chunksize=max(1, len(numbers) // (8 * workers)))
            for outcome in outcomes:
                rows.extend(outcome)
                advance()
    return Results(rows, {job.name: job.guarantees for job in jobs_of})


def _numbers(trials: int | range) -> range:
    if not isinstance(trials, range):
        return range(integer("trials", trials, 1))
    if not trials or min(trials) < 0:
        raise fail("trials", f"is {trials!r}", "their number, or a range of numbers from 0")
    return trials


def _check_source(source: Any, instance: Instance) -> Simulated | Replay:
    if source is None:
        return Simulated(instance)
    if not isinstance(source, (Simulated, Replay)):
        raise fail("source", f"is {source!r}", "boclust.sources.Simulated(...) or Replay(...)")
    if (source.n_arms, source.dim) != (instance.n_arms, instance.dim):
        raise fail(
            "source",
            f"has {source.n_arms} arms of dimension {source.dim}",
            f"{instance.n_arms} arms of dimension {instance.dim}, as the instance",
        )
    return source


def _pool(engine: str, workers: int) -> Executor:
    if engine == "threads":
        return ThreadPoolExecutor(workers)
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"))


@contextmanager
def _bar(shown: bool, total: int) -> Iterator[Any]:
    """A progress bar on standard error, where asked for and where it is a terminal."""
    if not shown:
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("trials", total=total)
        yield lambda: bar.advance(task)


@cache
def _draw() -> Any:
    """The kernel that draws a sample, as a pointer."""
    from boclust.sources.draw_kernels import draw

    none, few = np.zeros(0, dtype=np.int64), np.zeros((1, 1))
    keys = np.zeros(1, dtype=np.uint64)
    return pointer(draw, True, 0, 0.0, few, few, none, none, keys, 0, 0, np.zeros(1))


class _Job:
    """One algorithm on one instance: call it with the number of a trial.

    Rules that sample the same for every delta answer all of them from one trajectory.
    """

    def __init__(
        self,
        name: str,
        chosen: Algorithm,
        instance: Instance,
        source: Simulated | Replay,
        deltas: list[float],
        seed: int,
        max_samples: int,
    ) -> None:
        self.name = name
        self.instance = instance
        self.source = source
        self.seed = seed
        self.max_samples = max_samples
        family = instance.family
        self.engine = Engine(chosen, instance.n_arms, instance.dim, instance.n_clusters, family)
        runs = [[d] for d in deltas] if self.engine.sampling.uses_delta else [deltas]
        self.runs = [(run, [self.engine.threshold(d) for d in run]) for run in runs]
        self.guarantees = {d: self.engine.stopping.guarantee(family, d) for d in deltas}

    def __call__(self, number: int) -> list[dict[str, Any]]:
        return list(chain.from_iterable(self._run(number, *run) for run in self.runs))

    def _run(self, number: int, deltas: list[float], needs: list[float]) -> list[dict[str, Any]]:
        from boclust.engine_kernels import trial

        engine, family, m = self.engine, self.instance.family, self.instance.n_arms
        keys = arm_keys(m, self.seed, (0, number))
        supply = self.source.kernel_arguments(keys)
        stops = np.zeros(len(needs), dtype=np.int64)
        pulls = np.zeros((len(needs), m), dtype=np.int64)
        answers = np.zeros((len(needs), m), dtype=np.int64)
        ended = trial(
            engine.rules(deltas[0]), engine.new_run(), *engine.pointers, np.array(needs),
            _draw(), supply, keys, family.origin, family.unit, self.max_samples, stops, pulls,
            answers,
        )  # fmt: skip
        if ended < 0:
            arm = -1 - ended
            raise SourceExhausted(f"the records of arm {arm} ran out in trial {number}")
        return [
            {"algorithm": self.name, "delta": d, "trial": number}
            | self._row(stops[i], pulls[i], answers[i])
            for i, d in enumerate(deltas)
        ]

    def _row(self, stop: int, pulls: IntArray, answer: IntArray) -> dict[str, Any]:
        certified = bool(stop > 0)
        return {
            "n_samples": int(stop) if certified else self.max_samples,
            "correct": bool((answer == self.instance.labels).all()),
            "stopped": "certified" if certified else "budget",
            "pulls": pulls.tolist(),
        }
