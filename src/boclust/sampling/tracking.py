"""What the three ways of tracking share."""

from dataclasses import dataclass
from typing import Any, ClassVar

from boclust.sampling.base import Sampling


@dataclass(frozen=True)
class Tracking(Sampling):
    """Follow the optimal proportions w(t) of the present estimates (Algorithm 1).

    Sampled is the arm whose count lags most behind what it should be. w(t) is found to 1 % of the
    optimum from alternatives that are kept from step to step (see ``tracking_kernels``): exactly
    on a line, in space up to what the bottlenecks of spanning trees miss.
    """

    reason: ClassVar[str] = "farthest behind its best share of the samples"

    def parts(self, n_arms: int) -> dict[str, Any]:
        """More alternatives than the M that can bind at once, so that some may rest."""
        return {"cuts": 4 * n_arms}

    def kernels(self, dim: int) -> tuple[Any, Any]:
        """See ``tracking_kernels``."""
        from boclust.sampling.atboc import lagging_arm, look_in_space, look_on_line

        return look_on_line if dim == 1 else look_in_space, lagging_arm
