"""Checks of everything a user hands in: one clear line that names the argument."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path
from reprlib import Repr
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
KeyArray = NDArray[np.uint64]


#: Means, scales and weights beyond this (or below its inverse) are refused: squares of their
#: ratios must stay within the range of double precision.
LARGEST = 1e60
#: More arms, or numbers in a sample, are a slip of the pen, and would fill the memory.
MOST_ARMS = 1_000_000
MOST_DIMENSIONS = 100_000
#: Kernels count in 64 bits.
MOST_SAMPLES = 10**18


class InvalidInputError(ValueError):
    """An argument that is not accepted; the message names it, what was wrong and what is taken."""

    #: Of many observations that were told together: which one it is about.
    observation: int | None = None


def invalid(name: str, accepted: str, got: object) -> InvalidInputError:
    """The error to raise: ``name must be accepted, got got``.

    >>> print(invalid("n", "an integer from 1 to 7", 9))
    n must be an integer from 1 to 7, got 9
    """
    return InvalidInputError(f"{name} must be {accepted}, got {got}")


def fail(name: str, problem: str, accepted: str) -> InvalidInputError:
    """The error to raise: ``name: problem; accepted is accepted``."""
    return InvalidInputError(f"{name}: {problem}; accepted: {accepted}")


def shown(value: Any) -> str:
    """``repr`` of a value on one line, cut to a readable length."""
    short = Repr()
    short.maxother = short.maxstring = short.maxlong = 60
    try:
        text = short.repr(value)
    except ValueError:  # Python writes no integer of thousands of digits
        text = f"a {type(value).__name__} of thousands of digits"
    return " ".join(line.strip() for line in text.splitlines())


def finite_array(name: str, value: Any, accepted: str) -> FloatArray:
    """``value`` as a new float64 array without NaN or infinity."""
    if isinstance(value, (str, bytes, bytearray, Mapping, Set)):
        raise fail(name, f"is the {type(value).__name__} {shown(value)}", accepted)
    if np.ma.isMaskedArray(value):
        raise fail(name, "is a masked array", accepted)
    if isinstance(value, Iterator):
        value = list(value)
    try:
        raw = np.asarray(value)
        # objects are whole numbers too large for 64 bits, fractions and the like
        numbers = raw.astype(np.float64) if raw.dtype == object else raw
    except OverflowError:
        raise fail(name, "has a number that no float can hold", accepted) from None
    except (ValueError, TypeError):
        raise fail(name, "is ragged or not made of numbers", accepted) from None
    if numbers.dtype.kind not in "iuf":
        raise fail(name, f"is not made of real numbers (dtype {numbers.dtype})", accepted)
    with np.errstate(over="ignore"):
        array = np.array(numbers, dtype=np.float64, order="C")  # the caller may change theirs
    finite = np.isfinite(array)
    if not finite.all():
        bad = np.argwhere(~finite)
        where = tuple(int(i) for i in bad[0])
        if not where:
            raise fail(name, f"is {raw[where]}", accepted)  # as it was: None became NaN
        index = where[0] if len(where) == 1 else where
        raise fail(name, f"has {raw[where]} at index {index}", accepted)
    return array


def means_matrix(value: Any, name: str = "means") -> FloatArray:
    """Means as an M x d matrix; a flat list is M arms in one dimension."""
    accepted = "M finite numbers or an M x d table of finite numbers, with M >= 2 and d >= 1"
    array = finite_array(name, value, accepted)
    if array.ndim == 1:
        array = array[:, np.newaxis]
    if array.ndim != 2:
        raise fail(name, f"has {array.ndim} dimensions", accepted)
    if array.shape[0] < 2 or array.shape[1] < 1:
        raise fail(name, f"has shape {array.shape}", accepted)
    if np.abs(array).max() > LARGEST:
        raise fail(
            name, f"is {np.abs(array).max():g} in size", f"numbers up to {LARGEST:g} in size"
        )
    return np.ascontiguousarray(array)


def weights_vector(value: Any, n_arms: int, name: str = "weights") -> FloatArray:
    """Non-negative weights, one an arm, not all zero."""
    accepted = f"{n_arms} finite numbers >= 0, one for each arm, not all zero"
    array = finite_array(name, value, accepted)
    if array.shape != (n_arms,):
        raise fail(name, f"has shape {array.shape}", accepted)
    if array.min() < 0:
        arm = int(array.argmin())
        raise fail(name, f"is negative ({array[arm]:g}) for arm {arm}", accepted)
    if array.max() <= 0:
        raise fail(name, "is zero for every arm", accepted)
    if array.max() > LARGEST:
        arm = int(array.argmax())
        raise fail(name, f"is {array[arm]:g} for arm {arm}", f"numbers up to {LARGEST:g}")
    return array


def whole_numbers(name: str, value: Any) -> IntArray:
    """A row of whole numbers, as kernels read it."""
    array = np.asarray(value)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        found = f"has {array.ndim} axes and dtype {array.dtype}"
        raise fail(name, found, "an array of whole numbers with one axis")
    return np.ascontiguousarray(array, dtype=np.int64)


def integer(name: str, value: Any, low: int, high: int | None = None, why: str = "") -> int:
    """A whole number in [low, high]; ``why`` there is such an end is added to the message."""
    accepted = (
        f"a whole number from {low} to {high}" if high is not None else f"a whole number >= {low}"
    ) + why
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise fail(name, f"is {shown(value)}", accepted)
    if value < low or (high is not None and value > high):
        raise fail(name, f"is {shown(int(value))}", accepted)
    return int(value)


def clusters(value: Any, n_arms: int) -> int:
    """The number of clusters: a whole number from 1 to M."""
    return integer("n_clusters", value, 1, n_arms, ", the number of arms")


def real(name: str, value: Any, low: float, high: float) -> float:
    """A finite number strictly between low and high."""
    accepted = f"a finite number in ({low:g}, {high:g})"
    number = as_float(name, value, accepted)
    if not low < number < high:
        raise fail(name, f"is {number}", accepted)
    return number


def as_float(name: str, value: Any, accepted: str) -> float:
    """A number, whatever its size; infinite where no float is as large."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(
        value, (int, float, np.integer, np.floating)
    ):
        raise fail(name, f"is {shown(value)}", accepted)
    try:
        return float(value)
    except OverflowError:
        return np.inf


