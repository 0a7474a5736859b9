"""Conjugate mixtures of the one-parameter families: what not knowing the mean costs.

For a proper prior on the parameter of an arm, the mixture likelihood over the likelihood at the
truth is a non-negative martingale that starts at one. At any mean l its logarithm is
``N d(sample mean, l) - penalty``, where the penalty does not depend on l.
"""

from math import lgamma

import numpy as np

from boclust.kernels import kernel
from boclust.problem.families.laws import BERNOULLI, POISSON

#: Shape of the Gamma priors (1/2, as in Jeffreys' prior) and their rates, mixed with equal weights
#: so that the unit in which samples are measured hardly matters.
SHAPE = 0.5
RATES = (1e-8, 1e-6, 1e-4, 1e-2, 1.0, 1e2, 1e4, 1e6, 1e8)


@kernel
def penalty(family: int, total: float, count: float) -> float:
    """log of the largest likelihood less log of the mixture likelihood of ``count`` samples.

    Bernoulli: Beta(1/2, 1/2) on the mean. Poisson: Gamma(1/2, b) on the mean; Exponential: on the
    rate; an average over b.
    """
    if family == BERNOULLI:
        rest = count - total
        best = total * np.log(total / count) if total > 0.0 else 0.0
        best += rest * np.log(rest / count) if rest > 0.0 else 0.0
        mixed = lgamma(total + 0.5) + lgamma(rest + 0.5) - lgamma(count + 1.0) - np.log(np.pi)
        return best - mixed
    if family == POISSON:
        events = total
        exposure = count
    else:
        events = count
        exposure = total
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
