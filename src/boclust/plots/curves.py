"""Samples against confidence: a line an algorithm, and the lower bound."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boclust._validate import FloatArray
from boclust.plots.style import (
    BOUND_LINE,
    GREY,
    colour,
    label_right,
    marker,
    new_figure,
    short,
)

#: Shares of the width of a plot: from curve to curve, a letter of a tick, the margins.
_STEP = 0.008
_LETTER = 0.02
_MARGIN = 0.065


@dataclass(frozen=True)
class Curve:
    """Mean samples, their standard errors and how many runs never stopped, one for each delta."""

    label: str
    means: Sequence[float]
    errors: Sequence[float]
    censored: Sequence[int]


def draw_curves(
    title: str,
    note: str,
    deltas: Sequence[float],
    curves: Sequence[Curve],
    bound: Sequence[float] | None,
) -> Any:
    """The curves over log(1/delta), labelled where they end, and the lower bound if it is known.

    Bars span two standard errors to either side. Marks are hollow, under an arrow, where runs never
    stopped: their mean would be larger.
    """
    figure, axes = new_figure(title, note)
    x = np.log(1 / np.asarray(deltas, dtype=float))
    span = float(np.ptp(x)) or 1.0
    axes.set_xlim(x.min() - _MARGIN * span, x.max() + _MARGIN * span)
    step = _STEP if len(x) > 1 else 0.6 * _MARGIN / len(curves)
    for i, curve in enumerate(curves):
        beside = step * span * (i - (len(curves) - 1) / 2)  # bars do not cover bars
        _draw_curve(axes, x + beside, curve, i)
    last = int(x.argmax())
    ends = [(curve.means[last], short(curve.label), colour(i)) for i, curve in enumerate(curves)]
    if bound is not None and np.isfinite(bound).all():
        _draw_bound(axes, x, bound)
        ends.append((bound[last], "lower bound", GREY))
    axes.set_ylim(bottom=0)
    _label_ends(axes, ends)
    _mark_deltas(axes, x, deltas)
    axes.set_ylabel("samples")
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    return figure


def _draw_curve(axes: Any, x: FloatArray, curve: Curve, number: int) -> None:
    """A line with marks and bars."""
    from matplotlib.transforms import offset_copy

    look: dict[str, Any] = {"color": colour(number), "marker": marker(number), "markersize": 4}
    spread = 2 * np.asarray(curve.errors, dtype=float)
    axes.errorbar(x, curve.means, yerr=spread, linewidth=1.8, elinewidth=1, **look)
    open_at = np.flatnonzero(curve.censored)
    if open_at.size:
        at = x[open_at], np.asarray(curve.means)[open_at]
        hollow = {**look, "markersize": 6, "markerfacecolor": "white", "linestyle": "none"}
        axes.plot(*at, zorder=3, **hollow)
        above = offset_copy(axes.transData, axes.figure, y=11, units="points")
        arrow = {**look, "marker": r"$\uparrow$", "markersize": 11, "linestyle": "none"}
        axes.plot(*at, transform=above, clip_on=False, **arrow)


def _draw_bound(axes: Any, x: FloatArray, bound: Sequence[float]) -> None:
    """A line also where there is a single delta."""
    if len(x) > 1:
        axes.plot(x, bound, **BOUND_LINE)
    else:
        axes.axhline(bound[0], **BOUND_LINE)


def _label_ends(axes: Any, ends: list[tuple[float, str, str]]) -> None:
    """Labels to the right of the lines' ends, in their colours, pushed apart where they touch."""
    gap = 0.05 * axes.get_ylim()[1]
    heights = apart([value for value, _, _ in ends], gap)
    for (_, label, shade), height in zip(ends, heights, strict=True):
        label_right(axes, height, label, shade)


def _mark_deltas(axes: Any, x: FloatArray, deltas: Sequence[float]) -> None:
    """A tick a delta, but for those that would be written over others."""
    low, high = axes.get_xlim()
    said = [f"({delta:g})" for delta in deltas]
    kept = spaced(x, _LETTER * max(len(one) for one in said) * (high - low))
    axes.set_xticks(x[kept], [f"{x[i]:.1f}\n{said[i]}" for i in kept])
    axes.set_xlabel("log(1/δ), in brackets the error probability δ")
    axes.xaxis.grid(False)


def spaced(places: FloatArray, gap: float) -> list[int]:
    """Which of the places to keep, from the largest on, so that neighbours are ``gap`` apart.

    >>> spaced(np.array([1.0, 1.5, 2.0, 9.0]), gap=1.0)
    [3, 2, 0]
    """
    kept: list[int] = []
    for i in np.argsort(-places).tolist():
        if not kept or places[kept[-1]] - places[i] >= gap:
            kept.append(i)
    return kept


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
