"""Figure 7: Bernoulli arms in the plane, assumed to be sub-Gaussian."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from boclust import Instance, SubGaussian
from boclust.paper.base_figure import Finished, Point, Statement, curve
from boclust.paper.delta_figure import DeltaFigure, lucbboc, plotted_logs
from boclust.paper.published import published
from boclust.paper.simulated_figure import Problem, Series
from boclust.paper.verdicts import COMPARABLE, claim_comparable, compare, is_comparable, verdict
from boclust.sources import Simulated

_LOGS = plotted_logs("bernoulli_2d_asymptotic", "ATBOC-subGauss")


class Figure(DeltaFigure):
    """Six arms in the plane, samples 0 or 1."""

    name: ClassVar[str] = "bernoulli_2d_asymptotic"
    title: ClassVar[str] = "Six Bernoulli arms in the plane, three clusters"
    place: ClassVar[str] = "Figure 7"
    bound_name: ClassVar[str] = "T* of Gaussian arms"
    measured = (
        Series("ATBOC-subGauss", "atboc", _LOGS, 20, 500, 20),
        Series("LUCBBOC", lucbboc(_LOGS), _LOGS, 40, 1000, 50),
        Series("span", "span", _LOGS, 200, 1000),
    )

    def make_problem(self) -> Problem:
        """Use the means of Section VIII-A."""
        across = [0.1, 0.1, 0.85, 0.9, 0.85, 0.9]
        up = [0.45, 0.5, 0.9, 0.9, 0.15, 0.1]
        instance = Instance(np.transpose([across, up]), 3, SubGaussian(0.5))
        source = Simulated(instance, noise="bernoulli")
        notes = (
            "Bars of the paper's points are its standard deviations as drawn; ours are 95 % "
            "intervals of the mean.",
            "The line is T* of Gaussian arms with standard deviation 1/2, for which the algorithms "
            "are made; fewer samples distinguish Bernoulli arms.",
            "The paper searches partially here (Remark 4); our search is complete.",
        )
        return Problem(
            instance, source, "six arms in the plane, Bernoulli, sub-Gaussian 1/2", notes
        )

    def statements(self, points: Sequence[Point], finished: Finished) -> list[Statement]:
        """Judge Section VIII-A."""
        return [
            claim_comparable(
                "ATBOC is comparable to LUCBBOC", [compare(points, "ATBOC-subGauss", "LUCBBOC")]
            ),
            self.slopes_statement(
                "The slopes of ATBOC and LUCBBOC satisfy their bounds 66 and 80.", finished
            ),
            self._deviations(points),
            self.correctness_statement(points),
            self.trials_statement(),
        ]

    def _deviations(self, points: Sequence[Point]) -> Statement:
        """Compare the paper's bars with the standard deviations of our trials."""
        ratios = []
        for series in ("ATBOC-subGauss", "LUCBBOC"):
            ours = {p.x: (p.y_high - p.y) / 1.96 * np.sqrt(p.trials) for p in curve(points, series)}
            for p in published(self.name, series):
                if p.half_deviation and p.x in ours:
                    ratios.append(ours[p.x] / (2 * p.half_deviation))
        return Statement(
            f"Bars are the standard deviations of the samples (here: within {COMPARABLE:.0%}).",
            verdict(is_comparable(r) for r in ratios),
            f"Our standard deviations are {min(ratios):.2f} to {max(ratios):.2f} times the length "
            "of its bars."
            if ratios
            else "The paper draws no bars at the points measured here.",
        )
