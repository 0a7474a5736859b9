"""Figure 2: time per sample, as the number of clusters grows."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import ClassVar

from boclust import Algorithm
from boclust.paper.base_figure import Finished, Point, Statement, curve
from boclust.paper.tasks import Task
from boclust.paper.timing import (
    SAMPLES,
    TimedFigure,
    growths,
    machine_hash,
    seconds_per_sample,
    setup_1,
)
from boclust.paper.verdicts import verdict

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


#: The slower and the faster series of each pair, according to the paper.
_PAIRS = (
    ("ATBOC-1pExp d=1", "LUCBBOC d=1"),
    ("ATBOC-1pExp d=1", "BOC-ELIM d=1"),
    ("ATBOC-subGauss d=5", "LUCBBOC d=5"),
    ("ATBOC-subGauss d=10", "LUCBBOC d=10"),
)
#: Series that differ only in their dimension.
_DIMENSIONS = (
    ("ATBOC-subGauss d=5", "ATBOC-subGauss d=10"),
    ("LUCBBOC d=1", "LUCBBOC d=5"),
    ("LUCBBOC d=5", "LUCBBOC d=10"),
)


class Figure(TimedFigure):
    """Setup 1: pairs of arms, M = 2 K."""

    name: ClassVar[str] = "runtime_setup1"
    title: ClassVar[str] = "Time per sample, clusters of two arms (Setup 1)"
    place: ClassVar[str] = "Figure 2"
    x_name: ClassVar[str] = "number of arms M"

    def notes(self, points: Sequence[Point]) -> list[str]:
        """Explain the times."""
        return [
            f"CPU time of the first {SAMPLES:,} samples of a run on one thread; median and range "
            "of three repetitions. The paper's times come from another machine and another "
            "language, and only give an orientation."
        ]

    def tasks(self, quick: bool) -> list[Task]:
        """Time each series at each number of arms."""
        made = []
        for series, (algorithm, dim) in _SERIES.items():
            for m in _ARMS:
                trials = 1 if series.startswith("ATBOC") else 20
                description = {
                    "time of": str(algorithm), "series": series, "setup": 1, "M": m, "d": dim,
                    "trials": trials, "samples": SAMPLES, "machine": machine_hash(),
                }  # fmt: skip
                work = partial(seconds_per_sample, setup_1(m // 2, dim), algorithm, trials)
                made.append(Task(description, work))
        return made

    def statements(self, points: Sequence[Point], finished: Finished) -> list[Statement]:
        """Judge Section VII-C."""
        curves = {series: curve(points, series) for series in _SERIES}
        paper = [series for series in _SERIES if not series.startswith("span")]
        in_m = [a.y < b.y for series in paper for a, b in pairwise(curves[series])]
        in_d = [
            a.y < b.y
            for low, high in _DIMENSIONS
            for a, b in zip(curves[low], curves[high], strict=True)
        ]
        ratios = {
            pair: [a.y / b.y for a, b in zip(*(curves[s] for s in pair), strict=True)]
            for pair in _PAIRS
        }
        compared = "; ".join(
            f"{a} takes {min(r):,.0f} to {max(r):,.0f} times as long as {b}"
            for (a, b), r in ratios.items()
        )
        return [
            Statement(
                "The time per sample increases with the number of arms and of dimensions.",
                verdict(in_m + in_d),
                f"With M: {sum(in_m)} of {len(in_m)} steps; with d: {sum(in_d)} of {len(in_d)}. "
                f"Exponents of the growth in M: {growths(points, _SERIES)}.",
            ),
            Statement(
                "LUCBBOC and BOC-ELIM take significantly less time than ATBOC (here: less than "
                "half).",
                verdict(ratio > 2 for r in ratios.values() for ratio in r),
                f"{compared}.",
            ),
        ]
