"""What kernels know of a family: its law, and the formulas that laws share.

Laws are apart from the families so that describing a problem does not load Numba.
"""

from math import lgamma

import numpy as np

from boclust.kernels import Struct, kernel
from boclust.problem.intervals import limits, radius

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


class GaussianLaw(Law):
    """N(mean, 1), which all quadratic families share: samples are told in units of sigma."""

    def interval(
        self, total: float, count: float, position: float, n_arms: int, dim: int, delta: float,
        constant: bool,
    ) -> tuple[float, float]:
        """alpha_m(t) to either side (Section V)."""
        if constant:
            reach = np.sqrt(-2.0 * np.log(delta) / count)
        else:
            reach = radius(count, n_arms, dim, delta)
        return reach, reach

    def natural(self, mean: float) -> float:
        """The mean."""
        return mean

    def mean_of_natural(self, theta: float) -> float:
        """Theta."""
        return theta

    def variance(self, mean: float) -> float:
        """That of a sample in units of sigma."""
        return 1.0

    def divergence(self, mean: float, other: float) -> float:
        """(m - l)^2 / 2."""
        return 0.5 * (mean - other) ** 2

    def rest(self, mean: float, push: float) -> float:
        """In proportion to the force."""
        return mean + push

    def is_quadratic(self) -> bool:
        """The divergence is half the squared distance."""
        return True


class BernoulliLaw(Law):
    """Samples that are 0 or 1."""

    def estimate(self, total: float, count: float) -> float:
        """The sample mean, or Jeffreys' posterior mean after only zeros or only ones."""
        if total <= 0.0 or total >= count:
            return (total + 0.5) / (count + 1.0)
        return total / count

    def natural(self, mean: float) -> float:
        """log(p / (1 - p))."""
        if mean <= 0.0:
            return -np.inf
        if mean >= 1.0:
            return np.inf
        return np.log(mean) - np.log1p(-mean)

    def mean_of_natural(self, theta: float) -> float:
        """1 / (1 + exp(-theta)), without overflow."""
        return 1.0 / (1.0 + np.exp(-theta)) if theta > 0 else np.exp(theta) / (1.0 + np.exp(theta))

    def variance(self, mean: float) -> float:
        """p (1 - p)."""
        return mean * (1.0 - mean)

    def divergence(self, mean: float, other: float) -> float:
        """p log(p/q) + (1-p) log((1-p)/(1-q))."""
        if other <= 0.0 or other >= 1.0:
            return 0.0 if mean == other else np.inf
        ones = mean * ratio_excess(other, mean) if mean > 0.0 else other
        rest = 1.0 - mean
        zeros = rest * log_excess((mean - other) / rest) if mean < 1.0 else 1.0 - other
        return ones + zeros

    def rest(self, mean: float, push: float) -> float:
        """In the mean: (pos - mean) = push pos (1 - pos), solved without cancellation."""
        if not self.in_mean:
            return self.natural(mean + push)
        if push <= 0.0:
            b = 1.0 - push
            root = np.sqrt(max(b * b + 4.0 * push * mean, 0.0))
            return min(2.0 * mean / (b + root), 1.0)
        b = 1.0 + push
        root = np.sqrt(max(b * b - 4.0 * push * (1.0 - mean), 0.0))
        return max(1.0 - 2.0 * (1.0 - mean) / (b + root), 0.0)

    def penalty(self, total: float, count: float) -> float:
        """The prior on the mean is Beta(1/2, 1/2)."""
        rest = count - total
        best = total * np.log(total / count) if total > 0.0 else 0.0
        best += rest * np.log(rest / count) if rest > 0.0 else 0.0
        mixed = lgamma(total + 0.5) + lgamma(rest + 0.5) - lgamma(count + 1.0) - np.log(np.pi)
        return best - mixed

    def highest_mean(self) -> float:
        """One."""
        return 1.0


class PoissonLaw(Law):
    """Counts."""

    def estimate(self, total: float, count: float) -> float:
        """The sample mean, or Jeffreys' posterior mean after only zeros."""
        return 0.5 / count if total <= 0.0 else total / count

    def natural(self, mean: float) -> float:
        """Log of the mean."""
        return np.log(mean) if mean > 0.0 else -np.inf

    def mean_of_natural(self, theta: float) -> float:
        """e^theta."""
        return np.exp(theta)

    def variance(self, mean: float) -> float:
        """The mean."""
        return mean

    def divergence(self, mean: float, other: float) -> float:
        """l - m + m log(m / l)."""
        if other <= 0.0:
            return 0.0 if mean == other else np.inf
        return mean * ratio_excess(other, mean) if mean > 0.0 else other

    def rest(self, mean: float, push: float) -> float:
        """In the mean: no force of one or more can be balanced."""
        if not self.in_mean:
            return self.natural(mean + push)
        return mean / (1.0 - push) if push < 1.0 else np.inf

    def penalty(self, total: float, count: float) -> float:
        """The prior on the mean is Gamma(1/2, b), an average over b."""
        return gamma_penalty(total, count)

    def is_linear_at_zero(self) -> bool:
        """In the mean: d(0, l) = l."""
        return self.in_mean


class ExponentialLaw(Law):
    """Waiting times."""

    def natural(self, mean: float) -> float:
        """-1 / mean."""
        return -1.0 / mean if mean > 0.0 else -np.inf

    def mean_of_natural(self, theta: float) -> float:
        """-1 / theta."""
        return -1.0 / theta if theta < 0.0 else np.inf

    def variance(self, mean: float) -> float:
        """The squared mean."""
        return mean * mean

    def divergence(self, mean: float, other: float) -> float:
        """m/l - 1 - log(m/l)."""
        if other <= 0.0 or other == np.inf:
            return np.inf
        return ratio_excess(mean, other)

    def rest(self, mean: float, push: float) -> float:
        """In the mean: no force above 1 / (4 mean) can be balanced."""
        if not self.in_mean:
            return self.natural(mean + push)
        square = 1.0 - 4.0 * push * mean
        return 2.0 * mean / (1.0 + np.sqrt(square)) if square >= 0.0 else np.inf

    def penalty(self, total: float, count: float) -> float:
        """The prior on the rate is Gamma(1/2, b), an average over b."""
        return gamma_penalty(count, total)

    def is_convex(self) -> bool:
        """In the mean only up to twice the mean."""
        return not self.in_mean
