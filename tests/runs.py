"""States of adaptive runs, and the slow bottleneck that several test modules compare with."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np

from boclust.linkage import single_linkage
from instances import few


def states(rng: np.random.Generator, count: int) -> Iterator[tuple[Any, ...]]:
    """(means, counts, labels, arms by cluster, starts, gaps) of random runs."""
    for _ in few(count):
        m, d = int(rng.integers(3, 9)), int(rng.integers(1, 4))
        means = rng.standard_normal((m, d))
        counts = rng.integers(1, 200, m).astype(float)
        labels = single_linkage(means, int(rng.integers(2, m))).labels
        arms = np.argsort(labels, kind="stable")
        start = np.concatenate([[0], np.cumsum(np.bincount(labels))])
        gaps = np.linalg.norm(means[:, None] - means[None], axis=2)
        yield means, counts, labels, arms, start, gaps


def bottleneck(members: list[int], score: Callable[[int, int], float]) -> float:
    """The smallest edge of the maximum spanning tree, by Kruskal."""
    parts = [{x} for x in members]
    smallest = np.inf
    for value, i, j in sorted(
        ((score(i, j), i, j) for i, j in combinations(members, 2)), reverse=True
    ):
        one, two = (next(p for p in parts if x in p) for x in (i, j))
        if one is not two:
            parts.remove(two)
            one |= two
            smallest = min(smallest, value)
    return smallest
