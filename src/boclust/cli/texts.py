"""Text files as other programs write them: what they are, and what separates their columns."""

import re
from pathlib import Path

from boclust._validate import InvalidInputError, fail

_ACCEPTED = "a CSV file, saved as UTF-8 text"
_QUOTED = re.compile(r'"[^"]*"')


def separator(path: Path) -> str:
    """What separates the columns in line 1: commas; where there are none, semicolons or tabs."""
    bare = _QUOTED.sub("", _first_line(path))
    return next((mark for mark in ",;\t" if mark in bare), ",")


def not_utf8(path: Path) -> InvalidInputError:
    """The error for bytes that are no UTF-8."""
    return fail("file", f"{path} is not UTF-8 but Latin-1, Windows-1252 or the like", _ACCEPTED)


def _first_line(path: Path) -> str:
    """Refused where the file is no text, or not as UTF-8."""
    with path.open("rb") as file:
        line = file.readline(100_000)
    if line.startswith(b"PK\x03\x04"):
        raise fail("file", f"{path} is an Excel workbook or another zip file", _ACCEPTED)
    if line.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in line:
        raise fail("file", f"{path} is UTF-16 text, or no text at all", _ACCEPTED)
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise not_utf8(path) from None
