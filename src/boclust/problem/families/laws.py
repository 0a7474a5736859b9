"""Divergences of the one-parameter families, and where an arm comes to rest under a force."""

import numpy as np

from boclust.kernels import kernel

#: The codes of the families, ``Family.code``.
GAUSSIAN = 0
BERNOULLI = 1
POISSON = 2
EXPONENTIAL = 3


@kernel
def natural_of_mean(family: int, mean: float) -> float:
    """The natural parameter (infinite on the boundary of the parameter space)."""
    if family == BERNOULLI:
        if mean <= 0.0:
            return -np.inf
        if mean >= 1.0:
            return np.inf
        return np.log(mean) - np.log1p(-mean)
    if family == POISSON:
        return np.log(mean) if mean > 0.0 else -np.inf
    if family == EXPONENTIAL:
        return -1.0 / mean if mean > 0.0 else -np.inf
    return mean


@kernel
def mean_of_natural(family: int, theta: float) -> float:
    """The mean map A'(theta)."""
    if family == BERNOULLI:
        return 1.0 / (1.0 + np.exp(-theta)) if theta > 0 else np.exp(theta) / (1.0 + np.exp(theta))
    if family == POISSON:
        return np.exp(theta)
    if family == EXPONENTIAL:
        return -1.0 / theta if theta < 0.0 else np.inf
    return theta


@kernel
def estimate(family: int, total: float, count: float) -> float:
    """The sample mean, kept inside the parameter space as ``Family.estimate`` does."""
    if family == BERNOULLI and (total <= 0.0 or total >= count):
        return (total + 0.5) / (count + 1.0)
    if family == POISSON and total <= 0.0:
        return 0.5 / count
    return total / count


@kernel
def variance(family: int, mean: float) -> float:
    """The variance V(mean) of a sample."""
    if family == BERNOULLI:
        return mean * (1.0 - mean)
    if family == POISSON:
        return mean
    if family == EXPONENTIAL:
        return mean * mean
    return 1.0


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
def divergence(family: int, mean: float, other: float) -> float:
    """Kullback-Leibler divergence between two means; the first may lie on the boundary."""
    if family == BERNOULLI:
        if other <= 0.0 or other >= 1.0:
            return 0.0 if mean == other else np.inf
        ones = mean * ratio_excess(other, mean) if mean > 0.0 else other
        rest_mean = 1.0 - mean
        zeros = rest_mean * log_excess((mean - other) / rest_mean) if mean < 1.0 else 1.0 - other
        return ones + zeros
    if family == POISSON:
        if other <= 0.0:
            return 0.0 if mean == other else np.inf
        return mean * ratio_excess(other, mean) if mean > 0.0 else other
    if family == EXPONENTIAL:
        if other <= 0.0 or other == np.inf:
            return np.inf
        return ratio_excess(mean, other)
    return 0.5 * (mean - other) ** 2


@kernel
def rest(family: int, in_mean: bool, mean: float, push: float) -> float:
    """Where a group with this mean comes to rest under ``push``, a force per unit of weight.

    The root of ``d/dpos divergence(mean, pos) = push``. In the natural parameter the derivative is
    A'(pos) - mean; in the mean it is (pos - mean) / V(pos) with V the variance function.
    """
    if family == GAUSSIAN:
        return mean + push
    if not in_mean:
        return natural_of_mean(family, mean + push)
    if family == BERNOULLI:  # (pos - mean) = push pos (1 - pos), solved without cancellation
        if push <= 0.0:
            b = 1.0 - push
            root = np.sqrt(max(b * b + 4.0 * push * mean, 0.0))
            return min(2.0 * mean / (b + root), 1.0)
        b = 1.0 + push
        root = np.sqrt(max(b * b - 4.0 * push * (1.0 - mean), 0.0))
        return max(1.0 - 2.0 * (1.0 - mean) / (b + root), 0.0)
    if family == POISSON:
        return mean / (1.0 - push) if push < 1.0 else np.inf
    square = 1.0 - 4.0 * push * mean  # exponential: no force above 1 / (4 mean) can be balanced
    return 2.0 * mean / (1.0 + np.sqrt(square)) if square >= 0.0 else np.inf
