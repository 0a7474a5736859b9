"""How the time per sample grows with the arms, the dimension and the clusters, each alone."""

from collections.abc import Callable, Iterator
from statistics import median

import numpy as np

from benchmarks.measure import Row, budget, exponent, interleaved, measured
from benchmarks.samples import applicable, setup_1, setup_2, timer
from boclust import Instance

TITLE = "Growth of the time per sample"
NOTE = (
    "Exponents e of fits time ~ x^e. M: two clusters of M/2 arms, d = 1 (Setup 2 on a line). d: "
    "four pairs of arms (Setup 1). K: 12 arms on a line in K clusters of 12/K."
)
ACROSS = "grows"

#: Ours, and one of each kind of the paper's.
ALGORITHMS = ("span", "atboc", "lucbboc-ucb", "boc-elim", "rr")


def clusters(n_clusters: int) -> Instance:
    """12 arms on a line, half a unit apart within a cluster; clusters start ten units apart."""
    line = np.add.outer(10.0 * np.arange(n_clusters), 0.5 * np.arange(12 // n_clusters))
    return Instance(line.ravel(), n_clusters)


#: What grows: its instance for a value, and the values.
GROWS: dict[str, tuple[Callable[[int], Instance], tuple[int, ...]]] = {
    "M": (lambda m: setup_2(m // 2, 1), (4, 8, 12, 16)),
    "d": (lambda d: setup_1(4, d), (2, 4, 8, 16)),
    "K": (clusters, (2, 3, 4, 6)),
}


def rows(quick: bool) -> Iterator[Row]:
    """One row per algorithm and growing parameter: the exponent of each turn."""
    for grows, (make, every) in GROWS.items():
        values = every[::3] if quick else every
        instances = {value: make(value) for value in values}
        for name in ALGORITHMS:
            if all(name in applicable(instance) for instance in instances.values()):
                work = {str(v): timer(name, one, budget(quick)) for v, one in instances.items()}
                found = list(interleaved(work).values())
                fits = [exponent(values, turn) for turn in zip(*found, strict=True)]
                times = [(median(own), min(own), max(own)) for own in found]
                curve = [(float(v), *own) for v, own in zip(values, times, strict=True)]
                yield measured(name, {"grows": grows}, fits, "exponent", curve=curve)
