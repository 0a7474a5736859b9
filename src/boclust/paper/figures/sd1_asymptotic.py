"""Figure 4: samples over log(1/delta) on seven arms, for ATBOC and LUCBBOC."""

from collections.abc import Sequence
from typing import ClassVar

from boclust import Algorithm
from boclust.paper.base_figure import Finished, Point, Statement
from boclust.paper.delta_figure import DeltaFigure, lucbboc, plotted_logs
from boclust.paper.published import LOWER_SLOPE
from boclust.paper.simulated_figure import SEVEN_ARMS, Problem, Series
from boclust.paper.verdicts import compare, finding, in_words, verdict
from boclust.sources import Simulated

_LOGS = plotted_logs("sd1_asymptotic", "ATBOC-Gauss")
_ONE_PARAMETER = ("ATBOC-1pExp zeta=0.45", "ATBOC-1pExp zeta=0.1")
_OTHERS = ("ATBOC-Gauss", "LUCBBOC")


class Figure(DeltaFigure):
    """Compare the paper's two stopping rules."""

    name: ClassVar[str] = "sd1_asymptotic"
    title: ClassVar[str] = "Seven Gaussian arms on a line, three clusters"
    place: ClassVar[str] = "Figure 4"
    measured = (
        Series("ATBOC-Gauss", "atboc", _LOGS, 20, 500, 20),
        Series("LUCBBOC", lucbboc(_LOGS), _LOGS, 60, 1000),
        *(
            Series(
                f"ATBOC-1pExp zeta={zeta}",
                Algorithm("average", "paper-1pexp", zeta=zeta),
                plotted_logs("sd1_asymptotic", f"ATBOC-1pExp zeta={zeta}"),
                20,
                500,
                20,
            )
            for zeta in (0.45, 0.1)
        ),
        Series("span", "span", _LOGS, 200, 1000),
    )

    def make_problem(self) -> Problem:
        """Use Synthetic Dataset 1."""
        return Problem(SEVEN_ARMS, Simulated(SEVEN_ARMS), "seven arms, Gaussian")

    def statements(self, points: Sequence[Point], finished: Finished) -> list[Statement]:
        """Judge Section VIII-A."""
        slopes = {name: self.slope(name, finished) for name in (*_ONE_PARAMETER, *_OTHERS)}
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
            self.slopes_statement("The slopes satisfy their theoretical upper bounds.", finished),
            Statement(
                "ATBOC-Gauss and LUCBBOC are better at the largest delta, ATBOC-1pExp at the "
                "smallest.",
                verdict([c.below[0] for c in compared] + [c.below[-1] for c in turned]),
                in_words(compared),
            ),
            Statement(
                f"The slope of the lower bound is {LOWER_SLOPE:g} (here: T* within 2 % of it).",
                verdict([abs(LOWER_SLOPE / bound.t_star - 1) <= 0.02]),
                f"T* lies between {bound.t_star_low:.2f} and {bound.t_star_high:.2f}; 1/psi at "
                f"equal proportions is {1 / bound.psi_uniform:.2f}.",
            ),
            self.correctness_statement(points),
            self.trials_statement(),
        ]
