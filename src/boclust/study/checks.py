"""Checks of what is handed to a study; see ``boclust._validate``."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from boclust._validate import InvalidInputError, as_float, fail, integer, shown
from boclust.run.learner import Learner
from boclust.study.events import pack, to_json

#: The longest name, key, client or reason, in bytes of UTF-8: what PostgreSQL's indexes take.
LONGEST_TEXT = 2000
#: The longest metadata of one value, in bytes of JSON.
LONGEST_METADATA = 1_000_000


def text(name: str, value: Any) -> str:
    """A piece of text that every database keeps as it is."""
    accepted = f"text of 1 to {LONGEST_TEXT} bytes in UTF-8, without the character NUL"
    if not isinstance(value, str):
        raise fail(name, f"is {shown(value)}", accepted)
    try:
        size = len(value.encode())
    except UnicodeEncodeError:
        raise fail(name, "has half a surrogate pair", accepted) from None
    if not 1 <= size <= LONGEST_TEXT:
        raise fail(name, f"has {size} bytes", accepted)
    if "\0" in value:
        raise fail(name, "has the character NUL", accepted)
    return str(value)


def optional_text(name: str, value: Any) -> str | None:
    """The same, or None."""
    return None if value is None else text(name, value)


def payload(name: str, value: Any) -> str | None:
    """A JSON object, as it is written down; None for none."""
    accepted = f"a mapping of JSON values (no NaN), at most {LONGEST_METADATA} bytes"
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise fail(name, f"is {shown(value)}", accepted)
    try:
        written = to_json({text(name, key): inner for key, inner in value.items()})
    except (TypeError, ValueError, RecursionError) as error:
        raise fail(name, str(error), accepted) from None
    if len(written) > LONGEST_METADATA:
        raise fail(name, f"has {len(written)} bytes", accepted)
    return written


def packed_sample(learner: Learner, value: Any) -> bytes:
    """A possible sample in bytes, refused where a float is not the whole number that was given."""
    sample = learner.check_sample(value)
    given = np.asarray(value)
    if given.dtype.kind in "iuO":
        for number, kept in zip(given.reshape(-1).tolist(), sample.tolist(), strict=True):
            if not isinstance(number, (int, float)) or number != kept:
                raise fail(
                    "value", f"has {shown(number)}, which a float rounds to {kept:g}",
                    "floats, and whole numbers that a float holds exactly (up to 2^53 all do)",
                )  # fmt: skip
    return pack(sample)


def packed_floats(learner: Learner, values: list[Any]) -> list[bytes] | None:
    """Many samples at once where all are plain floats and possible; None where one must look."""
    if learner.dim > 1 or any(type(value) is not float for value in values):
        return None
    try:
        packed = pack(learner.check_samples(np.array(values)))
    except InvalidInputError:
        return None
    return [packed[i : i + 8] for i in range(0, len(packed), 8)]


@dataclass(frozen=True)
class Budget:
    """How many samples may be taken and what they may cost; None: as many as it takes."""

    samples: int | None = None
    cost: float | None = None


def as_budget(value: Any) -> Budget:
    """A number of samples, or a mapping with ``samples``, ``cost`` or both; None for no limit."""
    accepted = "a whole number of samples, {'samples': ..., 'cost': ...} with either, or None"
    if value is None or isinstance(value, Budget):
        return value or Budget()
    if not isinstance(value, Mapping):
        return Budget(samples=integer("budget", value, 1))
    if not value or not set(value) <= {"samples", "cost"}:
        raise fail("budget", f"is {shown(value)}", accepted)
    samples, cost = value.get("samples"), value.get("cost")
    return Budget(
        None if samples is None else integer("budget samples", samples, 1),
        None if cost is None else positive("budget cost", cost),
    )


def positive(name: str, value: Any, zero: bool = False) -> float:
    """A finite number above zero, or zero as well."""
    accepted = f"a finite number {'>=' if zero else '>'} 0"
    number = as_float(name, value, accepted)
    if not np.isfinite(number) or number < 0 or (number == 0 and not zero):
        raise fail(name, f"is {number}", accepted)
    return number
