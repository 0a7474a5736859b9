"""Options that several commands share."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from boclust.problem.families import Family

_FAMILY = (
    click.option(
        "--family",
        help="gaussian (default), subgaussian, bounded, bernoulli, poisson or exponential.",
    ),
    click.option(
        "--sigma",
        type=float,
        help="Standard deviation of gaussian or subgaussian samples; 1 if not said.",
    ),
    click.option("--low", type=float, help="Lower end of bounded samples; 0 if not said."),
    click.option("--high", type=float, help="Upper end of bounded samples; 1 if not said."),
    click.option("--space", help="natural or mean: where one-parameter families are compared."),
)


def family_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--family`` and its parameters, given to the command as keywords."""
    for option in reversed(_FAMILY):
        command = option(command)
    return command


def means_command(name: str) -> Callable[[Callable[..., Any]], click.Command]:
    """A command on an instance: its means, which may be negative, and the number of clusters."""

    def make(function: Callable[..., Any]) -> click.Command:
        means = click.argument("means", nargs=-1, required=True)
        clusters = click.option(
            "-k", "--clusters", type=int, help="Number of clusters K (a TOML file may say it)."
        )
        settings = {"ignore_unknown_options": True, "help_option_names": ["-h", "--help"]}
        return click.command(name=name, context_settings=settings)(means(clusters(function)))

    return make


def said_family(options: dict[str, Any]) -> "Family | None":
    """The family that the options of ``family_options`` describe; None where none was given."""
    from boclust.problem.families import family

    given = {name: option for name, option in options.items() if option is not None}
    return family(given.pop("family", "gaussian"), **given) if given else None


as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
