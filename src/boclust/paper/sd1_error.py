"""Figure 8: samples over the observed error rate on seven arms, beside RR and FSS."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from boclust.paper.base import Found, Point, Statement, curve
from boclust.paper.comparison import Comparison, below, verdict
from boclust.paper.error import LUCB, SWEEP, ErrorFigure, minus_log
from boclust.paper.simulated import SEVEN_ARMS, Plan, Problem, fixed_size
from boclust.run.algorithm import Algorithm
from boclust.sources import Simulated


class Figure(ErrorFigure):
    """What choosing arms, and choosing when to stop, are worth."""

    name: ClassVar[str] = "sd1_error"
    title: ClassVar[str] = "Seven arms: samples for an observed error rate"
    place: ClassVar[str] = "Figure 8"
    plans = (
        Plan("ATBOC-Gauss", Algorithm("average", "constant"), SWEEP, 1000, 4000, 500),
        Plan("LUCBBOC", LUCB, SWEEP, 2000, 10000, 2000),
        Plan("RR", Algorithm("rr", "constant"), SWEEP, 2000, 10000, 2000),
        fixed_size((20, 40, 70, 100, 130, 170, 200), 2000, 10000, 2000),
        Plan("span", Algorithm("challenger", "constant"), SWEEP, 2000, 10000, 2000),
    )

    def make_problem(self) -> Problem:
        """Synthetic Dataset 1."""
        return Problem(SEVEN_ARMS, Simulated(SEVEN_ARMS), "seven arms, Gaussian")

    def statements(self, points: Sequence[Point], found: Found) -> list[Statement]:
        """Section VIII-B."""

        def pairs(*named: tuple[str, str]) -> list[Comparison]:
            return [self.compare(points, a, b) for a, b in named]

        both = ("ATBOC-Gauss", "LUCBBOC")
        others = ("RR", "FSS")
        return [
            below(
                "ATBOC shows the best performance, followed by LUCBBOC.",
                pairs(
                    ("ATBOC-Gauss", "LUCBBOC"),
                    *((a, b) for a in both for b in others),
                ),
            ),
            below(
                "Their sampling rules are effective: ATBOC and LUCBBOC perform better than RR.",
                pairs(*((a, "RR") for a in both)),
            ),
            below(
                "The stopping rule is effective: RR, which has it, is better than FSS.",
                pairs(("RR", "FSS")),
            ),
            *(self._agrees(points, series) for series in ("FSS", "RR")),
            self.trials_statement(),
        ]

    def _agrees(self, points: Sequence[Point], series: str) -> Statement:
        """Whether the paper's points are what its trials would give at our error rates."""
        from scipy.stats import binom

        ours = sorted(curve(points, series), key=lambda p: p.y)
        inside, told = [], []
        for p in curve(self.paper_points(), series, "paper"):
            if not ours or not ours[0].y <= p.y <= ours[-1].y:
                continue
            here = float(np.interp(p.y, [q.y for q in ours], [q.x for q in ours]))
            rates = binom.ppf((0.025, 0.975), self.said_trials, np.exp(-here)) / self.said_trials
            low, high = minus_log(float(rates[1])), minus_log(float(rates[0]))
            inside.append(bool(low <= p.x <= high))
            told.append(f"{p.y:.0f} samples {p.x:.2f}, {here:.2f} ({low:.2f} to {high:.2f})")
        return Statement(
            f"{series}: the paper's error rates are those measured here, as far as "
            f"{self.said_trials} trials can tell.",
            verdict(inside),
            f"log(1/P_e), the paper's and ours (and where {self.said_trials} trials put 95 % of "
            f"their results): {'; '.join(told)}. {sum(inside)} of {len(inside)} are inside.",
            "check",
        )
