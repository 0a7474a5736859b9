"""``boclust study ask``: what to sample next."""

from typing import TYPE_CHECKING

import click

from boclust.cli.options import as_json
from boclust.cli.study.common import (
    client,
    follow_up,
    opened,
    print_json,
    quoted,
    shown_time,
    study_command,
)

if TYPE_CHECKING:
    from boclust.study import Ask


@study_command("ask")
@click.option("--count", type=int, default=1, show_default=True, help="The number of asks.")
@client
@as_json
def command(study: str, url: str, count: int, client: str | None, as_json: bool) -> None:
    """Ask what to sample next. A client first gets its own pending asks, so it may ask again.

    After the lease, an unanswered ask no longer counts as pending; a late value is still recorded.
    With --json: {"study": ..., "asks": [{"id", "arm", "name", "client", "until"}, ...]}.

    \b
    boclust study ask tides --client ann
    boclust study ask tides --client robot --count 10 --json

    Exit code 3: the study has ended. Exit code 4: there is nothing to ask for now, because the
    study is paused or its pending asks fill the round or the budget.
    """
    with opened(url, study) as one:
        asks = one.ask(count, client)
    if as_json:
        print_json({"study": study, "asks": asks})
    else:
        _print(study, asks)


def _print(study: str, asks: "list[Ask]") -> None:
    from boclust.cli.terminal import cell, plain, screen, table

    if len(asks) == 1:
        (ask,) = asks
        click.echo(f"Sample {plain(ask.name)} (arm {ask.arm}), until {shown_time(ask.until)}.")
        click.echo(f"Then: {follow_up('tell', study, f'--ask {quoted(ask.id)} VALUE')}")
        return
    shown = table("ask", "number", "arm", "until")
    shown.columns[2].justify = "left"
    shown.columns[2].no_wrap = False
    for ask in asks:
        shown.add_row(ask.id, str(ask.arm), cell(ask.name), shown_time(ask.until))
    screen().print(shown)
    click.echo(f"Then, for each: {follow_up('tell', study, '--ask ID VALUE')}")
