"""Figures of samples that algorithms need, over log(1/delta) or over log(1/P_e)."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from boclust._validate import FloatArray
from boclust.bound import LowerBound, lower_bound
from boclust.instance import Instance
from boclust.paper.base import Comparison, Figure, Found, Point, Statement, compare, verdict
from boclust.paper.cells import Cell, Rows
from boclust.paper.published import published
from boclust.registry import Algorithm
from boclust.sources import Replay, Simulated

SEED = 2026
SEVEN_ARMS = Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], 3)


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


@dataclass(frozen=True)
class Problem:
    """An instance, where its samples come from, and how that is told in words."""

    instance: Instance
    source: Simulated | Replay
    told: str


#: A series that stops after so many samples in all, the arms in turn.
FIXED_SIZE = Algorithm("rr", "constant")


class SimulatedFigure(Figure):
    """A figure whose curves are simulated on one problem."""

    y_name: ClassVar[str] = "mean samples"
    plans: ClassVar[Sequence[Plan]]
    #: Where a trial is given up; it counts with so many samples, and is reported as censored.
    max_samples: ClassVar[int] = 1_000_000
    y_log: ClassVar[bool] = False

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
                "algorithm": str(plan.algorithm),
                "fixed_size": plan.series == "FSS",
                "thresholds": plan.thresholds,
                "trials": [numbers.start, numbers.stop],
                "max_samples": self.max_samples,
                "seed": SEED,
            }
            yield Cell(what, _Work(problem, plan, numbers, self.max_samples))

    def points(self, found: Found) -> list[Point]:
        """Means over the trials of each series and threshold."""
        made = []
        for plan in self.plans:
            for threshold, rows in self.trials(plan, found):
                made.append(self.point(plan, threshold, rows))
        return made

    def trials(self, plan: Plan, found: Found) -> Iterator[tuple[float, Rows]]:
        """The trials of a series, threshold by threshold."""
        own = [row for cell, rows in found if _belongs(cell, plan) for row in rows]
        own.sort(key=lambda row: (row["threshold"], row["trial"]))
        for threshold, rows in groupby(own, lambda row: row["threshold"]):
            yield threshold, list(rows)

    @abstractmethod
    def point(self, plan: Plan, threshold: float, rows: Rows) -> Point:
        """What the trials of one threshold say."""

    def draw(self, points: Sequence[Point], paths: Sequence[Path]) -> None:
        """Both sets of curves."""
        from boclust.plots.reproduction import draw_curves

        draw_curves(paths, self.title, self.x_name, self.y_name, points, self.y_log)


def _belongs(cell: Cell, plan: Plan) -> bool:
    own = (str(plan.algorithm), plan.thresholds, plan.series == "FSS")
    return own == tuple(cell.what[name] for name in ("algorithm", "thresholds", "fixed_size"))


@dataclass(frozen=True)
class _Work:
    """One block of trials."""

    problem: Problem
    plan: Plan
    numbers: range
    max_samples: int

    def __call__(self) -> Rows:
        if self.plan.series == "FSS":
            return [row for size in self.plan.thresholds for row in self._fixed(size)]
        deltas = {float(np.exp(-b)): b for b in self.plan.thresholds}
        return [
            _row(row, deltas[row["delta"]])
            for row in self._simulate(list(deltas), self.max_samples)
        ]

    def _fixed(self, size: float) -> Iterator[dict[str, Any]]:
        never = [float(np.finfo(float).tiny)]
        for row in self._simulate(never, int(size)):
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


def _samples(rows: Rows) -> dict[str, Any]:
    """Mean samples, and what comes with them."""
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


@dataclass(frozen=True)
class Slope:
    """How many samples more for each log(1/delta), with its standard error."""

    value: float
    error: float

    def __str__(self) -> str:
        return f"{self.value:.1f} ± {self.error:.1f}"


class AsymptoticFigure(SimulatedFigure):
    """Mean samples over log(1/delta), with the lower bound."""

    x_name: ClassVar[str] = "log(1/delta)"

    @cached_property
    def bound(self) -> LowerBound:
        """T* of the instance."""
        return lower_bound(self.problem.instance)

    def slope(self, series: str, found: Found, last: int = 5) -> Slope:
        """Linear regression on the last points, as in the paper's table of slopes.

        All points of a trial lie on one trajectory, so the line is fitted to each trial: the mean
        of their slopes is the slope of the means, and their scatter gives its standard error.
        """
        (plan,) = (plan for plan in self.plans if plan.series == series)
        kept = list(self.trials(plan, found))[-last:]
        x = np.array([threshold for threshold, _ in kept])
        y = np.array([[row["samples"] for row in rows] for _, rows in kept], dtype=float)
        slopes = ((x - x.mean()) @ y) / ((x - x.mean()) @ (x - x.mean()))
        return Slope(float(slopes.mean()), float(slopes.std(ddof=1) / np.sqrt(len(slopes))))

    def shares(self, series: str, found: Found) -> FloatArray:
        """The mean proportions of the samples at the last point."""
        (plan,) = (plan for plan in self.plans if plan.series == series)
        _, rows = list(self.trials(plan, found))[-1]
        pulls = np.array([row["pulls"] for row in rows], dtype=float)
        return np.asarray((pulls / pulls.sum(axis=1, keepdims=True)).mean(axis=0))

    def upper_slope(self, series: str, found: Found) -> float:
        """2 / psi at the proportions of the series: the paper's bound on the slope (Section V)."""
        from boclust.alternatives import infimum

        instance = self.problem.instance
        shares = self.shares(series, found)
        return 2 / infimum(instance.means, shares, instance.n_clusters, instance.family).value

    def point(self, plan: Plan, threshold: float, rows: Rows) -> Point:
        """At log(1/delta)."""
        return Point(
            plan.series, "here", threshold, algorithm=str(plan.algorithm), threshold=threshold,
            **_samples(rows),
        )  # fmt: skip

    def points(self, found: Found) -> list[Point]:
        """The curves, and the lower bound (1 - 2 delta) log((1 - delta)/delta) T*."""
        made = super().points(found)
        logs = sorted({p.x for p in made})
        return made + [
            Point("lower bound", "bound", x, self.bound.samples(float(np.exp(-x)))) for x in logs
        ]


