"""A fixed sample size."""

from dataclasses import dataclass
from typing import Any, ClassVar

from boclust.sampling.base import Sampling
from boclust.sampling.codes import FIXED


@dataclass(frozen=True)
class Fixed(Sampling):
    """The same number of samples of every arm, fixed beforehand (FSS of Section VIII)."""

    name: ClassVar[str] = "fss"
    code: ClassVar[int] = FIXED
    reason: ClassVar[str] = "its turn"
    own_stopping: ClassVar[str | None] = "fixed-size"

    def kernels(self, dim: int) -> tuple[Any, Any]:
        """See ``turn_kernels``."""
        from boclust.sampling.turn_kernels import least_sampled, look_in_turn

        return look_in_turn, least_sampled
