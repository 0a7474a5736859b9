"""The challenger (ours): sample where the certificate is weakest."""

from dataclasses import dataclass
from typing import Any, ClassVar

from boclust._validate import integer
from boclust.sampling.base import Sampling
from boclust.sampling.codes import CHALLENGER


@dataclass(frozen=True)
class Challenger(Sampling):
    """Sample where the certificate is weakest (see ``challenger_kernels``).

    The weakest (cluster, cut, rival pair) is found by the score; across that cut the bond that may
    be the shortest is taken, and of its arms and the rival pair the least sampled one, an arm in
    both counting half. One-parameter families and bounded samples are scored as Gaussian ones with
    the variance that the estimates have.

    Among many arms (see ``crowd_kernels``) a look plans the next ``batch`` samples, about M/20
    unless said otherwise: of the quadruples that are the weakest with the samples planned already.
    """

    name: ClassVar[str] = "challenger"
    code: ClassVar[int] = CHALLENGER
    reason: ClassVar[str] = "the clusters are least certain here"
    for_crowds: ClassVar[bool] = True
    batch: int = 0

    def __post_init__(self) -> None:
        integer("batch", self.batch, 0)

    def kernels(self, dim: int) -> tuple[Any, Any]:
        """See ``challenger_kernels``."""
        from boclust.sampling.challenger_steps import challenged_arm, look_for_challenger

        return look_for_challenger, challenged_arm

    def crowd_kernels(self) -> tuple[Any, Any]:
        """See ``crowd_kernels``."""
        from boclust.many_arms.challenger import look_at_crowd, planned_arm

        return look_at_crowd, planned_arm

    def pace(self, n_arms: int) -> int:
        """A batch."""
        return self.batch or super().pace(n_arms)
