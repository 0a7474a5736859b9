"""Figure 6: samples over log(1/delta) on six arms in the plane, beside round robin."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from boclust.instance import Instance
from boclust.paper.base import COMPARABLE, Found, Point, Statement, compare, verdict
from boclust.paper.simulated import AsymptoticFigure, Plan, Problem, paper_logs
from boclust.registry import Algorithm
from boclust.sources import Simulated

_LOGS = paper_logs("gauss_2d_asymptotic", "ATBOC-Gauss")
_LUCB = Algorithm("lucb-ucb", "paper", radius_delta=float(np.exp(-max(_LOGS))))
#: The slopes that the paper measures, and its bounds on them.
PRINTED = {"ATBOC-Gauss": (40, 40), "LUCBBOC": (48, 48), "RR": (75, 73)}


class Figure(AsymptoticFigure):
    """The instance of the paper's Figure 1."""

    name: ClassVar[str] = "gauss_2d_asymptotic"
    title: ClassVar[str] = "Six Gaussian arms in the plane, three clusters"
    place: ClassVar[str] = "Figure 6"
    plans = (
        Plan("ATBOC-Gauss", "atboc", _LOGS, 20, 500, 20),
        Plan("LUCBBOC", _LUCB, _LOGS, 40, 1000, 50),
        Plan("RR", "rr", _LOGS, 40, 1000, 50),
        Plan("span", "span", _LOGS, 200, 1000),
    )

    def make_problem(self) -> Problem:
        """Means of Figure 1."""
        means = [[-1, -1], [-1, -2], [1, 1], [2, 2], [3, -3], [3.5, -3]]
        instance = Instance(means, 3)
        return Problem(instance, Simulated(instance), "six arms in the plane, Gaussian")

    def statements(self, points: Sequence[Point], found: Found) -> list[Statement]:
        """Section VIII-A."""
        held, told = [], []
        for series, (measured, limit) in PRINTED.items():
            slope = self.slope(series, found)
            own = self.upper_slope(series, found)
            held += [slope.value - 2 * slope.error <= limit, slope.value - 2 * slope.error <= own]
            told.append(f"{series} {slope} (paper {measured}; bound here {own:.1f})")
        near = compare(points, "LUCBBOC", "ATBOC-Gauss")
        better = [compare(points, series, "RR") for series in ("ATBOC-Gauss", "LUCBBOC")]
        return [
            Statement(
                "The slopes of ATBOC-Gauss (40), LUCBBOC (48) and RR (75) satisfy their bounds 40, "
                "48 and 73.",
                verdict(held),
                "Slopes of the last five points: " + "; ".join(told) + ". The bound is 2/psi at "
                "the proportions at which each samples.",
            ),
            Statement(
                f"LUCBBOC is comparable to ATBOC (here: within {COMPARABLE:.0%}).",
                verdict(near.comparable),
                f"{near}.",
            ),
            Statement(
                "ATBOC and LUCBBOC are considerably better than RR.",
                verdict([ok for c in better for ok in c.below]),
                "; ".join(str(c) for c in better) + ".",
            ),
        ]
