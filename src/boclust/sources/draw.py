"""One sample of any source, for callables and for whole simulated trials alike."""

from functools import cache, partial
from typing import Any

import numpy as np

from boclust._validate import FloatArray, IntArray, KeyArray
from boclust.kernels import Struct, f2, first_class, i1, kernel
from boclust.sources.random import (
    below,
    bernoulli,
    beta,
    bits,
    exponential,
    normal,
    poisson,
)


class Supply(Struct):
    """What samples depend on beside the key of the arm.

    Simulated arms have the means ``truth[arm]`` and independent coordinates. ``spread`` is the
    standard deviation of normal and beta samples; ``records`` then has two rows, the values that
    Bernoulli samples take or the ends of the interval of beta samples. Replayed arms have
    ``records[begin[arm]:begin[arm + 1]]``, and the same part of ``order`` if each is drawn once.
    """

    spread: float
    truth: f2  # M x d
    records: f2
    begin: i1
    order: i1


class Tap(Struct):
    """The kernel that draws coordinate ``c`` of sample ``index`` of an arm; NaN: no records left.

    ``draw(supply, key, arm, index, c)``.
    """

    draw: Any


@kernel
def draw_normal(supply: Supply, key: np.uint64, arm: int, index: int, c: int) -> float:
    """Coordinate c of sample i is number i d + c of the arm, here and below."""
    number = index * supply.truth.shape[1] + c
    return supply.truth[arm, c] + supply.spread * normal(key, number)


@kernel
def draw_poisson(supply: Supply, key: np.uint64, arm: int, index: int, c: int) -> float:
    """A Poisson sample."""
    return poisson(key, index * supply.truth.shape[1] + c, supply.truth[arm, c])


@kernel
def draw_exponential(supply: Supply, key: np.uint64, arm: int, index: int, c: int) -> float:
    """An exponential sample."""
    return exponential(key, index * supply.truth.shape[1] + c, supply.truth[arm, c])


@kernel
def draw_bernoulli(supply: Supply, key: np.uint64, arm: int, index: int, c: int) -> float:
    """One of two values."""
    low, high = supply.records[0, c], supply.records[1, c]
    share = (supply.truth[arm, c] - low) / (high - low)
    number = index * supply.truth.shape[1] + c
    return high if bernoulli(key, number, share) == 1.0 else low


@kernel
def draw_beta(supply: Supply, key: np.uint64, arm: int, index: int, c: int) -> float:
    """A beta sample: a / (a + b) = share and a + b + 1 = share (1 - share) / unit^2."""
    low, high = supply.records[0, c], supply.records[1, c]
    share = (supply.truth[arm, c] - low) / (high - low)
    number = index * supply.truth.shape[1] + c
    unit = supply.spread / (high - low)
    size = (share / unit) * ((1.0 - share) / unit) - 1.0
    return min(low + (high - low) * beta(key, number, share * size, (1.0 - share) * size), high)


@kernel
def draw_again(supply: Supply, key: np.uint64, arm: int, index: int, c: int) -> float:
    """A record, drawn with replacement."""
    first = supply.begin[arm]
    row = first + below(key, index, supply.begin[arm + 1] - first)
    return supply.records[row, c]


@kernel
def draw_once(supply: Supply, key: np.uint64, arm: int, index: int, c: int) -> float:
    """The next record, each drawn once."""
    first = supply.begin[arm]
    if index >= supply.begin[arm + 1] - first:
        return np.nan
    return supply.records[supply.order[first + index], c]


_DRAWS = {
    "normal": draw_normal,
    "bernoulli": draw_bernoulli,
    "poisson": draw_poisson,
    "exponential": draw_exponential,
    "beta": draw_beta,
    "replay": draw_again,
    "replay-once": draw_once,
}


@cache
def tap(kind: str) -> Tap:
    """What draws samples of a kind."""
    few = np.zeros((1, 1))
    none = np.zeros(0, dtype=np.int64)
    example = Supply(spread=0.0, truth=few, records=few, begin=none, order=none)
    return Tap(draw=first_class(_DRAWS[kind], 0.0, example, np.uint64(0), 0, 0, 0))


@cache
def sampler(kind: str) -> Any:
    """``draw_sample`` for one kind of samples."""
    return partial(draw_sample, tap(kind))


@kernel
def draw_sample(
    tap: Tap, supply: Supply, key: np.uint64, arm: int, index: int, sample: FloatArray
) -> bool:
    """All coordinates of a sample; False if no records are left."""
    for c in range(sample.shape[0]):
        sample[c] = tap.draw(supply, key, arm, index, c)
        if np.isnan(sample[c]):
            return False
    return True


@kernel
def shuffle(begin: IntArray, keys: KeyArray, order: IntArray) -> None:
    """Fill ``order`` with a random permutation of the rows of each arm (Fisher-Yates)."""
    for arm in range(begin.shape[0] - 1):
        first = begin[arm]
        fresh = bits(keys[arm], 0)
        for row in range(first, begin[arm + 1]):
            order[row] = row
        for left in range(begin[arm + 1] - first, 1, -1):
            last = first + left - 1
            other = first + below(fresh, left, left)
            row = order[last]
            order[last] = order[other]
            order[other] = row
