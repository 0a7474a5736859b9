"""Columns of CSV and Parquet files; what is wrong is said with its line and the publisher."""

import csv
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boclust._validate import BoolArray, IntArray, InvalidInputError, fail, path_of, shown


def checked_path(value: Any) -> Path:
    """``value`` as a path."""
    return path_of("path", value, "the path of a folder or file, as text or Path")


def damaged(path: Path, problem: str, expected: str, origin: str) -> InvalidInputError:
    """The error to raise for a file: what is wrong, what was expected and where to get it."""
    return fail("path", f"{path}: {problem}", f"{expected} (get it from {origin})")


def unreadable(path: Path, error: OSError, expected: str, origin: str) -> InvalidInputError:
    """The same for what the system says."""
    reason = "is not there" if isinstance(error, FileNotFoundError) else error.strerror or error
    return damaged(path, " ".join(str(reason).split()), expected, origin)


@dataclass(frozen=True)
class Columns:
    """Columns of one file and, for each of their rows, its place in the file."""

    path: Path
    origin: str
    place: str  # what a row is called: "line" or "row"
    places: IntArray
    values: dict[str, NDArray[Any]]

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.values[name]

    def refuse(self, wrong: BoolArray, name: str, accepted: str) -> None:
        """Raise for the first row that is wrong in the column of that name."""
        if wrong.any():
            row = int(wrong.argmax())
            problem = f"{self.place} {self.places[row]}: {name} is {self.values[name][row]}"
            raise damaged(self.path, problem, accepted, self.origin)


def csv_header(path: Path, expected: str, origin: str) -> list[str]:
    """The names of the columns in the first line."""
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            header = next(csv.reader(file), [])
    except OSError as error:
        raise unreadable(path, error, expected, origin) from None
    except csv.Error as error:
        raise damaged(path, f"line 1: {error}", expected, origin) from None
    if not header:
        problem = "line 1: is blank" if path.stat().st_size else "is empty"
        raise damaged(path, problem, expected, origin)
    return header


def check_header(path: Path, header: list[str], wanted: list[str], origin: str) -> None:
    """Refuse a file without the columns that are wanted."""
    for name in wanted:
        if header.count(name) != 1:
            found = f"line 1: no column {name!r} but {shown(', '.join(header))}"
            raise damaged(path, found, f"the columns {', '.join(wanted)}", origin)


def read_csv(path: Path, types: dict[str, str], origin: str) -> Columns:
    """Columns of the named Arrow types; a bad value is named with its line, blank lines are not."""
    import pyarrow
    from pyarrow import csv as arrow

    expected = f"a CSV file with the columns {', '.join(types)}"
    header = csv_header(path, expected, origin)
    check_header(path, header, list(types), origin)
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
        raise unreadable(path, error, expected, origin) from None
    except pyarrow.ArrowException as error:
        raise damaged(path, _in_words(str(error), header), expected, origin) from None
    return _columns(path, table, "line", 2, origin)


def read_parquet(path: Path, names: list[str], origin: str) -> Columns:
    """Columns of a Parquet file; nothing else of it is read."""
    import pyarrow
    from pyarrow import parquet

    expected = f"a Parquet file with the columns {', '.join(names)}"
    try:
        with parquet.ParquetFile(path) as file:
            table = file.read(columns=names, use_threads=False)
    except OSError as error:
        raise unreadable(path, error, expected, origin) from None
    except pyarrow.ArrowException as error:
        raise damaged(path, " ".join(str(error).split()), expected, origin) from None
    return _columns(path, table, "row", 1, origin)


def _arrow_type(kind: str) -> Any:
    import pyarrow

    return pyarrow.timestamp("us") if kind == "timestamp" else pyarrow.type_for_alias(kind)


def _columns(path: Path, table: Any, place: str, first: int, origin: str) -> Columns:
    """The columns as arrays: blank rows left out, missing values refused."""
    missing = {name: _missing(table[name]) for name in table.column_names}
    blank = np.logical_and.reduce(list(missing.values()))
    places = np.arange(first, first + table.num_rows)[~blank]
    if len(places) == 0:
        raise damaged(path, "has no rows", "at least one", origin)
    for name, absent in missing.items():
        if absent.any() and (absent := absent[~blank]).any():
            problem = f"{place} {places[absent.argmax()]}: {name} is missing"
            raise damaged(path, problem, "a value in every row", origin)
    values = {name: table[name].to_numpy() for name in table.column_names}
    if blank.any():
        kept = table.filter(~blank)  # with the gaps the arrays would not be whole numbers
        values = {name: kept[name].to_numpy() for name in kept.column_names}
    return Columns(path, origin, place, places, values)


def _missing(column: Any) -> BoolArray:
    if column.null_count == 0:
        return np.zeros(len(column), dtype=bool)
    return np.asarray(column.is_null().to_numpy(), dtype=bool)


def _in_words(message: str, names: list[str]) -> str:
    """Arrow's ``In CSV column #2: Row #7: ... invalid value 'x'`` with the line and the name."""
    flat = " ".join(message.split())
    if "Empty CSV" in flat:
        return "has no rows"
    if found := re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+)", flat):
        return f"line {found[1]}: has {found[3]} columns, not {found[2]}"
    if found := re.search(r"column #(\d+): Row #(\d+): .*?(invalid .*)", flat):
        return f"line {found[2]}: {names[int(found[1])]}: {found[3]}"
    return flat
