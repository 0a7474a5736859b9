"""``boclust study import``: the values of a file, all or none."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boclust.cli.options import as_json
from boclust.cli.study.common import (
    STATES,
    client,
    counted,
    follow_up,
    opened,
    print_json,
    study_command,
)

if TYPE_CHECKING:
    from boclust.cli.study.inputs import Rows
    from boclust.study import Study


@study_command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--arm", metavar="COLUMN", help="Column of the arms' names or numbers.")
@click.option(
    "--value", "values", metavar="COLUMN", multiple=True,
    help="Column of the values; repeat it for vectors.",
)  # fmt: skip
@click.option("--key", metavar="COLUMN", help="Column of the keys, see below.")
@client
@as_json
def command(
    study: str, url: str, file: Path, arm: str | None, values: tuple[str, ...], key: str | None,
    client: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Record all values of FILE, or none: CSV with a header line, or Parquet.

    You need not name columns called arm, value (value_0, value_1, ... for vectors) and key, nor
    those of a file with two columns, arm and value. Voided values in an exported file are skipped.

    A value whose key was recorded before is not recorded again. Rows without a key get one from the
    name and contents of the file and their place in it, so you may import a file again.

    \b
    boclust study import tides past.csv
    boclust study import tides log.parquet --arm station --value level --key row
    """
    from boclust.cli.study.inputs import read_rows, tell_rows

    found = read_rows(file)
    with opened(url, study) as one:
        rows, places = _observations(one, file, found, arm, values, key)
        before = one.status().events
        numbers = tell_rows(one, rows, places, client)
        state = one.status().state
    new = len({number for number in numbers if number > before})
    known, voided = len(rows) - new, len(found.places) - len(rows)
    if as_json:
        print_json({"recorded": new, "known": known, "voided": voided, "state": state})
        return
    click.echo(f"Recorded {counted(new, 'value')} from {file}.")
    if known:
        click.echo(f"Skipped {counted(known, 'value')} that had been recorded before.")
    if voided:
        click.echo(f"Skipped {counted(voided, 'voided value')}.")
    click.echo(f"State: {STATES[state]}. See: {follow_up('status', study)}")


def _observations(
    study: "Study",
    path: Path,
    found: "Rows",
    arm: str | None,
    values: tuple[str, ...],
    key: str | None,
) -> tuple[list[tuple[Any, ...]], list[str]]:
    """The rows as ``Study.tell_many`` takes them, and their places in the file."""
    from boclust._validate import invalid
    from boclust.cli.study.inputs import arm_of
    from boclust.cli.terminal import plain

    arm, values, key = _columns(path, found.columns, arm, values, key)
    arms, samples = found.column(arm), zip(*map(found.column, values), strict=True)
    nothing: list[Any] = [None] * len(arms)
    keys = nothing if key is None else found.column(key)
    status = found.column("status") if {"seq", "status"} <= set(found.columns) else nothing
    mark = f"{plain(path.name)} {hashlib.sha256(path.read_bytes()).hexdigest()[:16]}"
    names = {one.name for one in study.arms}
    rows, places = [], []
    for i, (place, sample) in enumerate(zip(found.places, samples, strict=True)):
        if status[i] == "voided":
            continue
        if arms[i] is None:
            raise invalid(f"{place}, column {arm!r}", "the name of an arm", "nothing")
        told = [_number(place, *cell) for cell in zip(values, sample, strict=True)]
        unique = f"{mark} {i + 1}" if keys[i] is None else str(keys[i])
        rows.append((arm_of(names, arms[i]), told[0] if len(told) == 1 else told, unique))
        places.append(place)
    return rows, places


def _columns(
    path: Path, columns: list[str], arm: str | None, values: tuple[str, ...], key: str | None
) -> tuple[str, tuple[str, ...], str | None]:
    """The columns of arms, values and keys: as given, or by their usual names."""
    from boclust._validate import invalid
    from boclust.cli.records import choose

    usual_arm, usual_values = _usual(columns)
    if len(columns) > 2 or (usual_arm and usual_values):
        arm, values = arm or usual_arm, values or usual_values
    arm, values = choose(path, columns, arm, values)
    if key is None and "key" in columns:
        key = "key"
    if key is not None and columns.count(key) != 1:
        accepted = f"one of the columns of {path} ({', '.join(map(repr, columns))})"
        raise invalid("key", accepted, repr(key))
    return arm, values, key


def _usual(columns: list[str]) -> tuple[str | None, tuple[str, ...]]:
    """The columns with the names that ``export`` uses, if there are any."""
    vectors = tuple(f"value_{i}" for i in range(len(columns)) if f"value_{i}" in columns)
    values = ("value",) if "value" in columns else vectors
    return ("arm" if "arm" in columns else None), values


def _number(place: str, column: str, cell: Any) -> Any:
    """The value of one cell; text must be a number, the study validates everything else."""
    from boclust._validate import invalid
    from boclust.cli.study.inputs import number

    name = f"{place}, column {column!r}"
    if cell is None:
        raise invalid(name, "a number", "nothing")
    return number(name, cell) if isinstance(cell, str) else cell
