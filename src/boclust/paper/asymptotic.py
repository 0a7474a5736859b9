"""Figures of mean samples over log(1/delta), with the lower bound and the slopes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from boclust._validate import FloatArray
from boclust.psi.bound import LowerBound, lower_bound
from boclust.paper.base import Found, Point, Statement, curve
from boclust.paper.cells import Rows
from boclust.paper.comparison import Finding, finding, verdict
from boclust.paper.printed import slopes_of
from boclust.paper.published import published
from boclust.paper.simulated import Plan, SimulatedFigure, mean_samples
from boclust.run.algorithm import Algorithm
from boclust.simulation.results import exact_interval


@dataclass(frozen=True)
class Slope:
    """How many samples more for each log(1/delta), with its standard error."""

    value: float
    error: float

    def below(self, limit: float) -> Finding:
        """Whether it is below a limit, with 95 % confidence either way."""
        return finding(self.value - 1.96 * self.error, self.value + 1.96 * self.error, limit)

    def __str__(self) -> str:
        return f"{self.value:.1f} ± {self.error:.1f}"


class AsymptoticFigure(SimulatedFigure):
    """Mean samples over log(1/delta), with the lower bound."""

    x_name: ClassVar[str] = "log(1/delta)"
    said_trials: ClassVar[int] = 1000
    #: What the line of T* is for these samples.
    bound_name: ClassVar[str] = "lower bound"

    @cached_property
    def bound(self) -> LowerBound:
        """T* of the instance."""
        return lower_bound(self.problem.instance)

    def plan(self, series: str) -> Plan:
        """What is run for a series."""
        (found,) = (plan for plan in self.plans if plan.series == series)
        return found

    def slope(self, series: str, found: Found, last: int = 5) -> Slope:
        """Linear regression on the last points, as in the paper's table of slopes.

        All points of a trial lie on one trajectory, so the line is fitted to each trial: the mean
        of their slopes is the slope of the means, and their scatter gives its standard error.
        """
        kept = list(self.trials(self.plan(series), found))[-last:]
        x = np.array([threshold for threshold, _ in kept])
        y = np.array([[row["samples"] for row in rows] for _, rows in kept], dtype=float)
        slopes = ((x - x.mean()) @ y) / ((x - x.mean()) @ (x - x.mean()))
        return Slope(float(slopes.mean()), float(slopes.std(ddof=1) / np.sqrt(len(slopes))))

    def plotted_slope(self, series: str, last: int = 5) -> float:
        """The same regression on the paper's points."""
        points = curve(self.paper_points(), series, "paper")[-last:]
        return float(np.polyfit([p.x for p in points], [p.y for p in points], 1)[0])

    def shares(self, series: str, found: Found) -> FloatArray:
        """The mean proportions of the samples at the last point."""
        _, rows = list(self.trials(self.plan(series), found))[-1]
        pulls = np.array([row["pulls"] for row in rows], dtype=float)
        return np.asarray((pulls / pulls.sum(axis=1, keepdims=True)).mean(axis=0))

    def upper_slope(self, series: str, found: Found) -> float:
        """2 / psi at the proportions of the series: the paper's bound on the slope (Section V)."""
        from boclust.psi import infimum

        instance = self.problem.instance
        shares = self.shares(series, found)
        return 2 / infimum(instance.means, shares, instance.n_clusters, instance.family).value

    def point(self, plan: Plan, threshold: float, rows: Rows) -> Point:
        """At log(1/delta)."""
        return Point(
            plan.series, "here", threshold, algorithm=str(plan.algorithm), threshold=threshold,
            **mean_samples(rows),
        )  # fmt: skip

    def points(self, found: Found) -> list[Point]:
        """The curves, and the lower bound (1 - 2 delta) log((1 - delta)/delta) T*."""
        made = super().points(found)
        logs = sorted({p.x for p in made})
        return made + [
            Point(self.bound_name, "bound", x, self.bound.samples(float(np.exp(-x)))) for x in logs
        ]

    def slopes_statement(self, claim: str, found: Found) -> Statement:
        """A claim that slopes are below the paper's bounds on them."""
        findings, told = [], []
        for printed in slopes_of(self.name):
            slope = self.slope(printed.series, found)
            findings.append(slope.below(printed.upper))
            told.append(
                f"{printed.series} {slope} (bound {printed.upper:g}; the paper measures "
                f"{printed.measured:g}, its plotted points give "
                f"{self.plotted_slope(printed.series):.1f})"
            )
        shown = f"Slopes of the last five points: {'; '.join(told)}. T* = {self.bound.t_star:.1f}."
        return Statement(claim, verdict(findings), shown)

    def correctness_statement(self, points: Sequence[Point]) -> Statement:
        """That delta bounds the probability of an error (Section VIII-A)."""
        kept, wrong, total = [], 0, 0
        for p in (p for p in points if p.source == "here"):
            low, _ = exact_interval(p.errors, p.trials)
            kept.append(low <= np.exp(-p.x))
            wrong, total = wrong + p.errors, total + p.trials
        return Statement(
            "delta is an upper bound on the observed error rate.",
            verdict(kept),
            f"{wrong:,} of {total:,} answers were wrong; at {sum(kept)} of {len(kept)} points the "
            "error rate is at most delta or cannot be told from it.",
        )


def paper_logs(figure: str, series: str) -> tuple[float, ...]:
    """The places at which the paper plots a series."""
    return tuple(p.x for p in published(figure, series))


def lucb(logs: tuple[float, ...]) -> Algorithm:
    """LUCBBOC whose radius uses the smallest delta."""
    return Algorithm("lucb-ucb", "paper", radius_delta=float(np.exp(-max(logs))))
