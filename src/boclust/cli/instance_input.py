"""Instances as people write them: on the command line, as CSV, as TOML."""

import csv
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boclust import Instance
from boclust._validate import InvalidInputError, invalid, real, repeated
from boclust.cli.csv_text import coordinates, is_number, not_utf8, separator
from boclust.problem.families import family

_MEANS = "numbers, comma-separated vectors, or one .csv or .toml file"


@dataclass(frozen=True)
class Described:
    """An instance with the names of its arms and the requested error probabilities."""

    instance: Instance
    names: list[str]
    deltas: list[float]


def summary(instance: Instance) -> dict[str, Any]:
    """Return what every JSON answer says about an instance."""
    return {
        "n_arms": instance.n_arms,
        "dim": instance.dim,
        "n_clusters": instance.n_clusters,
        "family": str(instance.family),
    }


def read_instance(
    means: tuple[str, ...],
    n_clusters: int | None,
    deltas: tuple[float, ...],
    options: dict[str, Any],
) -> Described:
    """Read inline means or one file; options of the command line override the file."""
    entries: dict[str, Any] = {}
    if len(means) == 1 and Path(means[0]).suffix.lower() in (".csv", ".toml"):
        path = Path(means[0])
        entries = _read_csv(path) if path.suffix.lower() == ".csv" else read_toml(path)
    else:
        entries["means"] = [coordinates("means", text, _MEANS) for text in means]
        sizes = [len(row) for row in entries["means"]]
        if len(set(sizes)) > 1:
            raise invalid("means", "vectors with as many coordinates for every arm", sizes)
    return describe(entries, n_clusters, deltas, options)


def describe(
    entries: dict[str, Any],
    n_clusters: int | None,
    deltas: tuple[float, ...],
    options: dict[str, Any],
) -> Described:
    """Make the instance from the entries of a file and the options that override them."""
    given = {name: value for name, value in options.items() if value is not None}
    k = n_clusters if n_clusters is not None else entries.get("n_clusters")
    if k is None:
        raise invalid("clusters", "given by -k N, or by n_clusters in a TOML file", "neither")
    name = given.pop("family", None) or entries.get("family", {}).pop("name", "gaussian")
    instance = Instance(entries["means"], k, family(name, **{**entries.get("family", {}), **given}))
    names = entries.get("names", [str(arm) for arm in range(instance.n_arms)])
    if not isinstance(names, list) or len(names) != instance.n_arms:
        raise invalid("names", f"a list of {instance.n_arms} names, one per arm", repr(names))
    names = [str(name) for name in names]
    if (twice := repeated(names)) is not None:
        raise invalid("names", "different for every arm", f"{twice!r} twice")
    wanted = list(deltas) or entries.get("delta", 0.01)
    wanted = wanted if isinstance(wanted, list) else [wanted]
    if not wanted:
        raise invalid("delta", "one or more numbers between 0 and 1", "an empty list")
    return Described(instance, names, [real("delta", d, 0.0, 1.0) for d in wanted])


def _unreadable(path: Path, error: Exception) -> InvalidInputError:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return invalid("file", "a readable CSV or TOML file", f"{path}: {reason}")


def _read_csv(path: Path) -> dict[str, Any]:
    """Read one row of numbers per arm, with or without a header line and a column of names."""
    try:
        mark = separator(path)
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file, delimiter=mark)
            numbered = [(reader.line_num, row) for row in reader if any(row)]
    except UnicodeDecodeError:
        raise not_utf8(path) from None
    except (OSError, csv.Error) as error:
        raise _unreadable(path, error) from None
    if numbered and not any(is_number(cell) for cell in numbered[0][1]):
        _check_header(path, *numbered[0])
        numbered = numbered[1:]
    if not numbered:
        raise invalid("means", "one row of numbers per arm", f"no rows in {path}")
    named = not is_number(numbered[0][1][0])
    width = len(numbered[0][1])
    means: dict[str, list[float]] = {}
    for line, row in numbered:
        place = f"means in {path}, line {line},"
        cells = row[1:] if named else row
        decimal_commas = mark == "," and ";" in row[0]
        numbers = all(is_number(cell) for cell in cells)
        if len(row) != width or not cells or not numbers or decimal_commas:
            count = max(width - named, 1)
            expected = (
                f"{count} number{'s' * (count != 1)} with decimal points, separated by commas"
            )
            expected += ", after the name of the arm" if named else ""
            raise invalid(place, expected, repr(mark.join(row)))
        name = row[0] if named else str(line)
        if name in means:
            expected = "the only row of its arm (to cluster records, use boclust run)"
            raise invalid(place, expected, f"{name!r} again")
        means[name] = [float(cell) for cell in cells]
    rows = list(means.values())
    return {"means": rows, "names": list(means)} if named else {"means": rows}


def _check_header(path: Path, line: int, cells: list[str]) -> None:
    """Refuse a header that may be a misspelt first arm: ``O.5`` is no column name, ``x1`` is."""
    for cell in cells:
        if not cell.strip() or (any(map(str.isdigit, cell)) and not cell.strip().isidentifier()):
            expected = "numbers separated by commas, or a header with column names like x1"
            raise invalid(f"means in {path}, line {line},", expected, repr(cell))


def read_toml(path: Path, more: tuple[str, ...] = ()) -> dict[str, Any]:
    """Read the keys of an instance, and those of ``more``; refuse any other."""
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _unreadable(path, error) from None
    known = {"means", "n_clusters", "names", "delta", "family", *more}
    if unknown := sorted(set(entries) - known):
        raise invalid(f"a key of {path}", f"one of {', '.join(sorted(known))}", unknown[0])
    if "means" not in entries:
        raise invalid("means", f"given in {path} as means = [...], one entry per arm", "nothing")
    if isinstance(entries.get("family"), str):
        entries["family"] = {"name": entries["family"]}
    if not isinstance(entries.get("family", {}), dict):
        expected = 'a name, or a table like {name = "gaussian"}'
        raise invalid("family", expected, repr(entries["family"]))
    return entries
