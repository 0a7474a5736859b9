"""``boclust study import``: values that were taken before, all or nothing."""

from pathlib import Path

import click

from boclust.cli.options import as_json
from boclust.cli.study.common import (
    STATES,
    client,
    counted,
    follow_up,
    of_study,
    opened,
    print_json,
)


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
    from boclust.cli.study.observations import observations
    from boclust.cli.study.values import tell_rows

    found = read_rows(file)
    with opened(url, study) as one:
        rows, places = observations(one, file, found, arm, values, key)
        before = one.status().events
        numbers = tell_rows(one, rows, places, client)
        state = one.status().state
    new = len({number for number in numbers if number > before})
    known, left_out = len(rows) - new, len(found.places) - len(rows)
    if as_json:
        print_json({"recorded": new, "known": known, "voided": left_out, "state": state})
        return
    click.echo(f"Recorded: {counted(new, 'value')} of {file}.")
    if known:
        click.echo(f"Known before, and not recorded again: {counted(known, 'value')}.")
    if left_out:
        click.echo(f"Voided, and left out: {counted(left_out, 'value')}.")
    click.echo(f"State: {STATES[state]}. See: {follow_up('status', study)}")
