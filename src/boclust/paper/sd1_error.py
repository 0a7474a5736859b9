"""Figure 8: samples over the observed error rate on seven arms, beside RR and FSS."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from boclust.paper.base import Found, Point, Statement, curve, verdict
from boclust.paper.simulated import (
    FIXED_SIZE,
    SEVEN_ARMS,
    SWEEP,
    ErrorFigure,
    Plan,
    Problem,
    exact_interval,
    minus_log,
)
from boclust.registry import Algorithm
from boclust.sources import Simulated

#: Trials behind the paper's plots against P_e.
TRIALS = 100


class Figure(ErrorFigure):
    """What choosing arms, and choosing when to stop, are worth."""

    name: ClassVar[str] = "sd1_error"
    title: ClassVar[str] = "Seven arms: samples for an observed error rate"
    place: ClassVar[str] = "Figure 8"
    plans = (
        Plan("ATBOC-Gauss", Algorithm("average", "constant"), SWEEP, 1000, 10000, 500),
        Plan(
            "LUCBBOC",
            Algorithm("lucb-ucb", "constant", radius_delta=0.1),
            SWEEP,
            2000,
            40000,
            2000,
        ),
        Plan("RR", Algorithm("rr", "constant"), SWEEP, 2000, 40000, 2000),
        Plan("FSS", FIXED_SIZE, (20, 40, 70, 100, 130, 170, 200), 2000, 40000, 2000),
        Plan("span", Algorithm("challenger", "constant"), SWEEP, 2000, 40000, 2000),
    )
    notes = (
        "A constant threshold on Z(t) is swept: the paper's counts of samples are far below what "
        "its proven threshold takes for any delta < 1.",
        "FSS takes the arms in turn, so its sizes need not be multiples of the number of arms.",
    )

    def make_problem(self) -> Problem:
        """Synthetic Dataset 1."""
        return Problem(SEVEN_ARMS, Simulated(SEVEN_ARMS), "seven arms, Gaussian")

    def statements(self, points: Sequence[Point], found: Found) -> list[Statement]:
        """Section VIII-B."""
        both = ("ATBOC-Gauss", "LUCBBOC")
        return [
            self.better(
                points,
                "ATBOC shows the best performance, followed by LUCBBOC.",
                [("ATBOC-Gauss", "LUCBBOC"), ("ATBOC-Gauss", "RR"), ("LUCBBOC", "RR")],
            ),
            self.better(
                points,
                "ATBOC and LUCBBOC perform better than RR and FSS.",
                [(a, b) for a in both for b in ("RR", "FSS")],
            ),
            *(_agrees(self, points, series) for series in ("FSS", "RR")),
        ]


def _agrees(figure: ErrorFigure, points: Sequence[Point], series: str) -> Statement:
    """Whether the paper's points are what its 100 trials would give at our error rates."""
    ours = curve(points, series)
    samples, logs = [p.y for p in ours], [p.x for p in ours]
    inside, told = [], []
    for p in curve(figure.paper_points(), series, "paper"):
        if not samples or not samples[0] <= p.y <= samples[-1]:
            continue
        here = float(np.interp(p.y, samples, logs))
        low, high = exact_interval(round(TRIALS * float(np.exp(-here))), TRIALS)
        inside.append(minus_log(high) <= p.x <= minus_log(low))
        told.append(f"{p.y:.0f} samples {p.x:.2f}, {here:.2f} ({minus_log(high):.2f} to "
                    f"{minus_log(low):.2f})")  # fmt: skip
    return Statement(
        f"{series}: the paper's error rates ({TRIALS} trials) are those measured here.",
        verdict(inside),
        f"log(1/P_e), the paper's and ours (and where {TRIALS} trials put 95 % of their results): "
        f"{'; '.join(told)}. {sum(inside)} of {len(inside)} are inside.",
    )
