"""``boclust token``: who may do what on a server."""

from typing import Any

import click

from boclust.cli import HELP
from boclust.cli.options import as_json
from boclust.cli.study import printing_errors
from boclust.cli.study.common import print_json, served_database, shown_time

_ROLES = "read: see studies; tell: also ask and tell; admin: everything."


class _Group(click.Group):
    def invoke(self, ctx: click.Context) -> Any:
        with printing_errors():
            return super().invoke(ctx)


@click.group(name="token", cls=_Group, context_settings=HELP)
def command() -> None:
    """Tokens of a server: as soon as there is one, every request needs one.

    \b
    boclust token create ann --role admin
    boclust token create robot --role tell --study tides
    boclust token list
    boclust token revoke 3f2a91bc
    """


@command.command(name="create", context_settings=HELP)
@click.argument("name")
@click.option(
    "--role", type=click.Choice(["read", "tell", "admin"]), default="read", show_default=True,
    help=_ROLES,
)  # fmt: skip
@click.option(
    "--study", "studies", multiple=True, metavar="STUDY",
    help="Cover only this study, which need not exist yet; repeat for each.",
)  # fmt: skip
@served_database
@as_json
def create(name: str, role: str, studies: tuple[str, ...], url: str, as_json: bool) -> None:
    """Create a token. It is shown once; the database stores only its hash.

    \b
    boclust token create robot --role tell --study tides
    """
    from boclust.server import tokens
    from boclust.study.storage.store import store

    made, token = tokens.create(store(url, must_exist=False), name, role, studies or None)
    if as_json:
        print_json({**made.__dict__, "token": token})
        return
    click.echo(token)
    note = f"Keep it: it cannot be shown again. To revoke it: boclust token revoke {made.id}"
    click.echo(note, err=True)


@command.command(name="list", context_settings=HELP)
@served_database
@as_json
def list_tokens(url: str, as_json: bool) -> None:
    """List the tokens of a database, without their secrets."""
    from boclust.cli.terminal import cell, screen, table
    from boclust.server import tokens
    from boclust.study.storage.store import store

    found = tokens.list_tokens(store(url, must_exist=True))
    if as_json:
        print_json(found)
        return
    shown = table("id", "name", "role", "studies", "created", "revoked")
    for column in shown.columns:
        column.justify = "left"
    for token in found:
        studies = "all" if token.studies is None else ", ".join(token.studies)
        times = (shown_time(token.created), shown_time(token.revoked) if token.revoked else "")
        shown.add_row(token.id, cell(token.name), token.role, cell(studies), *times)
    screen().print(shown)


@command.command(name="revoke", context_settings=HELP)
@click.argument("id")
@served_database
@as_json
def revoke(id: str, url: str, as_json: bool) -> None:
    """Revoke a token; a running server notices within a second."""
    from boclust.cli.terminal import plain
    from boclust.server import tokens
    from boclust.study.storage.store import store

    revoked = tokens.revoke(store(url, must_exist=True), id)
    if as_json:
        print_json(revoked)
    else:
        click.echo(f"Revoked: {revoked.id}, {plain(revoked.name)}.")
