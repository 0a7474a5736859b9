"""Records of samples in a CSV or Parquet file: one column names the arm, others hold values."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from pyarrow import compute, csv, parquet

from boclust import Family
from boclust._validate import LARGEST, FloatArray, InvalidInputError, invalid
from boclust.cli.csv_text import is_number, not_utf8, separator


def read_records(
    path: Path, arm: str | None, values: tuple[str, ...], family: Family
) -> dict[str, FloatArray]:
    """Read the samples of each arm, n x d, in the order of the file; arms as they first appear."""
    read = _read_parquet if path.suffix.lower() == ".parquet" else _read_csv
    try:
        table, arm, values = read(path, arm, values)
    except (OSError, pyarrow.ArrowException) as error:
        if "invalid UTF8" in str(error):
            raise not_utf8(path) from None
        reason = " ".join((getattr(error, "strerror", None) or str(error)).split())
        expected = "a readable CSV file with a header line, or a Parquet file"
        raise invalid("file", expected, f"{path}: {reason}") from None
    if table.num_rows == 0:
        raise invalid("file", "a file with one row per sample", f"no records in {path}")
    names, numbers = _arms(path, arm, table[arm])
    samples = np.column_stack([_numbers(path, name, table[name]) for name in values])
    if len(names) < 2:
        got = f"only {names[0]!r} in column {arm!r} of {path}"
        raise invalid("file", "a file with records of two arms or more", got)
    _check_samples(path, values, samples, family)
    order = np.argsort(numbers, kind="stable")
    parts = np.split(samples[order], np.cumsum(np.bincount(numbers, minlength=len(names)))[:-1])
    for name, part in zip(names, parts, strict=True):
        if len(part) == 0:
            got = f"none of the category {name!r} in column {arm!r} of {path}"
            raise invalid("file", "a file with at least one record of every arm", got)
    return dict(zip(names, parts, strict=True))


def choose(
    path: Path, columns: list[str], arm: str | None, values: tuple[str, ...]
) -> tuple[str, tuple[str, ...]]:
    """Choose the column of the arms and those of the values; two columns need no choice."""
    listed = f"a column of {path}, which has {', '.join(repr(name) for name in columns)}"
    if arm is None and not values and len(columns) == 2:
        if is_number(columns[1]):
            raise invalid("file", "a file with names of the columns in line 1", f"none in {path}")
        arm, values = columns[0], (columns[1],)
    if arm is None or not values:
        option = "arm" if arm is None else "value"
        raise invalid(option, f"given by --{option} NAME as {listed}", "nothing")
    for option, name in [("arm", arm), *(("value", name) for name in values)]:
        if (count := columns.count(name)) != 1:
            raise invalid(option, listed, f"{name!r}{' more than once' * (count > 1)}")
    if len({arm, *values}) <= len(values):
        got = f"{', '.join(values)} with the arm column {arm!r}"
        raise invalid("value", "a different column each time", got)
    return arm, values


def _read_parquet(
    path: Path, arm: str | None, values: tuple[str, ...]
) -> tuple[Any, str, tuple[str, ...]]:
    with parquet.ParquetFile(path) as file:
        arm, values = choose(path, file.schema_arrow.names, arm, values)
        return file.read(columns=[arm, *values]), arm, values


def _read_csv(
    path: Path, arm: str | None, values: tuple[str, ...]
) -> tuple[Any, str, tuple[str, ...]]:
    """Read the columns as text, so that names keep their zeros and errors can quote bad numbers."""
    parse = csv.ParseOptions(delimiter=separator(path), newlines_in_values=True)
    with csv.open_csv(path, parse_options=parse) as file:
        arm, values = choose(path, file.schema.names, arm, values)
    wanted = [arm, *values]
    table = csv.read_csv(
        path,
        read_options=csv.ReadOptions(use_threads=False),  # errors then name the row
        parse_options=parse,
        convert_options=csv.ConvertOptions(
            include_columns=wanted, column_types=dict.fromkeys(wanted, pyarrow.string())
        ),
    )
    return table, arm, values


def _arms(path: Path, name: str, column: Any) -> tuple[list[str], Any]:
    """Return the names of the arms, and the arm of each record."""
    if pyarrow.types.is_dictionary(column.type):
        encoded = column.unify_dictionaries().combine_chunks()
        missing = encoded.indices.is_null()
    else:
        try:
            text = compute.utf8_trim_whitespace(column.cast(pyarrow.string()))
        except pyarrow.ArrowException:
            expected, got = "a column of names", f"the type {column.type}"
            raise invalid(f"file {path}, column {name!r},", expected, got) from None
        encoded = text.dictionary_encode().combine_chunks()
        missing = compute.or_kleene(text.is_null(), compute.equal(text, ""))
    _refuse_missing(path, name, missing, "the name of an arm")
    return [str(value) for value in encoded.dictionary.to_pylist()], encoded.indices.to_numpy()


def _numbers(path: Path, name: str, column: Any) -> FloatArray:
    """Convert a column to finite numbers; an error names the first bad record."""
    expected = "a number (with a point, not a comma, for decimals)"
    is_text = column.type in (pyarrow.string(), pyarrow.large_string())
    missing = column.is_null()
    if is_text:
        column = compute.utf8_trim_whitespace(column)
        missing = compute.or_kleene(missing, compute.equal(column, ""))
    _refuse_missing(path, name, missing, expected)
    try:
        array = np.asarray(column.cast(pyarrow.float64()).to_numpy(), dtype=np.float64)
    except pyarrow.ArrowException:
        if not is_text:
            got = f"the type {column.type}"
            raise invalid(f"file {path}, column {name!r},", "numbers", got) from None
        texts = column.to_pylist()
        if wrong := [row for row, text in enumerate(texts) if not is_number(text)]:
            got = repr(texts[wrong[0]])
            raise _bad(path, name, wrong[0], expected, got, len(wrong) - 1) from None
        array = np.array([float(text) for text in texts])
    outside = ~(np.abs(array) <= LARGEST)  # NaN too
    if outside.any():
        row = int(outside.argmax())
        raise _bad(path, name, row, f"a number up to {LARGEST:g} in size", f"{array[row]:g}")
    return array


def _check_samples(path: Path, names: tuple[str, ...], samples: FloatArray, family: Family) -> None:
    """Refuse samples that the family cannot give; an error names the first bad record."""
    for name, column in zip(names, samples.T, strict=True):
        try:
            family.check_samples(column)
        except InvalidInputError:
            for row, value in enumerate(column):
                family.check_samples(value, _place(path, name, row))
            raise


def _refuse_missing(path: Path, name: str, missing: Any, expected: str) -> None:
    row = compute.index(missing, True).as_py()
    if row >= 0:
        more = int(compute.sum(missing).as_py()) - 1
        raise _bad(path, name, row, expected, "an empty cell", more)


def _bad(
    path: Path, name: str, row: int, expected: str, got: str, more: int = 0
) -> InvalidInputError:
    """Make the error for a record, and count ``more`` records like it."""
    also = f" ({more} more row{'s' * (more != 1)} like this)" if more else ""
    return invalid(_place(path, name, row), expected, f"{got}{also}")


def _place(path: Path, name: str, row: int) -> str:
    return f"file {path}, column {name!r}, row {row + 1},"


def alike(names: Iterable[str]) -> str:
    """Return a note if names of arms differ only by case or spaces, else an empty string."""
    first: dict[str, str] = {}
    for name in names:
        other = first.setdefault("".join(name.casefold().split()), name)
        if other != name:
            return f"arms {other!r} and {name!r} differ by case or spaces only"
    return ""
