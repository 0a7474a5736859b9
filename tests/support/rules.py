"""A sampling rule with a run, driven by hand: without the loop, and without a stopping rule."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from boclust.problem.families import Family
from boclust.run.state import Problem, Run, count, locate, new_run
from boclust.sampling import SAMPLING
from boclust.sampling.base import Sampling


@dataclass
class Driven:
    """A run and the state of its sampling rule."""

    rule: Sampling
    run: Run
    own: Any

    def tell(self, arm: int, value: Any) -> None:
        """Observe one sample of an arm."""
        self.run.sample[:] = value
        self.run.asked[arm] += 1
        count(self.run, arm)
        self.refresh(arm)

    def refresh(self, *arms: int) -> None:
        """What follows from the counts and sums of these arms."""
        for arm in arms:
            locate(self.run, arm)
            self.rule.kernels[0](self.run, self.own, arm)

    def update(self) -> None:
        self.rule.kernels[1](self.run, self.own)

    def select(self) -> int:
        return self.rule.kernels[2](self.run, self.own)


def started(
    name: str, family: Family, n_arms: int, dim: int, n_clusters: int, delta: float = 0.1, **options
) -> Driven:
    """A rule before the first sample."""
    rule = SAMPLING[name](**options)
    problem = Problem(n_arms, dim, n_clusters, family, delta)
    run = new_run(family.law, n_arms, dim, n_clusters, gaps=rule.needs_gaps)
    return Driven(rule, run, rule.new(problem))


def ready(
    name: str,
    family: Family,
    n_clusters: int,
    counts: Any,
    sums: Any,
    delta: float = 0.1,
    **options,
) -> Driven:
    """A rule after some samples, given their numbers and sums in the unit of the family."""
    totals = np.asarray(sums, dtype=float)
    totals = totals.reshape(len(totals), -1)
    driven = started(name, family, *totals.shape, n_clusters, delta, **options)
    driven.run.counts[:] = counts
    driven.run.asked[:] = counts
    driven.run.sums[:] = totals
    driven.refresh(*range(len(totals)))
    return driven
