"""The command line. Commands live in modules of their own and are loaded when they are called."""

import atexit
import gc
import sys
from importlib import import_module
from typing import Any

import click

#: A command by its name: the module and the function that it is, and what it is for.
Commands = dict[str, tuple[str, str]]

_COMMANDS: Commands = {
    "bound": ("bound:command", "The fewest samples any method needs, and where to take them."),
    "demo": ("demo:command", "The paper's 7-arm instance, explained, sampled and drawn."),
    "paper": (
        "paper:command",
        "Every figure and table of the paper, beside what is measured here.",
    ),
    "plan": ("plan:command", "How many samples a study will need, for guessed means."),
    "run": ("run:command", "Cluster records of a file, or sources that you ask, with a guarantee."),
    "serve": ("serve:command", "The studies of a database over HTTP, with a page to look at them."),
    "simulate": ("simulate:command", "How many samples the algorithms need on an instance."),
    "study": ("study:command", "Live studies: samples that people or programs report over weeks."),
    "token": ("token:command", "Who may do what at a server."),
}

HELP = {"help_option_names": ["-h", "--help"]}


class LazyGroup(click.Group):
    """A group that knows its commands by name, so that ``--help`` imports none of them."""

    def __init__(self, *args: Any, package: str, known: Commands, **more: Any) -> None:
        super().__init__(*args, **more)
        self._package = package
        self._known = known

    def list_commands(self, ctx: click.Context) -> list[str]:
        """By the order in which they were given."""
        return list(self._known)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        if cmd_name not in self._known:
            return None
        module, function = self._known[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(f"{self._package}.{module}"), function)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command that is called; one that is misspelt is guessed."""
        if args[0] not in self._known and not args[0].startswith("-"):
            from boclust._validate import did_you_mean

            ctx.fail(f"No such command {args[0]!r}{did_you_mean(args[0], self._known)}.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands with what they are for."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, what) for name, (_, what) in self._known.items()])


@click.group(cls=LazyGroup, package="boclust.cli", known=_COMMANDS, context_settings=HELP)
@click.version_option(package_name="boclust")
def cli() -> None:
    """Cluster sources from as few samples as possible, with a guarantee."""


def main() -> None:
    """Run the command line; bad input is one line on standard error and exit code 2."""
    atexit.register(gc.freeze)  # to look for garbage in all of Numba at the end takes 0.4 s
    try:
        code = cli.main(prog_name="boclust", standalone_mode=False)
        sys.exit(code)  # None, or what a command ended with (click.exceptions.Exit)
    except click.exceptions.Abort:
        click.echo("Interrupted.", err=True)
        sys.exit(130)
    except click.UsageError as error:
        message = error.format_message()
        where = f" (see '{error.ctx.command_path} --help')" if error.ctx else ""
        is_help = message.startswith("Usage: ")  # of a group that was given no command
        click.echo(message if is_help else f"Error: {message}{where}", err=True)
        sys.exit(2)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except ValueError as error:
        from boclust._validate import InvalidInputError

        if not isinstance(error, InvalidInputError):
            raise
        from boclust.cli.terminal import plain

        click.echo(f"Error: {plain(str(error))}", err=True)
        sys.exit(2)
