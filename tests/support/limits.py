"""The limits of confidence intervals by root finding."""

import numpy as np
from scipy.optimize import brentq


def divergence(family, mean, log_ratio):
    """d(mean, mean exp(log_ratio)), 0 < mean < 1 for Bernoulli."""
    change = np.expm1(log_ratio)
    if family.name == "exponential":
        return np.expm1(-log_ratio) + log_ratio
    here = mean * (change - log_ratio)
    if family.name == "poisson":
        return here
    with np.errstate(divide="ignore"):  # all ones: infinitely far
        return here - mean * change - (1 - mean) * np.log1p(-mean * change / (1 - mean))


def root(family, mean, most, side):
    """The root of d(mean, .) = most below (side = -1) or above (+1) a mean > 0."""

    def reach(log_ratio):
        return divergence(family, mean, log_ratio) - most

    far = side * 1.0
    while reach(far) < 0:
        far *= 2
    return mean * np.exp(brentq(reach, *sorted((far, 0.0)), xtol=1e-15, rtol=1e-14))


def slow_limits(family, mean, most):
    """The two roots of d(mean, .) = most; the end of the space where the mean lies on it."""
    if family.name == "bernoulli":
        if mean == 0:
            return 0.0, -np.expm1(-most)
        if mean == 1:
            return np.exp(-most), 1.0
        return root(family, mean, most, -1), 1 - root(family, 1 - mean, most, -1)
    if mean == 0:
        return 0.0, most
    return root(family, mean, most, -1), root(family, mean, most, 1)
