"""Convert answers to JSON, the same way on the command line and over HTTP."""

import json
import math
import re
from dataclasses import dataclass, fields, is_dataclass
from typing import Any
from urllib.parse import quote

_PLAIN = re.compile(r"[A-Za-z0-9 _-][A-Za-z0-9 ._-]*")


def finite(value: Any) -> Any:
    """``value``, or None if it is an infinite or undefined number, which JSON does not have."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


@dataclass(frozen=True)
class NullAs:
    """Tells Pydantic to read null as ``number``, where ``as_data`` writes that number as null.

    Used as ``Annotated[float, NullAs(math.inf)]``.
    """

    number: float

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_after_validator_function(
            lambda value: self.number if value is None else value,
            core_schema.nullable_schema(handler(source)),
        )


def as_data(value: Any) -> Any:
    """Data classes as mappings, tuples as lists, infinite and undefined numbers as None."""
    if is_dataclass(value):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, dict):
        return {name: as_data(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_data(inner) for inner in value]
    return finite(value)


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
