"""``boclust study list | explain | history | export | verify``: what can be seen."""

import json
from pathlib import Path
from typing import Any

import click

from boclust._data import as_data, explanation, to_line
from boclust.cli import HELP
from boclust.cli.options import as_json
from boclust.cli.study.ask import shown_time
from boclust.cli.study.common import (
    counted,
    database,
    follow_up,
    of_study,
    opened,
    print_json,
)


@click.command(name="list", context_settings=HELP)
@database
@as_json
def list_studies(url: str, as_json: bool) -> None:
    """The studies of a database, with their numbers of events and the time of the last."""
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


@of_study("explain")
@as_json
def explain(study: str, url: str, as_json: bool) -> None:
    """Why the next arm is the next, and how far the certificate is."""
    from rich.text import Text

    from boclust.cli.terminal import screen

    with opened(url, study) as one:
        said = one.explain()
        names = [arm.name for arm in one.arms]
    if not as_json:
        screen().print(Text(said.text))
        return
    print_json(explanation(said, names))


@of_study("history")
@click.option("--after", type=int, default=0, help="Only events with larger numbers.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a line.")
def history(study: str, url: str, after: int, as_json: bool) -> None:
    """Everything that happened, in order: a line an event."""
    with opened(url, study) as one:
        for event in one.history(after):
            click.echo(to_line(event) if as_json else _line(event))


def _line(event: dict[str, Any]) -> str:
    """The number, the time, what happened, and what there is to say of it."""
    from boclust.cli.terminal import plain

    said = []
    if event["arm"] is not None:
        said.append(repr(event["arm"]))
    if event["value"] is not None:
        value = event["value"]
        said.append("= " + ", ".join(map(repr, value if isinstance(value, list) else [value])))
    if event["ask"] is not None:
        said.append(f"ask {event['ask']}")
    said += [f"{name} {event[name]!r}" for name in ("key", "client") if event[name] is not None]
    if event["target"] is not None:
        said.append(f"for event {event['target']}")
    if event["kind"] not in ("created", "asked") and event["payload"] is not None:
        said.append(json.dumps(event["payload"], ensure_ascii=False))
    time = event["time"][:19].replace("T", " ")
    return plain(f"{event['seq']:>6}  {time}  {event['kind']:<9}  {'  '.join(said)}".rstrip())


@of_study("export")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Overwrite the file where it exists.")
@as_json
def export(study: str, url: str, file: Path, force: bool, as_json: bool) -> None:
    """Write the values to a .csv or .parquet file, which appears whole.

    A column says whether a value was kept, corrected or voided; import leaves voided ones out.
    """
    from boclust._validate import fail

    if file.exists() and not force:
        raise fail("file", f"{file} exists", "another name, or --force")
    try:
        with opened(url, study) as one:
            count = one.export(file)
    except OSError as error:
        raise fail("file", f"cannot write {file}: {error.strerror}", "a writable place") from None
    if as_json:
        print_json({"values": count, "file": str(file)})
    else:
        click.echo(f"Written: {counted(count, 'value')} to {file}")


@of_study("verify")
@as_json
def verify(study: str, url: str, as_json: bool) -> None:
    """Replay the log and compare with the snapshot and the state in use, bit for bit.

    Exit code 1: something differs, and what.
    """
    with opened(url, study) as one:
        found = one.verify()
    if as_json:
        print_json({"ok": found.ok, **as_data(found)})
    else:
        counts = f"{counted(found.events, 'event')}, {counted(found.samples, 'sample')}"
        click.echo(f"{counts}: {'all is as the log says' if found.ok else 'NOT as it should be'}.")
        click.echo(f"Snapshot: {found.snapshot}.")
        for problem in found.problems:
            click.echo(f"Problem: {problem}.")
        if not found.ok:
            click.echo(f"The values are in the log: {follow_up('export', study, 'values.csv')}")
    if not found.ok:
        raise click.exceptions.Exit(1)
