"""Time-uniform confidence intervals of the arms."""

import numpy as np

from boclust.kernels import kernel
from boclust.problem.families.laws import BERNOULLI, divergence


@kernel
def radius(count: float, n_arms: int, dim: int, delta: float) -> float:
    """alpha_m(t) = sqrt(2/N log(2^(d+1) M N^2 / delta)), in units of sigma (Section V)."""
    inside = (dim + 1) * np.log(2.0) + np.log(n_arms * count * count) - np.log(delta)
    return np.sqrt(2.0 / count * inside)


@kernel
def limits(family: int, mean: float, most: float) -> tuple[float, float]:
    """The means l below and above ``mean`` with d(mean, l) = ``most``.

    With ``most = (log(M / delta) + penalty) / N`` they hold the true means of all M arms at all
    times with probability 1 - delta: Ville's inequality for the conjugate mixture of each arm.
    """
    high = 1.0 if family == BERNOULLI else 2.0 * mean + 2.0 * most
    if family != BERNOULLI:
        while divergence(family, mean, high) < most:
            high *= 2.0
    high = bisect(family, mean, most, mean, high)
    if mean <= 0.0:
        return mean, high
    inner = mean
    outer = 0.5 * mean
    while outer > 0.0 and divergence(family, mean, outer) < most:
        inner = outer
        outer *= 0.5
    return bisect(family, mean, most, inner, outer), high


@kernel
def bisect(family: int, mean: float, most: float, inner: float, outer: float) -> float:
    """Where d(mean, l) = ``most`` between two means l, from the far side."""
    for _ in range(60):
        middle = 0.5 * (inner + outer)
        if divergence(family, mean, middle) > most:
            outer = middle
        else:
            inner = middle
    return outer
