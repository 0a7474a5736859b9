"""``boclust study tell``: record values."""

from typing import IO, TYPE_CHECKING, Any

import click

from boclust.cli.options import as_json
from boclust.cli.study.common import (
    STATES,
    client,
    counted,
    follow_up,
    opened,
    print_json,
    quoted,
    study_command,
)

if TYPE_CHECKING:
    from boclust.study import Study


@study_command("tell", ignore_unknown_options=True)
@click.argument("value", required=False)
@click.option("--ask", metavar="ID", help="The ask that the value answers.")
@click.option("--arm", metavar="ARM", help="The arm of an unsolicited value, by name or number.")
@click.option("--key", metavar="TEXT", help="A value with the same key is recorded once.")
@click.option("--metadata", metavar="JSON", help="A JSON object to store with the value.")
@click.option(
    "--from", "file", type=click.File(encoding="utf-8"), metavar="FILE",
    help="Many values as JSON lines (- for standard input).",
)  # fmt: skip
@client
@as_json
def command(
    study: str, url: str, value: str | None, ask: str | None, arm: str | None, key: str | None,
    metadata: str | None, file: IO[str] | None, client: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Record a value: a number, or numbers separated by commas.

    You may repeat an answer to the same ask, or a value with the same key: a repetition that says
    the same changes nothing, any other is refused.

    With --from, each line is a JSON object with "value", "ask" or "arm", and optionally "key",
    "client" and "metadata". All of them are recorded, or none.

    \b
    boclust study tell tides --ask 3f2a91bc-17 0.53
    boclust study tell tides --arm west -0.4 --key "row 17"
    echo '{"arm": "west", "value": -0.4, "key": "row 17"}' | boclust study tell tides --from -
    """
    if file is not None:
        if not (value is ask is arm is key is metadata is None):
            raise click.UsageError("Use --from without VALUE, --ask, --arm, --key and --metadata.")
        with opened(url, study) as one:
            numbers = _tell_lines(one, file, client)
            ended = _ended_by(one, numbers)
    else:
        if value is None or (ask is None) == (arm is None):
            raise click.UsageError("Give a VALUE and either --ask or --arm; or --from.")
        with opened(url, study) as one:
            numbers = [_tell_one(one, value, ask, arm, key, metadata, client)]
            ended = _ended_by(one, numbers)
    if as_json:
        print_json({"events": numbers, "ended": ended})
        return
    many = counted(len(numbers), "value")
    click.echo(f"Recorded as event {numbers[0]}." if value else f"Recorded: {many}.")
    if ended:
        click.echo(f"State: {STATES[ended]}. See: {follow_up('status', study)}")
    else:
        who = "" if client is None else f"--client {quoted(client)}"
        click.echo(f"Next: {follow_up('ask', study, who)}")


def _tell_one(
    study: "Study", value: str, ask: str | None, given_arm: str | None, key: str | None,
    metadata: str | None, client: str | None,
) -> int:  # fmt: skip
    from boclust.cli.study.inputs import arm_of, json_value, sample

    told = sample(value)
    more = None if metadata is None else json_value("metadata", metadata)
    names = [arm.name for arm in study.arms]
    what: Any = arm_of(names, given_arm) if ask is None else study.find_ask(ask)
    return study.tell(what, told, key, client, more)


def _tell_lines(study: "Study", file: IO[str], client: str | None) -> list[int]:
    from boclust._validate import invalid
    from boclust.cli.study.inputs import json_value, tell_rows

    places, rows = [], []
    try:
        for number, line in enumerate(file, 1):
            if line.strip():
                places.append(f"line {number}")
                rows.append(json_value(places[-1], line))
    except UnicodeDecodeError:
        raise invalid("from", "JSON lines in UTF-8", "other bytes") from None
    if not rows:
        raise invalid("from", "one JSON object per line", "an empty file")
    return tell_rows(study, rows, places, client)


def _ended_by(study: "Study", numbers: list[int]) -> str | None:
    """How these values ended the study, if they did: the next event records it."""
    after = next(study.history(max(numbers)), None)
    if after is None or after["kind"] != "stopped":
        return None
    how: str = after["payload"]["how"]
    return how
