"""Check the arguments of public functions; each error is one line that names the argument."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from math import isfinite
from pathlib import Path
from reprlib import Repr
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
KeyArray = NDArray[np.uint64]


#: The largest mean, scale and weight; its inverse is the smallest scale. The squares of their
#: ratios must stay within the range of double precision.
LARGEST = 1e60
#: Larger problems are probably a typing error and would fill the memory.
MOST_ARMS = 1_000_000
MOST_DIMENSIONS = 100_000
#: Kernels count in 64 bits.
MOST_SAMPLES = 10**18


class InvalidInputError(ValueError):
    """An invalid argument; the message names it, says what it must be and what was given."""

    #: The index of the invalid observation, if several were given in one call.
    observation: int | None = None


def invalid(name: str, accepted: str, got: object) -> InvalidInputError:
    """The error to raise: ``name must be accepted, got got``.

    >>> print(invalid("n", "an integer from 1 to 7", 9))
    n must be an integer from 1 to 7, got 9
    """
    return InvalidInputError(f"{name} must be {accepted}, got {got}")


def shown(value: Any) -> str:
    """``repr`` of a value on one line, cut to a readable length."""
    short = Repr()
    short.maxother = short.maxstring = short.maxlong = 60
    try:
        text = short.repr(value)
    except ValueError:  # Python converts no integer of thousands of digits to text
        text = f"a {type(value).__name__} of thousands of digits"
    return " ".join(line.strip() for line in text.splitlines())


def finite_array(name: str, value: Any, accepted: str) -> FloatArray:
    """``value`` as a new float64 array without NaN or infinity."""
    if type(value) is float and isfinite(value):  # one sample: a learner is told millions
        return np.array(value)
    if isinstance(value, (str, bytes, bytearray, Mapping, Set)):
        raise invalid(name, accepted, shown(value))
    if np.ma.isMaskedArray(value):
        raise invalid(name, accepted, "a masked array")
    if isinstance(value, Iterator):
        value = list(value)
    try:
        raw = np.asarray(value)
        # Integers beyond 64 bits and fractions arrive as objects
        numbers = raw.astype(np.float64) if raw.dtype == object else raw
    except OverflowError:
        raise invalid(name, accepted, "an integer too large for a float") from None
    except (ValueError, TypeError):
        raise invalid(name, accepted, "rows of different lengths or other objects") from None
    if numbers.dtype.kind not in "iuf":
        raise invalid(name, accepted, f"values of type {numbers.dtype}")
    if numbers.dtype.itemsize > 8:
        with np.errstate(over="ignore"):  # a long double may be too large
            numbers = numbers.astype(np.float64)
    array = np.array(numbers, dtype=np.float64, order="C")  # copy: the caller may change theirs
    finite = np.isfinite(array)
    if not finite.all():
        where = tuple(int(i) for i in np.argwhere(~finite)[0])
        index = where[0] if len(where) == 1 else where
        # From the raw array: None became NaN
        raise invalid(name, accepted, f"{raw[where]}{f' at index {index}' if where else ''}")
    return array


def means_matrix(value: Any, name: str = "means") -> FloatArray:
    """Means as an M x d matrix; a flat list is M arms in one dimension."""
    accepted = "at least 2 finite numbers, or a table of finite numbers with one row per arm"
    array = finite_array(name, value, accepted)
    if array.ndim == 1:
        array = array[:, np.newaxis]
    if array.ndim != 2 or array.shape[0] < 2 or array.shape[1] < 1:
        raise invalid(name, accepted, f"shape {array.shape}")
    if np.abs(array).max() > LARGEST:
        raise invalid(name, f"at most {LARGEST:g} in size", f"{np.abs(array).max():g}")
    return np.ascontiguousarray(array)


def weights_vector(value: Any, n_arms: int, name: str = "weights") -> FloatArray:
    """Non-negative weights, one per arm, not all zero."""
    accepted = f"{n_arms} finite numbers >= 0, one per arm, not all zero"
    array = finite_array(name, value, accepted)
    if array.shape != (n_arms,):
        raise invalid(name, accepted, f"shape {array.shape}")
    if array.min() < 0:
        arm = int(array.argmin())
        raise invalid(name, accepted, f"{array[arm]:g} for arm {arm}")
    if array.max() <= 0:
        raise invalid(name, accepted, "only zeros")
    if array.max() > LARGEST:
        arm = int(array.argmax())
        raise invalid(name, f"at most {LARGEST:g}", f"{array[arm]:g} for arm {arm}")
    return array


def whole_numbers(name: str, value: Any) -> IntArray:
    """A one-dimensional array of integers, contiguous as kernels need it."""
    try:
        array = np.asarray(value)
    except ValueError:
        array = np.empty(0, dtype=object)  # rows of different lengths
    if array.ndim != 1 or array.dtype.kind not in "iu":
        got = f"{array.ndim} dimensions and type {array.dtype}"
        raise invalid(name, "a one-dimensional array of integers", got)
    return np.ascontiguousarray(array, dtype=np.int64)


def integer(name: str, value: Any, low: int, high: int | None = None) -> int:
    """An integer in [low, high]."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if whole and value >= low and (high is None or value <= high):
        return int(value)
    accepted = f"an integer >= {low}" if high is None else f"an integer from {low} to {high}"
    raise invalid(name, accepted, shown(int(value) if whole else value))


