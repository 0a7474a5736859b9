"""Checks of the arguments of a study; see ``boclust._validate``."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from boclust._validate import InvalidInputError, as_float, invalid, shown
from boclust.run.learner import Learner
from boclust.study.events import pack, to_json

#: The longest name, key, client or reason, in bytes of UTF-8: PostgreSQL's indexes take no more.
LONGEST_TEXT = 2000
#: The longest metadata of one observation, in bytes of JSON.
LONGEST_METADATA = 1_000_000


def text(name: str, value: Any) -> str:
    """A piece of text that every database stores unchanged."""
    accepted = f"text of 1 to {LONGEST_TEXT} bytes in UTF-8 without the character NUL"
    if not isinstance(value, str):
        raise invalid(name, accepted, shown(value))
    try:
        size = len(value.encode())
    except UnicodeEncodeError:
        raise invalid(name, accepted, "half a surrogate pair") from None
    if not 1 <= size <= LONGEST_TEXT:
        raise invalid(name, accepted, f"{size} bytes")
    if "\0" in value:
        raise invalid(name, accepted, f"{shown(value)}, which has NUL")
    return str(value)


def optional_text(name: str, value: Any) -> str | None:
    """A piece of text, or None."""
    return None if value is None else text(name, value)


def metadata_json(name: str, value: Any) -> str | None:
    """A mapping as JSON; None stays None."""
    accepted = f"a mapping of JSON values without NaN, up to {LONGEST_METADATA} bytes"
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise invalid(name, accepted, shown(value))
    try:
        written = to_json({text(f"{name} keys", key): inner for key, inner in value.items()})
    except InvalidInputError:
        raise
    except (TypeError, ValueError, RecursionError) as error:
        raise invalid(name, accepted, f"{shown(dict(value))} ({error})") from None
    if len(written) > LONGEST_METADATA:
        raise invalid(name, accepted, f"{len(written)} bytes")
    return written


def packed_sample(learner: Learner, value: Any) -> bytes:
    """A valid sample in bytes; refuses integers that a float would round."""
    sample = learner.check_sample(value)
    given = np.asarray(value)
    if given.dtype.kind in "iuO":
        for number, kept in zip(given.reshape(-1).tolist(), sample.tolist(), strict=True):
            if not isinstance(number, (int, float)) or number != kept:
                accepted = "floats, or integers that a float holds exactly (all up to 2^53)"
                rounded = f"{shown(number)}, which a float rounds to {kept:g}"
                raise invalid("value", accepted, rounded)
    return pack(sample)


def packed_floats(learner: Learner, values: list[Any]) -> list[bytes] | None:
    """Many samples in bytes, if all are valid Python floats; else None: check them one by one."""
    if learner.dim > 1 or any(type(value) is not float for value in values):
        return None
    try:
        packed = pack(learner.check_samples(np.array(values)))
    except InvalidInputError:
        return None
    return [packed[i : i + 8] for i in range(0, len(packed), 8)]


def positive(name: str, value: Any, zero: bool = False) -> float:
    """A finite number > 0, or >= 0 if ``zero`` is accepted."""
    accepted = f"a finite number {'>=' if zero else '>'} 0"
    number = as_float(name, value, accepted)
    if not np.isfinite(number) or number < 0 or (number == 0 and not zero):
        raise invalid(name, accepted, number)
    return number
