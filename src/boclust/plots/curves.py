"""Samples against confidence: a line an algorithm, and the lower bound."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boclust.plots.style import BOUND_LINE, COLOURS, GREY, colour, new_figure

#: Of the first curves of each colour, the second, and so on.
MARKERS = "os^Dvph"
#: From curve to curve, of the width of the plot.
_STEP = 0.008


@dataclass(frozen=True)
class Curve:
    """Mean samples and their standard errors, one for each delta."""

    label: str
    means: Sequence[float]
    errors: Sequence[float]


def draw_curves(
    title: str,
    note: str,
    deltas: Sequence[float],
    curves: Sequence[Curve],
    bound: Sequence[float] | None,
) -> Any:
    """The curves over log(1/delta), labelled where they end, and the lower bound if it is known.

    Bars span two standard errors to either side.
    """
    figure, axes = new_figure(title, note)
    x = np.log(1 / np.asarray(deltas, dtype=float))
    last = int(x.argmax())
    ends = []
    for i, curve in enumerate(curves):
        spread = 2 * np.asarray(curve.errors, dtype=float)
        beside = _STEP * (x.max() - x.min()) * (i - (len(curves) - 1) / 2)  # bars do not cover bars
        axes.errorbar(
            x + beside, curve.means, yerr=spread, color=colour(i),
            marker=MARKERS[i // len(COLOURS)], markersize=4, linewidth=1.8, elinewidth=1,
        )  # fmt: skip
        ends.append((curve.means[last], curve.label, colour(i)))
    axes.set_xlim(x.min() - 0.3, x.max() + 0.1)
    if bound is not None:
        axes.plot(x, bound, **BOUND_LINE)
        ends.append((bound[last], "lower bound", GREY))
    axes.set_ylim(bottom=0)
    _label_ends(axes, x[last], ends)
    axes.set_xticks(x, [f"{lx:.1f}\n({delta:g})" for lx, delta in zip(x, deltas, strict=True)])
    axes.set_xlabel("log(1/δ), in brackets the error probability δ")
    axes.set_ylabel("samples")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.xaxis.grid(False)
    return figure


def _label_ends(axes: Any, x: float, ends: list[tuple[float, str, str]]) -> None:
    """Labels to the right of the lines' ends, in their colours, pushed apart where they touch."""
    gap = 0.05 * axes.get_ylim()[1]
    heights = apart([value for value, _, _ in ends], gap)
    for (_, label, shade), height in zip(ends, heights, strict=True):
        axes.annotate(
            label, (x, height), xytext=(10, 0), textcoords="offset points", color=shade,
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
