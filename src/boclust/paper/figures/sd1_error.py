"""Figure 8: samples over the observed error rate on seven arms, compared with RR and FSS."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from boclust import Algorithm
from boclust.paper.base_figure import Finished, Point, Statement, curve
from boclust.paper.error_figure import LUCBBOC, THRESHOLDS, ErrorFigure, minus_log
from boclust.paper.simulated_figure import SEVEN_ARMS, Problem, Series, fixed_size
from boclust.paper.verdicts import Comparison, claim_below, verdict
from boclust.sources import Simulated


class Figure(ErrorFigure):
    """The gain from choosing arms, and from choosing when to stop."""

    name: ClassVar[str] = "sd1_error"
    title: ClassVar[str] = "Seven arms: samples for an observed error rate"
    place: ClassVar[str] = "Figure 8"
    measured = (
        Series("ATBOC-Gauss", Algorithm("average", "constant"), THRESHOLDS, 1000, 4000, 500),
        Series("LUCBBOC", LUCBBOC, THRESHOLDS, 2000, 10000, 2000),
        Series("RR", Algorithm("rr", "constant"), THRESHOLDS, 2000, 10000, 2000),
        fixed_size((20, 40, 70, 100, 130, 170, 200), 2000, 10000, 2000),
        Series("span", Algorithm("challenger", "constant"), THRESHOLDS, 2000, 10000, 2000),
    )

    def make_problem(self) -> Problem:
        """Use Synthetic Dataset 1."""
        return Problem(SEVEN_ARMS, Simulated(SEVEN_ARMS), "seven arms, Gaussian")

    def statements(self, points: Sequence[Point], finished: Finished) -> list[Statement]:
        """Judge Section VIII-B."""

        def pairs(*named: tuple[str, str]) -> list[Comparison]:
            return [self.compare(points, a, b) for a, b in named]

        both = ("ATBOC-Gauss", "LUCBBOC")
        others = ("RR", "FSS")
        return [
            claim_below(
                "ATBOC shows the best performance, followed by LUCBBOC.",
                pairs(
                    ("ATBOC-Gauss", "LUCBBOC"),
                    *((a, b) for a in both for b in others),
                ),
            ),
            claim_below(
                "Their sampling rules are effective: ATBOC and LUCBBOC perform better than RR.",
                pairs(*((a, "RR") for a in both)),
            ),
            claim_below(
                "The stopping rule is effective: RR, which has it, is better than FSS.",
                pairs(("RR", "FSS")),
            ),
            *(self._agrees(points, series) for series in ("FSS", "RR")),
            self.trials_statement(),
        ]

    def _agrees(self, points: Sequence[Point], series: str) -> Statement:
        """Check whether as many trials as the paper's can give its points at our error rates."""
        from scipy.stats import binom

        ours = sorted(curve(points, series), key=lambda p: p.y)
        inside, shown = [], []
        for p in curve(self.paper_points(), series, "paper"):
            if not ours or not ours[0].y <= p.y <= ours[-1].y:
                continue
            here = float(np.interp(p.y, [q.y for q in ours], [q.x for q in ours]))
            rates = (
                binom.ppf((0.025, 0.975), self.stated_trials, np.exp(-here)) / self.stated_trials
            )
            low, high = minus_log(float(rates[1])), minus_log(float(rates[0]))
            inside.append(bool(low <= p.x <= high))
            shown.append(f"{p.y:.0f} samples {p.x:.2f}, {here:.2f} ({low:.2f} to {high:.2f})")
        return Statement(
            f"{series}: the paper's error rates are those measured here, as far as "
            f"{self.stated_trials} trials can tell.",
            verdict(inside),
            f"log(1/P_e) of the paper and of ours (with the 95 % range of {self.stated_trials} "
            f"trials): {'; '.join(shown)}. {sum(inside)} of {len(inside)} are inside.",
            "check",
        )
