"""The peers of Yang, Zhong and Tan (2024), who assume equal means inside a cluster."""

from dataclasses import dataclass
from typing import Any, ClassVar

from boclust.problem.families import Family
from boclust.problem.families.gaussian import Quadratic
from boclust.sampling.base import Sampling
from boclust.sampling.codes import BOC, BOC_SLINK


@dataclass(frozen=True)
class Boc(Sampling):
    """Direct tracking of the proportions that are optimal when a cluster has one mean.

    Clusters are those of weighted K-means; see ``boc_kernels``.
    """

    name: ClassVar[str] = "boc"
    code: ClassVar[int] = BOC
    reason: ClassVar[str] = "farthest behind its best share of the samples"
    own_stopping: ClassVar[str | None] = "boc-statistic"

    def refusal(self, dim: int, n_clusters: int, family: Family) -> str:
        """Gaussian samples."""
        return "" if isinstance(family, Quadratic) else "Gaussian, SubGaussian or Bounded samples"

    def parts(self, n_arms: int) -> dict[str, Any]:
        """Its proportions."""
        return {"peer": True}

    def kernels(self, dim: int) -> tuple[Any, Any]:
        """See ``boc_kernels``."""
        from boclust.sampling.boc_steps import arm_behind_equal_means, look_for_equal_means

        return look_for_equal_means, arm_behind_equal_means


@dataclass(frozen=True)
class BocSlink(Boc):
    """The same with the clusters of single linkage."""

    name: ClassVar[str] = "boc-slink"
    code: ClassVar[int] = BOC_SLINK
