"""Figures of mean samples over log(1/P_e), where P_e is the observed error rate."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from boclust import Algorithm
from boclust.paper.base_figure import Finished, Point
from boclust.paper.simulated_figure import Series, SimulatedFigure, mean_samples
from boclust.paper.tasks import Rows
from boclust.paper.verdicts import Comparison, compare
from boclust.simulation.results import exact_interval

#: Constant thresholds of Z(t).
THRESHOLDS = (0.02, 0.06, 0.12, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)

LUCBBOC = Algorithm("lucb-ucb", "constant", radius_delta=0.1)


class ErrorFigure(SimulatedFigure):
    """Mean samples over log(1/P_e), for many constant thresholds."""

    x_name: ClassVar[str] = "log(1/P_e)"
    stated_trials: ClassVar[int] = 100
    max_samples: ClassVar[int] = 2000
    #: Points with fewer errors are too uncertain to be shown.
    FEWEST_ERRORS: ClassVar[int] = 8

    def point(self, series: Series, threshold: float, rows: Rows) -> Point:
        """Place the mean samples at the observed error rate with its Clopper-Pearson interval."""
        fields = mean_samples(rows)
        low, high = exact_interval(fields["errors"], fields["trials"])
        rate = fields["errors"] / fields["trials"]
        return Point(
            series.name, "here", minus_log(rate), x_low=minus_log(high), x_high=minus_log(low),
            algorithm=str(series.algorithm), threshold=threshold, **fields,
        )  # fmt: skip

    def points(self, finished: Finished) -> list[Point]:
        """Keep the points with enough errors."""
        return [p for p in super().points(finished) if p.errors >= self.FEWEST_ERRORS]

    def compare(self, points: Sequence[Point], first: str, second: str) -> Comparison:
        """Compare two curves in the range that the paper plots."""
        plotted = [p.x for p in self.paper_points()]
        return compare(points, first, second, within=(min(plotted), max(plotted)))

    def notes(self, points: Sequence[Point]) -> list[str]:
        """Explain the thresholds and which points are left out."""
        return [
            "Each point has another constant threshold: the paper's counts of samples are far "
            "below what its proven threshold needs for any delta < 1. Points with fewer than "
            f"{self.FEWEST_ERRORS} errors are left out. No lower bound is drawn: it applies to "
            "methods that are right with probability 1 - delta on every instance.",
            *super().notes(points),
        ]


def minus_log(rate: float) -> float:
    """Return log(1/rate), infinite for 0."""
    return float(-np.log(rate)) if rate > 0 else np.inf
