"""Figures of mean samples over log(1/P_e), P_e the observed error rate."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from boclust.paper.base import Found, Point
from boclust.paper.cells import Rows
from boclust.paper.comparison import Comparison, compare
from boclust.paper.simulated import Plan, SimulatedFigure, mean_samples
from boclust.run.algorithm import Algorithm
from boclust.simulation.results import exact_interval

#: Thresholds of Z(t).
SWEEP = (0.02, 0.06, 0.12, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)

LUCB = Algorithm("lucb-ucb", "constant", radius_delta=0.1)


class ErrorFigure(SimulatedFigure):
    """Mean samples over log(1/P_e), by sweeping a constant threshold."""

    x_name: ClassVar[str] = "log(1/P_e)"
    said_trials: ClassVar[int] = 100
    max_samples: ClassVar[int] = 2000
    #: Points from fewer errors say too little to be shown.
    FEWEST: ClassVar[int] = 8

    def point(self, plan: Plan, threshold: float, rows: Rows) -> Point:
        """At the observed error rate, with its exact (Clopper-Pearson) interval."""
        said = mean_samples(rows)
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
        """Two curves where the paper plots them."""
        plotted = [p.x for p in self.paper_points()]
        return compare(points, first, second, within=(min(plotted), max(plotted)))

    def notes(self, points: Sequence[Point]) -> list[str]:
        """Beside the choices, what is swept and what is left out."""
        return [
            "A constant threshold is swept: the paper's counts of samples are far below what its "
            "proven threshold takes for any delta < 1. Points with fewer than "
            f"{self.FEWEST} errors are left out. There is no lower bound to draw: that is about "
            "methods that are right with probability 1 - delta on every instance.",
            *super().notes(points),
        ]


def minus_log(rate: float) -> float:
    """log(1/rate), infinite for 0."""
    return float(-np.log(rate)) if rate > 0 else np.inf
