"""What the sampling rules share."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from boclust.families import Family
from boclust.sampling.codes import ROUND_ROBIN


@dataclass(frozen=True)
class Sampling(ABC):
    """A sampling rule: a name, and the code by which the kernels know it.

    All but the rules that go in rounds keep every arm at sqrt(t / M) samples at least (forced
    exploration, Algorithm 1 of the paper).
    """

    name: ClassVar[str]
    #: Rules that the kernels of the engine need not tell apart have the same.
    code: ClassVar[int] = ROUND_ROBIN
    #: Why it chooses an arm, in words.
    reason: ClassVar[str]
    #: The stopping rule it comes with; it goes with no other one.
    own_stopping: ClassVar[str | None] = None
    #: Whether it has kernels for many arms.
    for_crowds: ClassVar[bool] = False

    @property
    def uses_delta(self) -> bool:
        """Whether another delta leads to other samples."""
        return False

    def refusal(self, dim: int, n_clusters: int, family: Family) -> str:
        """What the rule needs and does not find here; empty where it can be used."""
        return ""

    def interval_delta(self, delta: float) -> float:
        """The error probability of its confidence intervals."""
        return delta

    def parts(self, n_arms: int) -> dict[str, Any]:
        """The parts of a run that the rule uses: fields of ``run_kernels.Parts``."""
        return {}

    @abstractmethod
    def kernels(self, dim: int) -> tuple[Any, Any]:
        """Its kernels ``look`` and ``pick``: see ``engine_kernels``."""

    def crowd_kernels(self) -> tuple[Any, Any]:
        """The same for many arms, which are looked at once in ``pace`` samples."""
        raise NotImplementedError

    def pace(self, n_arms: int) -> int:
        """Samples between two looks at many arms."""
        return max(1, n_arms // 20 - 1)
