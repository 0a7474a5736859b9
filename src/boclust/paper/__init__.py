"""Every figure and table of the paper, one file each, with the paper's numbers beside ours."""

from importlib import import_module
from typing import TYPE_CHECKING

from boclust._validate import choice

if TYPE_CHECKING:
    from pathlib import Path

    from boclust.paper.base import Figure

#: In the order of the paper.
NAMES = (
    "runtime_setup1",
    "runtime_setup2",
    "complexity",
    "sd1_asymptotic",
    "sd1_tracking",
    "slopes",
    "gauss_2d_asymptotic",
    "bernoulli_2d_asymptotic",
    "sd1_error",
    "maxgap_error",
    "yang_error",
    "nyc_taxi_error",
    "mnist_asymptotic",
    "movielens_means",
    "movielens_error",
)


def figure(name: str, data: "Path | None" = None) -> "Figure":
    """A figure or table by its name; ``data`` is the folder of real data that some need.

    >>> figure("sd1_error").place
    'Figure 8'
    """
    module = import_module(f"boclust.paper.{choice('name', name, NAMES)}")
    made: Figure = module.Figure(data)
    return made
