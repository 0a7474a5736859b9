"""Table I: the stated orders of computational complexity, and the measured growth."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from boclust import Algorithm, Instance
from boclust.paper.base_figure import BaseFigure, Finished, Paths, Point, Statement, Table
from boclust.paper.tasks import Task
from boclust.paper.timing import SAMPLES, growth, machine_hash, seconds_per_sample, setup_1, setup_2
from boclust.paper.verdicts import finding, verdict

_ONE_PARAMETER = Algorithm("average", "paper-1pexp")
_ONE_PARAMETER_RR = Algorithm("rr", "paper-1pexp")

#: The instance for a value of the quantity that grows, a dimension and a number of clusters.
_INSTANCES: dict[str, Callable[[int, int, int], Instance]] = {
    "K": lambda value, dim, clusters: setup_1(value, dim),
    "s": lambda value, dim, clusters: setup_2(value, dim),
    "d": lambda value, dim, clusters: setup_1(clusters, value),
}
#: The values for slow and for fast rules, and the number of clusters while d grows.
_SMALL: tuple[dict[str, tuple[int, ...]], int] = (
    {"K": (2, 4, 7, 10), "s": (2, 3, 4, 5), "d": (2, 5, 10, 20)}, 4,
)  # fmt: skip
_LARGE: tuple[dict[str, tuple[int, ...]], int] = (
    {"K": (10, 20, 40), "s": (8, 16, 32), "d": (20, 60, 180)}, 10,
)  # fmt: skip

Sizes = dict[str, float]
#: The entries of a description that identify a run.
_KEY = ("time of", "grows", "value", "d", "clusters")
#: An exponent may exceed the stated one by this much, since the sizes are small.
_MARGIN = 0.5


@dataclass(frozen=True)
class Rule:
    """A rule of an algorithm: the order that the paper states, and how it is timed here.

    Its time is the time of whole runs with it minus the time of runs without it.
    """

    name: str
    stated: str
    order: Callable[[Sizes], float]
    runs: str | Algorithm
    less: str | Algorithm | None
    dim: int
    grows: str
    large: bool

    @property
    def values(self) -> dict[str, tuple[int, ...]]:
        """The values at which the rule is timed, for each quantity that grows."""
        return (_LARGE if self.large else _SMALL)[0]

    @property
    def clusters(self) -> int:
        """The number of clusters while d grows."""
        return (_LARGE if self.large else _SMALL)[1]


_RULES = (
    Rule(
        "ATBOC-Gauss sampling", "T_S T_A M K^3 s^4 2^s d",
        lambda z: z["M"] * z["K"] ** 3 * z["s"] ** 4 * 2 ** z["s"] * z["d"], "atboc", "rr", 5,
        "Ksd", False,
    ),
    Rule(
        "ATBOC-Gauss and LUCBBOC stopping", "T_A K^3 s^4 2^s d",
        lambda z: z["K"] ** 3 * z["s"] ** 4 * 2 ** z["s"] * z["d"], "rr", "fss", 5, "Ksd", True,
    ),
    Rule(
        "ATBOC-1pExp sampling", "T_S M 2^2s K^2 s^4",
        lambda z: z["M"] * 4 ** z["s"] * z["K"] ** 2 * z["s"] ** 4, _ONE_PARAMETER,
        _ONE_PARAMETER_RR, 1, "Ks", False,
    ),
    Rule(
        "ATBOC-1pExp stopping", "2^2s K^2 s^4",
        lambda z: 4 ** z["s"] * z["K"] ** 2 * z["s"] ** 4, _ONE_PARAMETER_RR, "fss", 1, "Ks",
        True,
    ),
    Rule(
        "LUCBBOC sampling", "K s^2 d", lambda z: z["K"] * z["s"] ** 2 * z["d"], "lucbboc-ucb", "rr",
        5, "Ksd", True,
    ),
    Rule(
        "declaration", "M d + M^2", lambda z: z["M"] * z["d"] + z["M"] ** 2, "fss", None, 5, "Ksd",
        True,
    ),
    Rule("BOC-ELIM, all", "M^3", lambda z: z["M"] ** 3, "boc-elim", None, 1, "Ks", True),
)  # fmt: skip


def _sizes(rule: Rule, grows: str, value: int) -> Sizes:
    k, s = {"K": (value, 2), "s": (2, value), "d": (rule.clusters, 2)}[grows]
    return {"K": k, "s": s, "M": k * s, "d": value if grows == "d" else rule.dim}


class Figure(BaseFigure):
    """The exponents with which the time of each rule grows with K, s and d."""

    name: ClassVar[str] = "complexity"
    title: ClassVar[str] = "Growth of the time of each rule"
    place: ClassVar[str] = "Table I"
    x_name: ClassVar[str] = "exponent of the growth"
    y_name: ClassVar[str] = "rule and growing quantity"

    def notes(self, points: Sequence[Point]) -> list[str]:
        """Explain the exponents."""
        return [
            "Number of clusters K: Setup 1 with s = 2. Cluster size s: Setup 2. Dimension d: Setup "
            f"1 with {2 * _SMALL[1]} arms, or {2 * _LARGE[1]} for fast rules, which are timed at "
            "larger K and s too. The exponents e are those of fits time ~ x^e; the stated orders "
            "(with their 2^s) are fitted at the same places. The time of a rule is the time of "
            "whole runs with it minus the time of runs without it. T_S and T_A, the iterations of "
            "the paper's solvers, count as constant.",
            "The times are those of this package's kernels, which do not search over cuts; the "
            "orders are those of the paper's solvers. Figure 3 times the latter.",
        ]

    def tasks(self, quick: bool) -> list[Task]:
        """Time whole runs, which rules share."""
        wanted = {
            (str(algorithm), grows, value, rule.dim, rule.clusters): algorithm
            for rule in _RULES
            for algorithm in (rule.runs, rule.less)
            for grows in rule.grows
            for value in rule.values[grows]
            if algorithm is not None
        }
        made = []
        for key, algorithm in wanted.items():
            name, grows, value, dim, clusters = key
            trials = 1 if name in ("atboc", str(_ONE_PARAMETER)) else 20
            description = dict(zip(_KEY, key, strict=True))
            description |= {"trials": trials, "samples": SAMPLES, "machine": machine_hash()}
            instance = _INSTANCES[grows](value, dim, clusters)
            made.append(Task(description, partial(seconds_per_sample, instance, algorithm, trials)))
        return made

    def paper_points(self) -> list[Point]:
        """Return the stated orders."""
        return [
            Point(f"{rule.name}, {grows}", "paper", self._stated(rule, grows), np.nan)
            for rule in _RULES
            for grows in rule.grows
        ]

    def _stated(self, rule: Rule, grows: str) -> float:
        values = rule.values[grows]
        return growth(values, [float(rule.order(_sizes(rule, grows, v))) for v in values])

    def points(self, finished: Finished) -> list[Point]:
        """Fit the measured exponents, with their range; y is the time at the largest value.

        A rule whose repetitions differ by a factor of two is too cheap, compared with the rest of
        a run, to be measured this way; it is left out.
        """
        seconds: dict[Any, list[float]] = {}
        for task, rows in finished:
            key = tuple(task.description[name] for name in _KEY)
            seconds[key] = sorted(row["seconds"] for row in rows)
        made = []
        for rule in _RULES:
            for grows in rule.grows:
                values = rule.values[grows]
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

    def statements(self, points: Sequence[Point], finished: Finished) -> list[Statement]:
        """Judge Section VII-B: upper bounds on the growth."""
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
                "above them are accepted).",
                verdict(findings),
                f"{findings.count('true')} of {len(findings)} do"
                + (f"; not: {'; '.join(above)}" if above else "")
                + (f". Too cheap to measure: {'; '.join(cheap)}." if cheap else "."),
            )
        ]

    def table(self, points: Sequence[Point], finished: Finished) -> Table:
        """List orders and exponents."""
        exponents = {(p.series, p.source): p.x for p in points}

        def shown(rule: Rule, grows: str) -> str:
            name = f"{rule.name}, {grows}"
            if grows not in rule.grows:
                return ""
            here = exponents.get((name, "here"))
            measured = "not measured" if here is None else f"{here:.1f}"
            return f"{measured} ({exponents[name, 'paper']:.1f})"

        rows = [[rule.name, rule.stated, *(shown(rule, g) for g in _INSTANCES)] for rule in _RULES]
        return Table(("rule", "stated order", "with K", "with s", "with d"), rows)

    def draw(self, points: Sequence[Point], paths: Paths) -> None:
        """Draw one row per rule and growing quantity."""
        from boclust.plots.paper import draw_rows

        draw_rows(paths, self.title, self.x_name, points, "the stated order")


def _times(rule: Rule, grows: str, value: int, seconds: dict[Any, list[float]]) -> list[float]:
    """Return the time of the rule alone in each repetition, or nothing if it is too small."""
    own = seconds[str(rule.runs), grows, value, rule.dim, rule.clusters]
    if rule.less is None:
        return own
    less = seconds[str(rule.less), grows, value, rule.dim, rule.clusters]
    alone = [a - b for a, b in zip(own, less, strict=True)]
    return alone if 0 < max(alone) < 2 * min(alone) else []
