"""Values as people and programs write them, and telling many at once."""

import json
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from boclust._validate import InvalidInputError, fail, shown
from boclust.cli.csv_text import is_number
from boclust.study import StudyError

if TYPE_CHECKING:
    from boclust.study import Study

_NUMBERS = "a number, or numbers separated by commas"


def number(name: str, text: str) -> int | float:
    """A number; whole ones stay exact, so that those which a float would round are refused."""
    bare = text.strip()
    try:
        if bare.lstrip("+-").isdecimal():
            return int(bare)
        if is_number(bare):
            return float(bare)
    except ValueError:  # thousands of digits
        pass
    raise fail(name, f"is {shown(text)}", "a number")


def sample(text: str) -> int | float | list[int | float]:
    """A sample: one number or several."""
    try:
        parts = [number("value", part) for part in text.split(",")]
    except InvalidInputError:
        raise fail("value", f"is {shown(text)}", _NUMBERS) from None
    return parts if len(parts) > 1 else parts[0]


def named_arm(names: Collection[str], given: Any) -> Any:
    """The arm of that name or, where none is called so, of that number."""
    text = str(given)
    if text in names:
        return text
    if text.strip() in names:
        return text.strip()
    return int(text) if text.strip().isdecimal() else given


def json_value(name: str, text: str) -> Any:
    """What a piece of JSON says."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        problem = f"is no JSON ({error.msg}, column {error.colno})"
        raise fail(name, problem, "a JSON object") from None
    except (ValueError, RecursionError):  # thousands of digits or of brackets
        raise fail(name, "is more JSON than can be read", "a JSON object") from None


def tell_rows(
    study: "Study", rows: Sequence[Any], places: Sequence[str], client: str | None
) -> list[int]:
    """Record all rows or none; an error says where the row was written."""
    try:
        return study.tell_many(rows, client)
    except (InvalidInputError, StudyError) as error:
        if (i := error.observation) is None:
            raise
        raise type(error)(places[i] + str(error).removeprefix(f"observations[{i}]")) from None
