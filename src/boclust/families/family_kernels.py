"""Divergences of the one-parameter families, and where an arm comes to rest under a force."""

import numpy as np

from boclust._jit import kernel

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
def divergence(family: int, mean: float, other: float) -> float:
    """Kullback-Leibler divergence between two means; the first may lie on the boundary."""
    if family == BERNOULLI:
        if other <= 0.0 or other >= 1.0:
            return 0.0 if mean == other else np.inf
        value = 0.0
        if mean > 0.0:
            value -= mean * np.log1p((other - mean) / mean)
        if mean < 1.0:
            value -= (1.0 - mean) * np.log1p((mean - other) / (1.0 - mean))
        return max(value, 0.0)
    if family == POISSON:
        if other <= 0.0:
            return 0.0 if mean == other else np.inf
        if mean <= 0.0:
            return other
        return max(other - mean - mean * np.log1p((other - mean) / mean), 0.0)
    if family == EXPONENTIAL:
        if other <= 0.0 or other == np.inf:
            return np.inf
        return max(np.log1p((other - mean) / mean) - (other - mean) / other, 0.0)
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
            return 2.0 * mean / (b + np.sqrt(max(b * b + 4.0 * push * mean, 0.0)))
        b = 1.0 + push
        gap = 2.0 * (1.0 - mean) / (b + np.sqrt(max(b * b - 4.0 * push * (1.0 - mean), 0.0)))
        return 1.0 - gap
    if family == POISSON:
        return mean / (1.0 - push) if push < 1.0 else np.inf
    root = 1.0 - 4.0 * push * mean  # exponential: no force above 1 / (4 mean) can be balanced
    return 2.0 * mean / (1.0 + np.sqrt(root)) if root >= 0.0 else np.inf
