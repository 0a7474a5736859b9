"""``boclust study db``: the tables of a database."""

import click

from boclust.cli import HELP
from boclust.cli.study.common import database


@click.group(name="db", context_settings=HELP)
def command() -> None:
    """The tables of a database, whose version this version of boclust must know."""


@command.command(name="upgrade", context_settings=HELP)
@database
def upgrade(url: str) -> None:
    """Bring a database that an older version made up to date; nothing is lost.

    \b
    boclust study db upgrade --url sqlite:///tides.db
    """
    from boclust.study import Study
    from boclust.study.tables import SCHEMA

    Study.upgrade(url)
    click.echo(f"The database has schema {SCHEMA}, which this version of boclust uses.")
