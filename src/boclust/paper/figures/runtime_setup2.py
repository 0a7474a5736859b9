"""Figure 3: time per sample as the clusters grow, with full and with partial search."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from boclust._validate import FloatArray
from boclust.psi.admm import PartialSearch
from boclust.paper.base_figure import Finished, Point, Statement, curve
from boclust.paper.tasks import Rows, Task
from boclust.paper.timing import (
    SAMPLES,
    TimedFigure,
    growths,
    machine_hash,
    seconds_of,
    seconds_per_sample,
    setup_2,
)
from boclust.paper.verdicts import verdict

_ARMS = (4, 6, 8, 10)
#: The share of full searches among 1,024 steps: those at powers of two.
FULL_SHARE = 11 / 1024
#: From this number of arms on, the paper's plot shows a difference.
_MANY_ARMS = 8
#: Quadratic programs that a partial search keeps (c of Remark 4; the paper gives no number).
_KEPT = 10
#: Iterations of SLSQP, which does not settle on the kinks of psi.
_ITERATIONS = 10
_OURS = {"ATBOC, cuts": "atboc", "LUCBBOC, tree": "lucbboc-ucb", "span": "span"}


class _PaperSearch:
    """The paper's search for psi and the best proportions: ADMM, finite differences, SLSQP."""

    def __init__(self, means: FloatArray, n_clusters: int, full: bool) -> None:
        self.means = means
        self.time = 2 if full else 3  # a step at a power of two solves all programs
        self._search = PartialSearch(n_clusters, _KEPT)
        for time in (1, self.time):  # choose the programs to keep, and compile both kinds of step
            self.value(np.full(len(means), 1.0 / len(means)), time)

    def value(self, weights: FloatArray, time: int | None = None) -> float:
        """Return an upper bound of psi at these weights."""
        return self._search.value(self.time if time is None else time, self.means, weights)

    def best_proportions(self) -> Any:
        """Maximise psi over the weights by SLSQP, starting from equal weights."""
        from scipy.optimize import minimize

        m = len(self.means)
        return minimize(
            lambda w: -self.value(np.maximum(w, 1e-9)), np.full(m, 1.0 / m), method="SLSQP",
            bounds=[(1e-9, 1.0)] * m, constraints={"type": "eq", "fun": lambda w: w.sum() - 1.0},
            options={"maxiter": _ITERATIONS},
        ).x  # fmt: skip


def _search_seconds(size: int, tracks: bool, full: bool) -> Rows:
    """Time the search of one step, at estimates from about twenty samples of each arm."""
    instance = setup_2(size)
    noise = np.random.default_rng(0).normal(size=instance.means.shape) / np.sqrt(20)
    search = _PaperSearch(instance.means + noise, 2, full)
    uniform = np.full(instance.n_arms, 1.0 / instance.n_arms)
    work = search.best_proportions if tracks else partial(search.value, uniform)
    return seconds_of(work, repeats=1 if tracks and full else 3)


def _with_full_searches(point: Point, full: dict[tuple[str, float], float]) -> Point:
    """Average a partial search over steps of which some search in full."""
    if not point.series.endswith("partial"):
        return point
    more = full[point.series.replace("partial", "full"), point.x]
    mean = {
        name: (1 - FULL_SHARE) * getattr(point, name) + FULL_SHARE * more
        for name in ("y", "y_low", "y_high")
    }
    return replace(point, **mean)


class Figure(TimedFigure):
    """Setup 2: two clusters of M/2 arms, d = 5."""

    name: ClassVar[str] = "runtime_setup2"
    title: ClassVar[str] = "Time per sample, two clusters of M/2 arms (Setup 2)"
    place: ClassVar[str] = "Figure 3"
    x_name: ClassVar[str] = "number of arms M"

    def notes(self, points: Sequence[Point]) -> list[str]:
        """Explain the times."""
        return [
            "Full and partial search are the paper's method (ADMM for each quadratic program; for "
            f"ATBOC, {_ITERATIONS} iterations of SLSQP with finite differences) with compiled "
            f"kernels, timed at one step. A partial search keeps {_KEPT} programs and searches in "
            "full at powers of two; its time is the mean over 1,024 steps.",
            "'cuts', 'tree' and span are what this package does instead. They do not search over "
            "cuts, so a partial search could save nothing.",
            "The paper's text mentions M = 2, its plot M = 4.",
        ]

    def tasks(self, quick: bool) -> list[Task]:
        """Time each series at each number of arms."""
        made = []
        for tracks, name in ((True, "ATBOC-subGauss"), (False, "LUCBBOC")):
            for full, search in ((True, "full"), (False, "partial")):
                for m in _ARMS[: 3 if quick else 4]:
                    step = f"{name}, {'all programs' if full else 'programs kept'}"
                    description = self._description(f"{name} {search}", step, m)
                    made.append(Task(description, partial(_search_seconds, m // 2, tracks, full)))
        for series, algorithm in _OURS.items():
            for m in _ARMS:
                trials = 1 if algorithm == "atboc" else 20
                work = partial(seconds_per_sample, setup_2(m // 2), algorithm, trials)
                made.append(Task(self._description(series, algorithm, m), work))
        return made

    def _description(self, series: str, algorithm: str, m: int) -> dict[str, Any]:
        return {
            "time of": algorithm, "series": series, "setup": 2, "M": m, "samples": SAMPLES,
            "kept": _KEPT, "iterations": _ITERATIONS, "machine": machine_hash(),
        }  # fmt: skip

    def points(self, finished: Finished) -> list[Point]:
        """Take medians, with a full search at powers of two in those of a partial search."""
        made = super().points(finished)
        full = {(p.series, p.x): p.y for p in made}
        return [_with_full_searches(p, full) for p in made]

    def statements(self, points: Sequence[Point], finished: Finished) -> list[Statement]:
        """Judge Section VII-C and Remark 4."""
        saved, shown = [], []
        for name in ("ATBOC-subGauss", "LUCBBOC"):
            full, part = (curve(points, f"{name} {search}") for search in ("full", "partial"))
            ratios = {int(a.x): a.y / b.y for a, b in zip(full, part, strict=True)}
            saved += [ratio > 2 for m, ratio in ratios.items() if m >= _MANY_ARMS]
            listed = ", ".join(f"{ratio:.1f} at M = {m}" for m, ratio in ratios.items())
            shown.append(f"{name}, time of full over partial search: {listed}")
        full = curve(points, "ATBOC-subGauss full")
        ours = {p.x: p for p in curve(points, "ATBOC, cuts")}
        ahead = full[-1].y / ours[full[-1].x].y
        named = ("ATBOC-subGauss full", "LUCBBOC full", *_OURS)
        return [
            Statement(
                "Partial search shows a significant reduction of the time for both algorithms "
                f"(here: to less than half from M = {_MANY_ARMS} on).",
                verdict(saved),
                f"{'; '.join(shown)}. Without any search over cuts ATBOC is {ahead:,.0f} times "
                f"faster than with full search at M = {full[-1].x:.0f}. Exponents of the growth in "
                f"M: {growths(points, named)}.",
            )
        ]
