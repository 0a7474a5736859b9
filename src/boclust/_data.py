"""Convert answers to JSON, the same way on the command line and over HTTP."""

import json
import math
import re
from dataclasses import fields, is_dataclass
from typing import Any
from urllib.parse import quote

_PLAIN = re.compile(r"[A-Za-z0-9 _-][A-Za-z0-9 ._-]*")


def finite(value: Any) -> Any:
    """``value``, or None if it is an infinite or undefined number, which JSON does not have."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def as_data(value: Any) -> Any:
    """Data classes and named tuples as mappings; infinite and undefined numbers as None."""
    if is_dataclass(value):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    elif hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {name: as_data(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_data(inner) for inner in value]
    return finite(value)


def explanation(said: Any, names: list[str]) -> dict[str, Any]:
    """A ``boclust.Explanation`` with the arm's name, without the nearest alternative."""
    return {
        "arm": said.arm,
        "name": None if said.arm is None else names[said.arm],
        "reason": said.reason,
        "evidence": said.evidence,
        "threshold": said.threshold,
        "remaining": said.remaining,
        "text": said.text,
    }


def to_line(value: Any) -> str:
    """One line of JSON in ASCII."""
    return json.dumps(as_data(value), allow_nan=False)


def in_path(name: str) -> str | None:
    """A study's name, percent-encoded for a URL path; None if it would be ambiguous there.

    >>> in_path("low tide"), in_path("a/b"), in_path("..")
    ('low%20tide', None, None)
    """
    return quote(name) if _PLAIN.fullmatch(name) else None


def kind_of(error: type[Exception]) -> str:
    """The name of an error class over HTTP: ``study-stopped`` for ``StudyStoppedError``."""
    words = re.findall("[A-Z][a-z]+", error.__name__.removesuffix("Error"))
    return "-".join(words).lower()
