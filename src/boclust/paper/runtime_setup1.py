"""Figure 2: time a sample, as the number of clusters grows."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ClassVar

import numpy as np

from boclust.paper import base
from boclust.paper.base import Found, Point, Statement, curve, verdict
from boclust.paper.cells import Cell
from boclust.paper.timing import growth, seconds_a_sample, setup_1, timed_point, where
from boclust.registry import Algorithm

_ARMS = (4, 8, 14, 20)
_SERIES: dict[str, tuple[str | Algorithm, int]] = {
    "ATBOC-1pExp d=1": (Algorithm("average", "paper-1pexp"), 1),
    "ATBOC-subGauss d=5": ("atboc", 5),
    "ATBOC-subGauss d=10": ("atboc", 10),
    "LUCBBOC d=1": ("lucbboc-ucb", 1),
    "LUCBBOC d=5": ("lucbboc-ucb", 5),
    "LUCBBOC d=10": ("lucbboc-ucb", 10),
    "BOC-ELIM d=1": ("boc-elim", 1),
    "span d=1": ("span", 1),
    "span d=5": ("span", 5),
    "span d=10": ("span", 10),
}


class Figure(base.Figure):
    """Setup 1: pairs of arms, M = 2 K."""

    name: ClassVar[str] = "runtime_setup1"
    title: ClassVar[str] = "Time a sample, clusters of two arms (Setup 1)"
    place: ClassVar[str] = "Figure 2"
    x_name: ClassVar[str] = "number of arms M"
    y_name: ClassVar[str] = "seconds a sample"
    notes = (
        "CPU time of the first 1,000 samples of a run on one thread; median and range of "
        "three repetitions. The paper's times are from another machine and another "
        "language: for orientation.",
    )

    def cells(self, quick: bool) -> list[Cell]:
        """A series at a number of arms."""
        made = []
        for series, (algorithm, dim) in _SERIES.items():
            for m in _ARMS:
                trials = 1 if series.startswith("ATBOC") else 20
                what = {
                    "time of": str(algorithm), "series": series, "setup": 1, "M": m, "d": dim,
                    "trials": trials, "machine": where(),
                }  # fmt: skip
                work = partial(seconds_a_sample, setup_1(m // 2, dim), algorithm, trials)
                made.append(Cell(what, work))
        return made

    def paper_points(self) -> list[Point]:
        """In seconds; the paper plots their logarithm."""
        return [replace(p, y=float(np.exp(p.y))) for p in super().paper_points()]

    def points(self, found: Found) -> list[Point]:
        """Medians."""
        return [
            timed_point(cell.what["series"], cell.what["M"], rows, cell.what["time of"])
            for cell, rows in found
        ]

    def statements(self, points: Sequence[Point], found: Found) -> list[Statement]:
        """Section VII-C."""
        curves = {series: curve(points, series) for series in _SERIES}
        paper = [series for series in _SERIES if not series.startswith("span")]
        in_m = [
            a.y_low < b.y_high
            for series in paper
            for a, b in zip(curves[series], curves[series][1:], strict=False)
        ]
        in_d = [
            curves[f"{name} d={low}"][i].y_low < curves[f"{name} d={high}"][i].y_high
            for name, low, high in (
                ("ATBOC-subGauss", 5, 10), ("LUCBBOC", 1, 5), ("LUCBBOC", 5, 10),
            )
            for i in range(len(_ARMS))
        ]  # fmt: skip
        pairs = [
            ("ATBOC-1pExp d=1", "LUCBBOC d=1"), ("ATBOC-1pExp d=1", "BOC-ELIM d=1"),
            ("ATBOC-subGauss d=5", "LUCBBOC d=5"), ("ATBOC-subGauss d=10", "LUCBBOC d=10"),
        ]  # fmt: skip
        ratios = {pair: [a.y / b.y for a, b in zip(*(curves[s] for s in pair), strict=True)]
                  for pair in pairs}  # fmt: skip
        told = "; ".join(
            f"{a} takes {min(r):,.0f} to {max(r):,.0f} times as long as {b}"
            for (a, b), r in ratios.items()
        )
        exponents = ", ".join(f"{series} {growth(curves[series]):.1f}" for series in _SERIES)
        return [
            Statement(
                "The time a sample increases with the number of arms and of dimensions.",
                verdict(in_m + in_d),
                f"With M: {sum(in_m)} of {len(in_m)} steps; with d: {sum(in_d)} of {len(in_d)}. "
                f"Exponents of the growth in M: {exponents}.",
            ),
            Statement(
                "LUCBBOC and BOC-ELIM take significantly less time than ATBOC.",
                verdict([ratio > 2 for r in ratios.values() for ratio in r]),
                f"{told}.",
            ),
        ]

    def draw(self, points: Sequence[Point], paths: Sequence[Path]) -> None:
        """A logarithmic axis."""
        from boclust.plots.reproduction import draw_curves

        draw_curves(paths, self.title, self.x_name, self.y_name, points, y_log=True)
