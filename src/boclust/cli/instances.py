"""Instances as people write them: on the command line, as CSV, as TOML."""

import csv
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boclust._validate import fail, real, repeated
from boclust.cli.texts import not_utf8, separator
from boclust.problem.families import family
from boclust.problem.instance import Instance

_MEANS = "numbers, comma-separated vectors, or one .csv or .toml file"


@dataclass(frozen=True)
class Described:
    """An instance with the names of its arms and the error probabilities asked for."""

    instance: Instance
    names: list[str]
    deltas: list[float]


def summary(instance: Instance) -> dict[str, Any]:
    """What every JSON answer says about an instance."""
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
    """From inline means or one file; what the command line says goes before what a file says."""
    said: dict[str, Any] = {}
    if len(means) == 1 and Path(means[0]).suffix.lower() in (".csv", ".toml"):
        path = Path(means[0])
        said = _read_csv(path) if path.suffix.lower() == ".csv" else read_toml(path)
    else:
        said["means"] = [coordinates("means", text, _MEANS) for text in means]
        if len({len(row) for row in said["means"]}) > 1:
            sizes = [len(row) for row in said["means"]]
            raise fail("means", f"have {sizes} coordinates", "the same number for every arm")
    return describe(said, n_clusters, deltas, options)


def describe(
    said: dict[str, Any],
    n_clusters: int | None,
    deltas: tuple[float, ...],
    options: dict[str, Any],
) -> Described:
    """The instance that a file or the command line has described; the options go first."""
    given = {name: value for name, value in options.items() if value is not None}
    k = n_clusters if n_clusters is not None else said.get("n_clusters")
    if k is None:
        raise fail("clusters", "is not given", "-k N, or n_clusters in a TOML file")
    name = given.pop("family", None) or said.get("family", {}).pop("name", "gaussian")
    instance = Instance(said["means"], k, family(name, **{**said.get("family", {}), **given}))
    names = said.get("names", [str(arm) for arm in range(instance.n_arms)])
    if not isinstance(names, list) or len(names) != instance.n_arms:
        raise fail("names", f"is {names!r}", f"a list of {instance.n_arms} names, one for each arm")
    names = [str(name) for name in names]
    if (twice := repeated(names)) is not None:
        raise fail("names", f"has {twice!r} twice", "each name once")
    wanted = list(deltas) or said.get("delta", 0.01)
    wanted = wanted if isinstance(wanted, list) else [wanted]
    if not wanted:
        raise fail("delta", "is an empty list", "one or more numbers between 0 and 1")
    return Described(instance, names, [real("delta", d, 0.0, 1.0) for d in wanted])


def coordinates(name: str, text: str, accepted: str) -> list[float]:
    """Numbers separated by commas."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise fail(name, f"has {text!r}", accepted) from None


def _open_error(path: Path, error: Exception) -> Exception:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return fail("file", f"cannot read {path}: {reason}", "a readable CSV or TOML file")


def _read_csv(path: Path) -> dict[str, Any]:
    """Rows of numbers; a header line and a first column of names are recognised."""
    try:
        mark = separator(path)
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file, delimiter=mark)
            numbered = [(reader.line_num, row) for row in reader if any(row)]
    except UnicodeDecodeError:
        raise not_utf8(path) from None
    except (OSError, csv.Error) as error:
        raise _open_error(path, error) from None
    if numbered and not any(is_number(cell) for cell in numbered[0][1]):
        _check_header(path, *numbered[0])
        numbered = numbered[1:]
    if not numbered:
        raise fail("means", f"{path} has no rows", "a row of numbers for each arm")
    named = not is_number(numbered[0][1][0])
    width = len(numbered[0][1])
    means: dict[str, list[float]] = {}
    for line, row in numbered:
        cells = row[1:] if named else row
        decimal_commas = mark == "," and ";" in row[0]
        numbers = all(is_number(cell) for cell in cells)
        if len(row) != width or not cells or not numbers or decimal_commas:
            raise fail(
                "means",
                f"{path}, line {line}: {mark.join(row)!r}",
                f"{max(width - named, 1)} numbers with decimal points, separated by commas"
                + (", after the arm's name" if named else ""),
            )
        name = row[0] if named else str(line)
        if name in means:
            problem = f"{path}, line {line}: {name!r} comes again, as in a file of records"
            raise fail("means", problem, "one row an arm; for records there is boclust run")
        means[name] = [float(cell) for cell in cells]
    rows = list(means.values())
    return {"means": rows, "names": list(means)} if named else {"means": rows}


def _check_header(path: Path, line: int, cells: list[str]) -> None:
    """Refuse a header that may be the first arm, misspelt: ``O.5`` is no name, ``x1`` is one."""
    for cell in cells:
        if not cell.strip() or (any(map(str.isdigit, cell)) and not cell.strip().isidentifier()):
            raise fail(
                "means",
                f"{path}, line {line}: {cell!r} is neither a number nor the name of a column",
                "numbers separated by commas; names like x1 in a header line",
            )


def is_number(text: str) -> bool:
    """Whether a cell of a file is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def read_toml(path: Path, more: tuple[str, ...] = ()) -> dict[str, Any]:
    """The keys of an instance, and ``more``; any other is refused."""
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _open_error(path, error) from None
    known = {"means", "n_clusters", "names", "delta", "family", *more}
    if unknown := sorted(set(said) - known):
        raise fail(unknown[0], f"is no key of {path}", ", ".join(sorted(known)))
    if "means" not in said:
        raise fail("means", f"is missing in {path}", "means = [...], a number or a list an arm")
    if isinstance(said.get("family"), str):
        said["family"] = {"name": said["family"]}
    if not isinstance(said.get("family", {}), dict):
        raise fail(
            "family", f"is {said['family']!r}", 'a name, or a table like {name = "gaussian"}'
        )
    return said
