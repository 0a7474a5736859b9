"""Seconds a sample: the instances of the paper's two setups, and how they are timed."""

import hashlib
import os
import platform
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from boclust.psi.bound import HopelessWarning
from boclust.problem.instance import Instance
from boclust.paper.base import Figure, Found, Paths, Point, curve
from boclust.paper.cells import Rows
from boclust.paper.simulated import NEVER
from boclust.run.algorithm import Algorithm

REPEATS = 3
#: Runs end here, at a delta that they hardly reach: what is timed is a sample, not a run.
SAMPLES = 1000
#: Into how many turns the trials of a measurement are divided.
_TURNS = 20


def setup_1(n_clusters: int, dim: int) -> Instance:
    """Pairs of arms half a unit apart, ten units from pair to pair, the same in all dimensions."""
    line = np.repeat(10.0 * np.arange(n_clusters), 2) + np.tile([0, 0.5], n_clusters)
    return Instance(np.outer(line, np.ones(dim)), n_clusters)


def setup_2(size: int, dim: int = 5) -> Instance:
    """Two clusters of ``size`` arms half a unit apart, on a line through R^d."""
    line = np.concatenate([0.5 * np.arange(size), 10 + 0.5 * np.arange(size)])
    return Instance(np.outer(line, np.ones(dim)), 2)


def where() -> str:
    """A hash of the machine, since times depend on it."""
    named = f"{platform.node()} {platform.machine()} {platform.python_version()} {os.cpu_count()}"
    return hashlib.sha256(named.encode()).hexdigest()[:12]


def seconds_a_sample(
    instance: Instance,
    algorithm: str | Algorithm,
    trials: int,
    samples: int = SAMPLES,
    repeats: int = REPEATS,
    delta: float = NEVER,
) -> Rows:
    """CPU seconds a sample on one thread over the first ``samples`` of a run, several times.

    What a run costs before its samples do, it also costs when it ends after one sample of each
    arm: that is taken off. Short runs and long ones take turns, so that a busy moment falls on both
    alike. Compiling is not timed.
    """
    from boclust.simulation import simulate

    def run(numbers: range, most: int) -> Any:
        chosen: list[str | Algorithm] = [algorithm]
        began = time.process_time()
        done = simulate(instance, chosen, [delta], numbers, jobs=1, max_samples=most)
        took = time.process_time() - began
        return np.array([took, sum(n.as_py() for n in done.table["n_samples"])])

    with warnings.catch_warnings():  # runs that never end are timed too, as far as they are cut
        warnings.simplefilter("ignore", HopelessWarning)
        return _differences(run, instance.n_arms, samples, trials, repeats)


def _differences(
    run: Callable[[range, int], Any], least: int, most: int, trials: int, repeats: int
) -> Rows:
    """Seconds a sample: what runs of ``most`` samples take longer than those of ``least``."""
    run(range(1), least)
    step = -(-trials // _TURNS)
    turns = [range(first, min(first + step, trials)) for first in range(0, trials, step)]
    rows = []
    for _ in range(repeats):
        added = sum(run(turn, most) - run(turn, least) for turn in turns)
        rows.append({"seconds": float(added[0] / added[1])})
    return rows


def seconds_of(work: Callable[[], Any], repeats: int = REPEATS) -> Rows:
    """CPU seconds of a piece of work whose kernels are compiled, several times."""
    rows = []
    for _ in range(repeats):
        began = time.process_time()
        work()
        rows.append({"seconds": time.process_time() - began})
    return rows


def timed_point(series: str, x: float, rows: Rows, algorithm: str) -> Point:
    """The median, with the range of the repetitions."""
    seconds = [row["seconds"] for row in rows]
    low, high = min(seconds), max(seconds)
    return Point(
        series, "here", x, float(np.median(seconds)), y_low=low, y_high=high, algorithm=algorithm,
        trials=len(seconds),
    )  # fmt: skip


def growth(x: Sequence[float], y: Sequence[float]) -> float:
    """The exponent e of a fit y ~ x^e."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def growths(points: Sequence[Point], series: Iterable[str]) -> str:
    """How the time of each series grows with x, in words."""
    told = []
    for name in series:
        own = curve(points, name)
        told.append(f"{name} {growth([p.x for p in own], [p.y for p in own]):.1f}")
    return ", ".join(told)


class TimedFigure(Figure):
    """Times of series over a size, beside the paper's."""

    y_name: ClassVar[str] = "seconds a sample"

    def paper_points(self) -> list[Point]:
        """In seconds; the paper plots their logarithm."""
        return [replace(p, y=float(np.exp(p.y))) for p in super().paper_points()]

    def points(self, found: Found) -> list[Point]:
        """Medians."""
        return [
            timed_point(cell.what["series"], cell.what["M"], rows, cell.what["time of"])
            for cell, rows in found
        ]

    def draw(self, points: Sequence[Point], paths: Paths) -> None:
        """A logarithmic axis."""
        from boclust.plots.reproduction import draw_curves

        draw_curves(paths, self.title, self.x_name, self.y_name, points, y_log=True)
