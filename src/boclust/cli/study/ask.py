"""``boclust study ask``: what to sample next."""

from typing import TYPE_CHECKING

import click

from boclust.cli.options import as_json
from boclust.cli.study.common import client, follow_up, of_study, opened, print_json, quoted

if TYPE_CHECKING:
    from boclust.study import Ask


@of_study("ask")
@click.option("--count", type=int, default=1, show_default=True, help="Ask for at most so many.")
@client
@as_json
def command(study: str, url: str, count: int, client: str | None, as_json: bool) -> None:
    """What to sample next. A client gets first what it holds, so to ask again is harmless.

    An ask that is not answered in time no longer counts as pending; its value is welcome all the
    same. With --json: {"study": ..., "asks": [{"id", "arm", "name", "client", "until"}, ...]}.

    \b
    boclust study ask tides --client ann
    boclust study ask tides --client robot --count 10 --json

    Exit code 3: the study has ended. 4: there is nothing to ask for now, since it is paused or all
    that its round or its budget leaves is out.
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
    click.echo(f"Then each: {follow_up('tell', study, '--ask ID VALUE')}")


def shown_time(iso: str) -> str:
    """``2026-01-31 23:59:59 UTC``."""
    return f"{iso[:19].replace('T', ' ')} UTC"
