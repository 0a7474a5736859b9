"""``boclust study``: live studies in a database; the commands by the order in which they are used.

Exit codes: 0 done, 1 ``verify`` found a problem, 2 bad input or a database that cannot do it, 3 the
study has ended and asks for nothing, 4 there is nothing to ask for now.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from boclust.cli import HELP, Commands, LazyGroup

_COMMANDS: Commands = {
    "create": ("making:create", "A new study; the database is made where there is none."),
    "list": ("looking:list_studies", "The studies of a database."),
    "ask": ("ask:command", "What to sample next."),
    "tell": ("tell:command", "Record a value, of an ask or of an arm, or many at once."),
    "status": ("status:command", "Clusters, progress, what is still needed, the guarantee."),
    "explain": ("looking:explain", "Why the next arm is the next."),
    "history": ("looking:history", "Everything that happened."),
    "void": ("revising:void", "Leave a value out."),
    "correct": ("revising:correct", "Put another value in the place of one."),
    "pause": ("running:pause", "Ask for nothing for a while."),
    "resume": ("running:resume", "Ask again."),
    "budget": ("running:budget", "Allow more or fewer samples, or costs."),
    "stop": ("running:stop", "End a study by hand, for good."),
    "import": ("importing:command", "Record the values of a CSV or Parquet file."),
    "export": ("looking:export", "Write the values to a CSV or Parquet file."),
    "verify": ("looking:verify", "Replay the log and compare, bit for bit."),
    "fork": ("making:fork", "Another study over the same values, with another K or delta."),
    "db": ("db:command", "Upgrade a database that an older version made."),
}

#: What else is said of an error, and its exit code where that is not 2.
_ENDINGS = {
    "StudyStoppedError": (3, "boclust study status shows where it stands"),
    "StudyPausedError": (4, "boclust study resume"),
    "NothingToAskError": (4, "boclust study status shows who has them"),
}


class _StudyGroup(LazyGroup):
    """A group whose commands say errors of studies: see ``saying_errors``."""

    def invoke(self, ctx: click.Context) -> Any:
        with saying_errors():
            return super().invoke(ctx)


@contextmanager
def saying_errors() -> Iterator[None]:
    """What a study or its database cannot do is one line on standard error, and an exit code."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning  # type: ignore[assignment]
            yield
    except RuntimeError as error:
        from boclust.study import StudyError

        if not isinstance(error, StudyError):
            raise
        code, more = _ENDINGS.get(type(error).__name__, (2, ""))
        _say("Error", f"{error} ({more})" if more else str(error))
        raise click.exceptions.Exit(code) from None


def _show_warning(message: Warning | str, *_: Any) -> None:
    _say("Warning", str(message))


def _say(what: str, message: str) -> None:
    """One line, also where a database server said several."""
    from boclust.cli.terminal import plain

    line = " ".join(part.strip() for part in message.splitlines())
    click.echo(f"{what}: {plain(line)}", err=True)


@click.group(
    name="study", cls=_StudyGroup, package=__name__, known=_COMMANDS, context_settings=HELP
)
def command() -> None:
    """Live studies: people or programs sample arms and report values, for days or weeks.

    Every event is kept once, in the database that --url or BOCLUST_URL names: sqlite:///file.db, or
    postgresql+psycopg://user@host/database for several hosts.

    \b
    export BOCLUST_URL=sqlite:///tides.db
    boclust study create tides --arm north --arm south --arm west -k 2
    boclust study ask tides --client ann
    boclust study tell tides --ask ID 1.3
    boclust study status tides

    Exit codes: 0 done, 1 verify found a problem, 2 bad input or a database that cannot do it, 3 the
    study has ended and asks for nothing, 4 there is nothing to ask for now.
    """
