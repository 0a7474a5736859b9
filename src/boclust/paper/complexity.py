"""Table I: orders of the computational complexity, beside the growth that is measured."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from boclust.instance import Instance
from boclust.paper import base
from boclust.paper.base import Found, Point, Statement, Table, verdict
from boclust.paper.cells import Cell
from boclust.paper.timing import seconds_a_sample, setup_1, setup_2, where
from boclust.registry import Algorithm

_ONE_PARAMETER = Algorithm("average", "paper-1pexp")
_ONE_PARAMETER_TURN = Algorithm("rr", "paper-1pexp")

#: What grows, its values, and the instance for a value and a dimension.
_SWEEPS: dict[str, tuple[tuple[int, ...], Callable[[int, int], Instance]]] = {
    "K": ((2, 4, 7, 10), setup_1),
    "s": ((2, 3, 4, 5), setup_2),
    "d": ((2, 5, 10, 20), lambda value, dim: setup_1(4, value)),
}

Sizes = dict[str, float]


@dataclass(frozen=True)
class Rule:
    """A rule of an algorithm: the order that the paper states, and how it is timed here.

    Its time is that of whole runs with it, less that of runs without.
    """

    name: str
    told: str
    order: Callable[[Sizes], float]
    runs: str | Algorithm
    less: str | Algorithm | None
    dim: int
    grows: str


_RULES = (
    Rule(
        "ATBOC-Gauss sampling", "T_S T_A M K^3 s^4 2^s d",
        lambda z: z["M"] * z["K"] ** 3 * z["s"] ** 4 * 2 ** z["s"] * z["d"], "atboc", "rr", 5,
        "Ksd",
    ),
    Rule(
        "ATBOC-Gauss and LUCBBOC stopping", "T_A K^3 s^4 2^s d",
        lambda z: z["K"] ** 3 * z["s"] ** 4 * 2 ** z["s"] * z["d"], "rr", "fss", 5, "Ksd",
    ),
    Rule(
        "ATBOC-1pExp sampling", "T_S M 2^2s K^2 s^4",
        lambda z: z["M"] * 4 ** z["s"] * z["K"] ** 2 * z["s"] ** 4, _ONE_PARAMETER,
        _ONE_PARAMETER_TURN, 1, "Ks",
    ),
    Rule(
        "ATBOC-1pExp stopping", "2^2s K^2 s^4",
        lambda z: 4 ** z["s"] * z["K"] ** 2 * z["s"] ** 4, _ONE_PARAMETER_TURN, "fss", 1, "Ks",
    ),
    Rule(
        "LUCBBOC sampling", "K s^2 d", lambda z: z["K"] * z["s"] ** 2 * z["d"], "lucbboc-ucb", "rr",
        5, "Ksd",
    ),
    Rule(
        "declaration", "M d + M^2", lambda z: z["M"] * z["d"] + z["M"] ** 2, "fss", None, 5, "Ksd",
    ),
    Rule("BOC-ELIM, all", "M^3", lambda z: z["M"] ** 3, "boc-elim", None, 1, "Ks"),
)  # fmt: skip


def _sizes(grows: str, value: int, dim: int) -> Sizes:
    k, s = {"K": (value, 2), "s": (2, value), "d": (4, 2)}[grows]
    return {"K": k, "s": s, "M": k * s, "d": value if grows == "d" else dim}


def _exponent(x: Sequence[float], y: Sequence[float]) -> float:
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


class Figure(base.Figure):
    """Exponents: how the time of each rule grows with K, s and d."""

    name: ClassVar[str] = "complexity"
    title: ClassVar[str] = "Growth of the time of each rule"
    place: ClassVar[str] = "Table I"
    x_name: ClassVar[str] = "exponent of the growth"
    y_name: ClassVar[str] = "rule, and what grows"
    notes = (
        "Number of clusters K: Setup 1 with s = 2. Cluster size s: Setup 2. Dimension d: Setup 1 "
        "with eight arms. Exponents e of fits time ~ x^e; the stated orders (with their 2^s) are "
        "fitted at the same places. A rule's time is that of whole runs with it less that of runs "
        "without it. T_S and T_A, the iterations of the paper's solvers, count as constant.",
    )

    def cells(self, quick: bool) -> list[Cell]:
        """Whole runs of what is needed; rules share them."""
        made: dict[str, Cell] = {}
        for rule in _RULES:
            for grows in rule.grows:
                values, instance = _SWEEPS[grows]
                for algorithm in (rule.runs, rule.less):
                    if algorithm is None:
                        continue
                    for value in values:
                        trials = 1 if str(algorithm) in ("atboc", str(_ONE_PARAMETER)) else 10
                        what = {
                            "time of": str(algorithm), "grows": grows, "value": value,
                            "d": rule.dim, "trials": trials, "machine": where(),
                        }  # fmt: skip
                        work = partial(
                            seconds_a_sample, instance(value, rule.dim), algorithm, trials
                        )
                        made.setdefault(str(what), Cell(what, work))
        return list(made.values())

    def paper_points(self) -> list[Point]:
        """The stated orders."""
        return [
            Point(f"{rule.name}, {grows}", "paper", self._stated(rule, grows), np.nan)
            for rule in _RULES
            for grows in rule.grows
        ]

    def _stated(self, rule: Rule, grows: str) -> float:
        values = _SWEEPS[grows][0]
        return _exponent(values, [rule.order(_sizes(grows, v, rule.dim)) for v in values])

    def points(self, found: Found) -> list[Point]:
        """The measured ones; the height is the time at the largest place."""
        seconds: dict[Any, float] = {}
        for cell, rows in found:
            key = tuple(cell.what[name] for name in ("time of", "grows", "value", "d"))
            seconds[key] = float(np.median([row["seconds"] for row in rows]))
        made = []
        for rule in _RULES:
            for grows in rule.grows:
                values = _SWEEPS[grows][0]
                times = [_time(rule, grows, value, seconds) for value in values]
                exponent = _exponent(values, times)
                made.append(
                    Point(
                        f"{rule.name}, {grows}",
                        "here",
                        exponent,
                        times[-1],
                        algorithm=str(rule.runs),
                    )
                )
        return made

    def statements(self, points: Sequence[Point], found: Found) -> list[Statement]:
        """Section VII-B: upper bounds on the growth."""
        stated = {p.series: p.x for p in points if p.source == "paper"}
        here = [p for p in points if p.source == "here"]
        below = [p.x <= stated[p.series] + 0.5 for p in here]
        above = [
            f"{p.series} {p.x:.1f} ({stated[p.series]:.1f} stated)"
            for p, ok in zip(here, below, strict=True)
            if not ok
        ]
        in_s = ", ".join(
            f"{p.series[:-3]} {p.x:.1f} ({stated[p.series]:.1f})"
            for p in here
            if p.series.endswith(", s")
        )
        return [
            Statement(
                "The time grows at most as the stated orders (here: exponents up to half a unit "
                "above them count).",
                verdict(below),
                f"{sum(below)} of {len(below)} do"
                + (f"; not: {'; '.join(above)}." if above else ".")
                + f" Growth with the cluster size, in brackets as stated: {in_s}.",
            )
        ]

    def table(self, points: Sequence[Point], found: Found) -> Table:
        """Orders and exponents."""
        exponents = {(p.series, p.source): p.x for p in points}
        rows = []
        for rule in _RULES:
            cells = [
                f"{exponents[name, 'here']:.1f} ({exponents[name, 'paper']:.1f})"
                if grows in rule.grows
                else ""
                for grows in _SWEEPS
                for name in (f"{rule.name}, {grows}",)
            ]
            rows.append([rule.name, rule.told, *cells])
        columns = ["rule", "stated order", "with K", "with s", "with d"]
        return Table(columns, rows)

    def draw(self, points: Sequence[Point], paths: Sequence[Path]) -> None:
        """A row a rule and a size."""
        from boclust.plots.reproduction import draw_rows

        draw_rows(paths, self.title, self.x_name, points, [])


def _time(rule: Rule, grows: str, value: int, seconds: dict[Any, float]) -> float:
    """Of the rule alone, at least a nanosecond."""
    own = seconds[str(rule.runs), grows, value, rule.dim]
    less = 0.0 if rule.less is None else seconds[str(rule.less), grows, value, rule.dim]
    return max(own - less, 1e-9)
