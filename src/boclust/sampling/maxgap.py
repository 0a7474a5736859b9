"""The peers of Katariya, Tripathy and Nowak (2019) for two clusters: see ``maxgap_kernels``."""

from dataclasses import dataclass
from typing import Any, ClassVar

from boclust.problem.families import Family
from boclust.sampling.base import Sampling
from boclust.sampling.codes import MAXGAP_ELIM, MAXGAP_TOP2, MAXGAP_UCB


@dataclass(frozen=True)
class MaxGapElim(Sampling):
    """In rounds, every arm that may still be next to the largest gap."""

    name: ClassVar[str] = "maxgap-elim"
    code: ClassVar[int] = MAXGAP_ELIM
    reason: ClassVar[str] = "may still be next to the largest gap"
    own_stopping: ClassVar[str | None] = "decided"

    @property
    def uses_delta(self) -> bool:
        """In the confidence intervals."""
        return True

    def refusal(self, dim: int, n_clusters: int, family: Family) -> str:
        """Two clusters on a line."""
        return "" if dim == 1 and n_clusters == 2 else "d = 1 and K = 2 (one gap on a line)"

    def parts(self, n_arms: int) -> dict[str, Any]:
        """Confidence intervals, and rounds."""
        return {"band": True, "rounds": True}

    def kernels(self, dim: int) -> tuple[Any, Any]:
        """See ``rounds_kernels``."""
        from boclust.sampling.rounds_kernels import look_at_rounds, owed_arm

        return look_at_rounds, owed_arm


@dataclass(frozen=True)
class MaxGapUcb(MaxGapElim):
    """In rounds, the arms whose gap may be the largest of all."""

    name: ClassVar[str] = "maxgap-ucb"
    code: ClassVar[int] = MAXGAP_UCB


@dataclass(frozen=True)
class MaxGapTop2Ucb(MaxGapElim):
    """In rounds, the arms whose gap may be the largest, or the second largest."""

    name: ClassVar[str] = "maxgap-top2ucb"
    code: ClassVar[int] = MAXGAP_TOP2
