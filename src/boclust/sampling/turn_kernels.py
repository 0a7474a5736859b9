"""Rules that look at nothing but the counts: round robin, a fixed sample size."""

from boclust.kernels import kernel
from boclust._validate import FloatArray
from boclust.problem.trees import group
from boclust.run.state import Rules, Run


@kernel
def look_in_turn(rules: Rules, run: Run) -> None:
    """The clusters, and nothing to doubt."""
    group(run)


@kernel
def fewest(pulls: FloatArray) -> int:
    """The arm with the fewest samples, ties by number."""
    least = 0
    for j in range(1, pulls.shape[0]):
        if pulls[j] < pulls[least]:
            least = j
    return least


@kernel
def all_sampled(counts: FloatArray) -> bool:
    """Whether each arm has a sample: they are counted, which is faster than to look for one."""
    sampled = 0
    for j in range(counts.shape[0]):
        if counts[j] > 0.0:
            sampled += 1
    return sampled == len(counts)


@kernel
def least_sampled(rules: Rules, run: Run) -> int:
    """The least sampled arm."""
    return fewest(run.pulls)
