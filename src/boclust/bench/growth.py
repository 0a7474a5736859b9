"""How the time of a sample grows with the arms, the dimension and the clusters, each alone."""

from collections.abc import Callable, Iterator
from statistics import median

import numpy as np

from boclust.bench.base import Row, Setting, interleaved, measured
from boclust.bench.samples import applicable, timer
from boclust.problem.instance import Instance
from boclust.paper.timing import growth, setup_1, setup_2

TITLE = "Growth of the time a sample"
NOTE = (
    "Exponents e of fits time ~ x^e to ours. M: two clusters of M/2 arms, d = 1 (Setup 2 on a "
    "line). d: four pairs of arms (Setup 1). K: 12 arms on a line in K clusters of 12/K."
)
ACROSS: str | None = "grows"
BASELINE = False

#: The algorithms: ours, and of the paper's each kind.
NAMES = ("span", "atboc", "lucbboc-ucb", "boc-elim", "rr")
_ARMS = 12


def clusters(n_clusters: int) -> Instance:
    """12 arms on a line, half a unit apart in a cluster; clusters begin ten units apart."""
    size = _ARMS // n_clusters
    line = np.add.outer(10.0 * np.arange(n_clusters), 0.5 * np.arange(size))
    return Instance(line.ravel(), n_clusters)


#: The instance for each value of what grows, and the values.
GROWS: dict[str, tuple[Callable[[int], Instance], tuple[int, ...]]] = {
    "M": (lambda m: setup_2(m // 2, 1), (4, 8, 12, 16)),
    "d": (lambda d: setup_1(4, d), (2, 4, 8, 16)),
    "K": (clusters, (2, 3, 4, 6)),
}


def rows(setting: Setting) -> Iterator[Row]:
    """A row an algorithm and what grows: the exponent of each turn, and the times behind it."""
    for grows, (make, values) in GROWS.items():
        values = values[::3] if setting.quick else values
        instances = {value: make(value) for value in values}
        for name in NAMES:
            if any(name not in applicable(instance) for instance in instances.values()):
                continue
            work = {str(v): timer(name, one, setting.budget) for v, one in instances.items()}
            found = list(interleaved(work, setting.repeats).values())
            fits = [growth(values, turn) for turn in zip(*found, strict=True)]
            times = [(median(own), min(own), max(own)) for own in found]
            curve = [(float(v), *own) for v, own in zip(values, times, strict=True)]
            yield measured(name, {"grows": grows}, fits, "exponent", curve=curve)
