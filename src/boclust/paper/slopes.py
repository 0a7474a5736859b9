"""Table II: slopes of the sample complexity on seven arms, and those quoted for the plane."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from boclust.paper import base
from boclust.paper.base import Found, Point, Statement, Table, curve, verdict
from boclust.paper.cells import Cell
from boclust.paper.simulated import AsymptoticFigure, Slope


@dataclass(frozen=True)
class Printed:
    """A slope of the paper: measured, and its theoretical upper bound where one is given."""

    figure: str
    series: str
    measured: float
    upper: float = np.nan


_PRINTED = (
    Printed("sd1_asymptotic", "LUCBBOC", 186, 190),
    Printed("sd1_asymptotic", "ATBOC-Gauss", 150, 164),
    Printed("sd1_tracking", "DTBOC", 155),
    Printed("sd1_tracking", "WATBOC", 155),
    Printed("sd1_asymptotic", "ATBOC-1pExp zeta=0.45", 114.2, 121.8),
    Printed("sd1_asymptotic", "ATBOC-1pExp zeta=0.1", 83.7, 92.4),
    Printed("gauss_2d_asymptotic", "ATBOC-Gauss", 40, 40),
    Printed("gauss_2d_asymptotic", "LUCBBOC", 48, 48),
    Printed("gauss_2d_asymptotic", "RR", 75, 73),
    Printed("bernoulli_2d_asymptotic", "ATBOC-subGauss", 64, 66),
    Printed("bernoulli_2d_asymptotic", "LUCBBOC", 79, 80),
)
_SHORT = {
    "sd1_asymptotic": "7 arms",
    "sd1_tracking": "7 arms, tracking",
    "gauss_2d_asymptotic": "plane, Gaussian",
    "bernoulli_2d_asymptotic": "plane, Bernoulli",
}


class Figure(base.Figure):
    """Regression on the last five points of the curves over log(1/delta)."""

    name: ClassVar[str] = "slopes"
    title: ClassVar[str] = "Slopes of the sample complexity"
    place: ClassVar[str] = "Table II"
    x_name: ClassVar[str] = "slope over log(1/delta), as a multiple of T*"
    y_name: ClassVar[str] = "algorithm"
    notes = (
        "A line is fitted to the last five points of every trial; the standard error is that of "
        "the mean of their slopes. span is this package's algorithm. Upper bounds: as the paper "
        "prints them. Limits: T* (no method is below it) and 2 T* (the paper's threshold).",
    )

    @cached_property
    def curves(self) -> dict[str, AsymptoticFigure]:
        """The figures whose slopes are taken."""
        from boclust.paper import figure

        made: dict[str, Any] = {name: figure(name) for name in _SHORT}
        return made

    def cells(self, quick: bool) -> list[Cell]:
        """Those of the figures: they are shared."""
        return [cell for figure in self.curves.values() for cell in figure.cells(quick)]

    def slope(self, figure: str, series: str, found: Found) -> Slope:
        """The slope of one series."""
        mine = {cell.key for cell in self.curves[figure].cells(quick=False)}
        mine |= {cell.key for cell in self.curves[figure].cells(quick=True)}
        own = {cell.key: (cell, rows) for cell, rows in found if cell.key in mine}
        return self.curves[figure].slope(series, list(own.values()))

    def paper_points(self) -> list[Point]:
        """The printed slopes over the true T*."""
        return [
            Point(_name(p.figure, p.series), "paper", p.measured / self._t_star(p.figure), np.nan)
            for p in _PRINTED
        ]

    def points(self, found: Found) -> list[Point]:
        """Slopes over T* with 95 % intervals; the slope itself is the height."""
        made = []
        for figure, series in self._rows():
            slope, t_star = self.slope(figure, series, found), self._t_star(figure)
            half = 1.96 * slope.error / t_star
            x = slope.value / t_star
            made.append(
                Point(
                    _name(figure, series),
                    "here",
                    x,
                    slope.value,
                    x - half,
                    x + half,
                    slope.value - 1.96 * slope.error,
                    slope.value + 1.96 * slope.error,
                )
            )
        return made

    def _t_star(self, figure: str) -> float:
        return self.curves[figure].bound.t_star

    def _rows(self) -> list[tuple[str, str]]:
        printed = [(p.figure, p.series) for p in _PRINTED]
        ours = [(f, "span") for f in _SHORT if f != "sd1_tracking"]
        return printed + ours

    def statements(self, points: Sequence[Point], found: Found) -> list[Statement]:
        """Section VIII-A."""
        here = {p.series: p for p in points if p.source == "here"}
        near = [abs(here[_name(p.figure, p.series)].y / p.measured - 1) <= 0.1 for p in _PRINTED]
        far = [
            f"{_name(p.figure, p.series)} {here[_name(p.figure, p.series)].y:.1f} (paper "
            f"{p.measured:g})"
            for p, ok in zip(_PRINTED, near, strict=True)
            if not ok
        ]
        below = [
            here[_name(p.figure, p.series)].y_low <= p.upper
            for p in _PRINTED
            if np.isfinite(p.upper)
        ]
        seven = self.curves["sd1_asymptotic"].bound
        above = [p.x_high >= 1 for p in here.values()]
        return [
            Statement(
                "The slopes are those of the table (here: within 10 %).",
                verdict(near),
                f"{sum(near)} of {len(near)} are" + (f"; not: {'; '.join(far)}." if far else "."),
            ),
            Statement(
                "Slopes satisfy their theoretical upper bounds.",
                verdict(below),
                f"{sum(below)} of {len(below)} are below the printed bound or within two standard "
                "errors of it.",
            ),
            Statement(
                "No slope is below the theoretical lower bound, given as 84 on the seven arms.",
                "held in part" if all(above) else "not held",
                f"All are above T*, but T* = {seven.t_star:.1f}; 84 is 1/psi at equal proportions "
                f"({1 / seven.psi_uniform:.1f}), and span's slope is "
                f"{here[_name('sd1_asymptotic', 'span')].y:.1f}.",
            ),
        ]

    def table(self, points: Sequence[Point], found: Found) -> Table:
        """Ours, the paper's, and the limits."""
        printed = {(p.figure, p.series): p for p in _PRINTED}
        rows = []
        for figure, series in self._rows():
            slope = self.slope(figure, series, found)
            own = printed.get((figure, series), Printed(figure, series, np.nan))
            plotted = curve(self.curves[figure].paper_points(), series, "paper")[-5:]
            fitted = (
                np.polyfit([p.x for p in plotted], [p.y for p in plotted], 1)[0]
                if plotted
                else np.nan
            )
            t_star = self._t_star(figure)
            numbers = (own.measured, fitted, own.upper, t_star, 2 * t_star)
            shown = ["" if np.isnan(n) else f"{n:.1f}" for n in numbers]
            rows.append([_SHORT[figure], series, str(slope), *shown])
        columns = (
            "instance", "algorithm", "slope here ± s.e.", "paper's", "of its plotted points",
            "paper's upper bound", "T*", "2 T*",
        )  # fmt: skip
        return Table(columns, rows)

    def draw(self, points: Sequence[Point], paths: Sequence[Path]) -> None:
        """A row an algorithm."""
        from boclust.plots.reproduction import draw_rows

        draw_rows(paths, self.title, self.x_name, points, [(1.0, "T*"), (2.0, "2 T*")])


def _name(figure: str, series: str) -> str:
    return f"{series}, {_SHORT[figure]}"
