"""Options that several commands share."""

from collections.abc import Callable
from typing import Any

import click

_FAMILY = (
    click.option(
        "--family",
        help="gaussian (default), subgaussian, bounded, bernoulli, poisson or exponential.",
    ),
    click.option(
        "--sigma", type=float, help="Standard deviation of gaussian or subgaussian samples."
    ),
    click.option("--low", type=float, help="Lower end of bounded samples."),
    click.option("--high", type=float, help="Upper end of bounded samples."),
    click.option("--space", help="natural or mean: where one-parameter families are compared."),
)


def family_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--family`` and its parameters, given to the command as keywords."""
    for option in reversed(_FAMILY):
        command = option(command)
    return command


as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
