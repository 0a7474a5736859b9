"""What a sampling rule is."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from boclust._validate import IntArray
from boclust.kernels import Struct, inner_kernel
from boclust.run.saved import check_integers
from boclust.run.state import Problem, Run

#: observe(run, own, arm), update(run, own), select(run, own) -> arm
Kernels = tuple[Callable[..., None], Callable[..., None], Callable[..., int]]


@dataclass(frozen=True)
class Sampling(ABC):
    """A sampling rule: its state and its kernels.

    - ``observe(run, own, arm)`` after each sample, which is ``run.sample``;
    - ``update(run, own)`` after each sample, once every arm has one: the clusters, and whatever the
      rule goes by;
    - ``select(run, own)``: the next arm, given ``run.asked``.
    """

    name: ClassVar[str]
    #: Why it selects an arm, in words.
    reason: ClassVar[str]
    #: Whether every arm keeps at least sqrt(t / M) samples (forced exploration, Algorithm 1).
    explores: ClassVar[bool] = True
    #: Whether it needs the distances between all arms, ``run.gaps``.
    needs_gaps: ClassVar[bool] = True
    #: Whether ``observe`` computes from the counts and sums of an arm alone: then a restored run
    #: calls it again, and what it computes need not be saved (``scratch``).
    observe_is_pure: ClassVar[bool] = False
    #: Whether ``update`` groups the positions by single linkage: see ``run.clusters``.
    groups: ClassVar[bool] = True
    #: The stopping rule it comes with; it goes with no other one.
    own_stopping: ClassVar[str | None] = None
    kernels: ClassVar[Kernels]

    @property
    def uses_delta(self) -> bool:
        """Whether another delta leads to other samples."""
        return False

    def refusal(self, problem: Problem) -> str:
        """What the rule needs but this problem lacks; empty if it can be used."""
        return ""

    @abstractmethod
    def new(self, problem: Problem) -> Struct:
        """Its state before the first sample."""

    def check(self, problem: Problem, run: Run, state: Struct) -> None:
        """Refuse a restored state that no run of this rule can have.

        By default, integers are arms or -1.
        """
        check_integers("sampling", state, -1, problem.n_arms - 1)

    def room(self, run: Run, state: Struct, pending: IntArray) -> int | None:
        """How many more asks the present round has; None for rules without rounds."""
        return None

    def plan(self) -> Callable[..., None]:
        """The kernel ``plan(run, own, n)`` that prepares for ``n`` asks at once."""
        return no_plan


@inner_kernel
def no_plan(run: Run, own: Any, n: int) -> None:
    """For rules that select one arm at a time."""
