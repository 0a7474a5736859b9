"""Samples against confidence: a line an algorithm, and the lower bound."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

#: Colours that remain apart for every kind of colour vision (Okabe and Ito).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
GREY = "#555555"
#: The lower bound, wherever it is drawn.
BOUND_LINE: dict[str, Any] = {"color": GREY, "linestyle": (0, (4, 2)), "linewidth": 1.8}


@dataclass(frozen=True)
class Curve:
    """Mean samples and their standard errors, one for each delta."""

    label: str
    means: Sequence[float]
    errors: Sequence[float]


def save_curves(
    path: str | Path,
    title: str,
    note: str,
    deltas: Sequence[float],
    curves: Sequence[Curve],
    bound: Sequence[float],
) -> None:
    """Draw the curves over log(1/delta) as an image file of the kind that the path's name says.

    Lines are labelled where they end; bars span two standard errors to either side.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 4.5), dpi=150, layout="constrained")
    axes: Any = figure.add_subplot()
    x = np.log(1 / np.asarray(deltas, dtype=float))
    for curve, colour in zip(curves, COLOURS, strict=False):
        spread = 2 * np.asarray(curve.errors, dtype=float)
        axes.errorbar(
            x, curve.means, yerr=spread, color=colour, marker="o", markersize=4, linewidth=1.8,
            elinewidth=1,
        )  # fmt: skip
    axes.set_xlim(x.min() - 0.3, x.max() + 0.1)
    axes.plot(x, bound, **BOUND_LINE)
    axes.set_ylim(bottom=0)
    last = int(x.argmax())
    ends = [
        (curve.means[last], curve.label, colour)
        for curve, colour in zip(curves, COLOURS, strict=False)
    ]
    _label_ends(axes, x[last], [*ends, (bound[last], "lower bound", GREY)])
    axes.set_xticks(x, [f"{lx:.1f}\n({delta:g})" for lx, delta in zip(x, deltas, strict=True)])
    axes.set_xlabel("log(1/δ), in brackets the error probability δ")
    axes.set_title(title, loc="left", fontsize=12, pad=24)
    axes.annotate(
        note, (0, 1), xytext=(0, 10), xycoords="axes fraction", textcoords="offset points",
        color=GREY, fontsize=9,
    )  # fmt: skip
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.yaxis.grid(True, color="#e6e6e6", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(length=0)
    figure.savefig(path)


def _label_ends(axes: Any, x: float, ends: list[tuple[float, str, str]]) -> None:
    """Labels to the right of the lines' ends, in their colours, pushed apart where they touch."""
    gap = 0.05 * axes.get_ylim()[1]
    heights = apart([value for value, _, _ in ends], gap)
    for (_, label, colour), height in zip(ends, heights, strict=True):
        axes.annotate(
            label, (x, height), xytext=(10, 0), textcoords="offset points", color=colour,
            va="center", fontsize=10, fontweight="bold", annotation_clip=False,
        )  # fmt: skip


def apart(heights: Sequence[float], gap: float) -> list[float]:
    """The heights, moved as little as their order allows so that neighbours are ``gap`` apart.

    The least squares solution: with ``i`` gaps taken off the i-th smallest, isotonic regression.

    >>> apart([1.0, 1.0, 9.0], gap=2.0)
    [0.0, 2.0, 9.0]
    """
    order = np.argsort(heights, kind="stable")
    blocks: list[list[float]] = []
    for i, index in enumerate(order):
        blocks.append([heights[index] - i * gap])
        while len(blocks) > 1 and np.mean(blocks[-2]) > np.mean(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    level = [float(np.mean(block)) for block in blocks for _ in block]
    moved = [0.0] * len(level)
    for i, index in enumerate(order):
        moved[index] = level[i] + i * gap
    return moved
