"""What the commands of ``boclust study`` share: options, the open study, texts."""

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
    "paused": "paused",
    "certified": "ended, the clusters are certified",
    "budget": "ended, the budget is spent",
    "stopped": "ended, stopped by hand",
}


def check_url(_context: click.Context, _option: click.Parameter, url: str | None) -> str:
    """A database that outlives the command."""
    from boclust._validate import invalid, shown
    from boclust.study.storage.store import store

    if url is None:
        raise invalid("url", f"given as --url or BOCLUST_URL: {_ACCEPTED}", "none")
    if "://" not in url:
        raise invalid("url", f"{_ACCEPTED} (for this file: sqlite:///{url})", shown(url))
    if store(url, must_exist=False).is_memory:
        raise invalid("url", _ACCEPTED, f"{shown(url)}, which ends with the command")
    return url


database = click.option(
    "--url", envvar="BOCLUST_URL", callback=check_url, metavar="URL",
    help="The database (default: BOCLUST_URL).",
)  # fmt: skip
served_database = click.option(
    "--url", envvar="BOCLUST_URL", callback=check_url, default="sqlite:///boclust.db",
    show_default=True, metavar="URL", help="The database (BOCLUST_URL also sets it).",
)  # fmt: skip
client = click.option("--client", metavar="NAME", help="Your name, for the log.")
reason = click.option("--reason", required=True, metavar="TEXT", help="The reason, for the log.")


def study_command(name: str, **settings: Any) -> Callable[[Callable[..., Any]], click.Command]:
    """A command with the name of a study and a database as arguments."""

    def make(function: Callable[..., Any]) -> click.Command:
        argument = click.argument("study", metavar="STUDY")
        command = click.command(name=name, context_settings={**HELP, **settings})
        return command(argument(database(function)))

    return make


def budget_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--budget`` and ``--budget-cost``, passed to the command as keywords."""
    samples = click.option("--budget", type=int, metavar="N", help="The largest number of samples.")
    cost = click.option(
        "--budget-cost", type=float, metavar="X", help="The largest total cost of the samples."
    )
    return samples(cost(command))


def given_budget(samples: int | None, cost: float | None) -> dict[str, Any] | None:
    """The budget of these options, as ``Study.create`` takes it."""
    given = {"samples": samples, "cost": cost}
    return {name: most for name, most in given.items() if most is not None} or None


@contextmanager
def opened(url: str, name: str) -> Iterator["Study"]:
    """An open study, closed at the end."""
    from boclust.cli.terminal import compiling
    from boclust.study import Study

    with compiling(), Study.open(url, name) as study:
        yield study


def follow_up(command: str, study: str, rest: str = "") -> str:
    """The next command to type in a shell."""
    context = click.get_current_context()
    words = ["boclust study", command, quoted(study), *([rest] if rest else [])]
    if context.get_parameter_source("url") == ParameterSource.COMMANDLINE:
        from boclust.study.storage.store import store

        words.append(f"--url {quoted(store(context.params['url'], must_exist=False).place)}")
    return " ".join(words)


def quoted(text: str) -> str:
    """Text quoted for a shell; unprintable characters in the notation of bash."""
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


def shown_time(iso: str) -> str:
    """``2026-01-31 23:59:59 UTC``."""
    return f"{iso[:19].replace('T', ' ')} UTC"


def counted(number: int, what: str) -> str:
    """``1 value``, ``2,000 values``."""
    return f"{number:,} {what}{'s' * (number != 1)}"


def print_json(answer: Any) -> None:
    """Print one line of JSON in ASCII."""
    click.echo(to_line(answer))
