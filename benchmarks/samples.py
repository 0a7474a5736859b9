"""Time per sample of boclust: over a stretch of a run, or until the run stops."""

import time
import warnings
from collections.abc import Callable
from functools import partial
from math import exp
from typing import Any

import boclust
from boclust.paper.published import published
from boclust.paper.timing import setup_1 as setup_1
from boclust.paper.timing import setup_2 as setup_2

#: The timed stretch of a run: up to this many samples of each arm.
STRETCH = 32
#: A delta that runs do not reach in the stretch; formulas with 1/delta do not overflow.
OUT_OF_REACH = 1e-300
#: The error probability of runs that stop.
DELTA = 0.01
#: Trials of one measurement, at most, and the turns that they are divided into.
_TRIALS, _TURNS = 10_000, 20
#: How often a measurement is repeated that noise makes negative.
_ATTEMPTS = 10


def applicable(instance: boclust.Instance) -> list[str]:
    """The algorithms that accept an instance (some need d = 1 or two clusters)."""
    accepted = []
    for name in boclust.algorithms():
        try:
            boclust.Learner(
                instance.n_arms, instance.n_clusters, delta=DELTA, dim=instance.dim, algorithm=name
            )
        except ValueError:
            continue
        accepted.append(name)
    return accepted


def timer(
    name: str, instance: boclust.Instance, budget: float, delta: float = OUT_OF_REACH
) -> Callable[[], float]:
    """A function that measures CPU seconds per sample on one thread.

    It takes as many trials as fit into the budget. Runs that end after one sample of each arm
    measure the fixed cost of a run, which it subtracts; long and short runs take turns.
    """
    long, short = STRETCH * instance.n_arms, instance.n_arms

    def run(trials: int, seed: int, most: int) -> tuple[float, int]:
        options: dict[str, Any] = {"seed": seed, "jobs": 1, "max_samples": most}
        began = time.process_time()
        with warnings.catch_warnings():  # runs without end are timed as far as they go
            warnings.simplefilter("ignore", boclust.HopelessWarning)
            table = boclust.simulate(instance, [name], [delta], trials, **options).table
        return time.process_time() - began, sum(table["n_samples"].to_pylist())

    def seconds(trials: int) -> float:
        turns = min(trials, _TURNS)
        for _ in range(_ATTEMPTS):
            spent, samples = 0.0, 0
            for seed in range(turns):
                more, less = (run(trials // turns, seed, most) for most in (long, short))
                spent += more[0] - less[0]
                samples += more[1] - less[1]
            if spent > 0:
                return spent / samples
        raise RuntimeError(f"the time of {name} with {instance.n_arms} arms is lost in noise")

    return partial(seconds, _trials(seconds, budget))


def _trials(seconds: Callable[[int], float], budget: float) -> int:
    """The number of trials that fit into the budget."""
    seconds(1)  # compiles
    trials = 1
    while True:
        began = time.process_time()
        seconds(trials)
        took = time.process_time() - began
        if took > budget / 2 or trials == _TRIALS:
            return trials
        trials = min(_TRIALS, max(2 * trials, int(trials * budget / max(took, budget / 10))))


def published_seconds(figure: str, series: str, n_arms: int) -> float | None:
    """The paper's time per sample; it plots the logarithm."""
    found = [point.y for point in published(figure, series) if point.x == n_arms]
    return exp(found[0]) if found else None
