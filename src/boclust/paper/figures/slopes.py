"""Table II: slopes of the sample complexity on seven arms, and those given for the plane."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from boclust.paper.base_figure import BaseFigure, Finished, Paths, Point, Statement, Table
from boclust.paper.delta_figure import DeltaFigure, Slope
from boclust.paper.published import LOWER_SLOPE, SLOPES, PublishedSlope
from boclust.paper.tasks import Task
from boclust.paper.verdicts import verdict

_SHORT = {
    "sd1_asymptotic": "7 arms",
    "sd1_tracking": "7 arms, tracking",
    "gauss_2d_asymptotic": "plane, Gaussian",
    "bernoulli_2d_asymptotic": "plane, Bernoulli",
}
_BERNOULLI = "bernoulli_2d_asymptotic"


class Figure(BaseFigure):
    """Lines fitted to the last five points of the curves over log(1/delta)."""

    name: ClassVar[str] = "slopes"
    title: ClassVar[str] = "Slopes of the sample complexity"
    place: ClassVar[str] = "Table II"
    x_name: ClassVar[str] = "slope over log(1/delta), as a multiple of T*"
    y_name: ClassVar[str] = "algorithm"

    def notes(self, points: Sequence[Point]) -> list[str]:
        """Explain slopes and their errors."""
        return [
            "A line is fitted to the last five points of every trial; the standard error is that "
            "of the mean of their slopes. span is this package's algorithm. The upper bounds are "
            "those that the paper prints. The limits are T* (for Gaussian arms no method is below "
            "it) and 2 T* (the paper's threshold)."
        ]

    @cached_property
    def curves(self) -> dict[str, DeltaFigure]:
        """The figures whose slopes are compared."""
        from boclust.paper import figure

        made: dict[str, Any] = {name: figure(name) for name in _SHORT}
        return made

    def tasks(self, quick: bool) -> list[Task]:
        """List the tasks of these figures, which share them."""
        return [task for one in self.curves.values() for task in one.tasks(quick)]

    def slope(self, figure: str, series: str, finished: Finished) -> Slope:
        """Return the slope of one series."""
        return self.curves[figure].slope(series, finished)

    def paper_points(self) -> list[Point]:
        """Divide the printed slopes by the true T*."""
        return [
            Point(_name(p.figure, p.series), "paper", p.measured / self._t_star(p.figure), np.nan)
            for p in SLOPES
        ]

    def points(self, finished: Finished) -> list[Point]:
        """Divide the slopes by T*, with 95 % intervals; y is the slope itself."""
        made = []
        for figure, series in self._rows():
            slope, t_star = self.slope(figure, series, finished), self._t_star(figure)
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

    def statements(self, points: Sequence[Point], finished: Finished) -> list[Statement]:
        """Judge Section VIII-A."""
        here = {p.series: p for p in points if p.source == "here"}
        named = {_name(p.figure, p.series): p for p in SLOPES}
        near = {n: abs(here[n].y / p.measured - 1) <= 0.1 for n, p in named.items()}
        far = [f"{n} {here[n].y:.1f} (paper {named[n].measured:g})" for n in near if not near[n]]
        limits = {
            n: self.slope(p.figure, p.series, finished).below(p.upper) for n, p in named.items()
        }
        broken = [
            f"{n}: {here[n].y:.1f} above {named[n].upper:g}"
            for n, below in limits.items()
            if below == "false"
        ]
        theirs = [n for n, p in named.items() if p.measured > p.upper]
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
                + (f". The paper's own are not: {'; '.join(theirs)}." if theirs else "."),
            ),
            Statement(
                "No slope is below the theoretical lower bound, which is "
                f"{LOWER_SLOPE:g} on the seven arms.",
                verdict(
                    [p.x_high >= 1 for p in gaussian]
                    + [
                        p.x_high * seven.t_star >= LOWER_SLOPE
                        for n, p in here.items()
                        if "7 arms" in n
                    ]
                ),
                f"{sum(p.x_high >= 1 for p in gaussian)} of {len(gaussian)} Gaussian slopes are "
                f"not below T* ({seven.t_star:.1f} on the seven arms, where span's slope is "
                f"{here[_name('sd1_asymptotic', 'span')].y:.1f}).",
            ),
        ]

    def table(self, points: Sequence[Point], finished: Finished) -> Table:
        """List our slopes, the paper's and the limits."""
        printed = {(p.figure, p.series): p for p in SLOPES}
        rows = []
        for figure, series in self._rows():
            slope = self.slope(figure, series, finished)
            own = printed.get((figure, series), PublishedSlope(figure, series, np.nan))
            fitted = np.nan if series == "span" else self.curves[figure].plotted_slope(series)
            t_star = self._t_star(figure)
            numbers = (own.measured, fitted, own.upper, t_star, 2 * t_star)
            shown = ["" if np.isnan(n) else f"{n:.1f}" for n in numbers]
            rows.append([_SHORT[figure], series, str(slope), *shown])
        columns = (
            "instance", "algorithm", "slope here ± s.e.", "paper's", "from its plotted points",
            "paper's upper bound", "T*", "2 T*",
        )  # fmt: skip
        return Table(columns, rows)

    def draw(self, points: Sequence[Point], paths: Paths) -> None:
        """Draw one row per algorithm."""
        from boclust.plots.paper import draw_rows

        lines = [(1.0, "T*"), (2.0, "2 T*")]
        draw_rows(paths, self.title, self.x_name, points, "the paper's number", lines)


def _name(figure: str, series: str) -> str:
    return f"{series}, {_SHORT[figure]}"
