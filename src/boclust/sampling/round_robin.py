"""RR and FSS of Section VIII: all arms in turn."""

from dataclasses import dataclass
from typing import ClassVar

from boclust.kernels import Struct, kernel
from boclust.run.clusters import group
from boclust.run.state import Problem, Run, fewest, observe_nothing
from boclust.sampling.base import Kernels, Sampling


class State(Struct):
    """Nothing but the number of arms."""

    n_arms: int


@kernel
def update(run: Run, own: State) -> None:
    """The clusters, and nothing to doubt."""
    group(run)


@kernel
def select(run: Run, own: State) -> int:
    """The least sampled arm, ties by number."""
    return fewest(run.asked)


@dataclass(frozen=True)
class RoundRobin(Sampling):
    """The least sampled arm, ties by number: all arms in turn."""

    name: ClassVar[str] = "rr"
    reason: ClassVar[str] = "its turn"
    kernels: ClassVar[Kernels] = observe_nothing, update, select

    def new(self, problem: Problem) -> State:
        """See ``State``."""
        return State(n_arms=problem.n_arms)


@dataclass(frozen=True)
class Fixed(RoundRobin):
    """The same number of samples of every arm, fixed beforehand (FSS)."""

    name: ClassVar[str] = "fss"
    own_stopping: ClassVar[str | None] = "fixed-size"
