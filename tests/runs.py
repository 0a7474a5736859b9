"""States of adaptive runs, and the slow bottleneck that several test modules compare with."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np

import boclust
from boclust import registry
from boclust.run.engine import Engine
from boclust.run.step import observe, settle
from boclust.problem.linkage import single_linkage
from boclust.problem.trees import group
from boclust.run.state import Rules, Run
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


def ready(
    algorithm: Any,
    family: boclust.Family,
    n_clusters: int,
    counts: Any,
    sums: Any,
    delta: float = 0.1,
) -> tuple[Engine, Rules, Run]:
    """An engine and its run after so many samples with these sums, as the kernels are told them."""
    totals = np.asarray(sums, dtype=float)
    totals = totals.reshape(len(totals), -1)
    engine = Engine(registry.algorithm(algorithm), *totals.shape, n_clusters, family)
    rules, run = engine.rules(delta), engine.new_run()
    run.counts[:] = counts
    run.sums[:] = totals
    refresh(rules, run)
    return engine, rules, run


def refresh(rules: Rules, run: Run) -> None:
    """Everything that follows from counts and sums; not the clusters of a crowd."""
    for arm in range(len(run.counts)):
        settle(rules, run, arm)
    if run.gaps.size > 0:
        group(run)


def tell(rules: Rules, run: Run, arm: int, value: Any) -> None:
    """Take one sample of an arm into a run."""
    run.sample[:] = value
    observe(rules, run, arm)
