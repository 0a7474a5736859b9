"""Figures of samples that algorithms need on one problem: what to run, in which pieces."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, ClassVar

import numpy as np

from boclust.problem.instance import Instance
from boclust.paper.base import Figure, Found, Paths, Point, Statement
from boclust.paper.cells import Cell, Rows
from boclust.paper.published import published, series_of, trials_behind
from boclust.run.algorithm import Algorithm
from boclust.sources import Replay, Simulated

SEED = 2026
SEVEN_ARMS = Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], 3)
#: A delta that no run reaches.
NEVER = float(np.finfo(float).tiny)


@dataclass(frozen=True)
class Plan:
    """A series: what to run, where to stop it, and how often."""

    series: str
    algorithm: str | Algorithm
    #: log(1/delta) for each point; for a fixed sample size, the sizes.
    thresholds: tuple[float, ...]
    quick: int
    full: int
    #: Trials in a cell.
    block: int = 100
    #: Whether a trial ends after so many samples in all.
    fixed_size: bool = False


def fixed_size(sizes: tuple[float, ...], quick: int, full: int, block: int) -> Plan:
    """FSS: the arms in turn, so that sizes need not be multiples of their number."""
    return Plan("FSS", Algorithm("rr", "constant"), sizes, quick, full, block, fixed_size=True)


@dataclass(frozen=True)
class Problem:
    """An instance, where its samples come from, how that is told in words, and what to know."""

    instance: Instance
    source: Simulated | Replay
    told: str
    notes: tuple[str, ...] = ()

    @property
    def fingerprint(self) -> str:
        """What trials depend on beside their seed; the samples of a source have the means."""
        instance = self.instance
        return f"{instance.n_clusters} {instance.family} {self.source.fingerprint}"


class SimulatedFigure(Figure):
    """A figure whose curves are simulated on one problem."""

    y_name: ClassVar[str] = "mean samples"
    plans: ClassVar[Sequence[Plan]]
    #: Where a trial is given up; it counts with so many samples, and is reported as censored.
    max_samples: ClassVar[int] = 1_000_000
    y_log: ClassVar[bool] = False
    #: The trials that the paper averages over, as it says.
    said_trials: ClassVar[int]

    @abstractmethod
    def make_problem(self) -> Problem:
        """The instance and its samples."""

    @cached_property
    def problem(self) -> Problem:
        """The instance and its samples, made once."""
        return self.make_problem()

    def cells(self, quick: bool) -> list[Cell]:
        """Blocks of trials of each series."""
        return [cell for plan in self.plans for cell in self._blocks(plan, quick)]

    def _blocks(self, plan: Plan, quick: bool) -> Iterator[Cell]:
        problem = self.problem
        total = plan.quick if quick else plan.full
        for first in range(0, total, plan.block):
            numbers = range(first, min(first + plan.block, total))
            what = {
                "problem": problem.told,
                "fingerprint": problem.fingerprint,
                "algorithm": str(plan.algorithm),
                "fixed_size": plan.fixed_size,
                "thresholds": plan.thresholds,
                "trials": [numbers.start, numbers.stop],
                "max_samples": self.max_samples,
                "seed": SEED,
            }
            yield Cell(what, _Work(problem, plan, numbers, self.max_samples))

    def points(self, found: Found) -> list[Point]:
        """Means over the trials of each series and threshold."""
        return [
            self.point(plan, threshold, rows)
            for plan in self.plans
            for threshold, rows in self.trials(plan, found)
        ]

    def trials(self, plan: Plan, found: Found) -> Iterator[tuple[float, Rows]]:
        """The trials of a series, threshold by threshold."""
        own = [row for cell, rows in found if self._belongs(cell, plan) for row in rows]
        own.sort(key=lambda row: (row["threshold"], row["trial"]))
        for threshold, rows in groupby(own, lambda row: row["threshold"]):
            yield threshold, list(rows)

    def _belongs(self, cell: Cell, plan: Plan) -> bool:
        names = ("fingerprint", "algorithm", "thresholds", "fixed_size")
        own = self.problem.fingerprint, str(plan.algorithm), plan.thresholds, plan.fixed_size
        return own == tuple(cell.what[name] for name in names)

    @abstractmethod
    def point(self, plan: Plan, threshold: float, rows: Rows) -> Point:
        """What the trials of one threshold say."""

    def notes(self, points: Sequence[Point]) -> list[str]:
        """Choices, trials, and trials that were given up."""
        here = [p for p in points if p.source == "here"]
        trials = {p.series: p.trials for p in here}
        told = ", ".join(f"{series} {n:,}" for series, n in trials.items())
        censored = {p.series: p.censored for p in here if p.censored}
        worst = "; ".join(f"{series}: up to {n:,}" for series, n in censored.items())
        given_up = (
            f" Given up after {self.max_samples:,} samples, and counted with so many: {worst} of "
            "the trials of a point."
            if censored
            else " None was given up."
        )
        lucb = [LUCB_NOTE] if any(plan.series == "LUCBBOC" for plan in self.plans) else []
        return [*self.problem.notes, *lucb, f"Trials: {told}.{given_up}"]

    def trials_statement(self) -> Statement:
        """What the paper says of its trials, beside what its plotted means can be means of."""
        behind = {s: trials_behind(published(self.name, s)) for s in series_of(self.name)}
        behind = {series: n for series, n in behind.items() if n > 1}
        fits = [self.said_trials % n == 0 for n in behind.values()]
        told = ", ".join(f"{series} {n:,}" for series, n in behind.items())
        return Statement(
            f"The paper averages over {self.said_trials:,} trials.",
            "undecided" if not fits else "held" if all(fits) else "not held",
            f"The fewest trials that can give the plotted means: {told or 'they do not tell'}.",
            "check",
        )

    def draw(self, points: Sequence[Point], paths: Paths) -> None:
        """Both sets of curves."""
        from boclust.plots.reproduction import draw_curves

        draw_curves(paths, self.title, self.x_name, self.y_name, points, self.y_log)


LUCB_NOTE = (
    "LUCBBOC here chooses the tree edge by its upper confidence bound ('lucbboc-ucb'): as printed "
    "it can starve an arm of a cluster of three. Its radius has one delta for all points, so that "
    "one trajectory answers all of them."
)


@dataclass(frozen=True)
class _Work:
    """One block of trials."""

    problem: Problem
    plan: Plan
    numbers: range
    max_samples: int

    def __call__(self) -> Rows:
        if self.plan.fixed_size:
            return [row for size in self.plan.thresholds for row in self._fixed(size)]
        deltas = {float(np.exp(-b)): b for b in self.plan.thresholds}
        found = self._simulate(list(deltas), self.max_samples)
        return [_row(row, deltas[row["delta"]]) for row in found]

    def _fixed(self, size: float) -> Iterator[dict[str, Any]]:
        for row in self._simulate([NEVER], int(size)):
            yield _row(row, size) | {"ended": True}

    def _simulate(self, deltas: list[float], max_samples: int) -> Any:
        from boclust.simulation import simulate

        return simulate(
            self.problem.instance, [self.plan.algorithm], deltas, self.numbers, seed=SEED,
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
    """Mean samples with a 95 % interval, and what comes with them."""
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
