"""Figure 10: the instance of Yang, Zhong and Tan, beside their BOC."""

from collections.abc import Sequence
from typing import ClassVar

from boclust.problem.instance import Instance
from boclust.paper.base import Found, Point, Statement
from boclust.paper.comparison import below, comparable
from boclust.paper.error import LUCB, ErrorFigure
from boclust.paper.simulated import Plan, Problem
from boclust.run.algorithm import Algorithm
from boclust.sources import Simulated

_SWEEP = (0.02, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0, 1.3, 1.6, 2.0, 2.5, 3.0)


class Figure(ErrorFigure):
    """Eleven arms in space, all arms of a cluster with the same mean."""

    name: ClassVar[str] = "yang_error"
    title: ClassVar[str] = "Eleven arms in space, four clusters with one mean each"
    place: ClassVar[str] = "Figure 10"
    plans = (
        Plan("BOC", Algorithm("boc", constant=True), _SWEEP, 2000, 10000, 2000),
        Plan("BOC-SLINK", Algorithm("boc-slink", constant=True), _SWEEP, 2000, 10000, 2000),
        Plan("ATBOC-Gauss", Algorithm("average", "constant"), _SWEEP, 1000, 4000, 500),
        Plan("LUCBBOC", LUCB, _SWEEP, 2000, 10000, 2000),
        Plan("span", Algorithm("challenger", "constant"), _SWEEP, 2000, 10000, 2000),
    )

    def make_problem(self) -> Problem:
        """The means of Section VIII-B."""
        means = [[0, 0, 0]] * 2 + [[0, 10, 0]] * 4 + [[0, 0, 10]] * 3 + [[5, 0, 0]] * 2
        instance = Instance(means, 4)
        return Problem(instance, Simulated(instance), "eleven arms in space, Gaussian")

    def statements(self, points: Sequence[Point], found: Found) -> list[Statement]:
        """Section VIII-B and its beginning."""
        others = ("ATBOC-Gauss", "BOC", "BOC-SLINK")
        pair = self.compare
        return [
            below(
                "LUCBBOC shows the best performance.",
                [pair(points, "LUCBBOC", series) for series in others],
            ),
            below("ATBOC-Gauss is better than BOC.", [pair(points, "ATBOC-Gauss", "BOC")]),
            below(
                "BOC-SLINK is better than ATBOC-Gauss.", [pair(points, "BOC-SLINK", "ATBOC-Gauss")]
            ),
            below(
                "Single linkage suits the instance better: BOC-SLINK is better than BOC.",
                [pair(points, "BOC-SLINK", "BOC")],
            ),
            comparable(
                "ATBOC and LUCBBOC are comparable to BOC where it applies",
                [pair(points, series, "BOC") for series in ("ATBOC-Gauss", "LUCBBOC")],
            ),
            self.trials_statement(),
        ]
