"""The time of a sample: ours over a stretch of a run, and whether an algorithm applies at all."""

from collections.abc import Callable
from math import exp

from boclust._validate import InvalidInputError
from boclust.bench.baseline import STRETCH
from boclust.instance import Instance
from boclust.paper.published import published
from boclust.paper.simulated import NEVER
from boclust.paper.timing import seconds_a_sample
from boclust.registry import algorithm, algorithms

#: Trials of one measurement, at most.
_TRIALS = 500


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
    name: str, instance: Instance, budget: float, delta: float = NEVER
) -> Callable[[], float]:
    """CPU seconds a sample over the stretch, or until the run stops; anew at each call.

    As many trials as the budget allows, found by one that is not counted.
    """
    most = STRETCH * instance.n_arms

    def seconds(trials: int) -> float:
        (row,) = seconds_a_sample(instance, name, trials, most, repeats=1, delta=delta)
        return float(row["seconds"])

    trials = int(budget / (max(seconds(1), 1e-9) * most))
    return lambda: seconds(min(max(trials, 1), _TRIALS))


def printed_seconds(figure: str, series: str, n_arms: int) -> float | None:
    """The paper's time; it plots the logarithm."""
    found = [p.y for p in published(figure, series) if p.x == n_arms]
    return exp(found[0]) if found else None
