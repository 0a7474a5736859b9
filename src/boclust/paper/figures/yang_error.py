"""Figure 10: the instance of Yang, Zhong and Tan, compared with their BOC."""

from collections.abc import Sequence
from typing import ClassVar

from boclust import Algorithm, Instance
from boclust.paper.base_figure import Finished, Point, Statement
from boclust.paper.error_figure import LUCBBOC, ErrorFigure
from boclust.paper.simulated_figure import Problem, Series
from boclust.paper.verdicts import claim_below, claim_comparable
from boclust.sources import Simulated

_THRESHOLDS = (0.02, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0, 1.3, 1.6, 2.0, 2.5, 3.0)


class Figure(ErrorFigure):
    """Eleven arms in space; the arms of a cluster share one mean."""

    name: ClassVar[str] = "yang_error"
    title: ClassVar[str] = "Eleven arms in space, four clusters with one mean each"
    place: ClassVar[str] = "Figure 10"
    measured = (
        Series("BOC", Algorithm("boc", constant=True), _THRESHOLDS, 2000, 10000, 2000),
        Series("BOC-SLINK", Algorithm("boc-slink", constant=True), _THRESHOLDS, 2000, 10000, 2000),
        Series("ATBOC-Gauss", Algorithm("average", "constant"), _THRESHOLDS, 1000, 4000, 500),
        Series("LUCBBOC", LUCBBOC, _THRESHOLDS, 2000, 10000, 2000),
        Series("span", Algorithm("challenger", "constant"), _THRESHOLDS, 2000, 10000, 2000),
    )

    def make_problem(self) -> Problem:
        """Use the means of Section VIII-B."""
        means = [[0, 0, 0]] * 2 + [[0, 10, 0]] * 4 + [[0, 0, 10]] * 3 + [[5, 0, 0]] * 2
        instance = Instance(means, 4)
        return Problem(instance, Simulated(instance), "eleven arms in space, Gaussian")

    def statements(self, points: Sequence[Point], finished: Finished) -> list[Statement]:
        """Judge Section VIII-B and its beginning."""
        others = ("ATBOC-Gauss", "BOC", "BOC-SLINK")
        pair = self.compare
        return [
            claim_below(
                "LUCBBOC shows the best performance.",
                [pair(points, "LUCBBOC", series) for series in others],
            ),
            claim_below("ATBOC-Gauss is better than BOC.", [pair(points, "ATBOC-Gauss", "BOC")]),
            claim_below(
                "BOC-SLINK is better than ATBOC-Gauss.", [pair(points, "BOC-SLINK", "ATBOC-Gauss")]
            ),
            claim_below(
                "Single linkage suits the instance better: BOC-SLINK is better than BOC.",
                [pair(points, "BOC-SLINK", "BOC")],
            ),
            claim_comparable(
                "ATBOC and LUCBBOC are comparable to BOC where it applies",
                [pair(points, series, "BOC") for series in ("ATBOC-Gauss", "LUCBBOC")],
            ),
            self.trials_statement(),
        ]