def several(name: str, value: Any, accepted: str) -> list[Any]:
    """The entries of a list; one that stands alone is refused, and a list without any."""
    try:
        if isinstance(value, (str, bytes, Mapping, Set)):
            raise TypeError
        entries = list(value)
    except TypeError:
        raise fail(name, f"is {shown(value)}", accepted) from None
    if not entries:
        raise fail(name, "is empty", accepted)
    return entries


def error_probabilities(value: Any, name: str = "deltas") -> list[float]:
    """Several values of delta, each once, the largest first."""
    given = several(name, value, "a list of numbers between 0 and 1")
    return sorted({real(name, delta, 0.0, 1.0) for delta in given}, reverse=True)


def path_of(name: str, value: Any, accepted: str) -> Path:
    """The path of a file or folder."""
    if not isinstance(value, (str, os.PathLike)):
        raise fail(name, f"is {shown(value)}", accepted)
    return Path(value)


def words(name: str, value: Any, count: int, accepted: str) -> list[str]:
    """So many words; a single text is not taken for the list of its letters."""
    found = [str(one) for one in several(name, value, accepted)]
    if len(found) != count:
        raise fail(name, f"has {len(found)}", accepted)
    return found


def repeated(names: Iterable[str]) -> str | None:
    """The first of the names that stands there more than once; None where each stands once.

    >>> repeated(["north", "south", "south", "north"]), repeated(["north", "south"])
    ('north', None)
    """
    return next((name for name, count in Counter(names).items() if count > 1), None)


def choice(name: str, value: Any, options: Iterable[str]) -> str:
    """One of a few words."""
    known = list(options)
    if not isinstance(value, str) or value not in known:
        meant = did_you_mean(value, known) if isinstance(value, str) else ""
        raise fail(name, f"is {shown(value)}{meant}", ", ".join(repr(o) for o in known))
    return value


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`` (did you mean 'span'?)`` where a known word is near; else nothing.

    >>> did_you_mean("Spam", ["span", "rr"])
    " (did you mean 'span'?)"
    """
    from difflib import get_close_matches

    near = get_close_matches(word.lower(), known, 1)
    return f" (did you mean {near[0]!r}?)" if near else ""
