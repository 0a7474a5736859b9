"""Figure 4: samples over log(1/delta) on seven arms, for ATBOC and LUCBBOC."""

from collections.abc import Sequence
from typing import ClassVar

from boclust.paper.asymptotic import AsymptoticFigure, lucb, paper_logs
from boclust.paper.base import Found, Point, Statement
from boclust.paper.comparison import compare, finding, told, verdict
from boclust.paper.printed import LOWER
from boclust.paper.simulated import SEVEN_ARMS, Plan, Problem
from boclust.run.algorithm import Algorithm
from boclust.sources import Simulated

_LOGS = paper_logs("sd1_asymptotic", "ATBOC-Gauss")
_ONE_PARAMETER = ("ATBOC-1pExp zeta=0.45", "ATBOC-1pExp zeta=0.1")
_OTHERS = ("ATBOC-Gauss", "LUCBBOC")


class Figure(AsymptoticFigure):
    """The two stopping rules beside each other."""

    name: ClassVar[str] = "sd1_asymptotic"
    title: ClassVar[str] = "Seven Gaussian arms on a line, three clusters"
    place: ClassVar[str] = "Figure 4"
    plans = (
        Plan("ATBOC-Gauss", "atboc", _LOGS, 20, 500, 20),
        Plan("LUCBBOC", lucb(_LOGS), _LOGS, 60, 1000),
        *(
            Plan(
                f"ATBOC-1pExp zeta={zeta}",
                Algorithm("average", "paper-1pexp", zeta=zeta),
                paper_logs("sd1_asymptotic", f"ATBOC-1pExp zeta={zeta}"),
                20,
                500,
                20,
            )
            for zeta in (0.45, 0.1)
        ),
        Plan("span", "span", _LOGS, 200, 1000),
    )

    def make_problem(self) -> Problem:
        """Synthetic Dataset 1."""
        return Problem(SEVEN_ARMS, Simulated(SEVEN_ARMS), "seven arms, Gaussian")

    def statements(self, points: Sequence[Point], found: Found) -> list[Statement]:
        """Section VIII-A."""
        slopes = {name: self.slope(name, found) for name in (*_ONE_PARAMETER, *_OTHERS)}
        lower = []
        for a in (slopes[name] for name in _ONE_PARAMETER):
            for b in (slopes[name] for name in _OTHERS):
                half = 1.96 * (a.error**2 + b.error**2) ** 0.5
                difference = a.value - b.value
                lower.append(finding(difference - half, difference + half, 0.0))
        compared = [compare(points, a, b) for a in _OTHERS for b in _ONE_PARAMETER]
        turned = [compare(points, b, a) for a in _OTHERS for b in _ONE_PARAMETER]
        bound = self.bound
        return [
            Statement(
                "The slopes of ATBOC-1pExp (zeta = 0.1 and 0.45) are lower than those of "
                "ATBOC-Gauss and LUCBBOC.",
                verdict(lower),
                "Slopes: " + ", ".join(f"{name} {slope}" for name, slope in slopes.items()) + ".",
            ),
            self.slopes_statement("The slopes satisfy their theoretical upper bounds.", found),
            Statement(
                "ATBOC-Gauss and LUCBBOC are better at the largest delta, ATBOC-1pExp at the "
                "smallest.",
                verdict([c.below[0] for c in compared] + [c.below[-1] for c in turned]),
                told(compared),
            ),
            Statement(
                f"The slope of the lower bound is {LOWER:g} (here: T* within 2 % of it).",
                verdict([abs(LOWER / bound.t_star - 1) <= 0.02]),
                f"T* lies between {bound.t_star_low:.2f} and {bound.t_star_high:.2f}; 1/psi at "
                f"equal proportions is {1 / bound.psi_uniform:.2f}.",
            ),
            self.correctness_statement(points),
            self.trials_statement(),
        ]
