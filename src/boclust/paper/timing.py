"""Seconds per sample: the instances of the paper's two setups, and how boclust times them."""

import hashlib
import os
import platform
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from boclust import Algorithm, HopelessWarning, Instance
from boclust.paper.base_figure import BaseFigure, Finished, Paths, Point, curve
from boclust.paper.simulated_figure import NEVER
from boclust.paper.tasks import Rows

REPEATS = 3
#: Timed runs end after this many samples, since samples are timed, not runs.
SAMPLES = 1000
#: The trials of a measurement are divided into this many turns.
_TURNS = 20


def setup_1(n_clusters: int, dim: int) -> Instance:
    """Pairs of arms half a unit apart, ten units between pairs, the same in all dimensions."""
    line = np.repeat(10.0 * np.arange(n_clusters), 2) + np.tile([0, 0.5], n_clusters)
    return Instance(np.outer(line, np.ones(dim)), n_clusters)


def setup_2(size: int, dim: int = 5) -> Instance:
    """Two clusters of ``size`` arms half a unit apart, on a line through R^d."""
    line = np.concatenate([0.5 * np.arange(size), 10 + 0.5 * np.arange(size)])
    return Instance(np.outer(line, np.ones(dim)), 2)


def machine_hash() -> str:
    """Return a hash of the machine, since times depend on it."""
    named = f"{platform.node()} {platform.machine()} {platform.python_version()} {os.cpu_count()}"
    return hashlib.sha256(named.encode()).hexdigest()[:12]


def seconds_per_sample(
    instance: Instance,
    algorithm: str | Algorithm,
    trials: int,
    samples: int = SAMPLES,
    repeats: int = REPEATS,
    delta: float = NEVER,
) -> Rows:
    """Measure CPU seconds per sample over the first ``samples`` of a run, on one thread.

    The fixed cost of a run is measured by runs that end after one sample of each arm, and
    subtracted. Short and long runs take turns, so that other load affects both alike. Compiling is
    not timed.
    """
    from boclust import simulate

    def run(numbers: range, most: int) -> Any:
        chosen: list[str | Algorithm] = [algorithm]
        began = time.process_time()
        done = simulate(instance, chosen, [delta], numbers, jobs=1, max_samples=most)
        took = time.process_time() - began
        return np.array([took, sum(n.as_py() for n in done.table["n_samples"])])

    with warnings.catch_warnings():  # hopeless instances are timed too: runs are cut short
        warnings.simplefilter("ignore", HopelessWarning)
        return _differences(run, instance.n_arms, samples, trials, repeats)


def _differences(
    run: Callable[[range, int], Any], least: int, most: int, trials: int, repeats: int
) -> Rows:
    """Return the extra time of runs of ``most`` samples over runs of ``least``, per sample."""
    run(range(1), least)
    step = -(-trials // _TURNS)
    turns = [range(first, min(first + step, trials)) for first in range(0, trials, step)]
    rows = []
    for _ in range(repeats):
        added = sum(run(turn, most) - run(turn, least) for turn in turns)
        rows.append({"seconds": float(added[0] / added[1])})
    return rows


def seconds_of(work: Callable[[], Any], repeats: int = REPEATS) -> Rows:
    """Measure CPU seconds of a function whose kernels are compiled already."""
    rows = []
    for _ in range(repeats):
        began = time.process_time()
        work()
        rows.append({"seconds": time.process_time() - began})
    return rows


def timed_point(series: str, x: float, rows: Rows, algorithm: str) -> Point:
    """Make a point of the median, with the range of the repetitions."""
    seconds = [row["seconds"] for row in rows]
    low, high = min(seconds), max(seconds)
    return Point(
        series, "here", x, float(np.median(seconds)), y_low=low, y_high=high, algorithm=algorithm,
        trials=len(seconds),
    )  # fmt: skip


def growth(x: Sequence[float], y: Sequence[float]) -> float:
    """Return the exponent e of a fit y ~ x^e."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def growths(points: Sequence[Point], series: Iterable[str]) -> str:
    """List the exponent of the growth with x for each series."""
    parts = []
    for name in series:
        own = curve(points, name)
        parts.append(f"{name} {growth([p.x for p in own], [p.y for p in own]):.1f}")
    return ", ".join(parts)


class TimedFigure(BaseFigure):
    """Seconds per sample over the number of arms."""

    y_name: ClassVar[str] = "seconds per sample"

    def paper_points(self) -> list[Point]:
        """Convert to seconds: the paper plots logarithms."""
        return [replace(p, y=float(np.exp(p.y))) for p in super().paper_points()]

    def points(self, finished: Finished) -> list[Point]:
        """Take medians."""
        return [
            timed_point(what["series"], what["M"], rows, what["time of"])
            for what, rows in ((task.description, rows) for task, rows in finished)
        ]

    def draw(self, points: Sequence[Point], paths: Paths) -> None:
        """Draw times on a logarithmic axis."""
        from boclust.plots.paper import draw_series

        draw_series(paths, self.title, self.x_name, self.y_name, points, y_log=True)
