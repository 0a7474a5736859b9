"""Figures of the samples that algorithms need on one problem, found by simulation."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, ClassVar

import numpy as np

from boclust import Algorithm, Instance
from boclust.paper.base_figure import BaseFigure, Finished, Paths, Point, Statement
from boclust.paper.published import fewest_trials, published, series_of
from boclust.paper.tasks import Rows, Task
from boclust.sources import Replay, Simulated

SEED = 2026
SEVEN_ARMS = Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], 3)
#: A delta that no run reaches.
NEVER = float(np.finfo(float).tiny)

_LUCB_NOTE = (
    "LUCBBOC here chooses the tree edge by its upper confidence bound ('lucbboc-ucb'): as printed, "
    "it can starve an arm of a cluster of three. Its radius uses one delta for all points, so that "
    "one run gives all of them."
)


@dataclass(frozen=True)
class Series:
    """A curve to measure: what to run, where to stop it, and how often."""

    name: str
    algorithm: str | Algorithm
    #: log(1/delta) of each point; with ``fixed_size``, the numbers of samples.
    thresholds: tuple[float, ...]
    #: Trials of a quick and of a full run.
    quick: int
    full: int
    #: Trials per task.
    block: int = 100
    #: Whether a trial ends after a given number of samples.
    fixed_size: bool = False


def fixed_size(sizes: tuple[float, ...], quick: int, full: int, block: int) -> Series:
    """Return FSS as round robin, which allows sizes that are no multiples of the number of arms."""
    return Series("FSS", Algorithm("rr", "constant"), sizes, quick, full, block, fixed_size=True)


@dataclass(frozen=True)
class Problem:
    """An instance, the source of its samples, a description in words, and notes for readers."""

    instance: Instance
    source: Simulated | Replay
    description: str
    notes: tuple[str, ...] = ()

    @property
    def fingerprint(self) -> str:
        """All that trials depend on except their seed."""
        instance = self.instance
        return f"{instance.n_clusters} {instance.family} {self.source.fingerprint}"


class SimulatedFigure(BaseFigure):
    """A figure whose curves are simulated on one problem."""

    y_name: ClassVar[str] = "mean samples"
    measured: ClassVar[Sequence[Series]]
    #: A trial stops here at the latest; it then counts with this many samples, as censored.
    max_samples: ClassVar[int] = 1_000_000
    y_log: ClassVar[bool] = False
    #: The number of trials that the paper says it averages over.
    stated_trials: ClassVar[int]

    @abstractmethod
    def make_problem(self) -> Problem:
        """Make the instance and the source of its samples."""

    @cached_property
    def problem(self) -> Problem:
        """The problem, made once."""
        return self.make_problem()

    def tasks(self, quick: bool) -> list[Task]:
        """List blocks of trials of each series."""
        return [task for series in self.measured for task in self._blocks(series, quick)]

    def _blocks(self, series: Series, quick: bool) -> Iterator[Task]:
        problem = self.problem
        total = series.quick if quick else series.full
        for first in range(0, total, series.block):
            numbers = range(first, min(first + series.block, total))
            description = {
                "problem": problem.description,
                "fingerprint": problem.fingerprint,
                "algorithm": str(series.algorithm),
                "fixed_size": series.fixed_size,
                "thresholds": series.thresholds,
                "trials": [numbers.start, numbers.stop],
                "max_samples": self.max_samples,
                "seed": SEED,
            }
            yield Task(description, _Trials(problem, series, numbers, self.max_samples))

    def points(self, finished: Finished) -> list[Point]:
        """Average over the trials of each series and threshold."""
        return [
            self.point(series, threshold, rows)
            for series in self.measured
            for threshold, rows in self.trials(series, finished)
        ]

    def trials(self, series: Series, finished: Finished) -> Iterator[tuple[float, Rows]]:
        """Iterate over thresholds of a series, each with its trials."""
        own = [row for task, rows in finished if self._belongs(task, series) for row in rows]
        own.sort(key=lambda row: (row["threshold"], row["trial"]))
        for threshold, rows in groupby(own, lambda row: row["threshold"]):
            yield threshold, list(rows)

    def _belongs(self, task: Task, series: Series) -> bool:
        names = ("fingerprint", "algorithm", "thresholds", "fixed_size")
        own = self.problem.fingerprint, str(series.algorithm), series.thresholds, series.fixed_size
        return own == tuple(task.description[name] for name in names)

    @abstractmethod
    def point(self, series: Series, threshold: float, rows: Rows) -> Point:
        """Make the point of one threshold from its trials."""

    def notes(self, points: Sequence[Point]) -> list[str]:
        """Explain choices, numbers of trials, and trials that did not end."""
        here = [p for p in points if p.source == "here"]
        trials = {p.series: p.trials for p in here}
        counts = ", ".join(f"{series} {n:,}" for series, n in trials.items())
        censored = {p.series: p.censored for p in here if p.censored}
        worst = "; ".join(f"{series}: up to {n:,}" for series, n in censored.items())
        given_up = (
            f" Stopped after {self.max_samples:,} samples, and counted with that number: {worst} "
            "of the trials per point."
            if censored
            else " All of them ended."
        )
        lucb = [_LUCB_NOTE] if any(series.name == "LUCBBOC" for series in self.measured) else []
        return [*self.problem.notes, *lucb, f"Trials: {counts}.{given_up}"]

    def trials_statement(self) -> Statement:
        """Check whether the plotted means can be means over as many trials as the paper says."""
        fewest = {s: fewest_trials(published(self.name, s)) for s in series_of(self.name)}
        fewest = {series: n for series, n in fewest.items() if n > 1}
        fits = [self.stated_trials % n == 0 for n in fewest.values()]
        shown = ", ".join(f"{series} {n:,}" for series, n in fewest.items())
        return Statement(
            f"The paper averages over {self.stated_trials:,} trials.",
            "undecided" if not fits else "held" if all(fits) else "not held",
            f"The fewest trials that can give the plotted means: {shown or 'any number can'}.",
            "check",
        )

    def draw(self, points: Sequence[Point], paths: Paths) -> None:
        """Draw the paper's curves and ours."""
        from boclust.plots.paper import draw_series

        draw_series(paths, self.title, self.x_name, self.y_name, points, self.y_log)


