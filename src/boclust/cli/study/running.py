"""``boclust study pause | resume | budget | stop``."""

import click

from boclust.cli.study.common import STATES, client, follow_up, of_study, opened, reason
from boclust.cli.study.making import budget_options, said_budget


@of_study("pause")
@client
def pause(study: str, url: str, client: str | None) -> None:
    """Ask for nothing until it is resumed; values may still be told."""
    with opened(url, study) as one:
        one.pause(client)
    click.echo(f"Paused. To go on: {follow_up('resume', study)}")


@of_study("resume")
@client
def resume(study: str, url: str, client: str | None) -> None:
    """Ask again after a pause."""
    with opened(url, study) as one:
        one.resume(client)
    click.echo(f"Resumed. Next: {follow_up('ask', study)}")


@of_study("budget")
@budget_options
@click.option("--none", "unlimited", is_flag=True, help="No limit.")
@client
def budget(
    study: str, url: str, budget: int | None, budget_cost: float | None, unlimited: bool,
    client: str | None,
) -> None:  # fmt: skip
    """Set another budget, in the place of the one before; a study that spent it goes on.

    \b
    boclust study budget tides --budget 500
    boclust study budget tides --none
    """
    new = said_budget(budget, budget_cost)
    if (new is None) != unlimited:
        raise click.UsageError("Give --budget, --budget-cost or both; or --none.")
    with opened(url, study) as one:
        one.change_budget(new, client)
        state = one.status().state
    click.echo(f"The budget is set. State: {STATES[state]}. See: {follow_up('status', study)}")


@of_study("stop")
@reason
@client
def stop(study: str, url: str, reason: str, client: str | None) -> None:
    """End a study by hand, for good; values that come later are kept."""
    with opened(url, study) as one:
        one.stop(reason, client)
        state = one.status().state
    click.echo(f"State: {STATES[state]}. See: {follow_up('status', study)}")
