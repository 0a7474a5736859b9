"""A sampling rule of your own: the closer an arm is to another cluster, the more samples."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

import boclust
from boclust.extend import Problem, Run, Sampling, Struct, f1, group, kernel, register


class State(Struct):
    """The distance of each arm to the nearest arm of another cluster."""

    border: f1


@kernel
def observe(run: Run, own: State, arm: int) -> None:
    """After each sample of an arm: nothing to keep."""


@kernel
def update(run: Run, own: State) -> None:
    """Find the clusters of the estimates and the distances between them."""
    group(run)
    for i in range(run.counts.shape[0]):
        own.border[i] = np.inf
        for j in range(run.counts.shape[0]):
            if run.labels[i] != run.labels[j]:
                own.border[i] = min(own.border[i], run.gaps[i, j])


@kernel
def select(run: Run, own: State) -> int:
    """The arm with the fewest samples for its distance to another cluster."""
    best, arm = np.inf, 0
    for i in range(run.asked.shape[0]):
        if run.asked[i] * own.border[i] ** 2 < best:
            best, arm = run.asked[i] * own.border[i] ** 2, i
    return arm


@register
@dataclass(frozen=True)
class Border(Sampling):
    """Sample at the border between clusters."""

    name: ClassVar[str] = "border"
    reason: ClassVar[str] = "it is next to another cluster"
    kernels: ClassVar = (observe, update, select)

    def new(self, problem: Problem) -> State:
        """The state before the first sample."""
        return State(border=np.ones(problem.n_arms))


instance = boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], n_clusters=3)
border = boclust.Algorithm("border", "local-directional")
results = boclust.simulate(
    instance, ["span", border, boclust.Algorithm("rr", "local-directional")], [0.1, 0.01], trials=20
)
for row in results.summary():
    print(f"{row['algorithm']:45} delta {row['delta']:<5} {row['mean_samples']:8,.0f} samples")
results.plot("custom_rule.png", bound=boclust.lower_bound(instance))
