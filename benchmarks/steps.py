"""Time a sample: whole trials inside kernels beside the same steps in plain NumPy, in one run.

``python benchmarks/steps.py`` prints the table; ``measure()`` returns its rows.
"""

import time
from typing import Any

import numpy as np
from numpy_steps import LucbUpper, Span

import boclust
from boclust.run.engine import Engine
from boclust.problem.families import Gaussian
from boclust.run.algorithm import algorithm
from boclust.sources import Simulated

SEVEN = boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], 3)
DELTA = 0.01


def baseline(name: str) -> Any:
    """A fresh NumPy run of an algorithm on the seven arms."""
    need = Engine(algorithm(name), 7, 1, 3, Gaussian()).threshold(DELTA)
    made = {"span": Span, "lucbboc-ucb": LucbUpper}[name](7, 3, need)
    made.delta = DELTA
    return made


def numpy_seconds(name: str, samples: int) -> float:
    """CPU seconds a sample of the baseline, over the first ``samples`` of a run."""
    run, source = baseline(name), Simulated(SEVEN)
    for _ in range(20):
        arm = run.ask()
        run.tell(arm, source(arm))
    began = time.process_time()
    for _ in range(samples):
        arm = run.ask()
        run.tell(arm, source(arm))
    return (time.process_time() - began) / samples


def kernel_seconds(name: str, trials: int) -> float:
    """CPU seconds a sample of whole trials on one thread."""
    boclust.simulate(SEVEN, [name], [DELTA], 1, jobs=1)
    began = time.process_time()
    rows = boclust.simulate(SEVEN, [name], [DELTA], trials, jobs=1).table.to_pylist()
    return (time.process_time() - began) / sum(row["n_samples"] for row in rows)


def measure() -> list[dict[str, Any]]:
    """Medians of three interleaved repetitions, and the ratio of the two."""
    rows = []
    for name, trials in (("span", 100), ("lucbboc-ucb", 30), ("rr", 30), ("atboc", 6)):
        ours, theirs = [], []
        for _ in range(3):
            ours.append(kernel_seconds(name, trials))
            if name in ("span", "lucbboc-ucb"):
                theirs.append(numpy_seconds(name, 300))
        row = {"algorithm": name, "us": 1e6 * float(np.median(ours))}
        if theirs:
            row["numpy_us"] = 1e6 * float(np.median(theirs))
            row["ratio"] = row["numpy_us"] / row["us"]
        rows.append(row)
    return rows


if __name__ == "__main__":
    print("seven arms, delta = 0.01, one thread, CPU time a sample")
    for row in measure():
        beside = f"{row['numpy_us']:9.0f} us {row['ratio']:7.0f} x" if "ratio" in row else ""
        print(f"{row['algorithm']:12} {row['us']:7.2f} us {beside}")
