"""What the commands of ``boclust study`` share: the database, the study, how things are said."""

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from boclust._data import to_line
from boclust.cli import HELP

if TYPE_CHECKING:
    from boclust.study import Study

_ACCEPTED = "sqlite:///file.db or postgresql+psycopg://user@host/database"

#: The states of a study in words.
STATES = {
    "open": "open",
    "paused": "paused: nothing is asked for",
    "certified": "ended, the clusters are certified",
    "budget": "ended, the budget is spent",
    "stopped": "ended, stopped by hand",
}


def check_url(_context: click.Context, _option: click.Parameter, url: str | None) -> str:
    """A database that outlives the command."""
    from boclust._validate import fail, shown
    from boclust.study.store import store

    if url is None:
        raise fail("url", "is not given", f"--url or BOCLUST_URL with {_ACCEPTED}")
    if "://" not in url:
        raise fail("url", f"is {shown(url)}", f"{_ACCEPTED}; for that file, sqlite:///{url}")
    if store(url, must_exist=False).is_memory:
        raise fail("url", f"{shown(url)} is gone when the command ends", _ACCEPTED)
    return url


database = click.option(
    "--url", envvar="BOCLUST_URL", callback=check_url, metavar="URL",
    help="The database; BOCLUST_URL where this is not given.",
)  # fmt: skip
served_database = click.option(
    "--url", envvar="BOCLUST_URL", callback=check_url, default="sqlite:///boclust.db",
    show_default=True, metavar="URL", help="The database; BOCLUST_URL where this is not given.",
)  # fmt: skip
client = click.option("--client", metavar="NAME", help="Who asks or tells.")
reason = click.option("--reason", required=True, metavar="TEXT", help="Why, for those who read it.")


def of_study(name: str, **settings: Any) -> Callable[[Callable[..., Any]], click.Command]:
    """A command that takes the name of a study and a database."""

    def make(function: Callable[..., Any]) -> click.Command:
        argument = click.argument("study", metavar="STUDY")
        command = click.command(name=name, context_settings={**HELP, **settings})
        return command(argument(database(function)))

    return make


@contextmanager
def opened(url: str, name: str) -> Iterator["Study"]:
    """The study, closed in the end."""
    from boclust.cli.terminal import compiling
    from boclust.study import Study

    with compiling(), Study.open(url, name) as study:
        yield study


def follow_up(command: str, study: str, rest: str = "") -> str:
    """A command to go on with, as it is typed in a shell."""
    context = click.get_current_context()
    words = ["boclust study", command, quoted(study), *([rest] if rest else [])]
    if context.get_parameter_source("url") == ParameterSource.COMMANDLINE:
        from boclust.study.store import store

        words.append(f"--url {quoted(store(context.params['url'], must_exist=False).place)}")
    return " ".join(words)


def quoted(text: str) -> str:
    """Text as a shell takes it; what is not printable in the notation of bash."""
    if text.isprintable():
        return shlex.quote(text)
    escapes = {"'": "\\'", "\\": "\\\\"}
    return (
        "$'"
        + "".join(_escaped(c) if not c.isprintable() else escapes.get(c, c) for c in text)
        + "'"
    )


def _escaped(character: str) -> str:
    return f"\\U{ord(character):08x}"


def counted(number: int, what: str) -> str:
    """``1 value``, ``2,000 values``."""
    return f"{number:,} {what}{'s' * (number != 1)}"


def print_json(answer: Any) -> None:
    """One line of JSON in ASCII."""
    click.echo(to_line(answer))
