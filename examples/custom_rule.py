"""A sampling rule of one's own: the closer an arm is to another cluster, the more samples."""

from dataclasses import dataclass
from typing import Any, ClassVar

import boclust
from boclust.extend import Rules, Run, Sampling, group, register, step_kernel


@kernel
def look(rules: Rules, run: Run) -> None:
    """After each sample: find the clusters of the estimates."""
    group(run)


@kernel
def near_the_border(rules: Rules, run: Run) -> int:
    """The arm with the fewest samples for its distance to the nearest arm of another cluster."""
    best, arm = float("inf"), 0
    for i in range(run.pulls.shape[0]):
        near = float("inf")
        for j in range(run.pulls.shape[0]):
            if run.labels[i] != run.labels[j]:
                near = min(near, run.gaps[i, j])
        if run.pulls[i] * near * near < best:
            best, arm = run.pulls[i] * near * near, i
    return arm


@register
@dataclass(frozen=True)
class Border(Sampling):
    """Sample at the border between clusters."""

    name: ClassVar[str] = "border"
    reason: ClassVar[str] = "it is next to another cluster"

    def kernels(self, dim: int) -> tuple[Any, Any]:
        """The two above."""
        return look, near_the_border


instance = boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], n_clusters=3)
border = boclust.Algorithm("border", "local-directional")
results = boclust.simulate(
    instance, ["span", border, boclust.Algorithm("rr", "local-directional")], [0.1, 0.01], trials=20
)
for row in results.summary():
    print(f"{row['algorithm']:45} delta {row['delta']:<5} {row['mean_samples']:8,.0f} samples")
results.plot("custom_rule.png", bound=boclust.lower_bound(instance))
