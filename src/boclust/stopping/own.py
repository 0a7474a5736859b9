"""Stopping rules that belong to one sampling rule each: of FSS, of BOC-ELIM and MaxGap, of BOC."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from boclust._validate import FloatArray, integer
from boclust.kernels import Struct, kernel
from boclust.problem.families import Gaussian
from boclust.psi.equal_means import boc_statistic
from boclust.run.state import Problem, Run, fewest, observe_nothing
from boclust.stopping.base import Kernels, Stopping
from boclust.stopping.glr import NOTHING

# --- a fixed sample size ------------------------------------------------------------------------


class FixedSizeState(Struct):
    """How many samples every arm is to have."""

    per_arm: float


@kernel
def enough_samples(run: Run, own: FixedSizeState, threshold: float) -> float:
    """Infinite once every arm has its samples."""
    return np.inf if run.counts[fewest(run.counts)] >= own.per_arm else -np.inf


@dataclass(frozen=True)
class FixedSize(Stopping):
    """Stop when every arm has ``per_arm`` samples (FSS): no statement about errors."""

    name: ClassVar[str] = "fixed-size"
    kernels: ClassVar[Kernels] = observe_nothing, enough_samples
    per_arm: int = 100

    def __post_init__(self) -> None:
        integer("per_arm", self.per_arm, 1)

    def new(self, problem: Problem, sampling_state: Struct) -> FixedSizeState:
        """The number of samples."""
        return FixedSizeState(per_arm=float(self.per_arm))

    def guarantee(self, problem: Problem) -> str:
        """None."""
        return "none: a sample size fixed beforehand guarantees nothing"


# --- an elimination that has decided ------------------------------------------------------------


class DecidedState(Struct):
    """The state of the elimination."""

    elimination: Any


@kernel
def elimination_is_done(run: Run, own: DecidedState, threshold: float) -> float:
    """Infinite once the elimination has decided."""
    return np.inf if own.elimination.done[0] == 1 else -np.inf


@dataclass(frozen=True)
class Decided(Stopping):
    """Stop when the elimination has decided: BOC-ELIM and the MaxGap rules.

    All their decisions are right if every confidence interval covers its mean at all times, which
    has probability 1 - delta. With ``constant`` the intervals are the means l with
    ``N d(mean, l) <= log(1/delta)``, to sweep for curves against the observed error rate; the
    sampling rule has the same option, for it makes the intervals.
    """

    name: ClassVar[str] = "decided"
    kernels: ClassVar[Kernels] = observe_nothing, elimination_is_done
    constant: bool = False

    def new(self, problem: Problem, sampling_state: Struct) -> DecidedState:
        """It reads ``done`` of the sampling rule's state."""
        return DecidedState(elimination=sampling_state)

    def guarantee(self, problem: Problem) -> str:
        """That of the intervals."""
        return NOTHING if self.constant else super().guarantee(problem)


# --- BOC's statistic ----------------------------------------------------------------------------


class BocState(Struct):
    """Whether the threshold stays as it is."""

    constant: bool


@kernel
def boc_excess(run: Run, own: BocState, threshold: float) -> float:
    """BOC's Z less the part of its threshold that grows with the counts."""
    z = boc_statistic(run.counts, run.means, run.labels, run.start.shape[0] - 1)
    if own.constant:
        return z
    return z - threshold_growth(run.counts, run.means.shape[1])


@kernel
def threshold_growth(counts: FloatArray, dim: int) -> float:
    """``2 d sum_m log(4 + log N_m)``: BOC's threshold beta(delta, t) less ``threshold_level``.

    With probability 1 - delta, sum_m N_m |estimate_m - mean_m|^2 / 2 stays below beta at all times:
    the M d coordinates are independent Gaussian arms.
    """
    total = 0.0
    for i in range(counts.shape[0]):
        total += np.log(4.0 + np.log(counts[i]))
    return 2.0 * dim * total


def threshold_level(n_arms: int, dim: int, delta: float) -> float:
    """``M d Psi(log(1/delta) / (M d))``, the part of the threshold that does not change in a run.

    ``Psi(x) = min over 1/2 < a < 1 of (g(a) + x) / a`` with
    ``g(a) = 2a (1 - log(4a)) + log zeta(2a) - 1/2 log(1 - a)`` (Kaufmann and Koolen, "Mixture
    Martingales Revisited", JMLR 22 (2021), for Gaussian samples).
    """
    from scipy.optimize import minimize_scalar
    from scipy.special import zeta

    n_coordinates = n_arms * dim
    x = -np.log(delta) / n_coordinates

    def quotient(a: float) -> float:
        g = 2.0 * a * (1.0 - np.log(4.0 * a)) + np.log(zeta(2.0 * a)) - 0.5 * np.log1p(-a)
        return float((g + x) / a)

    best = minimize_scalar(quotient, bounds=(0.5, 1.0), method="bounded", options={"xatol": 1e-9})
    return float(n_coordinates * best.fun)


@dataclass(frozen=True)
class BocStatistic(Stopping):
    """The rule of BOC (Yang, Zhong, Tan 2024), proven if all arms of a cluster share a mean.

    With ``constant`` its statistic is compared with log(1/delta), as rule ``constant`` does.
    """

    name: ClassVar[str] = "boc-statistic"
    quadratic_only: ClassVar[bool] = True
    kernels: ClassVar[Kernels] = observe_nothing, boc_excess
    constant: bool = False

    def new(self, problem: Problem, sampling_state: Struct) -> BocState:
        """Nothing but the option."""
        return BocState(constant=self.constant)

    def _threshold(self, problem: Problem) -> float:
        if self.constant:
            return super()._threshold(problem)
        return threshold_level(problem.n_arms, problem.dim, problem.delta)

    def guarantee(self, problem: Problem) -> str:
        """Under BOC's assumption only."""
        if self.constant:
            return NOTHING
        said = super().guarantee(problem)
        gaussian = isinstance(problem.family, Gaussian)
        known = "" if gaussian else "; its proof is for Gaussian samples"
        return f"{said} and all arms of a cluster have the same mean{known}"
