"""CSV files as people and programs write them: encodings, separators and numbers."""

import re
from pathlib import Path

from boclust._validate import InvalidInputError, invalid

_EXPECTED = "a CSV file, saved as UTF-8 text"
_QUOTED = re.compile(r'"[^"]*"')


def separator(path: Path) -> str:
    """Return the separator of columns in line 1: a comma, else a semicolon or a tab."""
    bare = _QUOTED.sub("", _first_line(path))
    return next((mark for mark in ",;\t" if mark in bare), ",")


def not_utf8(path: Path) -> InvalidInputError:
    """Make the error for bytes that are not UTF-8."""
    return invalid("file", _EXPECTED, f"{path} in Latin-1, Windows-1252 or a similar encoding")


def _first_line(path: Path) -> str:
    with path.open("rb") as file:
        line = file.readline(100_000)
    if line.startswith(b"PK\x03\x04"):
        raise invalid("file", _EXPECTED, f"{path}, an Excel workbook or another zip file")
    if line.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in line:
        raise invalid("file", _EXPECTED, f"{path}, which is UTF-16 text or not text at all")
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise not_utf8(path) from None


def is_number(text: str) -> bool:
    """Whether a cell of a file is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def coordinates(name: str, text: str, expected: str) -> list[float]:
    """Read numbers separated by commas."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise invalid(name, expected, repr(text)) from None
