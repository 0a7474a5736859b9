"""``boclust study import``: values that were taken before, all or nothing."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boclust.cli.options import as_json
from boclust.cli.study.common import client, counted, follow_up, of_study, opened, print_json

if TYPE_CHECKING:
    from boclust.cli.study.files import Rows
    from boclust.study import Study


@of_study("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--arm", metavar="COLUMN", help="Column of the arms' names or numbers.")
@click.option(
    "--value", "values", metavar="COLUMN", multiple=True,
    help="Column of the values; repeated for vectors.",
)  # fmt: skip
@click.option("--key", metavar="COLUMN", help="Column of keys; see below.")
@client
@as_json
def command(
    study: str, url: str, file: Path, arm: str | None, values: tuple[str, ...], key: str | None,
    client: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Record the values of FILE, all or none: CSV with a header line, or Parquet.

    Columns that are called arm, value (value_0, value_1, ... for vectors) and key need not be
    named, nor those of a file with two columns, arm and value. Of a file that export wrote, voided
    values are left out.

    A value that was recorded before with the same key is not recorded again. Rows without a key get
    one from the name and the contents of the file and their place in it: to import a file again is
    harmless.

    \b
    boclust study import tides past.csv
    boclust study import tides log.parquet --arm station --value level --key row
    """
    from boclust.cli.study.files import read_rows
    from boclust.cli.study.values import tell_rows

    found = read_rows(file)
    with opened(url, study) as one:
        rows, places = _observations(one, file, found, arm, values, key)
        before = one.status().events
        numbers = tell_rows(one, rows, places, client)
        state = one.status().state
    new = len({number for number in numbers if number > before})
    known, left_out = len(rows) - new, len(found.cells) - len(rows)
    if as_json:
        print_json({"recorded": new, "known": known, "voided": left_out, "state": state})
        return
    click.echo(f"Recorded: {counted(new, 'value')} of {file}.")
    if known:
        click.echo(f"Known before, and not recorded again: {counted(known, 'value')}.")
    if left_out:
        click.echo(f"Voided, and left out: {counted(left_out, 'value')}.")
    click.echo(f"The study is {state}. See: {follow_up('status', study)}")


def _observations(
    study: "Study",
    path: Path,
    found: "Rows",
    arm: str | None,
    values: tuple[str, ...],
    key: str | None,
) -> tuple[list[tuple[Any, ...]], list[str]]:
    """The rows as ``Study.tell_many`` takes them, and where they are written."""
    from boclust._validate import fail
    from boclust.cli.records import choose
    from boclust.cli.study.values import named_arm
    from boclust.cli.terminal import plain

    columns = found.columns
    if arm is None and not values and len(columns) > 2:
        arm, values = _usual(columns)
    arm, values = choose(path, columns, arm, values)
    if key is not None and columns.count(key) != 1:
        raise fail("key", f"{key!r} is no column of {path}", ", ".join(map(repr, columns)))
    keys = columns.index(key or "key") if key or "key" in columns else None
    where, numbers = columns.index(arm), [columns.index(name) for name in values]
    voided = columns.index("status") if {"seq", "status"} <= set(columns) else None
    mark = f"{plain(path.name)} {hashlib.sha256(path.read_bytes()).hexdigest()[:16]}"
    rows, places = [], []
    for i, (place, cells) in enumerate(zip(found.places, found.cells, strict=True)):
        if voided is not None and cells[voided] == "voided":
            continue
        if cells[where] is None:
            raise fail("file", f"{place}: the arm is missing", f"a name in column {arm!r}")
        told = [_number(place, name, cells[n]) for name, n in zip(values, numbers, strict=True)]
        own = None if keys is None or cells[keys] is None else str(cells[keys])
        automatic = f"{mark} {i + 1}"
        value = told[0] if len(told) == 1 else told
        rows.append((named_arm(study, cells[where]), value, own or automatic))
        places.append(place)
    return rows, places


def _usual(columns: list[str]) -> tuple[str | None, tuple[str, ...]]:
    """The columns as ``export`` calls them, where they are there."""
    vectors = tuple(f"value_{i}" for i in range(len(columns)) if f"value_{i}" in columns)
    values = ("value",) if "value" in columns else vectors
    return ("arm" if "arm" in columns else None), values


def _number(place: str, column: str, cell: Any) -> Any:
    """A value of one cell; text as in CSV must be a number, all else the study will judge."""
    from boclust._validate import fail
    from boclust.cli.study.values import number

    if cell is None:
        raise fail("file", f"{place}: the value is missing", f"a number in column {column!r}")
    return number(f"{place}, column {column!r}", cell) if isinstance(cell, str) else cell
