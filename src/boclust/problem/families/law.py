"""What kernels know of a family: its law, and the formulas that laws share."""

from math import lgamma

import numpy as np

from boclust.kernels import Struct, kernel
from boclust.problem.intervals import limits

#: Shape of the Gamma priors (1/2, as in Jeffreys' prior) and their rates, mixed with equal weights
#: so that the unit in which samples are measured hardly matters.
SHAPE = 0.5
RATES = (1e-8, 1e-6, 1e-4, 1e-2, 1.0, 1e2, 1e4, 1e6, 1e8)


class Law(Struct):
    """The distribution of one sample as a function of its mean, one subclass per family.

    Arms are compared by their positions: their means if ``in_mean``, else their natural parameters.
    """

    in_mean: bool

    def estimate(self, total: float, count: float) -> float:
        """The mean of ``count`` samples, kept inside the parameter space: ``Family.estimate``."""
        return total / count

    def natural(self, mean: float) -> float:
        """The natural parameter (infinite on the boundary of the parameter space)."""
        raise NotImplementedError

    def mean_of_natural(self, theta: float) -> float:
        """The mean map A'(theta)."""
        raise NotImplementedError

    def position(self, mean: float) -> float:
        """Where single linkage sees an arm with this mean."""
        return mean if self.in_mean else self.natural(mean)

    def mean_at(self, position: float) -> float:
        """The mean of an arm at this position."""
        return position if self.in_mean else self.mean_of_natural(position)

    def variance(self, mean: float) -> float:
        """The variance V(mean) of a sample."""
        raise NotImplementedError

    def spread(self, mean: float) -> float:
        """The asymptotic variance of a position, times the number of samples."""
        return self.variance(mean) if self.in_mean else 1.0 / self.variance(mean)

    def divergence(self, mean: float, other: float) -> float:
        """Kullback-Leibler divergence between two means; the first may lie on the boundary."""
        raise NotImplementedError

    def rest(self, mean: float, push: float) -> float:
        """Where a group with this mean comes to rest under ``push``, a force per unit of weight.

        The root of ``d/dpos divergence(mean, pos) = push``. In the natural parameter the derivative
        is A'(pos) - mean; in the mean it is (pos - mean) / V(pos).
        """
        raise NotImplementedError

    def penalty(self, total: float, count: float) -> float:
        """What not knowing the mean costs: log of the largest likelihood less log of the mixture's.

        For a proper prior on the mean of an arm, the mixture likelihood of its samples over the
        likelihood at the truth is a non-negative martingale that starts at one. At any mean l its
        logarithm is ``count d(total / count, l) - penalty``. Priors are conjugate.
        """
        raise NotImplementedError

    def interval(
        self, total: float, count: float, position: float, n_arms: int, dim: int, delta: float,
        constant: bool,
    ) -> tuple[float, float]:
        """How far an interval reaches below and above the position of an arm.

        With probability 1 - delta the intervals hold the positions of all arms at all times.
        ``constant``: the means l with ``count d(mean, l) <= log(1/delta)``.
        """
        most = -np.log(delta) / count
        if not constant:
            most += (np.log(n_arms) + self.penalty(total, count)) / count
        low, high = limits(self, total / count, most)
        return max(position - self.position(low), 0.0), max(self.position(high) - position, 0.0)

    def highest_mean(self) -> float:
        """The upper end of the parameter space."""
        return np.inf

    def is_quadratic(self) -> bool:
        """Whether the divergence is half the squared distance of the means."""
        return False

    def is_convex(self) -> bool:
        """Whether the divergence is convex in the position of the second mean."""
        return True

    def is_linear_at_zero(self) -> bool:
        """Whether the divergence from the mean zero grows in proportion to the position."""
        return False


@kernel
def log_excess(x: float) -> float:
    """``x - log(1 + x)`` to full precision, as ``families.base.log_excess``."""
    if abs(x) >= 0.1:
        return x - np.log1p(x)
    u = x / (2.0 + x)
    square = u * u
    tail = 1.0 / 7.0 + square * (1.0 / 9.0 + square / 11.0)
    tail = 1.0 / 3.0 + square * (1.0 / 5.0 + square * tail)
    return 2.0 * square / (1.0 - u) - 2.0 * u * square * tail


@kernel
def ratio_excess(top: float, bottom: float) -> float:
    """``r - 1 - log(r)`` of r = top / bottom, to full precision near one and near zero."""
    ratio = top / bottom
    if ratio < 0.5:
        return ratio - 1.0 - np.log(ratio)
    return log_excess((top - bottom) / bottom)


@kernel
def gamma_penalty(events: float, exposure: float) -> float:
    """The penalty of ``events`` that took ``exposure``, their rate averaged over Gamma priors."""
    top = -np.inf
    summed = 0.0
    for rate in RATES:
        value = -SHAPE * np.log1p(exposure / rate) - events * np.log1p(rate / exposure)
        if value > top:
            summed = summed * np.exp(top - value) + 1.0
            top = value
        else:
            summed += np.exp(value - top)
    return lgamma(SHAPE) - gamma_excess(events) - top - np.log(summed / len(RATES))


@kernel
def gamma_excess(x: float) -> float:
    """``log Gamma(x + 1/2) - (x log x - x)``: both are huge where x is, their difference is not.

    Stirling's series there.
    """
    if x < 100.0:
        return lgamma(x + SHAPE) - (x * np.log(x) - x if x > 0.0 else 0.0)
    return 0.5 * np.log(2.0 * np.pi) - 1.0 / (24.0 * x) + 7.0 / (2880.0 * x * x * x)
