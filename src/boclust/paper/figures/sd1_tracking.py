"""Figure 5: average, direct and weighted tracking on seven arms."""

from collections.abc import Sequence
from typing import ClassVar

from boclust.paper.base_figure import Finished, Point, Statement
from boclust.paper.delta_figure import DeltaFigure, plotted_logs
from boclust.paper.simulated_figure import SEVEN_ARMS, Problem, Series
from boclust.paper.verdicts import COMPARABLE, claim_comparable, compare, verdict
from boclust.sources import Simulated

_ALGORITHMS = {"DTBOC": "dtboc", "ATBOC-Gauss": "atboc", "WATBOC": "watboc"}
_LOGS = plotted_logs("sd1_tracking", "ATBOC-Gauss")


class Figure(DeltaFigure):
    """Compare three ways to track the optimal proportions."""

    name: ClassVar[str] = "sd1_tracking"
    title: ClassVar[str] = "Three ways to track the optimal proportions, seven arms"
    place: ClassVar[str] = "Figure 5"
    measured = (
        *(
            Series(series, algorithm, _LOGS, 20, 500, 20)
            for series, algorithm in _ALGORITHMS.items()
        ),
        Series("span", "span", _LOGS, 200, 1000),
    )

    def make_problem(self) -> Problem:
        """Use Synthetic Dataset 1."""
        return Problem(SEVEN_ARMS, Simulated(SEVEN_ARMS), "seven arms, Gaussian")

    def statements(self, points: Sequence[Point], finished: Finished) -> list[Statement]:
        """Judge Section VIII-A."""
        pairs = [("DTBOC", "ATBOC-Gauss"), ("WATBOC", "ATBOC-Gauss"), ("DTBOC", "WATBOC")]
        slopes = {series: self.slope(series, finished) for series in _ALGORITHMS}
        values = [slope.value for slope in slopes.values()]
        return [
            claim_comparable(
                "All tracking schemes show comparable performance",
                [compare(points, *pair) for pair in pairs],
            ),
            Statement(
                f"Their slopes are comparable (here: within {COMPARABLE:.0%}).",
                verdict([max(values) <= (1 + COMPARABLE) * min(values)]),
                ", ".join(f"{name} {slope}" for name, slope in slopes.items()) + ".",
            ),
            self.slopes_statement(
                "The slopes of DTBOC and WATBOC satisfy the bound derived for average tracking.",
                finished,
            ),
            self.correctness_statement(points),
            self.trials_statement(),
        ]