#: Thresholds of Z(t) for curves against the error rate.
SWEEP = (0.02, 0.06, 0.12, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)


class ErrorFigure(SimulatedFigure):
    """Mean samples over log(1/P_e), P_e the observed error rate, by sweeping the threshold."""

    x_name: ClassVar[str] = "log(1/P_e)"
    max_samples: ClassVar[int] = 2000
    #: Points from fewer errors say too little to be drawn.
    FEWEST: ClassVar[int] = 8

    def point(self, plan: Plan, threshold: float, rows: Rows) -> Point:
        """At the observed error rate, with its exact (Clopper-Pearson) interval."""
        said = _samples(rows)
        low, high = exact_interval(said["errors"], said["trials"])
        rate = said["errors"] / said["trials"]
        return Point(
            plan.series, "here", minus_log(rate), x_low=minus_log(high), x_high=minus_log(low),
            algorithm=str(plan.algorithm), threshold=threshold, **said,
        )  # fmt: skip

    def points(self, found: Found) -> list[Point]:
        """The curves, as far as there are errors enough."""
        return [p for p in super().points(found) if p.errors >= self.FEWEST]

    def compare(self, points: Sequence[Point], first: str, second: str) -> Comparison:
        """Two curves between the error rates that the paper looks at (Section VIII-B)."""
        return compare(points, first, second, within=(1.0, 4.0))

    def better(
        self, points: Sequence[Point], claim: str, pairs: Sequence[tuple[str, str]]
    ) -> Statement:
        """A claim that in each pair the first needs fewer samples at the same error rate."""
        compared = [self.compare(points, *pair) for pair in pairs]
        return Statement(
            claim,
            verdict([ok for c in compared for ok in c.below]),
            "; ".join(str(c) for c in compared) + ".",
        )


def minus_log(rate: float) -> float:
    """log(1/rate), infinite for 0."""
    return float(-np.log(rate)) if rate > 0 else np.inf


def exact_interval(errors: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The two-sided Clopper-Pearson interval of a probability."""
    from scipy.stats import beta

    tail = (1 - confidence) / 2
    low = float(beta.ppf(tail, errors, trials - errors + 1)) if errors > 0 else 0.0
    high = float(beta.ppf(1 - tail, errors + 1, trials - errors)) if errors < trials else 1.0
    return low, high


def paper_logs(figure: str, series: str) -> tuple[float, ...]:
    """The places at which the paper plots a series."""
    return tuple(p.x for p in published(figure, series))
