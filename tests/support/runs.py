"""Random states of runs, the slow bottleneck, and a stopping rule with a run, driven by hand."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from boclust.problem.families import Family
from boclust.problem.linkage import single_linkage
from boclust.run.clusters import group
from boclust.run.state import Problem, Run, count, locate, new_run
from boclust.stopping.base import Stopping
from support.instances import few


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


@dataclass
class Judged:
    """A run and the state of its stopping rule."""

    rule: Stopping
    run: Run
    own: Any

    def tell(self, arm: int, value: Any) -> None:
        """Observe one sample of an arm."""
        self.run.sample[:] = value
        count(self.run, arm)
        self.refresh(arm)

    def refresh(self, *arms: int) -> None:
        """What follows from the counts and sums of these arms."""
        for arm in arms:
            locate(self.run, arm)
            self.rule.kernels[0](self.run, self.own, arm)

    def statistic(self, threshold: float = -np.inf) -> float:
        return self.rule.kernels[1](self.run, self.own, threshold)

    def against(self, claim: tuple[int, int, int, int], threshold: float = -np.inf) -> float:
        """The evidence of a certificate against a claim."""
        return self.own.against(self.run, *claim, threshold)


def judged(rule: Stopping, family: Family, n_arms: int, dim: int, n_clusters: int) -> Judged:
    """A stopping rule before the first sample."""
    problem = Problem(n_arms, dim, n_clusters, family, 0.1)
    return Judged(rule, new_run(family.law, n_arms, dim, n_clusters), rule.new(problem, None))


def ready(rule: Stopping, family: Family, n_clusters: int, counts: Any, sums: Any) -> Judged:
    """A stopping rule after samples with these numbers and sums, in the unit of the family."""
    totals = np.asarray(sums, dtype=float)
    totals = totals.reshape(len(totals), -1)
    made = judged(rule, family, *totals.shape, n_clusters)
    made.run.counts[:] = counts
    made.run.sums[:] = totals
    made.refresh(*range(len(totals)))
    group(made.run)
    return made
