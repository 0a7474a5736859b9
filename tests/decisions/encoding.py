"""Results as JSON, exact to the last bit, and the place where two of them differ."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

#: Long sequences are recorded as one hash per so many entries, with the first ones in clear.
BLOCK = 50
CLEAR_INTEGERS = 20
CLEAR_REALS = 3
#: The relative difference that is allowed where the arithmetic is not that of the record.
TOLERANCE = 1e-6

_NOT_FINITE = ("inf", "-inf", "nan")


def integers(values: Iterable[Any]) -> Any:
    """A list of integers, or its beginning and the hashes of its blocks."""
    numbers = [int(value) for value in values]
    if len(numbers) <= CLEAR_INTEGERS:
        return numbers
    hashes = _hashes(np.array(numbers, dtype="<i8"))
    return {"first": numbers[:CLEAR_INTEGERS], "blocks": hashes, "length": len(numbers)}


def real(value: Any) -> str:
    return float(value).hex()


def reals(values: Any) -> Any:
    """An array of floats in its shape's order, or its beginning and the hashes of its blocks."""
    numbers = np.asarray(values, dtype="<f8").reshape(-1)
    clear = [real(number) for number in numbers[:CLEAR_REALS]]
    if len(numbers) <= CLEAR_REALS:
        return clear
    numbers = np.where(np.isnan(numbers), np.nan, numbers)  # one NaN for all
    return {"first": clear, "bits": _hashes(numbers), "length": len(numbers)}


def _hashes(array: Any) -> list[str]:
    parts = [array[i : i + BLOCK] for i in range(0, len(array), BLOCK)]
    return [hashlib.sha256(part.tobytes()).hexdigest()[:10] for part in parts]


def first_difference(recorded: Any, found: Any, exact: bool = True) -> str:
    """The first place where two results differ, in words; empty where they do not."""
    for place, one, other in _differences(recorded, found, (), exact):
        return f"{_words(place)}: recorded {one!r}, found {other!r}"
    return ""


def _differences(
    recorded: Any, found: Any, place: tuple[Any, ...], exact: bool
) -> Iterator[tuple[tuple[Any, ...], Any, Any]]:
    if isinstance(recorded, dict) and isinstance(found, dict):
        for key in [*recorded, *(key for key in found if key not in recorded)]:
            if exact or key != "bits":
                one, other = recorded.get(key, "nothing"), found.get(key, "nothing")
                yield from _differences(one, other, (*place, key), exact)
    elif isinstance(recorded, list) and isinstance(found, list):
        for i, (one, other) in enumerate(zip(recorded, found, strict=False)):
            yield from _differences(one, other, (*place, i), exact)
        if len(recorded) != len(found):
            yield (*place, "length"), len(recorded), len(found)
    elif recorded != found and (exact or not _near(recorded, found)):
        yield place, recorded, found


def _near(recorded: Any, found: Any) -> bool:
    if not (_is_real(recorded) and _is_real(found)):
        return False
    one, other = float.fromhex(recorded), float.fromhex(found)
    return bool(np.isclose(one, other, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True))


def _is_real(value: Any) -> bool:
    if not isinstance(value, str):
        return False
    return value in _NOT_FINITE or value.lstrip("-").startswith("0x")


def _words(place: tuple[Any, ...]) -> str:
    """A place in a result, like ``asked, steps 200 to 249``."""
    noun = ("step", "steps") if place[:1] == ("asked",) else ("entry", "entries")
    words: list[str] = []
    for before, part in zip((None, *place), place, strict=False):
        if isinstance(part, int) and before in ("blocks", "bits"):
            words[-1] = f"{noun[1]} {part * BLOCK} to {part * BLOCK + BLOCK - 1}"
        elif isinstance(part, int) and before == "first":
            words[-1] = f"{noun[0]} {part}"
        else:
            words.append(f"{noun[0]} {part}" if isinstance(part, int) else part)
    return ", ".join(words) or "the result"
