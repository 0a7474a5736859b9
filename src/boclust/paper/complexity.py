"""Table I: orders of the computational complexity, beside the growth that is measured."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from boclust.instance import Instance
from boclust.paper import base
from boclust.paper.base import Found, Paths, Point, Statement, Table
from boclust.paper.cells import Cell
from boclust.paper.comparison import finding, verdict
from boclust.paper.timing import SAMPLES, growth, seconds_a_sample, setup_1, setup_2, where
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
#: What an exponent may be above the stated one: sizes are small.
_MARGIN = 0.5


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


class Figure(base.Figure):
    """Exponents: how the time of each rule grows with K, s and d."""

    name: ClassVar[str] = "complexity"
    title: ClassVar[str] = "Growth of the time of each rule"
    place: ClassVar[str] = "Table I"
    x_name: ClassVar[str] = "exponent of the growth"
    y_name: ClassVar[str] = "rule, and what grows"

    def notes(self, points: Sequence[Point]) -> list[str]:
        """How exponents are found, and of what."""
        return [
            "Number of clusters K: Setup 1 with s = 2. Cluster size s: Setup 2. Dimension d: Setup "
            "1 with eight arms. Exponents e of fits time ~ x^e; the stated orders (with their 2^s) "
            "are fitted at the same places. A rule's time is that of whole runs with it less that "
            "of runs without it. T_S and T_A, the iterations of the paper's solvers, count as "
            "constant.",
            "What is timed are this package's kernels, which do not search over cuts; the orders "
            "are those of the paper's solvers. Times of the latter: Figure 3.",
        ]

    def cells(self, quick: bool) -> list[Cell]:
        """Whole runs of what is needed; rules share them."""
        wanted = {
            (str(algorithm), grows, value, rule.dim): algorithm
            for rule in _RULES
            for algorithm in (rule.runs, rule.less)
            for grows in rule.grows
            for value in _SWEEPS[grows][0]
            if algorithm is not None
        }
        made = []
        for (name, grows, value, dim), algorithm in wanted.items():
            trials = 1 if name in ("atboc", str(_ONE_PARAMETER)) else 100
            what = {
                "time of": name, "grows": grows, "value": value, "d": dim, "trials": trials,
                "samples": SAMPLES, "machine": where(),
            }  # fmt: skip
            instance = _SWEEPS[grows][1](value, dim)
            made.append(Cell(what, partial(seconds_a_sample, instance, algorithm, trials)))
        return made

    def paper_points(self) -> list[Point]:
        """The stated orders."""
        return [
            Point(f"{rule.name}, {grows}", "paper", self._stated(rule, grows), np.nan)
            for rule in _RULES
            for grows in rule.grows
        ]

    def _stated(self, rule: Rule, grows: str) -> float:
        values = _SWEEPS[grows][0]
        return growth(values, [rule.order(_sizes(grows, v, rule.dim)) for v in values])

    def points(self, found: Found) -> list[Point]:
        """The measured ones, with their range; the height is the time at the largest place.

        A rule whose repetitions differ by a factor of two is too cheap beside the rest of a run to
        be measured this way, and left out.
        """
        seconds: dict[Any, list[float]] = {}
        for cell, rows in found:
            key = tuple(cell.what[name] for name in ("time of", "grows", "value", "d"))
            seconds[key] = sorted(row["seconds"] for row in rows)
        made = []
        for rule in _RULES:
            for grows in rule.grows:
                values = _SWEEPS[grows][0]
                times = [_times(rule, grows, value, seconds) for value in values]
                if all(times):
                    fits = [growth(values, t) for t in zip(*times, strict=True)]
                    made.append(
                        Point(
                            f"{rule.name}, {grows}",
                            "here",
                            float(np.median(fits)),
                            float(np.median(times[-1])),
                            min(fits),
                            max(fits),
                            algorithm=str(rule.runs),
                            trials=len(fits),
                        )
                    )
        return made

    def statements(self, points: Sequence[Point], found: Found) -> list[Statement]:
        """Section VII-B: upper bounds on the growth."""
        stated = {p.series: p.x for p in points if p.source == "paper"}
        here = [p for p in points if p.source == "here"]
        findings = [finding(p.x_low, p.x_high, stated[p.series] + _MARGIN) for p in here]
        above = [
            f"{p.series} {p.x:.1f} ({stated[p.series]:.1f} stated)"
            for p, one in zip(here, findings, strict=True)
            if one == "false"
        ]
        cheap = sorted(set(stated) - {p.series for p in here})
        return [
            Statement(
                f"The time grows at most as the stated orders (here: exponents up to {_MARGIN:g} "
                "above them count).",
                verdict(findings),
                f"{findings.count('true')} of {len(findings)} do"
                + (f"; not: {'; '.join(above)}" if above else "")
                + (f". Too cheap to be measured: {'; '.join(cheap)}." if cheap else "."),
            )
        ]

    def table(self, points: Sequence[Point], found: Found) -> Table:
        """Orders and exponents."""
        exponents = {(p.series, p.source): p.x for p in points}

        def shown(rule: Rule, grows: str) -> str:
            name = f"{rule.name}, {grows}"
            if grows not in rule.grows:
                return ""
            here = exponents.get((name, "here"))
            measured = "not measured" if here is None else f"{here:.1f}"
            return f"{measured} ({exponents[name, 'paper']:.1f})"

        rows = [[rule.name, rule.told, *(shown(rule, g) for g in _SWEEPS)] for rule in _RULES]
        return Table(("rule", "stated order", "with K", "with s", "with d"), rows)

    def draw(self, points: Sequence[Point], paths: Paths) -> None:
        """A row a rule and a size."""
        from boclust.plots.reproduction import draw_rows

        draw_rows(paths, self.title, self.x_name, points, "the stated order")


def _times(rule: Rule, grows: str, value: int, seconds: dict[Any, list[float]]) -> list[float]:
    """Of the rule alone, in each repetition; none where it is too little beside the rest."""
    own = seconds[str(rule.runs), grows, value, rule.dim]
    if rule.less is None:
        return own
    less = seconds[str(rule.less), grows, value, rule.dim]
    alone = [a - b for a, b in zip(own, less, strict=True)]
    return alone if 0 < max(alone) < 2 * min(alone) else []
