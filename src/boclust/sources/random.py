"""Random numbers by counting: sample i of an arm is a function of the arm's key and i alone.

So the same arm shows the same samples to every algorithm, in whatever order it is asked. Methods
that need an unknown number of uniforms for one sample take ``bits(key, index)`` as the key of a
stream of their own.
"""

import math

import numpy as np

from boclust.kernels import kernel
from boclust.problem.families.law import log_excess, ratio_excess

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_TWO_PI = 6.283185307179586
_TINY = float(np.finfo(np.float64).tiny)


@kernel
def bits(key: np.uint64, index: int) -> np.uint64:
    """SplitMix64 of a key and a counter."""
    z = key + np.uint64(index + 1) * _GOLDEN
    z = (z ^ (z >> np.uint64(30))) * _MIX_1
    z = (z ^ (z >> np.uint64(27))) * _MIX_2
    return z ^ (z >> np.uint64(31))


@kernel
def uniform(key: np.uint64, index: int) -> float:
    """A number in (0, 1] from 53 bits; rounding makes it 1 once in 2^53 times, and never 0."""
    return (np.float64(bits(key, index) >> np.uint64(11)) + 0.5) * 1.1102230246251565e-16


@kernel
def below(key: np.uint64, index: int, count: int) -> int:
    """A whole number from 0 to count - 1."""
    return min(int(uniform(key, index) * count), count - 1)


@kernel
def normal(key: np.uint64, index: int) -> float:
    """A standard normal number (Box-Muller, one of each pair)."""
    radius = np.sqrt(-2.0 * np.log(uniform(key, 2 * index)))
    return radius * np.cos(_TWO_PI * uniform(key, 2 * index + 1))


@kernel
def bernoulli(key: np.uint64, index: int, mean: float) -> float:
    """1 with probability ``mean``, else 0; certain where the mean is 0 or 1."""
    return 1.0 if uniform(key, index) <= mean else 0.0


@kernel
def exponential(key: np.uint64, index: int, mean: float) -> float:
    """A waiting time > 0, by inversion; a rounded zero becomes the smallest normal number."""
    return _TINY - mean * np.log(uniform(key, index))


@kernel
def poisson(key: np.uint64, index: int, mean: float) -> float:
    """A count with any mean >= 0: by inversion below 10, by rejection from there on."""
    if mean < 10.0:
        return poisson_by_inversion(uniform(key, index), mean)
    return poisson_by_rejection(bits(key, index), mean)


@kernel
def poisson_by_inversion(u: float, mean: float) -> float:
    """The smallest k with P(count <= k) >= u, as far as double precision tells them apart."""
    k = 0.0
    term = np.exp(-mean)
    total = term
    while u > total:
        k += 1.0
        term *= mean / k
        if total + term == total:  # u lies beyond what the sum can reach
            break
        total += term
    return k


@kernel
def poisson_by_rejection(key: np.uint64, mean: float) -> float:
    """A count with a mean >= 10: algorithm PTRS of Hormann (1993).

    A uniform u at distance s from the nearer end of (0, 1) is stretched to
    ``k = floor((2a/s + b)(u - 1/2) + mean + 0.43)`` and accepted with probability
    ``P(k) (a/s^2 + b) / hat``. In the centre (s >= 0.07) that is at least ``certain``, in the tails
    (s < 0.013) at most s, so that most candidates need no P(k).
    """
    a, b, hat, certain = stretch(mean)
    i = 0
    while True:
        u = uniform(key, i)
        v = uniform(key, i + 1)
        i += 2
        s = max(min(u, 1.0 - u), 5e-17)  # u may be 1
        k = np.floor((2.0 * a / s + b) * (u - 0.5) + mean + 0.43)
        if s >= 0.07 and v <= certain:
            return k
        if k < 0.0 or (s < 0.013 and v > s):
            continue
        if np.log(v * hat / (a / (s * s) + b)) <= log_poisson(k, mean):
            return k


@kernel
def stretch(mean: float) -> tuple[float, float, float, float]:
    """The constants (a, b, hat, certain) of ``poisson_by_rejection``.

    The terms in 1/b are not Hormann's: with his, the probability of acceptance reaches 1.006 near
    mean 14, and near 31 falls below ``certain`` by 0.004.
    """
    b = 0.931 + 2.53 * np.sqrt(mean)
    hat = 1.1239 + 1.1328 / (b - 3.4) + 0.1 / b
    return 0.02483 * b - 0.059, b, hat, 0.9277 - 3.6224 / (b - 2.0) - 0.15 / b


@kernel
def log_poisson(k: float, mean: float) -> float:
    """log P(count = k) = -d(k, mean) - (log k! - k log k + k), d the divergence of the family.

    Nothing cancels between the two, however large they are. From k = 16 on the second is
    Stirling's series.
    """
    nearest = -(k * ratio_excess(mean, k) if k > 0.0 else mean)
    if k < 1.0:
        return nearest
    if k < 16.0:
        return nearest - (math.lgamma(k + 1.0) - k * np.log(k) + k)
    square = 1.0 / (k * k)
    series = (1.0 / 12.0 - square * (1.0 / 360.0 - square / 1260.0)) / k
    return nearest - 0.5 * np.log(_TWO_PI * k) - series


@kernel
def beta(key: np.uint64, index: int, a: float, b: float) -> float:
    """X / (X + Y) for X ~ Gamma(a) and Y ~ Gamma(b), from their logarithms.

    For small a or b most samples are closer to 0 or 1 than double precision can say; they are
    rounded to it.
    """
    fresh = bits(key, index)
    log_odds = log_gamma_sample(bits(fresh, 0), a) - log_gamma_sample(bits(fresh, 1), b)
    if log_odds > 0.0:
        return 1.0 / (1.0 + np.exp(-log_odds))
    return np.exp(log_odds) / (1.0 + np.exp(log_odds))


@kernel
def log_gamma_sample(key: np.uint64, shape: float) -> float:
    """The logarithm of a Gamma(shape) number: the rejection method of Marsaglia and Tsang (2000).

    For shape >= 1 and c = 1 / sqrt(9 (shape - 1/3)), (shape - 1/3) (1 + c x)^3 with x normal is
    accepted with probability exp(x^2/2 - (shape - 1/3) (y - log(1 + y))), y = (1 + c x)^3 - 1.
    Below one, Gamma(shape) is Gamma(shape + 1) U^(1 / shape).
    """
    boost = 0.0
    if shape < 1.0:
        boost = np.log(uniform(key, 0)) / shape
        shape += 1.0
    centre = shape - 1.0 / 3.0
    c = 1.0 / np.sqrt(9.0 * centre)
    i = 0
    while True:
        i += 1
        x = normal(key, 2 * i)  # uniforms 4i and 4i + 1
        step = c * x
        y = step * (3.0 + step * (3.0 + step))
        if y <= -1.0:
            continue
        if np.log(uniform(key, 4 * i + 2)) <= 0.5 * x * x - centre * log_excess(y):
            return boost + np.log(centre) + np.log1p(y)
