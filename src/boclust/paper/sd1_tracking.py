"""Figure 5: average, direct and weighted tracking on seven arms."""

from collections.abc import Sequence
from typing import ClassVar

from boclust.paper.asymptotic import AsymptoticFigure, paper_logs
from boclust.paper.base import Found, Point, Statement
from boclust.paper.comparison import COMPARABLE, comparable, compare, verdict
from boclust.paper.simulated import SEVEN_ARMS, Plan, Problem
from boclust.sources import Simulated

_ALGORITHMS = {"DTBOC": "dtboc", "ATBOC-Gauss": "atboc", "WATBOC": "watboc"}
_LOGS = paper_logs("sd1_tracking", "ATBOC-Gauss")


class Figure(AsymptoticFigure):
    """Three ways to follow the optimal proportions."""

    name: ClassVar[str] = "sd1_tracking"
    title: ClassVar[str] = "Three ways to track the optimal proportions, seven arms"
    place: ClassVar[str] = "Figure 5"
    plans = (
        *(Plan(series, algorithm, _LOGS, 20, 500, 20) for series, algorithm in _ALGORITHMS.items()),
        Plan("span", "span", _LOGS, 200, 1000),
    )

    def make_problem(self) -> Problem:
        """Synthetic Dataset 1."""
        return Problem(SEVEN_ARMS, Simulated(SEVEN_ARMS), "seven arms, Gaussian")

    def statements(self, points: Sequence[Point], found: Found) -> list[Statement]:
        """Section VIII-A."""
        pairs = [("DTBOC", "ATBOC-Gauss"), ("WATBOC", "ATBOC-Gauss"), ("DTBOC", "WATBOC")]
        slopes = {series: self.slope(series, found) for series in _ALGORITHMS}
        values = [slope.value for slope in slopes.values()]
        return [
            comparable(
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
                found,
            ),
            self.correctness_statement(points),
            self.trials_statement(),
        ]
