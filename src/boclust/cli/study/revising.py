"""``boclust study void | correct``: values that should not be as they are."""

import click

from boclust.cli.options import as_json
from boclust.cli.study.common import client, follow_up, of_study, opened, print_json, reason

_event = click.argument("event", type=int)


@of_study("void")
@_event
@reason
@client
@as_json
def void(study: str, url: str, event: int, reason: str, client: str | None, as_json: bool) -> None:
    """Leave out the value that event EVENT recorded; all follows anew from the others.

    tell says the number of the event, and history has it. The guarantee then holds if the reason
    did not depend on the value: status says so.

    \b
    boclust study void tides 17 --reason "sensor unplugged"
    """
    with opened(url, study) as one:
        number = one.void(event, reason, client)
    _done(study, event, number, "voided", as_json)


@of_study("correct", ignore_unknown_options=True)
@_event
@click.argument("value")
@reason
@client
@as_json
def correct(
    study: str, url: str, event: int, value: str, reason: str, client: str | None, as_json: bool
) -> None:
    """Put VALUE in the place of the one that event EVENT recorded; all follows anew.

    \b
    boclust study correct tides 17 0.53 --reason "decimal point"
    """
    from boclust.cli.study.values import sample

    new = sample(value)
    with opened(url, study) as one:
        number = one.correct(event, new, reason, client)
    _done(study, event, number, "corrected", as_json)


def _done(study: str, event: int, number: int, how: str, as_json: bool) -> None:
    if as_json:
        print_json({"event": number, "target": event})
        return
    click.echo(f"Event {event} is {how}, by event {number}.")
    click.echo(f"See: {follow_up('status', study)}")
