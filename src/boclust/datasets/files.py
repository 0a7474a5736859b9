"""Read columns of CSV and Parquet files; errors name the line and the publisher."""

import csv
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boclust._validate import BoolArray, IntArray, InvalidInputError, invalid, path_of, shown


def checked_path(value: Any) -> Path:
    """Return ``value`` as a path."""
    return path_of("path", value, "the path of a folder or file, as text or Path")


def damaged(path: Path, expected: str, got: str, origin: str, place: str = "") -> InvalidInputError:
    """Make the error for a file, or a place in it: what must be there, and where to get it."""
    name = f"path {path}, {place}" if place else f"path {path}"
    return invalid(name, expected, f"{got} (get the file from {origin})")


def unreadable(path: Path, expected: str, error: OSError, origin: str) -> InvalidInputError:
    """Make the error for a file that cannot be read."""
    if isinstance(error, FileNotFoundError):
        return damaged(path, expected, "no such file", origin)
    reason = " ".join(str(error.strerror or error).split())
    return damaged(path, expected, f"the error {reason!r}", origin)


@dataclass(frozen=True)
class Columns:
    """Columns of a file, and the line or row number of each of their values."""

    path: Path
    origin: str
    place: str  # "line" or "row"
    places: IntArray
    values: dict[str, NDArray[Any]]

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.values[name]

    def refuse(self, wrong: BoolArray, name: str, expected: str) -> None:
        """Raise an error for the first wrong value in the column of that name."""
        if wrong.any():
            row = int(wrong.argmax())
            place = f"{self.place} {self.places[row]}: {name}"
            raise damaged(self.path, expected, str(self.values[name][row]), self.origin, place)


def csv_header(path: Path, expected: str, origin: str) -> list[str]:
    """Read the names of the columns from the first line."""
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            header = next(csv.reader(file), [])
    except OSError as error:
        raise unreadable(path, expected, error, origin) from None
    except csv.Error as error:
        raise damaged(path, expected, f"the error '{error}' in line 1", origin) from None
    if not header:
        got = "a blank line 1" if path.stat().st_size else "an empty file"
        raise damaged(path, expected, got, origin)
    return header


def read_csv(path: Path, types: dict[str, str], origin: str) -> Columns:
    """Read columns of the given Arrow types and skip blank lines; errors name the line."""
    import pyarrow
    from pyarrow import csv as arrow

    expected = f"a CSV file with the columns {', '.join(types)}"
    header = csv_header(path, expected, origin)
    for name in types:
        if header.count(name) != 1:
            got = f"no column {name!r} but {shown(', '.join(header))} in line 1"
            raise damaged(path, expected, got, origin)
    try:
        table = arrow.read_csv(
            path,
            read_options=arrow.ReadOptions(use_threads=False),  # errors then name the row
            parse_options=arrow.ParseOptions(ignore_empty_lines=False),  # rows are lines
            convert_options=arrow.ConvertOptions(
                include_columns=list(types),
                column_types={name: _arrow_type(kind) for name, kind in types.items()},
                null_values=[""],
                strings_can_be_null=True,
            ),
        )
    except OSError as error:
        raise unreadable(path, expected, error, origin) from None
    except pyarrow.ArrowException as error:
        raise damaged(path, expected, _found_by_arrow(str(error), header), origin) from None
    return _columns(path, table, "line", 2, origin)


def read_parquet(path: Path, names: list[str], origin: str) -> Columns:
    """Read only these columns of a Parquet file."""
    import pyarrow
    from pyarrow import parquet

    expected = f"a Parquet file with the columns {', '.join(names)}"
    try:
        with parquet.ParquetFile(path) as file:
            table = file.read(columns=names, use_threads=False)
    except OSError as error:
        raise unreadable(path, expected, error, origin) from None
    except pyarrow.ArrowException as error:
        raise damaged(path, expected, _found_by_arrow(str(error), []), origin) from None
    return _columns(path, table, "row", 1, origin)


def _arrow_type(kind: str) -> Any:
    import pyarrow

    return pyarrow.timestamp("us") if kind == "timestamp" else pyarrow.type_for_alias(kind)


def _columns(path: Path, table: Any, place: str, first: int, origin: str) -> Columns:
    """Turn columns into arrays; skip blank rows and refuse missing values."""
    missing = {name: _missing(table[name]) for name in table.column_names}
    blank = np.logical_and.reduce(list(missing.values()))
    places = np.arange(first, first + table.num_rows)[~blank]
    if len(places) == 0:
        raise damaged(path, f"a file with at least one {place} of data", "none", origin)
    for name, absent in missing.items():
        if absent.any() and (absent := absent[~blank]).any():
            where = f"{place} {places[absent.argmax()]}: {name}"
            raise damaged(path, "a value", "an empty cell", origin, where)
    values = {name: table[name].to_numpy() for name in table.column_names}
    if blank.any():
        kept = table.filter(~blank)  # arrays with missing values would not hold integers
        values = {name: kept[name].to_numpy() for name in kept.column_names}
    return Columns(path, origin, place, places, values)


def _missing(column: Any) -> BoolArray:
    if column.null_count == 0:
        return np.zeros(len(column), dtype=bool)
    return np.asarray(column.is_null().to_numpy(), dtype=bool)


def _found_by_arrow(message: str, names: list[str]) -> str:
    """Rewrite Arrow's ``In CSV column #2: Row #7: ... invalid value 'x'`` with line and name."""
    flat = " ".join(message.split())
    if "Empty CSV" in flat:
        return "no line of data"
    if found := re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+)", flat):
        return f"{found[3]} columns instead of {found[2]} in line {found[1]}"
    if found := re.search(r"column #(\d+): Row #(\d+): .*?(invalid .*)", flat):
        return f"for {names[int(found[1])]} in line {found[2]} an {found[3]}"
    return f"the error {flat!r}"
