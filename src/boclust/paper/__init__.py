"""Every figure and table of the paper, with the paper's numbers next to those measured here."""

from importlib import import_module
from typing import TYPE_CHECKING

from boclust._validate import choice

if TYPE_CHECKING:
    from pathlib import Path

    from boclust.paper.base_figure import BaseFigure

#: In the order of the paper; each is a module of ``boclust.paper.figures``.
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


def figure(name: str, data: "Path | None" = None) -> "BaseFigure":
    """Return a figure or table by its name; some need ``data``, the folder of real data.

    >>> figure("sd1_error").place
    'Figure 8'
    """
    module = import_module(f"boclust.paper.figures.{choice('name', name, NAMES)}")
    made: BaseFigure = module.Figure(data)
    return made
