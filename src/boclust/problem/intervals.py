"""Time-uniform confidence intervals of the arms."""

from typing import Any

import numpy as np

from boclust.kernels import kernel


@kernel
def radius(count: float, n_arms: int, dim: int, delta: float) -> float:
    """alpha_m(t) = sqrt(2/N log(2^(d+1) M N^2 / delta)), in units of sigma (Section V)."""
    inside = (dim + 1) * np.log(2.0) + np.log(n_arms * count * count) - np.log(delta)
    return np.sqrt(2.0 / count * inside)


@kernel
def interval(law: Any, mean: float, count: float, level: float) -> tuple[float, float]:
    """The ``limits`` of an arm after ``count`` samples, ``level`` being log(M / delta)."""
    return limits(law, mean, (level + law.penalty(mean * count, count)) / count)


@kernel
def limits(law: Any, mean: float, most: float) -> tuple[float, float]:
    """The means l below and above ``mean`` with d(mean, l) = ``most``.

    With ``most = (log(M / delta) + penalty) / N`` they hold the true means of all M arms at all
    times with probability 1 - delta: Ville's inequality for the conjugate mixture of each arm.
    """
    high = law.highest_mean()
    if high == np.inf:
        high = 2.0 * mean + 2.0 * most
        while law.divergence(mean, high) < most:
            high *= 2.0
    high = bisect(law, mean, most, mean, high)
    if mean <= 0.0:
        return mean, high
    inner = mean
    outer = 0.5 * mean
    while outer > 0.0 and law.divergence(mean, outer) < most:
        inner = outer
        outer *= 0.5
    return bisect(law, mean, most, inner, outer), high


@kernel
def bisect(law: Any, mean: float, most: float, inner: float, outer: float) -> float:
    """Where d(mean, l) = ``most`` between two means l, from the far side."""
    for _ in range(60):
        middle = 0.5 * (inner + outer)
        if law.divergence(mean, middle) > most:
            outer = middle
        else:
            inner = middle
    return outer
