"""``boclust study``: live studies in a database. The commands are in the order of their use."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from boclust.cli import HELP, Commands, LazyGroup

_COMMANDS: Commands = {
    "create": ("create:create", "Create a study, and the database if there is none."),
    "list": ("queries:list_studies", "List the studies of a database."),
    "ask": ("ask:command", "Ask what to sample next."),
    "tell": ("tell:command", "Record a value of an ask or of an arm, or many at once."),
    "status": ("status:command", "Show the clusters, the progress and the guarantee."),
    "explain": ("queries:explain", "Explain why the study asks for this arm next."),
    "history": ("queries:history", "List all events."),
    "void": ("lifecycle:void", "Exclude a value."),
    "correct": ("lifecycle:correct", "Replace a value."),
    "pause": ("lifecycle:pause", "Stop asking for a while."),
    "resume": ("lifecycle:resume", "Ask again."),
    "budget": ("lifecycle:budget", "Set another budget of samples or cost."),
    "stop": ("lifecycle:stop", "End a study by hand, for good."),
    "import": ("import_file:command", "Record the values of a CSV or Parquet file."),
    "export": ("queries:export", "Write the values to a CSV or Parquet file."),
    "verify": ("queries:verify", "Replay the log and compare, bit for bit."),
    "fork": ("create:fork", "Create a study with the same values and another K or delta."),
    "db": ("create:db", "Upgrade a database of an older version."),
}

#: The exit code of an error if it is not 2, and a hint.
_HINTS = {
    "StudyStoppedError": (3, "see boclust study status"),
    "StudyPausedError": (4, "boclust study resume"),
    "NothingToAskError": (4, "boclust study status lists the pending asks"),
}


class _StudyGroup(LazyGroup):
    def invoke(self, ctx: click.Context) -> Any:
        with printing_errors():
            return super().invoke(ctx)


@contextmanager
def printing_errors() -> Iterator[None]:
    """Print errors of studies and databases as one line on standard error, and exit."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning  # type: ignore[assignment]
            yield
    except RuntimeError as error:
        from boclust.study import StudyError

        if not isinstance(error, StudyError):
            raise
        code, hint = _HINTS.get(type(error).__name__, (2, ""))
        _print("Error", f"{error} ({hint})" if hint else str(error))
        raise click.exceptions.Exit(code) from None


def _show_warning(message: Warning | str, *_: Any) -> None:
    _print("Warning", str(message))


def _print(what: str, message: str) -> None:
    """Print one line, even if a database server sent several."""
    from boclust.cli.terminal import plain

    line = " ".join(part.strip() for part in message.splitlines())
    click.echo(f"{what}: {plain(line)}", err=True)


@click.group(
    name="study", cls=_StudyGroup, package=__name__, known=_COMMANDS, context_settings=HELP
)
def command() -> None:
    """Live studies: people or programs sample arms and report values, for days or weeks.

    Every event is recorded once, in the database that --url or BOCLUST_URL names:
    sqlite:///file.db, or postgresql+psycopg://user@host/database for several hosts.

    \b
    export BOCLUST_URL=sqlite:///tides.db
    boclust study create tides --arm north --arm south --arm west -k 2
    boclust study ask tides --client ann
    boclust study tell tides --ask ID 1.3
    boclust study status tides

    Exit codes: 0 success, 1 verify found a problem, 2 bad input or an error of the database, 3 the
    study has ended, 4 there is nothing to ask for now.
    """
