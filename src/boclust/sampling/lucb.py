"""LUCBBOC-sampling as printed (Algorithm 2): see ``lucb_kernels``."""

from dataclasses import dataclass
from typing import Any, ClassVar

from boclust._validate import real
from boclust.sampling.base import Sampling
from boclust.sampling.codes import LUCB


@dataclass(frozen=True)
class Lucb(Sampling):
    """Of two suspicious pairs of arms the least sampled one, as printed.

    It picks, inside each cluster, the *empirically* longest tree edge. An arm of a cluster of three
    or more whose edge once looked short can then be starved for a very long time.

    The confidence radius uses the delta of the run, or ``radius_delta`` where that is given: then
    one trajectory answers every delta, as in the paper's curves.
    """

    name: ClassVar[str] = "lucb"
    code: ClassVar[int] = LUCB
    reason: ClassVar[str] = "it may be joined or split off wrongly"
    radius_delta: float | None = None

    def __post_init__(self) -> None:
        if self.radius_delta is not None:
            real("radius_delta", self.radius_delta, 0.0, 1.0)

    @property
    def uses_delta(self) -> bool:
        """In the confidence radius, unless that has its own."""
        return self.radius_delta is None

    def interval_delta(self, delta: float) -> float:
        """The delta of the confidence radius."""
        return delta if self.radius_delta is None else self.radius_delta

    def parts(self, n_arms: int) -> dict[str, Any]:
        """Confidence intervals."""
        return {"band": True}

    def kernels(self, dim: int) -> tuple[Any, Any]:
        """See ``lucb_kernels``."""
        from boclust.sampling.lucbboc import look_for_suspects, suspected_arm

        return look_for_suspects, suspected_arm
