"""The challenger (ours): sample where the certificate is weakest."""

from dataclasses import dataclass
from typing import Any, ClassVar

from boclust.sampling.base import Sampling
from boclust.sampling.codes import CHALLENGER


@dataclass(frozen=True)
class Challenger(Sampling):
    """Sample where the certificate is weakest (see ``challenger_kernels``).

    The weakest (cluster, cut, rival pair) is found by the score; across that cut the bond that may
    be the shortest is taken, and of its arms and the rival pair the least sampled one, an arm in
    both counting half. One-parameter families and bounded samples are scored as Gaussian ones with
    the variance that the estimates have.
    """

    name: ClassVar[str] = "challenger"
    code: ClassVar[int] = CHALLENGER
    reason: ClassVar[str] = "the weakest quadruple"

    def kernels(self, dim: int) -> tuple[Any, Any]:
        """See ``challenger_kernels``."""
        from boclust.sampling.challenger_kernels import challenged_arm, look_for_challenger

        return look_for_challenger, challenged_arm
