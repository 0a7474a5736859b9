"""LUCBBOC-sampling with the tree edge chosen by its upper bound."""

from dataclasses import dataclass
from typing import Any, ClassVar

from boclust.sampling.base import Sampling
from boclust.sampling.codes import LUCB_UPPER


@dataclass(frozen=True)
class LucbUpper(Sampling):
    """LUCBBOC-sampling with the tree edge chosen by its upper bound, which starves no arm."""

    name: ClassVar[str] = "lucb-ucb"
    code: ClassVar[int] = LUCB_UPPER
    reason: ClassVar[str] = "a suspicious pair"
    uses_delta: ClassVar[bool] = True

    def parts(self, n_arms: int) -> dict[str, Any]:
        """Confidence intervals."""
        return {"band": True}

    def kernels(self) -> tuple[Any, Any]:
        """See ``lucb_kernels``."""
        from boclust.sampling.lucb_kernels import look_for_suspects, suspected_arm

        return look_for_suspects, suspected_arm
