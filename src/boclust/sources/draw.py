"""One sample of any source, for the callables and for whole simulated trials alike."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from boclust.kernels import kernel
from boclust._reference import by_reference
from boclust._validate import FloatArray, IntArray
from boclust.sources.codes import BERNOULLI, EXPONENTIAL, NORMAL, POISSON, REPLAY, REPLAY_ONCE
from boclust.sources.random import (
    below,
    bernoulli,
    beta,
    bits,
    exponential,
    normal,
    poisson,
)


@by_reference
class Supply(NamedTuple):
    """What ``drawing`` needs of a source beside the keys and what to draw."""

    kind: int
    spread: float
    truth: FloatArray  # M x d
    records: FloatArray
    begin: IntArray
    order: IntArray


_NONE, _FEW = np.zeros(0, dtype=np.int64), np.zeros((1, 1))
#: A supply, a key, an arm and an index.
_EXAMPLE = Supply(NORMAL, 0.0, _FEW, _FEW, _NONE, _NONE), np.uint64(0), 0, 0


@by_reference
class Tap(NamedTuple):
    """The kernel that draws: see ``drawing``."""

    draw: Callable[[Supply, np.uint64, int, int, int], float]


@cache
def drawing(kind: int) -> Tap:
    """The kernel that draws samples of one kind.

    It returns coordinate ``c`` of sample number ``index`` (from 0) of ``arm``, whose key is given;
    NaN: no records left. Simulated kinds have means ``truth[arm]`` and independent coordinates;
    coordinate c of sample i is number i d + c of the arm. ``spread`` is the standard deviation of
    NORMAL and BETA; ``records`` has two rows, the values that BERNOULLI takes and the ends of
    BETA's interval. For REPLAY and REPLAY_ONCE ``records[begin[arm]:begin[arm + 1]]`` are those of
    the arm, drawn with replacement or once each, in the sequence of the same part of ``order``.
    """
    draw: Any = draw_record if kind in (REPLAY, REPLAY_ONCE) else draw_simulated
    if kind == NORMAL:
        draw = draw_normal
    return Tap(pointer(draw, 0.0, *_EXAMPLE, 0))


@cache
def drawing_alone(kind: int) -> Callable[..., bool]:
    """``draw_sample`` for Python that calls it for one sample at a time."""
    tap = drawing(kind)
    return partial(direct(draw_sample, tap, *_EXAMPLE, np.zeros(1)), tap)


@kernel
def draw_sample(
    tap: Tap, supply: Supply, key: np.uint64, arm: int, index: int, sample: FloatArray
) -> bool:
    """All coordinates of a sample; False: no records left."""
    for c in range(sample.shape[0]):
        sample[c] = tap.draw(supply, key, arm, index, c)
    return not np.isnan(sample[0])


@kernel
def draw_normal(
    supply: Supply, key: np.uint64, arm: int, index: int, c: int
) -> float:
    """See ``drawing``."""
    number = index * supply.truth.shape[1] + c
    return supply.truth[arm, c] + supply.spread * normal(key, number)


@kernel
def draw_record(
    supply: Supply, key: np.uint64, arm: int, index: int, c: int
) -> float:
    """See ``drawing``."""
    first = supply.begin[arm]
    count = supply.begin[arm + 1] - first
    if supply.kind == REPLAY:
        row = first + below(key, index, count)
    elif index < count:
        row = supply.order[first + index]
    else:
        return np.nan
    return supply.records[row, c]


@kernel
def draw_simulated(
    supply: Supply, key: np.uint64, arm: int, index: int, c: int
) -> float:
    """See ``drawing``."""
    ends = supply.records
    return simulated(
        supply.kind, supply.spread, supply.truth[arm, c], ends[0, c], ends[1, c], key,
        index * supply.truth.shape[1] + c,
    )


@kernel
def simulated(
    kind: int, spread: float, mean: float, low: float, high: float, key: np.uint64, number: int,
) -> float:
    """One coordinate of a simulated sample that is not NORMAL."""
    if kind == POISSON:
        return poisson(key, number, mean)
    if kind == EXPONENTIAL:
        return exponential(key, number, mean)
    share = (mean - low) / (high - low)
    if kind == BERNOULLI:
        return high if bernoulli(key, number, share) == 1.0 else low
    # BETA: a / (a + b) = share and a + b + 1 = share (1 - share) / unit^2
    unit = spread / (high - low)
    size = (share / unit) * ((1.0 - share) / unit) - 1.0
    return min(low + (high - low) * beta(key, number, share * size, (1.0 - share) * size), high)


@kernel
def shuffle(begin: IntArray, keys: np.ndarray, order: IntArray) -> None:
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
