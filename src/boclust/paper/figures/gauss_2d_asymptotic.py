"""Figure 6: samples over log(1/delta) on six arms in the plane, compared with round robin."""

from collections.abc import Sequence
from typing import ClassVar

from boclust import Instance
from boclust.paper.base_figure import Finished, Point, Statement
from boclust.paper.delta_figure import DeltaFigure, lucbboc, plotted_logs
from boclust.paper.published import slopes_of
from boclust.paper.simulated_figure import Problem, Series
from boclust.paper.verdicts import claim_below, claim_comparable, compare, verdict
from boclust.sources import Simulated

_LOGS = plotted_logs("gauss_2d_asymptotic", "ATBOC-Gauss")


class Figure(DeltaFigure):
    """The instance of Figure 1."""

    name: ClassVar[str] = "gauss_2d_asymptotic"
    title: ClassVar[str] = "Six Gaussian arms in the plane, three clusters"
    place: ClassVar[str] = "Figure 6"
    measured = (
        Series("ATBOC-Gauss", "atboc", _LOGS, 20, 500, 20),
        Series("LUCBBOC", lucbboc(_LOGS), _LOGS, 40, 1000, 50),
        Series("RR", "rr", _LOGS, 40, 1000, 50),
        Series("span", "span", _LOGS, 200, 1000),
    )

    def make_problem(self) -> Problem:
        """Use the means of Figure 1."""
        means = [[-1, -1], [-1, -2], [1, 1], [2, 2], [3, -3], [3.5, -3]]
        instance = Instance(means, 3)
        return Problem(instance, Simulated(instance), "six arms in the plane, Gaussian")

    def statements(self, points: Sequence[Point], finished: Finished) -> list[Statement]:
        """Judge Section VIII-A and Remark 2."""
        own = {
            theirs.series: (
                self.slope(theirs.series, finished),
                self.upper_slope(theirs.series, finished),
            )
            for theirs in slopes_of(self.name)
        }
        return [
            self.slopes_statement(
                "The slopes of ATBOC-Gauss, LUCBBOC and RR satisfy their bounds 40, 48 and 73.",
                finished,
            ),
            Statement(
                "Slopes are at most 2/psi at the proportions at which each algorithm samples.",
                verdict(slope.below(limit) for slope, limit in own.values()),
                "; ".join(f"{s} {slope}, 2/psi {limit:.1f}" for s, (slope, limit) in own.items())
                + ".",
            ),
            claim_comparable(
                "LUCBBOC is comparable to ATBOC", [compare(points, "LUCBBOC", "ATBOC-Gauss")]
            ),
            claim_below(
                "ATBOC and LUCBBOC are considerably better than RR.",
                [compare(points, series, "RR") for series in ("ATBOC-Gauss", "LUCBBOC")],
            ),
            self.correctness_statement(points),
            self.trials_statement(),
        ]
