"""The command line; each command is a module, imported when the command is called."""

import atexit
import gc
import sys
from importlib import import_module
from typing import Any

import click

#: For each command: its module and function, and a line of help.
Commands = dict[str, tuple[str, str]]

_COMMANDS: Commands = {
    "bench": ("bench:command", "How fast it is, beside the paper's method in plain NumPy."),
    "bound": ("bound:command", "Compute the fewest samples that any method needs."),
    "demo": ("demo:command", "Show the paper's 7-arm instance, explained and simulated."),
    "paper": (
        "paper:command",
        "Reproduce every figure and table of the paper.",
    ),
    "plan": ("plan:command", "Estimate how many samples a study will need."),
    "run": ("run:command", "Cluster the arms of a file, or arms that you sample."),
    "serve": ("serve:command", "Serve the studies of a database: a web page and an HTTP API."),
    "simulate": ("simulate:command", "Compare algorithms on a simulated instance."),
    "study": ("study:command", "Run live studies, sampled over days or weeks."),
    "token": ("token:command", "Manage the tokens of a server."),
}

HELP = {"help_option_names": ["-h", "--help"]}


class LazyGroup(click.Group):
    """A group with a list of its commands, so that ``--help`` imports none of them."""

    def __init__(self, *args: Any, package: str, known: Commands, **more: Any) -> None:
        super().__init__(*args, **more)
        self._package = package
        self._known = known

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in their order."""
        return list(self._known)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        if cmd_name not in self._known:
            return None
        module, function = self._known[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(f"{self._package}.{module}"), function)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the called command; suggest another for a misspelt name."""
        if args[0] not in self._known and not args[0].startswith("-"):
            from boclust._validate import did_you_mean

            ctx.fail(f"No such command {args[0]!r}{did_you_mean(args[0], self._known)}.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands with their help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, what) for name, (_, what) in self._known.items()])


@click.group(cls=LazyGroup, package="boclust.cli", known=_COMMANDS, context_settings=HELP)
@click.version_option(package_name="boclust")
def cli() -> None:
    """Cluster sources from as few samples as possible, with a guarantee."""


def main() -> None:
    """Run the command line; bad input is one line on standard error and exit code 2."""
    atexit.register(gc.freeze)  # a garbage collection at exit takes 0.4 s
    try:
        code = cli.main(prog_name="boclust", standalone_mode=False)
        sys.exit(code)  # None, or the code of click.exceptions.Exit
    except click.exceptions.Abort:
        click.echo("Interrupted.", err=True)
        sys.exit(130)
    except click.UsageError as error:
        message = error.format_message()
        where = f" (see '{error.ctx.command_path} --help')" if error.ctx else ""
        is_help = message.startswith("Usage: ")  # a group without a command
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
