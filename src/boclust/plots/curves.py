"""Mean samples over log(1/delta): one curve per algorithm, and the lower bound."""

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

#: Shares of the width of a plot: the offset between curves, a letter of a tick, the margins.
_STEP = 0.008
_LETTER = 0.02
_MARGIN = 0.065


@dataclass(frozen=True)
class Curve:
    """Mean samples, their standard errors and the number of censored runs, one per delta."""

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
    """Draw curves over log(1/delta), labelled at their ends, and the lower bound if it is known.

    Bars span two standard errors to either side. A hollow marker under an arrow shows that some
    runs were censored, so that the true mean is larger.
    """
    figure, axes = new_figure(title, note)
    x = np.log(1 / np.asarray(deltas, dtype=float))
    span = float(np.ptp(x)) or 1.0
    axes.set_xlim(x.min() - _MARGIN * span, x.max() + _MARGIN * span)
    step = _STEP if len(x) > 1 else 0.6 * _MARGIN / len(curves)
    for i, curve in enumerate(curves):
        offset = step * span * (i - (len(curves) - 1) / 2)  # so that bars do not overlap
        _draw_curve(axes, x + offset, curve, i)
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
    """Draw a line with markers and bars."""
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
    """Draw the bound as a line, even if there is a single delta."""
    if len(x) > 1:
        axes.plot(x, bound, **BOUND_LINE)
    else:
        axes.axhline(bound[0], **BOUND_LINE)


def _label_ends(axes: Any, ends: list[tuple[float, str, str]]) -> None:
    """Label the lines to the right of their ends, in their colours, and keep the labels apart."""
    gap = 0.05 * axes.get_ylim()[1]
    heights = apart([value for value, _, _ in ends], gap)
    for (_, label, shade), height in zip(ends, heights, strict=True):
        label_right(axes, height, label, shade)


def _mark_deltas(axes: Any, x: FloatArray, deltas: Sequence[float]) -> None:
    """Mark each delta with a tick, except where ticks would overlap."""
    low, high = axes.get_xlim()
    labels = [f"({delta:g})" for delta in deltas]
    kept = spaced(x, _LETTER * max(len(one) for one in labels) * (high - low))
    axes.set_xticks(x[kept], [f"{x[i]:.1f}\n{labels[i]}" for i in kept])
    axes.set_xlabel("log(1/δ), in brackets the error probability δ")
    axes.xaxis.grid(False)


def spaced(places: FloatArray, gap: float) -> list[int]:
    """Choose places to keep, from the largest down, so that neighbours are ``gap`` apart.

    >>> spaced(np.array([1.0, 1.5, 2.0, 9.0]), gap=1.0)
    [3, 2, 0]
    """
    kept: list[int] = []
    for i in np.argsort(-places).tolist():
        if not kept or places[kept[-1]] - places[i] >= gap:
            kept.append(i)
    return kept


def apart(heights: Sequence[float], gap: float) -> list[float]:
    """Move heights as little as possible, in their order, so that neighbours are ``gap`` apart.

    This is isotonic regression after ``i`` gaps are subtracted from the i-th smallest height.

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
