"""One visual language: clusters and curves in the same colours, the lower bound always dashed."""

import textwrap
from pathlib import Path
from typing import Any

#: Colours that remain apart for every kind of colour vision (Okabe and Ito).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
GREY = "#555555"
PALE = "#e6e6e6"
#: The lower bound, wherever it is drawn.
BOUND_LINE: dict[str, Any] = {"color": GREY, "linestyle": (0, (4, 2)), "linewidth": 1.8}
#: Characters of text in the width of a figure.
_LINE = 96


def colour(number: int | None) -> str:
    """Of a cluster or a curve; grey for an arm whose cluster is not known."""
    return GREY if number is None else COLOURS[number % len(COLOURS)]


def new_figure(title: str, note: str, panels: int = 1, height: float = 4.5) -> tuple[Any, Any]:
    """A figure with a title and a note above its panels, and the axes of these."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, height), dpi=150, layout="constrained")
    lines = textwrap.wrap(note, _LINE)
    figure.suptitle(title, x=0.01, ha="left", fontsize=12)
    made = figure.subplots(1, panels, squeeze=False)[0]
    made[0].set_title("\n".join(lines), loc="left", fontsize=9, color=GREY)
    for axes in made:
        axes.grid(True, color=PALE, linewidth=0.8)
        axes.set_axisbelow(True)
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(length=0)
    return figure, made if panels > 1 else made[0]


def saved(figure: Any, path: str | Path | None) -> Any:
    """The figure, written as an image of the kind that the path's name says, if there is one."""
    if path is not None:
        figure.savefig(path)
    return figure
