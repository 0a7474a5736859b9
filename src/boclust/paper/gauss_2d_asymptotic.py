"""Figure 6: samples over log(1/delta) on six arms in the plane, beside round robin."""

from collections.abc import Sequence
from typing import ClassVar

from boclust.problem.instance import Instance
from boclust.paper.asymptotic import AsymptoticFigure, lucb, paper_logs
from boclust.paper.base import Found, Point, Statement
from boclust.paper.comparison import below, comparable, compare, verdict
from boclust.paper.printed import slopes_of
from boclust.paper.simulated import Plan, Problem
from boclust.sources import Simulated

_LOGS = paper_logs("gauss_2d_asymptotic", "ATBOC-Gauss")


class Figure(AsymptoticFigure):
    """The instance of the paper's Figure 1."""

    name: ClassVar[str] = "gauss_2d_asymptotic"
    title: ClassVar[str] = "Six Gaussian arms in the plane, three clusters"
    place: ClassVar[str] = "Figure 6"
    plans = (
        Plan("ATBOC-Gauss", "atboc", _LOGS, 20, 500, 20),
        Plan("LUCBBOC", lucb(_LOGS), _LOGS, 40, 1000, 50),
        Plan("RR", "rr", _LOGS, 40, 1000, 50),
        Plan("span", "span", _LOGS, 200, 1000),
    )

    def make_problem(self) -> Problem:
        """Means of Figure 1."""
        means = [[-1, -1], [-1, -2], [1, 1], [2, 2], [3, -3], [3.5, -3]]
        instance = Instance(means, 3)
        return Problem(instance, Simulated(instance), "six arms in the plane, Gaussian")

    def statements(self, points: Sequence[Point], found: Found) -> list[Statement]:
        """Section VIII-A and Remark 2."""
        own = {
            printed.series: (
                self.slope(printed.series, found),
                self.upper_slope(printed.series, found),
            )
            for printed in slopes_of(self.name)
        }
        return [
            self.slopes_statement(
                "The slopes of ATBOC-Gauss, LUCBBOC and RR satisfy their bounds 40, 48 and 73.",
                found,
            ),
            Statement(
                "Slopes are at most 2/psi at the proportions at which each algorithm samples.",
                verdict(slope.below(limit) for slope, limit in own.values()),
                "; ".join(f"{s} {slope}, 2/psi {limit:.1f}" for s, (slope, limit) in own.items())
                + ".",
            ),
            comparable(
                "LUCBBOC is comparable to ATBOC", [compare(points, "LUCBBOC", "ATBOC-Gauss")]
            ),
            below(
                "ATBOC and LUCBBOC are considerably better than RR.",
                [compare(points, series, "RR") for series in ("ATBOC-Gauss", "LUCBBOC")],
            ),
            self.correctness_statement(points),
            self.trials_statement(),
        ]
