"""Stopping rules that belong to one sampling rule."""

from dataclasses import dataclass
from typing import Any, ClassVar

from boclust._validate import integer
from boclust.problem.families import Family, Gaussian
from boclust.stopping.base import Stopping
from boclust.stopping.constant import NOTHING


@dataclass(frozen=True)
class FixedSize(Stopping):
    """Stop when every arm has ``per_arm`` samples (FSS): no statement about errors."""

    name: ClassVar[str] = "fixed-size"
    per_arm: int = 100

    def __post_init__(self) -> None:
        integer("per_arm", self.per_arm, 1)

    @property
    def parameter(self) -> float:
        """The samples of each arm."""
        return float(self.per_arm)

    def kernels(self, dim: int, family: Family) -> tuple[Any, Any]:
        """A count."""
        from boclust.stopping.own_kernels import standing_fixed_size

        return standing_fixed_size, None

    def guarantee(self, family: Family, delta: float, dim: int) -> str:
        """None."""
        return "none: a sample size fixed beforehand guarantees nothing"


@dataclass(frozen=True)
class Decided(Stopping):
    """Stop when the elimination has decided: BOC-ELIM and the MaxGap rules.

    All their decisions are right when every confidence interval covers its mean at all times,
    which has probability 1 - delta. With ``constant`` the intervals are the means l with
    ``N d(mean, l) <= log(1/delta)``, to sweep for curves against the observed error rate.
    """

    name: ClassVar[str] = "decided"
    constant: bool = False

    def kernels(self, dim: int, family: Family) -> tuple[Any, Any]:
        """Yes or no."""
        from boclust.stopping.own_kernels import standing_decided

        return standing_decided, None

    def guarantee(self, family: Family, delta: float, dim: int) -> str:
        """That of the intervals."""
        return NOTHING if self.constant else super().guarantee(family, delta, dim)


@dataclass(frozen=True)
class BocStatistic(Stopping):
    """The rule of BOC (Yang, Zhong, Tan 2024), proven where all arms of a cluster share a mean.

    With ``constant`` its statistic is compared with log(1/delta), as rule ``constant`` does.
    """

    name: ClassVar[str] = "boc-statistic"
    quadratic_only: ClassVar[bool] = True
    constant: bool = False

    def kernels(self, dim: int, family: Family) -> tuple[Any, Any]:
        """Its own statistic: see ``boc_kernels``."""
        from boclust.stopping.own_kernels import standing_of_equal_means

        return standing_of_equal_means, None

    def _threshold(self, n_arms: int, dim: int, n_clusters: int, delta: float) -> float:
        """``M d Psi(log(1/delta) / (M d))``."""
        from boclust.sampling.boc_steps import threshold_level

        if self.constant:
            return super()._threshold(n_arms, dim, n_clusters, delta)
        return threshold_level(n_arms, dim, delta)

    def guarantee(self, family: Family, delta: float, dim: int) -> str:
        """Under BOC's assumption only."""
        if self.constant:
            return NOTHING
        said = super().guarantee(family, delta, dim)
        known = "" if isinstance(family, Gaussian) else "; its proof is for Gaussian samples"
        return f"{said} and all arms of a cluster have the same mean{known}"
