"""Figures of mean samples over log(1/delta), with the lower bound and the slopes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from boclust import Algorithm, LowerBound, lower_bound
from boclust._validate import FloatArray
from boclust.paper.base_figure import Finished, Point, Statement, curve
from boclust.paper.published import published, slopes_of
from boclust.paper.simulated_figure import Series, SimulatedFigure, mean_samples
from boclust.paper.tasks import Rows
from boclust.paper.verdicts import Finding, finding, verdict
from boclust.simulation.results import exact_interval


@dataclass(frozen=True)
class Slope:
    """Samples per unit of log(1/delta), with the standard error."""

    value: float
    error: float

    def below(self, limit: float) -> Finding:
        """Decide whether the slope is below a limit, with 95 % confidence either way."""
        return finding(self.value - 1.96 * self.error, self.value + 1.96 * self.error, limit)

    def __str__(self) -> str:
        return f"{self.value:.1f} ± {self.error:.1f}"


class DeltaFigure(SimulatedFigure):
    """Mean samples over log(1/delta), with the lower bound."""

    x_name: ClassVar[str] = "log(1/delta)"
    stated_trials: ClassVar[int] = 1000
    #: The label of the line of T*.
    bound_name: ClassVar[str] = "lower bound"

    @cached_property
    def bound(self) -> LowerBound:
        """T* of the instance."""
        return lower_bound(self.problem.instance)

    def series(self, name: str) -> Series:
        """Return the series of that name."""
        (found,) = (series for series in self.measured if series.name == name)
        return found

    def slope(self, name: str, finished: Finished, last: int = 5) -> Slope:
        """Fit a line to the last points of a series, as in the paper's table of slopes.

        All points of a trial lie on one trajectory, so a line is fitted to each trial. The mean of
        the slopes is the slope of the means, and their scatter gives its standard error.
        """
        kept = list(self.trials(self.series(name), finished))[-last:]
        x = np.array([threshold for threshold, _ in kept])
        y = np.array([[row["samples"] for row in rows] for _, rows in kept], dtype=float)
        slopes = ((x - x.mean()) @ y) / ((x - x.mean()) @ (x - x.mean()))
        return Slope(float(slopes.mean()), float(slopes.std(ddof=1) / np.sqrt(len(slopes))))

    def plotted_slope(self, name: str, last: int = 5) -> float:
        """Fit a line to the last points that the paper plots."""
        points = curve(self.paper_points(), name, "paper")[-last:]
        return float(np.polyfit([p.x for p in points], [p.y for p in points], 1)[0])

    def proportions(self, name: str, finished: Finished) -> FloatArray:
        """Return the mean proportions of the samples at the last point of a series."""
        _, rows = list(self.trials(self.series(name), finished))[-1]
        pulls = np.array([row["pulls"] for row in rows], dtype=float)
        return np.asarray((pulls / pulls.sum(axis=1, keepdims=True)).mean(axis=0))

    def upper_slope(self, name: str, finished: Finished) -> float:
        """Return 2 / psi at the proportions of a series: the bound on its slope (Section V)."""
        from boclust import infimum

        instance = self.problem.instance
        weights = self.proportions(name, finished)
        return 2 / infimum(instance.means, weights, instance.n_clusters, instance.family).value

    def point(self, series: Series, threshold: float, rows: Rows) -> Point:
        """Place the mean samples at log(1/delta)."""
        return Point(
            series.name, "here", threshold, algorithm=str(series.algorithm), threshold=threshold,
            **mean_samples(rows),
        )  # fmt: skip

    def points(self, finished: Finished) -> list[Point]:
        """Add the lower bound (1 - 2 delta) log((1 - delta)/delta) T* to the curves."""
        made = super().points(finished)
        logs = sorted({p.x for p in made})
        return made + [
            Point(self.bound_name, "bound", x, self.bound.samples(float(np.exp(-x)))) for x in logs
        ]

    def slopes_statement(self, claim: str, finished: Finished) -> Statement:
        """Judge a claim that slopes are below the paper's bounds."""
        findings, shown = [], []
        for theirs in slopes_of(self.name):
            slope = self.slope(theirs.series, finished)
            findings.append(slope.below(theirs.upper))
            shown.append(
                f"{theirs.series} {slope} (bound {theirs.upper:g}; the paper measures "
                f"{theirs.measured:g}, its plotted points give "
                f"{self.plotted_slope(theirs.series):.1f})"
            )
        evidence = (
            f"Slopes of the last five points: {'; '.join(shown)}. T* = {self.bound.t_star:.1f}."
        )
        return Statement(claim, verdict(findings), evidence)

    def correctness_statement(self, points: Sequence[Point]) -> Statement:
        """Judge the claim that delta bounds the error probability (Section VIII-A)."""
        kept, wrong, total = [], 0, 0
        for p in (p for p in points if p.source == "here"):
            low, _ = exact_interval(p.errors, p.trials)
            kept.append(low <= np.exp(-p.x))
            wrong, total = wrong + p.errors, total + p.trials
        return Statement(
            "delta is an upper bound on the observed error rate.",
            verdict(kept),
            f"{wrong:,} of {total:,} answers were wrong; at {sum(kept)} of {len(kept)} points the "
            "error rate is at most delta or cannot be distinguished from it.",
        )


def plotted_logs(figure: str, series: str) -> tuple[float, ...]:
    """Return the values of log(1/delta) at which the paper plots a series."""
    return tuple(p.x for p in published(figure, series))


def lucbboc(logs: tuple[float, ...]) -> Algorithm:
    """Return LUCBBOC with the smallest delta in its radius."""
    return Algorithm("lucb-ucb", "paper", radius_delta=float(np.exp(-max(logs))))
