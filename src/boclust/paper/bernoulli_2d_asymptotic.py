"""Figure 7: two-dimensional Bernoulli arms, known to be sub-Gaussian."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from boclust.families import SubGaussian
from boclust.instance import Instance
from boclust.paper.base import COMPARABLE, Found, Point, Statement, compare, verdict
from boclust.paper.simulated import AsymptoticFigure, Plan, Problem, paper_logs
from boclust.registry import Algorithm
from boclust.sources import Simulated

_LOGS = paper_logs("bernoulli_2d_asymptotic", "ATBOC-subGauss")
_LUCB = Algorithm("lucb-ucb", "paper", radius_delta=float(np.exp(-max(_LOGS))))
#: The slopes that the paper measures, and its bounds on them.
PRINTED = {"ATBOC-subGauss": (64, 66), "LUCBBOC": (79, 80)}


class Figure(AsymptoticFigure):
    """Six arms in the plane, samples 0 or 1."""

    name: ClassVar[str] = "bernoulli_2d_asymptotic"
    title: ClassVar[str] = "Six Bernoulli arms in the plane, three clusters"
    place: ClassVar[str] = "Figure 7"
    plans = (
        Plan("ATBOC-subGauss", "atboc", _LOGS, 20, 500, 20),
        Plan("LUCBBOC", _LUCB, _LOGS, 40, 1000, 50),
        Plan("span", "span", _LOGS, 200, 1000),
    )
    notes = (
        "Bars of the paper's points: its standard deviations as drawn; ours: 95 % intervals of the "
        "mean.",
    )

    def make_problem(self) -> Problem:
        """The means of Section VIII-A."""
        across = [0.1, 0.1, 0.85, 0.9, 0.85, 0.9]
        up = [0.45, 0.5, 0.9, 0.9, 0.15, 0.1]
        instance = Instance(np.transpose([across, up]), 3, SubGaussian(0.5))
        source = Simulated(instance, noise="bernoulli")
        return Problem(instance, source, "six arms in the plane, Bernoulli, sub-Gaussian 1/2")

    def statements(self, points: Sequence[Point], found: Found) -> list[Statement]:
        """Section VIII-A."""
        held, told = [], []
        for series, (measured, limit) in PRINTED.items():
            slope = self.slope(series, found)
            held.append(slope.value - 2 * slope.error <= limit)
            own = self.upper_slope(series, found)
            told.append(f"{series} {slope} (paper {measured}; 2/psi here {own:.1f})")
        near = compare(points, "ATBOC-subGauss", "LUCBBOC")
        return [
            Statement(
                f"ATBOC is comparable to LUCBBOC (here: within {COMPARABLE:.0%}).",
                verdict(near.comparable),
                f"{near}.",
            ),
            Statement(
                "The slopes of ATBOC (64) and LUCBBOC (79) satisfy their bounds 66 and 80.",
                verdict(held),
                "Slopes of the last five points: " + "; ".join(told) + ".",
            ),
        ]
