"""LUCBBOC-sampling as printed (Algorithm 3): see ``lucb_kernels``."""

from dataclasses import dataclass
from typing import Any, ClassVar

from boclust.sampling.base import Sampling
from boclust.sampling.codes import LUCB


@dataclass(frozen=True)
class Lucb(Sampling):
    """Of two suspicious pairs of arms the least sampled one, as printed.

    It picks, inside each cluster, the *empirically* longest tree edge. An arm of a cluster of three
    or more whose edge once looked short can then be starved for a very long time.
    """

    name: ClassVar[str] = "lucb"
    code: ClassVar[int] = LUCB
    reason: ClassVar[str] = "a suspicious pair"
    uses_delta: ClassVar[bool] = True

    def parts(self, n_arms: int) -> dict[str, Any]:
        """Confidence intervals."""
        return {"band": True}

    def kernels(self) -> tuple[Any, Any]:
        """See ``lucb_kernels``."""
        from boclust.sampling.lucb_kernels import look_for_suspects, suspected_arm

        return look_for_suspects, suspected_arm
