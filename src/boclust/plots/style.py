"""Colours, markers, lines and figures that all plots share."""

import textwrap
from pathlib import Path
from typing import Any

from boclust._validate import path_of

#: Colours that people with any kind of colour vision can distinguish (Okabe and Ito).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
#: Markers and hatches of the first clusters of each colour, of the second ones, and so on.
MARKERS = "os^Dvph"
HATCHES = ("", "///", "...", "xxx", "\\\\\\", "ooo", "+++")
GREY = "#555555"
PALE = "#e6e6e6"
#: The line of a lower bound, and of nothing else.
BOUND_LINE: dict[str, Any] = {"color": GREY, "linestyle": (0, (4, 2)), "linewidth": 1.8}
#: The line of a level to compare with.
LEVEL_LINE: dict[str, Any] = {"color": GREY, "linestyle": (0, (1, 1.5)), "linewidth": 1.4}


def colour(number: int | None) -> str:
    """Return the colour of a cluster or a curve; grey if the cluster is unknown."""
    return GREY if number is None else COLOURS[number % len(COLOURS)]


def marker(number: int | None) -> str:
    """Return the marker of a cluster or a curve, which differs among those of one colour."""
    return MARKERS[_turn(number) % len(MARKERS)]


def hatch(number: int | None) -> str:
    """Return the hatch of a cluster's bars, which differs among those of one colour."""
    return HATCHES[_turn(number) % len(HATCHES)]


def _turn(number: int | None) -> int:
    """Count how often the colours are used up before this number."""
    return 0 if number is None else number // len(COLOURS)


def short(name: str, most: int = 20) -> str:
    """Shorten a name to at most ``most`` characters, and escape dollars (no mathematics).

    The middle is cut, because names often differ at their ends.

    >>> short("the arm in the north, 12")
    'the arm in th…th, 12'
    """
    name = " ".join(name.split())
    if len(name) > most:
        end = most // 3
        name = f"{name[: most - end - 1]}…{name[-end:]}"
    return name.replace("$", r"\$")


def new_figure(title: str, note: str, panels: int = 1) -> tuple[Any, Any]:
    """Make a figure with a title above its panels and a note below, and return it with its axes.

    Title and note wrap at the width of the figure.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 4.5), dpi=150, layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", fontsize=12, wrap=True)
    figure.supxlabel(note, x=0.01, ha="left", fontsize=9, color=GREY, wrap=True)
    made = figure.subplots(1, panels, squeeze=False)[0]
    for axes in made:
        axes.grid(True, color=PALE, linewidth=0.8)
        axes.set_axisbelow(True)
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(length=0)
    return figure, made if panels > 1 else made[0]


def label_right(axes: Any, height: float, label: str, shade: str = GREY) -> None:
    """Write a label to the right of the axes, at the height of the line that it names."""
    axes.annotate(
        label, (1, height), xycoords=("axes fraction", "data"), xytext=(4, 0),
        textcoords="offset points", color=shade, va="center", fontsize=9, fontweight="bold",
        annotation_clip=False,
    )  # fmt: skip


def say(axes: Any, sentence: str) -> None:
    """Show a sentence where there is nothing to draw."""
    axes.set(xticks=[], yticks=[])
    axes.spines["bottom"].set_visible(False)
    axes.text(
        0.5, 0.5, textwrap.fill(sentence, 36), transform=axes.transAxes, ha="center", va="center",
        color=GREY,
    )  # fmt: skip


def saved(figure: Any, path: str | Path | None) -> Any:
    """Write the figure to ``path``, if given, in the format of its suffix; return the figure."""
    if path is not None:
        figure.savefig(path_of("path", path, "the name of an image file, as text or Path"))
    return figure
