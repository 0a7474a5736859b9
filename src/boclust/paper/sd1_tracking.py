"""Figure 5: average, direct and weighted tracking on seven arms."""

from collections.abc import Sequence
from typing import ClassVar

from boclust.paper.base import COMPARABLE, Found, Point, Statement, compare, verdict
from boclust.paper.simulated import SEVEN_ARMS, AsymptoticFigure, Plan, Problem, paper_logs
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
        compared = [compare(points, *pair) for pair in pairs]
        slopes = {series: self.slope(series, found) for series in _ALGORITHMS}
        told = ", ".join(f"{name} {slope}" for name, slope in slopes.items())
        upper = 2 * self.bound.t_star
        values = [slope.value for slope in slopes.values()]
        return [
            Statement(
                "All tracking schemes show comparable performance (here: within "
                f"{COMPARABLE:.0%} of each other).",
                verdict([ok for c in compared for ok in c.comparable]),
                "; ".join(str(c) for c in compared) + ".",
            ),
            Statement(
                "Their slopes are comparable and satisfy the bound derived for average tracking "
                "(164 in the paper).",
                verdict(
                    [max(values) <= (1 + COMPARABLE) * min(values)]
                    + [slope.value - 2 * slope.error <= 164 for slope in slopes.values()]
                ),
                f"Slopes of the last five points: {told}; twice the true T* is {upper:.0f}.",
            ),
        ]
