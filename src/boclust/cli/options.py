"""Options that several commands share."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from boclust import Family

_FAMILY = (
    click.option(
        "--family",
        help="gaussian (default), subgaussian, bounded, bernoulli, poisson or exponential.",
    ),
    click.option(
        "--sigma",
        type=float,
        help="Standard deviation of gaussian or subgaussian samples (default 1).",
    ),
    click.option("--low", type=float, help="Lower limit of bounded samples (default 0)."),
    click.option("--high", type=float, help="Upper limit of bounded samples (default 1)."),
    click.option(
        "--space",
        help="How to compare arms of one-parameter families: natural (default) or mean.",
    ),
)


def family_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--family`` and its parameters, passed to the command as keywords."""
    for option in reversed(_FAMILY):
        command = option(command)
    return command


def means_command(name: str) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a command on an instance: means, which may be negative, and the number of clusters."""

    def make(function: Callable[..., Any]) -> click.Command:
        means = click.argument("means", nargs=-1, required=True)
        clusters = click.option(
            "-k",
            "--clusters",
            type=int,
            help="Number of clusters K (or n_clusters in a TOML file).",
        )
        settings = {"ignore_unknown_options": True, "help_option_names": ["-h", "--help"]}
        return click.command(name=name, context_settings=settings)(means(clusters(function)))

    return make


def said_family(options: dict[str, Any]) -> "Family | None":
    """Return the family that the options of ``family_options`` give, or None without any."""
    from boclust.problem.families import family

    given = {name: option for name, option in options.items() if option is not None}
    return family(given.pop("family", "gaussian"), **given) if given else None


as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
