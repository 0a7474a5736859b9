"""Seconds a sample: the instances of the paper's two setups, and how they are timed."""

import platform
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from boclust.instance import Instance
from boclust.paper.base import Point
from boclust.paper.cells import Rows
from boclust.registry import Algorithm

REPEATS = 3
#: Runs end here, at a delta that none of them reaches: what is timed is a sample, not a run.
_SAMPLES, _NEVER = 1000, 1e-300


def setup_1(n_clusters: int, dim: int) -> Instance:
    """Pairs of arms half a unit apart, ten units from pair to pair, the same in all dimensions."""
    line = np.repeat(10.0 * np.arange(n_clusters), 2) + np.tile([0, 0.5], n_clusters)
    return Instance(np.outer(line, np.ones(dim)), n_clusters)


def setup_2(size: int, dim: int = 5) -> Instance:
    """Two clusters of ``size`` arms half a unit apart, on a line through R^d."""
    line = np.concatenate([0.5 * np.arange(size), 10 + 0.5 * np.arange(size)])
    return Instance(np.outer(line, np.ones(dim)), 2)


def where() -> str:
    """The machine, since times depend on it."""
    return f"{platform.node()} {platform.machine()} {platform.python_version()}"


def seconds_a_sample(instance: Instance, algorithm: str | Algorithm, trials: int) -> Rows:
    """CPU seconds a sample on one thread, several times.

    What a run costs before its samples do, it also costs when it ends after one sample of each
    arm: that is taken off. Compiling is not timed.
    """
    from boclust.simulation import simulate

    def run(most: int) -> tuple[float, int]:
        chosen: list[str | Algorithm] = [algorithm]
        began = time.process_time()
        done = simulate(instance, chosen, [_NEVER], trials, jobs=1, max_samples=most)
        return time.process_time() - began, sum(n.as_py() for n in done.table["n_samples"])

    run(instance.n_arms)
    rows = []
    for _ in range(REPEATS):
        short, long = run(instance.n_arms), run(_SAMPLES)
        rows.append({"seconds": max(long[0] - short[0], 1e-9) / (long[1] - short[1])})
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


def growth(points: Sequence[Point]) -> float:
    """The exponent e of a fit time ~ x^e."""
    x, y = (np.log([getattr(p, name) for p in points]) for name in ("x", "y"))
    return float(np.polyfit(x, y, 1)[0])
