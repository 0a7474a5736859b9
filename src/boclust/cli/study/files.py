"""Tables of a CSV or Parquet file, with the place of each row for messages."""

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boclust._validate import InvalidInputError, fail

_ACCEPTED = "a CSV file with a header line, or a Parquet file"


@dataclass(frozen=True)
class Rows:
    """The cells of a file; ``places`` says of each row where it is written."""

    columns: list[str]
    cells: list[list[Any]]
    places: list[str]


def read_rows(path: Path) -> Rows:
    """All of a file: cells of CSV are text, those of Parquet what they are; None: missing."""
    found = _read_parquet(path) if path.suffix.lower() == ".parquet" else read_csv(path)
    if not found.cells:
        raise fail("file", f"{path} has no rows", "a row for each value")
    return found


def read_csv(path: Path) -> Rows:
    """Line numbers are those of an editor, also where a cell has several lines."""
    numbers: list[int] = []
    cells: list[list[Any]] = []
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file, strict=True)
            header = [cell.strip() for cell in next(reader, [])]
            begin = reader.line_num + 1
            for row in reader:
                if row:
                    numbers.append(begin)
                    cells.append([cell if cell.strip() else None for cell in row])
                begin = reader.line_num + 1
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise _unreadable(path, error) from None
    places = [f"{path}, line {number}" for number in numbers]
    for place, row in zip(places, cells, strict=True):
        if len(row) != len(header):
            problem = f"{place}: {len(row)} cells"
            raise fail("file", problem, f"{len(header)}, as in the header line")
    return Rows(header, cells, places)


def _read_parquet(path: Path) -> Rows:
    import pyarrow
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            table = file.read(use_threads=False)
            columns = [column.to_pylist() for column in table.columns]
    except (OSError, pyarrow.ArrowException) as error:
        raise _unreadable(path, error) from None
    cells = [list(row) for row in zip(*columns, strict=True)]
    return Rows(table.column_names, cells, [f"{path}, row {i + 1}" for i in range(len(cells))])


def _unreadable(path: Path, error: Exception) -> InvalidInputError:
    reason = getattr(error, "strerror", None) or str(error)
    return fail("file", f"cannot read {path}: {' '.join(reason.split())}", _ACCEPTED)
