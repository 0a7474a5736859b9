"""Figure 9: two clusters on a line, compared with MaxGap's Top2UCB and BOC."""

from collections.abc import Sequence
from typing import ClassVar

from boclust import Algorithm, Instance
from boclust.paper.base_figure import Finished, Point, Statement
from boclust.paper.error_figure import LUCBBOC, THRESHOLDS, ErrorFigure
from boclust.paper.simulated_figure import Problem, Series
from boclust.paper.verdicts import claim_below, claim_comparable
from boclust.sources import Simulated

#: log(1/delta) in the radius of intervals, and thresholds of BOC's statistic.
_WIDTHS = (0.001, 0.004, 0.01, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65)
_BOC = (0.02, 0.5, 1.0, 2.0, 3.5, 5.0, 7.0, 10.0, 14.0, 19.0, 25.0)


class Figure(ErrorFigure):
    """Compare algorithms for K = 2, d = 1 and for clusters whose arms share one mean."""

    name: ClassVar[str] = "maxgap_error"
    title: ClassVar[str] = "Six arms on a line, two clusters: comparison with Top2UCB and BOC"
    place: ClassVar[str] = "Figure 9"
    measured = (
        Series("BOC", Algorithm("boc", constant=True), _BOC, 1000, 5000, 1000),
        Series("ATBOC-Gauss", Algorithm("average", "constant"), THRESHOLDS, 1000, 4000, 500),
        Series("BOC-ELIM", Algorithm("elimination", constant=True), _WIDTHS, 1000, 5000, 1000),
        Series("LUCBBOC", LUCBBOC, THRESHOLDS, 2000, 10000, 2000),
        Series("Top2UCB", Algorithm("maxgap-top2ucb", constant=True), _WIDTHS, 1000, 5000, 1000),
        Series("span", Algorithm("challenger", "constant"), THRESHOLDS, 2000, 10000, 2000),
    )

    def make_problem(self) -> Problem:
        """Use the means 0, 1, 2, 3 and 5, 6."""
        instance = Instance([0, 1, 2, 3, 5, 6], 2)
        notes = (
            "BOC-ELIM and Top2UCB stop by confidence intervals: each point has another constant in "
            "place of the logarithm in their radius. Such intervals can contradict each other, and "
            "then BOC-ELIM never ends.",
        )
        return Problem(instance, Simulated(instance), "means 0, 1, 2, 3, 5, 6, Gaussian", notes)

    def statements(self, points: Sequence[Point], finished: Finished) -> list[Statement]:
        """Judge Section VIII-B and the conclusion."""
        ours = ("ATBOC-Gauss", "LUCBBOC", "BOC-ELIM")
        return [
            claim_comparable(
                "ATBOC-Gauss, LUCBBOC and BOC-ELIM are comparable to Top2UCB",
                [self.compare(points, series, "Top2UCB") for series in ours],
            ),
            claim_below(
                "BOC, made for equal means in a cluster, shows poor performance.",
                [self.compare(points, series, "BOC") for series in (*ours, "Top2UCB")],
            ),
            claim_comparable(
                "LUCBBOC and BOC-ELIM, computationally efficient, are comparable to ATBOC",
                [self.compare(points, series, "ATBOC-Gauss") for series in ours[1:]],
            ),
            self.trials_statement(),
        ]
