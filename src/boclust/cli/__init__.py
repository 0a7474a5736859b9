"""The command line. Commands live in modules of their own and are loaded when they are called."""

import sys
from importlib import import_module

import click

_COMMANDS = {
    "bench": "How fast it is, beside the paper's method in plain NumPy.",
    "bound": "The fewest samples any method needs, and where to take them.",
    "demo": "The paper's 7-arm instance, explained, sampled and drawn.",
    "paper": "Every figure and table of the paper, beside what is measured here.",
    "run": "Cluster records of a file, or sources that you ask, with a guarantee.",
    "simulate": "How many samples the algorithms need on an instance.",
}


class _LazyGroup(click.Group):
    """A group that knows its commands by name, so that ``--help`` imports none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"boclust.cli.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(_COMMANDS.items()))


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="boclust")
def cli() -> None:
    """Cluster sources from as few samples as possible, with a guarantee."""


def main() -> None:
    """Run the command line; bad input is one line on standard error and exit code 2."""
    try:
        code = cli.main(prog_name="boclust", standalone_mode=False)
        sys.exit(code)  # None, or what a command ended with (click.exceptions.Exit)
    except click.exceptions.Abort:
        click.echo("Interrupted.", err=True)
        sys.exit(130)
    except click.UsageError as error:
        where = f" (see '{error.ctx.command_path} --help')" if error.ctx else ""
        click.echo(f"Error: {error.format_message()}{where}", err=True)
        sys.exit(2)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except ValueError as error:
        from boclust._validate import InvalidInputError

        if not isinstance(error, InvalidInputError):
            raise
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
