"""Records of samples in a CSV or Parquet file: a column names the arm, others hold the values."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from pyarrow import compute, csv, parquet

from boclust._validate import LARGEST, FloatArray, InvalidInputError, fail
from boclust.cli.instances import is_number
from boclust.cli.texts import not_utf8, separator
from boclust.problem.families import Family


def read_records(
    path: Path, arm: str | None, values: tuple[str, ...], family: Family
) -> dict[str, FloatArray]:
    """The samples of each arm, n x d, in the order of the file; arms as they first appear."""
    read = _read_parquet if path.suffix.lower() == ".parquet" else _read_csv
    try:
        table, arm, values = read(path, arm, values)
    except (OSError, pyarrow.ArrowException) as error:
        if "invalid UTF8" in str(error):
            raise not_utf8(path) from None
        reason = getattr(error, "strerror", None) or str(error)
        problem = f"cannot read {path}: {' '.join(reason.split())}"
        raise fail("file", problem, "a CSV file with a header line, or a Parquet file") from None
    if table.num_rows == 0:
        raise fail("file", f"{path} has no records", "a row for each sample")
    names, numbers = _arms(path, arm, table[arm])
    samples = np.column_stack([_numbers(path, name, table[name]) for name in values])
    if len(names) < 2:
        problem = f"{path}, column {arm!r}: every record is of the arm {names[0]!r}"
        raise fail("file", problem, "records of two arms or more")
    _check_samples(path, values, samples, family)
    order = np.argsort(numbers, kind="stable")
    parts = np.split(samples[order], np.cumsum(np.bincount(numbers, minlength=len(names)))[:-1])
    for name, part in zip(names, parts, strict=True):
        if len(part) == 0:
            raise fail(
                "file",
                f"{path}, column {arm!r}: the category {name!r} has no records",
                "at least one record of every arm",
            )
    return dict(zip(names, parts, strict=True))


def choose(
    path: Path, columns: list[str], arm: str | None, values: tuple[str, ...]
) -> tuple[str, tuple[str, ...]]:
    """The column of the arms and those of the values; of two columns, the first and the second."""
    listed = ", ".join(repr(name) for name in columns)
    if arm is None and not values and len(columns) == 2:
        if is_number(columns[1]):
            raise fail("file", f"{path} has no header line", "names of the columns in line 1")
        arm, values = columns[0], (columns[1],)
    if arm is None or not values:
        option = "arm" if arm is None else "value"
        raise fail(option, f"is not given and {path} has the columns {listed}", f"--{option} NAME")
    for option, name in [("arm", arm), *(("value", name) for name in values)]:
        if columns.count(name) != 1:
            problem = "is no column" if name not in columns else "is more than one column"
            raise fail(option, f"{name!r} {problem} of {path}", listed)
    if len({arm, *values}) <= len(values):
        raise fail("value", f"is {', '.join(values)} with the arm column {arm!r}", "each once")
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
    """The columns as text: names keep their zeros, and bad numbers can be pointed at."""
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
    """The names of the arms, and for each record the number of its arm."""
    if pyarrow.types.is_dictionary(column.type):
        encoded = column.unify_dictionaries().combine_chunks()
        missing = encoded.indices.is_null()
    else:
        try:
            text = compute.utf8_trim_whitespace(column.cast(pyarrow.string()))
        except pyarrow.ArrowException:
            problem = f"{path}, column {name!r}: is {column.type}"
            raise fail("file", problem, "a column of names") from None
        encoded = text.dictionary_encode().combine_chunks()
        missing = compute.or_kleene(text.is_null(), compute.equal(text, ""))
    _refuse_first(path, name, missing, "the arm's name is missing", "a name in every row")
    return [str(value) for value in encoded.dictionary.to_pylist()], encoded.indices.to_numpy()


def _numbers(path: Path, name: str, column: Any) -> FloatArray:
    """A column as finite numbers; the first record that is none is named."""
    accepted = "a number in every row, with a decimal point"
    is_text = column.type in (pyarrow.string(), pyarrow.large_string())
    missing = column.is_null()
    if is_text:
        column = compute.utf8_trim_whitespace(column)
        missing = compute.or_kleene(missing, compute.equal(column, ""))
    _refuse_first(path, name, missing, "the value is missing", accepted)
    try:
        array = np.asarray(column.cast(pyarrow.float64()).to_numpy(), dtype=np.float64)
    except pyarrow.ArrowException:
        if not is_text:
            raise fail("file", f"{path}, column {name!r}: is {column.type}", accepted) from None
        texts = column.to_pylist()
        if wrong := [row for row, text in enumerate(texts) if not is_number(text)]:
            problem = f"is {texts[wrong[0]]!r}"
            raise _bad(path, name, wrong[0], problem, accepted, len(wrong) - 1) from None
        array = np.array([float(text) for text in texts])
    outside = ~(np.abs(array) <= LARGEST)  # NaN too
    if outside.any():
        row = int(outside.argmax())
        raise _bad(path, name, row, f"is {array[row]:g}", f"numbers up to {LARGEST:g} in size")
    return array


def _check_samples(path: Path, names: tuple[str, ...], samples: FloatArray, family: Family) -> None:
    for name, column in zip(names, samples.T, strict=True):
        try:
            family.check_samples(column)
        except InvalidInputError:
            for row, value in enumerate(column):
                try:
                    family.check_samples(value)
                except InvalidInputError as error:
                    accepted = str(error).rpartition("accepted: ")[2]
                    raise _bad(path, name, row, f"is {value:g}", accepted) from None
            raise


def _refuse_first(path: Path, name: str, wrong: Any, problem: str, accepted: str) -> None:
    """Refuse the first record for which ``wrong`` is true."""
    row = compute.index(wrong, True).as_py()
    if row >= 0:
        raise _bad(path, name, row, problem, accepted, int(compute.sum(wrong).as_py()) - 1)


def _bad(
    path: Path, name: str, row: int, problem: str, accepted: str, more: int = 0
) -> InvalidInputError:
    """The error for a record; ``more`` records have the like."""
    also = f" ({more} more row{'s' * (more != 1)} like that)" if more else ""
    return fail("file", f"{path}, column {name!r}, row {row + 1}: {problem}{also}", accepted)


def alike(names: Iterable[str]) -> str:
    """A note where names of arms differ by case or spaces only: misspelt ones, perhaps."""
    first: dict[str, str] = {}
    for name in names:
        other = first.setdefault("".join(name.casefold().split()), name)
        if other != name:
            return f"arms {other!r} and {name!r} differ by case or spaces only"
    return ""
