"""Time-uniform confidence intervals of the arms."""

import numpy as np

from boclust._jit import kernel
from boclust.families.family_kernels import BERNOULLI, divergence


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
    low = mean
    high = 1.0 if family == BERNOULLI else 2.0 * mean + 2.0 * most
    if family != BERNOULLI:
        while divergence(family, mean, high) < most:
            high *= 2.0
    inner = mean
    for _ in range(60):
        middle = 0.5 * (inner + high)
        if divergence(family, mean, middle) > most:
            high = middle
        else:
            inner = middle
    if mean > 0.0:
        inner = mean
        outer = 0.5 * mean
        while outer > 0.0 and divergence(family, mean, outer) < most:
            inner = outer
            outer *= 0.5
        for _ in range(60):
            middle = 0.5 * (inner + outer)
            if divergence(family, mean, middle) > most:
                outer = middle
            else:
                inner = middle
        low = outer
    return low, high
