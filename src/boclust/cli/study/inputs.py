"""Values and files that the user gives: parsed, with messages that name the place of an error."""

import csv
import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boclust._validate import InvalidInputError, invalid, shown
from boclust.cli.instances import is_number
from boclust.study import StudyError

if TYPE_CHECKING:
    from boclust.study import Study


# --- values -----------------------------------------------------------------------------------


def number(name: str, text: str) -> int | float:
    """A number; integers stay exact, so that the study can refuse those a float would round."""
    bare = text.strip()
    try:
        if bare.lstrip("+-").isdecimal():
            return int(bare)
        if is_number(bare):
            return float(bare)
    except ValueError:  # thousands of digits
        pass
    raise invalid(name, "a number", shown(text))


def sample(text: str) -> int | float | list[int | float]:
    """A sample: one number, or several separated by commas."""
    try:
        parts = [number("value", part) for part in text.split(",")]
    except InvalidInputError:
        raise invalid("value", "a number, or numbers separated by commas", shown(text)) from None
    return parts if len(parts) > 1 else parts[0]


def arm_of(names: Collection[str], given: Any) -> Any:
    """The arm with that name, or else with that number."""
    text = str(given)
    if text in names:
        return text
    if text.strip() in names:
        return text.strip()
    return int(text) if text.strip().isdecimal() else given


def json_value(name: str, text: str) -> Any:
    """The content of a JSON text."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        problem = f"{shown(text)} ({error.msg}, column {error.colno})"
        raise invalid(name, "a JSON object", problem) from None
    except (ValueError, RecursionError):  # thousands of digits or of brackets
        raise invalid(name, "a JSON object", "one that is too deep or too long") from None


def tell_rows(
    study: "Study", rows: Sequence[Any], places: Sequence[str], client: str | None
) -> list[int]:
    """Record all rows or none; an error names the place of its row."""
    try:
        return study.tell_many(rows, client)
    except (InvalidInputError, StudyError) as error:
        if (i := error.observation) is None:
            raise
        raise type(error)(places[i] + str(error).removeprefix(f"observations[{i}]")) from None


# --- files ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rows:
    """A table: ``column`` returns the cells of a column, ``places`` says where each row is.

    Cells of CSV are text, those of Parquet have their own types; missing cells are None.
    """

    columns: list[str]
    places: list[str]
    column: Callable[[str], list[Any]]


def read_rows(path: Path) -> Rows:
    """The rows of a CSV or Parquet file."""
    found = _read_parquet(path) if path.suffix.lower() == ".parquet" else _read_csv(path)
    if not found.places:
        raise invalid("file", "a table with at least one row", f"{path} without rows")
    return found


def _read_csv(path: Path) -> Rows:
    """Line numbers are those of an editor, even if a cell has several lines."""
    lines: list[tuple[int, list[str]]] = []
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file, strict=True)
            header = [cell.strip() for cell in next(reader, [])]
            begin = reader.line_num + 1
            for row in reader:
                if row:
                    lines.append((begin, row))
                begin = reader.line_num + 1
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise _unreadable(path, error) from None
    for line, row in lines:
        if len(row) != len(header):
            accepted = f"{len(header)} cells, as in the header line"
            raise invalid(f"{path}, line {line}", accepted, len(row))

    def column(name: str) -> list[Any]:
        i = header.index(name)
        return [row[i] if row[i].strip() else None for _, row in lines]

    return Rows(header, [f"{path}, line {line}" for line, _ in lines], column)


def _read_parquet(path: Path) -> Rows:
    import pyarrow
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            table = file.read(use_threads=False)
    except (OSError, pyarrow.ArrowException) as error:
        raise _unreadable(path, error) from None

    def column(name: str) -> list[Any]:
        cells: list[Any] = table[name].to_pylist()
        return cells

    return Rows(table.column_names, [f"{path}, row {i + 1}" for i in range(len(table))], column)


def _unreadable(path: Path, error: Exception) -> InvalidInputError:
    reason = " ".join((getattr(error, "strerror", None) or str(error)).split())
    accepted = "a CSV file with a header line, or a Parquet file"
    return invalid("file", accepted, f"{path} ({reason})")