@dataclass(frozen=True)
class _Trials:
    """A block of trials of a series."""

    problem: Problem
    series: Series
    numbers: range
    max_samples: int

    def __call__(self) -> Rows:
        if self.series.fixed_size:
            return [row for size in self.series.thresholds for row in self._fixed(size)]
        deltas = {float(np.exp(-b)): b for b in self.series.thresholds}
        simulated = self._simulate(list(deltas), self.max_samples)
        return [_row(row, deltas[row["delta"]]) for row in simulated]

    def _fixed(self, size: float) -> Iterator[dict[str, Any]]:
        for row in self._simulate([NEVER], int(size)):
            yield _row(row, size) | {"ended": True}

    def _simulate(self, deltas: list[float], max_samples: int) -> Any:
        from boclust import simulate

        return simulate(
            self.problem.instance, [self.series.algorithm], deltas, self.numbers, seed=SEED,
            max_samples=max_samples, source=self.problem.source,
        ).table.to_pylist()  # fmt: skip


def _row(row: dict[str, Any], threshold: float) -> dict[str, Any]:
    return {
        "threshold": threshold,
        "trial": row["trial"],
        "samples": row["n_samples"],
        "correct": row["correct"],
        "ended": row["stopped"] == "certified",
        "pulls": row["pulls"],
    }


def mean_samples(rows: Rows) -> dict[str, Any]:
    """Return the fields of a point that come from its trials: mean, 95 % interval and counts."""
    samples = np.array([row["samples"] for row in rows], dtype=float)
    mean = float(samples.mean())
    half = 1.96 * float(samples.std(ddof=1)) / np.sqrt(len(samples)) if len(samples) > 1 else np.nan
    return {
        "y": mean,
        "y_low": mean - half,
        "y_high": mean + half,
        "trials": len(rows),
        "errors": sum(not row["correct"] for row in rows),
        "censored": sum(not row["ended"] for row in rows),
    }
