"""Figure 9: two clusters on a line, beside MaxGap's Top2UCB and BOC."""

from collections.abc import Sequence
from typing import ClassVar

from boclust.problem.instance import Instance
from boclust.paper.base import Found, Point, Statement
from boclust.paper.comparison import below, comparable
from boclust.paper.error import LUCB, SWEEP, ErrorFigure
from boclust.paper.simulated import Plan, Problem
from boclust.run.algorithm import Algorithm
from boclust.sources import Simulated

#: log(1/delta) of intervals, and thresholds of BOC's statistic.
_WIDTHS = (0.001, 0.004, 0.01, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65)
_BOC = (0.02, 0.5, 1.0, 2.0, 3.5, 5.0, 7.0, 10.0, 14.0, 19.0, 25.0)


class Figure(ErrorFigure):
    """Algorithms for the special case K = 2, d = 1, and for equal means in a cluster."""

    name: ClassVar[str] = "maxgap_error"
    title: ClassVar[str] = "Six arms on a line, two clusters: beside Top2UCB and BOC"
    place: ClassVar[str] = "Figure 9"
    plans = (
        Plan("BOC", Algorithm("boc", constant=True), _BOC, 1000, 5000, 1000),
        Plan("ATBOC-Gauss", Algorithm("average", "constant"), SWEEP, 1000, 4000, 500),
        Plan("BOC-ELIM", Algorithm("elimination", constant=True), _WIDTHS, 1000, 5000, 1000),
        Plan("LUCBBOC", LUCB, SWEEP, 2000, 10000, 2000),
        Plan("Top2UCB", Algorithm("maxgap-top2ucb", constant=True), _WIDTHS, 1000, 5000, 1000),
        Plan("span", Algorithm("challenger", "constant"), SWEEP, 2000, 10000, 2000),
    )

    def make_problem(self) -> Problem:
        """Means 0, 1, 2, 3 and 5, 6."""
        instance = Instance([0, 1, 2, 3, 5, 6], 2)
        notes = (
            "BOC-ELIM and Top2UCB stop by confidence intervals: what is swept is a constant in "
            "place of the logarithm in their radius. Such intervals can contradict each other, and "
            "then BOC-ELIM never ends.",
        )
        return Problem(instance, Simulated(instance), "means 0, 1, 2, 3, 5, 6, Gaussian", notes)

    def statements(self, points: Sequence[Point], found: Found) -> list[Statement]:
        """Section VIII-B and the conclusion."""
        ours = ("ATBOC-Gauss", "LUCBBOC", "BOC-ELIM")
        return [
            comparable(
                "ATBOC-Gauss, LUCBBOC and BOC-ELIM are comparable to Top2UCB",
                [self.compare(points, series, "Top2UCB") for series in ours],
            ),
            below(
                "BOC, made for equal means in a cluster, shows poor performance.",
                [self.compare(points, series, "BOC") for series in (*ours, "Top2UCB")],
            ),
            comparable(
                "LUCBBOC and BOC-ELIM, computationally efficient, are comparable to ATBOC",
                [self.compare(points, series, "ATBOC-Gauss") for series in ours[1:]],
            ),
            self.trials_statement(),
        ]
