"""Table II: slopes of the sample complexity on seven arms, and those quoted for the plane."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from boclust.paper import base
from boclust.paper.asymptotic import AsymptoticFigure, Slope
from boclust.paper.base import Found, Paths, Point, Statement, Table
from boclust.paper.cells import Cell
from boclust.paper.comparison import verdict
from boclust.paper.printed import LOWER, SLOPES, Printed

_SHORT = {
    "sd1_asymptotic": "7 arms",
    "sd1_tracking": "7 arms, tracking",
    "gauss_2d_asymptotic": "plane, Gaussian",
    "bernoulli_2d_asymptotic": "plane, Bernoulli",
}


_BERNOULLI = "bernoulli_2d_asymptotic"


class Figure(base.Figure):
    """Regression on the last five points of the curves over log(1/delta)."""

    name: ClassVar[str] = "slopes"
    title: ClassVar[str] = "Slopes of the sample complexity"
    place: ClassVar[str] = "Table II"
    x_name: ClassVar[str] = "slope over log(1/delta), as a multiple of T*"
    y_name: ClassVar[str] = "algorithm"

    def notes(self, points: Sequence[Point]) -> list[str]:
        """How slopes and their errors are found."""
        return [
            "A line is fitted to the last five points of every trial; the standard error is that "
            "of the mean of their slopes. span is this package's algorithm. Upper bounds: as the "
            "paper prints them. Limits: T* (for Gaussian arms no method is below it) and 2 T* (the "
            "paper's threshold)."
        ]

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
        return self.curves[figure].slope(series, found)

    def paper_points(self) -> list[Point]:
        """The printed slopes over the true T*."""
        return [
            Point(_name(p.figure, p.series), "paper", p.measured / self._t_star(p.figure), np.nan)
            for p in SLOPES
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
        printed = [(p.figure, p.series) for p in SLOPES]
        ours = [(f, "span") for f in _SHORT if f != "sd1_tracking"]
        return printed + ours

    def statements(self, points: Sequence[Point], found: Found) -> list[Statement]:
        """Section VIII-A."""
        here = {p.series: p for p in points if p.source == "here"}
        named = {_name(p.figure, p.series): p for p in SLOPES}
        near = {n: abs(here[n].y / p.measured - 1) <= 0.1 for n, p in named.items()}
        far = [f"{n} {here[n].y:.1f} (paper {named[n].measured:g})" for n in near if not near[n]]
        limits = {n: self.slope(p.figure, p.series, found).below(p.upper) for n, p in named.items()}
        broken = [
            f"{n}: {here[n].y:.1f} above {named[n].upper:g}"
            for n, found_ in limits.items()
            if found_ == "false"
        ]
        own = [n for n, p in named.items() if p.measured > p.upper]
        seven = self.curves["sd1_asymptotic"].bound
        gaussian = [p for n, p in here.items() if not n.endswith(_SHORT[_BERNOULLI])]
        return [
            Statement(
                "The slopes are those of the table (here: within 10 %).",
                verdict(near.values()),
                f"{sum(near.values())} of {len(near)} are"
                + (f"; not: {'; '.join(far)}." if far else "."),
            ),
            Statement(
                "Slopes satisfy their theoretical upper bounds.",
                verdict(limits.values()),
                f"{list(limits.values()).count('true')} of {len(limits)} are clearly below"
                + (f"; clearly not: {'; '.join(broken)}" if broken else "")
                + (f". The paper's own are not: {'; '.join(own)}." if own else "."),
            ),
            Statement(
                f"No slope is below the theoretical lower bound, {LOWER:g} on the seven arms.",
                verdict(
                    [p.x_high >= 1 for p in gaussian]
                    + [p.x_high * seven.t_star >= LOWER for n, p in here.items() if "7 arms" in n]
                ),
                f"{sum(p.x_high >= 1 for p in gaussian)} of {len(gaussian)} Gaussian slopes are "
                f"not below T* ({seven.t_star:.1f} on the seven arms, where span's slope is "
                f"{here[_name('sd1_asymptotic', 'span')].y:.1f}).",
            ),
        ]

    def table(self, points: Sequence[Point], found: Found) -> Table:
        """Ours, the paper's, and the limits."""
        printed = {(p.figure, p.series): p for p in SLOPES}
        rows = []
        for figure, series in self._rows():
            slope = self.slope(figure, series, found)
            own = printed.get((figure, series), Printed(figure, series, np.nan))
            fitted = np.nan if series == "span" else self.curves[figure].plotted_slope(series)
            t_star = self._t_star(figure)
            numbers = (own.measured, fitted, own.upper, t_star, 2 * t_star)
            shown = ["" if np.isnan(n) else f"{n:.1f}" for n in numbers]
            rows.append([_SHORT[figure], series, str(slope), *shown])
        columns = (
            "instance", "algorithm", "slope here ± s.e.", "paper's", "of its plotted points",
            "paper's upper bound", "T*", "2 T*",
        )  # fmt: skip
        return Table(columns, rows)

    def draw(self, points: Sequence[Point], paths: Paths) -> None:
        """A row an algorithm."""
        from boclust.plots.reproduction import draw_rows

        lines = [(1.0, "T*"), (2.0, "2 T*")]
        draw_rows(paths, self.title, self.x_name, points, "as the paper prints it", lines)


def _name(figure: str, series: str) -> str:
    return f"{series}, {_SHORT[figure]}"
