"""``boclust study pause | resume | budget | stop | void | correct``."""

import click

from boclust.cli.options import as_json
from boclust.cli.study.common import (
    STATES,
    budget_options,
    client,
    follow_up,
    given_budget,
    opened,
    print_json,
    reason,
    study_command,
)

_event = click.argument("event", type=int)


@study_command("pause")
@client
def pause(study: str, url: str, client: str | None) -> None:
    """Stop asking until the study is resumed; it still accepts values."""
    with opened(url, study) as one:
        one.pause(client)
    click.echo(f"Paused. To continue: {follow_up('resume', study)}")


@study_command("resume")
@client
def resume(study: str, url: str, client: str | None) -> None:
    """Ask again after a pause."""
    with opened(url, study) as one:
        one.resume(client)
    click.echo(f"Resumed. Next: {follow_up('ask', study)}")


@study_command("budget")
@budget_options
@click.option("--none", "unlimited", is_flag=True, help="No limit.")
@client
def budget(
    study: str, url: str, budget: int | None, budget_cost: float | None, unlimited: bool,
    client: str | None,
) -> None:  # fmt: skip
    """Replace the budget; a study that had spent it continues.

    \b
    boclust study budget tides --budget 500
    boclust study budget tides --none
    """
    new = given_budget(budget, budget_cost)
    if (new is None) != unlimited:
        raise click.UsageError("Give --budget, --budget-cost or both; or --none.")
    with opened(url, study) as one:
        one.change_budget(new, client)
        state = one.status().state
    click.echo(f"The budget is set. State: {STATES[state]}. See: {follow_up('status', study)}")


@study_command("stop")
@reason
@client
def stop(study: str, url: str, reason: str, client: str | None) -> None:
    """End a study by hand, for good; it still records late values."""
    with opened(url, study) as one:
        one.stop(reason, client)
        state = one.status().state
    click.echo(f"State: {STATES[state]}. See: {follow_up('status', study)}")


@study_command("void")
@_event
@reason
@client
@as_json
def void(study: str, url: str, event: int, reason: str, client: str | None, as_json: bool) -> None:
    """Exclude the value that event EVENT recorded; the state is recomputed from the others.

    tell prints the number of the event, and history lists it. The guarantee then holds if the
    reason did not depend on the value: status says so.

    \b
    boclust study void tides 17 --reason "sensor unplugged"
    """
    with opened(url, study) as one:
        number = one.void(event, reason, client)
    _print_revision(study, event, number, "voided", as_json)


@study_command("correct", ignore_unknown_options=True)
@_event
@click.argument("value")
@reason
@client
@as_json
def correct(
    study: str, url: str, event: int, value: str, reason: str, client: str | None, as_json: bool
) -> None:
    """Replace the value that event EVENT recorded by VALUE; the state is recomputed.

    \b
    boclust study correct tides 17 0.53 --reason "decimal point"
    """
    from boclust.cli.study.inputs import sample

    new = sample(value)
    with opened(url, study) as one:
        number = one.correct(event, new, reason, client)
    _print_revision(study, event, number, "corrected", as_json)


def _print_revision(study: str, event: int, number: int, how: str, as_json: bool) -> None:
    if as_json:
        print_json({"event": number, "target": event})
        return
    click.echo(f"Event {event} is {how}, by event {number}.")
    click.echo(f"See: {follow_up('status', study)}")
