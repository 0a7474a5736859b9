"""The time of a sample: ours over a stretch of a run, and whether an algorithm applies at all."""

import time
from collections.abc import Callable
from functools import partial
from math import exp

from boclust._validate import InvalidInputError
from boclust.bench.base import Parameters, Row, Setting, interleaved, measured
from boclust.bench.baseline import OUT_OF_REACH, STRETCH
from boclust.problem.instance import Instance
from boclust.paper.published import published
from boclust.paper.timing import seconds_per_sample
from boclust.run.algorithm import algorithm, algorithms

#: Trials of one measurement, at most.
_TRIALS = 10_000
#: The error probability of runs that stop.
_DELTA = 0.01
#: How often a time is taken that noise makes negative.
_ATTEMPTS = 10


def applicable(instance: Instance) -> list[str]:
    """The algorithms that take such an instance (some need d = 1, or two clusters)."""
    taken = []
    for name in algorithms():
        try:
            algorithm(name).rules(instance.dim, instance.n_clusters, instance.family)
        except InvalidInputError:
            continue
        taken.append(name)
    return taken


def timer(
    name: str, instance: Instance, budget: float, delta: float = OUT_OF_REACH
) -> Callable[[], float]:
    """CPU seconds a sample over the stretch, or until the run stops; anew at each call.

    As many trials as fit into the budget. A run's time less what it costs to begin can come out
    negative where both are short and the machine is busy: then it is measured again.
    """
    most = STRETCH * instance.n_arms

    def seconds(trials: int) -> float:
        for _ in range(_ATTEMPTS):
            (row,) = seconds_per_sample(instance, name, trials, most, repeats=1, delta=delta)
            if row["seconds"] > 0:
                return float(row["seconds"])
        raise RuntimeError(f"the time of {name} with {instance.n_arms} arms is lost in noise")

    return partial(seconds, _trials(seconds, budget))


def _trials(seconds: Callable[[int], float], budget: float) -> int:
    """How many fit into the budget, by taking more and more."""
    seconds(1)  # compiles
    trials = 1
    while True:
        began = time.process_time()
        seconds(trials)
        took = time.process_time() - began
        if took > budget / 2 or trials == _TRIALS:
            return trials
        trials = min(_TRIALS, max(2 * trials, int(trials * budget / max(took, budget / 10))))


def whole_run(name: str, instance: Instance, where: Parameters, setting: Setting) -> Row:
    """The time of a sample in runs that stop, whose last steps need the statistic in full.

    Both have ten times the usual budget: the baseline to come far in its run.
    """
    budget = 10 * setting.budget
    work = {"ours": timer(name, instance, budget, _DELTA)}
    if setting.baseline:
        work["baseline"] = setting.baseline.whole_timer(name, instance, budget, _DELTA)
    found = interleaved(work, setting.repeats)
    beside = found.get("baseline", ())
    return measured(f"{name} until it stops", where, found["ours"], baseline=beside)


def printed_seconds(figure: str, series: str, n_arms: int) -> float | None:
    """The paper's time; it plots the logarithm."""
    found = [p.y for p in published(figure, series) if p.x == n_arms]
    return exp(found[0]) if found else None
