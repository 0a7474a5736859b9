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
)
from boclust.registry import Algorithm
from boclust.sources import Simulated


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
            fixed_size_agrees(self, points),
        ]


def fixed_size_agrees(figure: ErrorFigure, points: Sequence[Point], trials: int = 100) -> Statement:
    """Whether the paper's FSS points are what so many trials with our error rates would give."""
    paper = {p.y: p.x for p in curve(figure.paper_points(), "FSS", "paper")}
    inside, told = [], []
    for p in curve(points, "FSS"):
        if p.y not in paper:
            continue
        low, high = exact_interval(round(trials * float(np.exp(-p.x))), trials)
        inside.append(-np.log(high) <= paper[p.y] <= -np.log(max(low, 1e-12)))
        told.append(f"{p.y:.0f} samples {paper[p.y]:.2f} and {p.x:.2f}")
    return Statement(
        f"FSS: the paper's error rates ({trials} trials each) are those measured here.",
        verdict(inside),
        f"log(1/P_e), the paper's and ours: {'; '.join(told)}. {sum(inside)} of {len(inside)} lie "
        f"where {trials} trials put 95 % of their results.",
    )