def clusters(value: Any, n_arms: int) -> int:
    """The number of clusters: an integer from 1 to M."""
    return integer("n_clusters", value, 1, n_arms)


def real(name: str, value: Any, low: float, high: float) -> float:
    """A finite number strictly between low and high."""
    accepted = f"between {low:g} and {high:g}"
    number = as_float(name, value, accepted)
    if number in (low, high):
        raise invalid(name, f"strictly {accepted}", number)
    if not low < number < high:
        raise invalid(name, accepted, number)
    return number


def as_float(name: str, value: Any, accepted: str) -> float:
    """A number as a float; infinite if it is too large for one."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(
        value, (int, float, np.integer, np.floating)
    ):
        raise invalid(name, accepted, shown(value))
    try:
        return float(value)
    except OverflowError:
        return np.inf


def several(name: str, value: Any, accepted: str) -> list[Any]:
    """The entries of a list, at least one."""
    try:
        if isinstance(value, (str, bytes, Mapping, Set)):
            raise TypeError
        entries = list(value)
    except TypeError:
        raise invalid(name, accepted, shown(value)) from None
    if not entries:
        raise invalid(name, accepted, "an empty list")
    return entries


def error_probabilities(value: Any, name: str = "deltas") -> list[float]:
    """Several values of delta without repetition, the largest first."""
    given = several(name, value, "a list of numbers between 0 and 1")
    return sorted({real(name, delta, 0.0, 1.0) for delta in given}, reverse=True)


def path_of(name: str, value: Any, accepted: str) -> Path:
    """The path of a file or folder."""
    if not isinstance(value, (str, os.PathLike)):
        raise invalid(name, accepted, shown(value))
    return Path(value)


def words(name: str, value: Any, count: int, accepted: str) -> list[str]:
    """A list of ``count`` texts; a single text is not a list of its letters."""
    found = [str(one) for one in several(name, value, accepted)]
    if len(found) != count:
        raise invalid(name, accepted, len(found))
    return found


def repeated(names: Iterable[str]) -> str | None:
    """The first name that occurs more than once, or None.

    >>> repeated(["north", "south", "south", "north"]), repeated(["north", "south"])
    ('north', None)
    """
    return next((name for name, count in Counter(names).items() if count > 1), None)


def choice(name: str, value: Any, options: Iterable[str]) -> str:
    """One of the options."""
    known = list(options)
    if not isinstance(value, str) or value not in known:
        hint = did_you_mean(value, known) if isinstance(value, str) else ""
        accepted = f"one of {', '.join(repr(option) for option in known)}"
        raise invalid(name, accepted, f"{shown(value)}{hint}")
    return value


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`` (did you mean 'span'?)`` if a known word is similar, else an empty text.

    >>> did_you_mean("Spam", ["span", "rr"])
    " (did you mean 'span'?)"
    """
    from difflib import get_close_matches

    similar = get_close_matches(word.lower(), known, 1)
    return f" (did you mean {similar[0]!r}?)" if similar else ""
