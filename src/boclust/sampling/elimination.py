"""BOC-ELIM's elimination (Algorithm 3 of the paper): see ``elimination_kernels``."""

from dataclasses import dataclass
from typing import Any, ClassVar

from boclust.problem.families import Family
from boclust.sampling.base import Sampling
from boclust.sampling.codes import ELIMINATION


@dataclass(frozen=True)
class Elimination(Sampling):
    """In rounds, every arm for which one of its two gaps may or may not be among the largest."""

    name: ClassVar[str] = "elimination"
    code: ClassVar[int] = ELIMINATION
    reason: ClassVar[str] = "still undecided in this round"
    own_stopping: ClassVar[str | None] = "decided"

    @property
    def uses_delta(self) -> bool:
        """In the confidence intervals."""
        return True

    def refusal(self, dim: int, n_clusters: int, family: Family) -> str:
        """Only on a line."""
        return "" if dim == 1 else "d = 1 (gaps between neighbours on a line)"

    def parts(self, n_arms: int) -> dict[str, Any]:
        """Confidence intervals, and rounds."""
        return {"band": True, "rounds": True}

    def kernels(self, dim: int) -> tuple[Any, Any]:
        """See ``rounds_kernels``."""
        from boclust.sampling.rounds_kernels import look_at_rounds, owed_arm

        return look_at_rounds, owed_arm
