"""``boclust study list | explain | history | export | verify``."""

import json
from pathlib import Path
from typing import Any

import click

from boclust._data import as_data, to_line
from boclust.cli import HELP
from boclust.cli.options import as_json
from boclust.cli.study.common import (
    counted,
    database,
    follow_up,
    opened,
    print_json,
    shown_time,
    study_command,
)


@click.command(name="list", context_settings=HELP)
@database
@as_json
def list_studies(url: str, as_json: bool) -> None:
    """List the studies of a database, with the number and the last time of their events."""
    from boclust.cli.terminal import cell, screen, table
    from boclust.study import Study

    found = Study.list(url)
    if as_json:
        print_json(found)
        return
    shown = table("study", "events", "last event")
    shown.columns[0].no_wrap = False
    for one in found:
        shown.add_row(cell(one["name"]), f"{one['events']:,}", shown_time(one["last"]))
    screen().print(shown)


@study_command("explain")
@as_json
def explain(study: str, url: str, as_json: bool) -> None:
    """Explain why the study asks for this arm next, and how far the certificate is."""
    from rich.text import Text

    from boclust.cli.terminal import screen
    from boclust.study.status import PlainExplanation

    with opened(url, study) as one:
        found = one.explain()
        names = [arm.name for arm in one.arms]
    if as_json:
        print_json(PlainExplanation.of(found, names))
    else:
        screen().print(Text(found.text))


@study_command("history")
@click.option("--after", type=int, default=0, help="Only events with larger numbers.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def history(study: str, url: str, after: int, as_json: bool) -> None:
    """List all events in their order, one per line."""
    with opened(url, study) as one:
        for event in one.history(after):
            click.echo(to_line(event) if as_json else _line(event))


def _line(event: dict[str, Any]) -> str:
    """The number, time and kind of an event, and its fields."""
    from boclust.cli.terminal import plain

    fields = []
    if event["arm"] is not None:
        fields.append(repr(event["arm"]))
    if event["value"] is not None:
        value = event["value"]
        fields.append("= " + ", ".join(map(repr, value if isinstance(value, list) else [value])))
    if event["ask"] is not None:
        fields.append(f"ask {event['ask']}")
    fields += [f"{name} {event[name]!r}" for name in ("key", "client") if event[name] is not None]
    if event["target"] is not None:
        fields.append(f"for event {event['target']}")
    if event["kind"] not in ("created", "asked") and event["payload"] is not None:
        fields.append(json.dumps(event["payload"], ensure_ascii=False))
    time = event["time"][:19].replace("T", " ")
    return plain(f"{event['seq']:>6}  {time}  {event['kind']:<9}  {'  '.join(fields)}".rstrip())


@study_command("export")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@as_json
def export(study: str, url: str, file: Path, force: bool, as_json: bool) -> None:
    """Write the values to a .csv or .parquet file.

    The column status says whether a value was kept, corrected or voided; import skips voided ones.
    """
    from boclust._validate import invalid

    if file.exists() and not force:
        raise invalid("file", "a new file (or use --force)", f"{file}, which exists")
    try:
        with opened(url, study) as one:
            count = one.export(file)
    except OSError as error:
        raise invalid("file", "a writable place", f"{file} ({error.strerror})") from None
    if as_json:
        print_json({"values": count, "file": str(file)})
    else:
        click.echo(f"Wrote {counted(count, 'value')} to {file}.")


@study_command("verify")
@as_json
def verify(study: str, url: str, as_json: bool) -> None:
    """Replay the log and compare with the snapshot and the state in use, bit for bit.

    Exit code 1: there is a difference, and the output says which.
    """
    with opened(url, study) as one:
        found = one.verify()
    if as_json:
        print_json({"ok": found.ok, **as_data(found)})
    else:
        counts = f"{counted(found.events, 'event')}, {counted(found.samples, 'sample')}"
        click.echo(f"{counts}: {'all agree with the log' if found.ok else 'there are PROBLEMS'}.")
        click.echo(f"Snapshot: {found.snapshot}.")
        for problem in found.problems:
            click.echo(f"Problem: {problem}.")
        if not found.ok:
            click.echo(f"The log has all values: {follow_up('export', study, 'values.csv')}")
    if not found.ok:
        raise click.exceptions.Exit(1)
