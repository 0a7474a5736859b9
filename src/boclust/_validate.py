"""Checks of everything a user hands in: one clear line that names the argument."""

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


class InvalidInputError(ValueError):
    """An argument that is not accepted; the message names it, what was wrong and what is taken."""


def fail(name: str, problem: str, accepted: str) -> InvalidInputError:
    """The error to raise: ``name: problem; accepted is accepted``."""
    return InvalidInputError(f"{name}: {problem}; accepted: {accepted}")


def finite_array(name: str, value: Any, accepted: str) -> FloatArray:
    """``value`` as a float64 array without NaN or infinity."""
    if isinstance(value, (str, bytes)):
        raise fail(name, f"is the text {value!r}", accepted)
    if isinstance(value, Iterable) and not isinstance(value, np.ndarray):
        value = list(value)
    try:
        raw = np.asarray(value)
    except (ValueError, TypeError):
        raise fail(name, "is ragged or not made of numbers", accepted) from None
    if raw.dtype.kind not in "iuf":
        raise fail(name, f"is not made of real numbers (dtype {raw.dtype})", accepted)
    array = np.array(raw, dtype=np.float64, order="C")  # a copy: the caller may change theirs
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        where = tuple(int(i) for i in bad[0])
        index = where[0] if len(where) == 1 else where
        raise fail(name, f"has {array[tuple(bad[0])]} at index {index}", accepted)
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
    if np.abs(array).max() > 1e100:
        raise fail(name, "is larger than 1e100 in size", "numbers whose squares can be computed")
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
    if array.max() > 1e100:
        raise fail(name, f"is {array.max():g} for arm {int(array.argmax())}", "numbers up to 1e100")
    return array


def integer(name: str, value: Any, low: int, high: int | None = None) -> int:
    """A whole number in [low, high]."""
    accepted = (
        f"a whole number from {low} to {high}" if high is not None else f"a whole number >= {low}"
    )
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise fail(name, f"is {value!r}", accepted)
    if value < low or (high is not None and value > high):
        raise fail(name, f"is {value}", accepted)
    return int(value)


def clusters(value: Any, n_arms: int) -> int:
    """The number of clusters: a whole number from 1 to M."""
    return integer("n_clusters", value, 1, n_arms)


def real(
    name: str,
    value: Any,
    low: float,
    high: float = np.inf,
    closed: Literal["neither", "left"] = "neither",
) -> float:
    """A finite number strictly between low and high (low itself too where ``closed="left"``)."""
    left = "[" if closed == "left" else "("
    accepted = f"a finite number in {left}{low:g}, {high:g})"
    if isinstance(value, (bool, np.bool_)) or not isinstance(
        value, (int, float, np.integer, np.floating)
    ):
        raise fail(name, f"is {value!r}", accepted)
    inside = low <= value < high if closed == "left" else low < value < high
    if not (np.isfinite(value) and inside):
        raise fail(name, f"is {value}", accepted)
    return float(value)


def choice(name: str, value: Any, options: Iterable[str]) -> str:
    """One of a few words."""
    known = list(options)
    if value not in known:
        raise fail(name, f"is {value!r}", ", ".join(repr(o) for o in known))
    return str(value)
