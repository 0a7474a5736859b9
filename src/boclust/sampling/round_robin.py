"""Round robin."""

from dataclasses import dataclass
from typing import Any, ClassVar

from boclust.sampling.base import Sampling
from boclust.sampling.codes import ROUND_ROBIN


@dataclass(frozen=True)
class RoundRobin(Sampling):
    """The least sampled arm, ties by number: all arms in turn (RR of Section VIII)."""

    name: ClassVar[str] = "rr"
    code: ClassVar[int] = ROUND_ROBIN
    reason: ClassVar[str] = "its turn"
    for_crowds: ClassVar[bool] = True

    def kernels(self, dim: int) -> tuple[Any, Any]:
        """See ``turn_kernels``."""
        from boclust.sampling.turn_kernels import least_sampled, look_in_turn

        return look_in_turn, least_sampled

    def crowd_kernels(self) -> tuple[Any, Any]:
        """The clusters are looked at as the challenger does."""
        from boclust.many_arms.challenger import look_at_crowd
        from boclust.sampling.turn_kernels import least_sampled

        return look_at_crowd, least_sampled
