"""Tables of a CSV or Parquet file, with the place of each row for messages."""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boclust._validate import InvalidInputError, fail

_ACCEPTED = "a CSV file with a header line, or a Parquet file"


@dataclass(frozen=True)
class Rows:
    """A table: ``column`` gives the cells of a column, ``places`` where each row is written.

    Cells of CSV are text, those of Parquet what they are; None where one is missing.
    """

    columns: list[str]
    places: list[str]
    column: Callable[[str], list[Any]]


def read_rows(path: Path) -> Rows:
    """All of a file."""
    found = _read_parquet(path) if path.suffix.lower() == ".parquet" else _read_csv(path)
    if not found.places:
        raise fail("file", f"{path} has no rows", "one or more")
    return found


def _read_csv(path: Path) -> Rows:
    """Line numbers are those of an editor, also where a cell has several lines."""
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
            problem = f"{path}, line {line}: {len(row)} cells"
            raise fail("file", problem, f"{len(header)}, as in the header line")

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
    reason = getattr(error, "strerror", None) or str(error)
    return fail("file", f"cannot read {path}: {' '.join(reason.split())}", _ACCEPTED)
