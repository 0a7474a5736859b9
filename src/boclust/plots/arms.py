"""Arms: where they are, to which cluster they belong, how often they are sampled."""

from collections.abc import Sequence
from math import nan
from typing import Any

import numpy as np

from boclust._validate import FloatArray, IntArray
from boclust.plots.style import GREY, LEVEL_LINE, colour, hatch, label_right, marker, short
from boclust.projection import principal_plane

#: With more arms than that they are not named.
NAMED = 40
#: Height of all names above each other, in points.
_COLUMN = 240

Labels = Sequence[int | None]


def draw_places(
    axes: Any,
    places: FloatArray,
    labels: Labels,
    names: Sequence[str],
    amounts: FloatArray,
    regions: FloatArray | None = None,
) -> None:
    """Arms at their places, larger the more they were sampled; those without a place are left out.

    On a line each arm has a height of its own, in their order; from three dimensions on the two
    principal components are drawn. ``regions`` are those of ``Learner.regions``: intervals on a
    line, else radii.
    """
    known = np.flatnonzero(np.isfinite(places).all(axis=1))
    sizes = 20 + 180 * np.sqrt(amounts / max(float(amounts.max(initial=1.0)), 1.0))
    on_line = places.shape[1] == 1
    at = _on_line(axes, places, known, names) if on_line else _in_plane(axes, places, known)
    for arm in known.tolist():
        look = {"color": colour(labels[arm]), "marker": marker(labels[arm])}
        if regions is not None:
            _draw_region(axes, at[arm], regions[arm], look["color"])
        axes.scatter(*at[arm], s=sizes[arm], zorder=3, **look)
        if not on_line and len(known) <= NAMED:
            axes.annotate(short(names[arm]), at[arm], xytext=(7, 5), textcoords="offset points",
                          fontsize=8, color=GREY)  # fmt: skip


def _on_line(axes: Any, places: FloatArray, known: IntArray, names: Sequence[str]) -> FloatArray:
    """Points in the order of the places; the names, where they are few, are ticks."""
    order = known[np.argsort(places[known, 0], kind="stable")]
    at = np.full((len(places), 2), np.nan)
    at[order] = np.column_stack([places[order, 0], np.arange(len(order))])
    called = [short(names[arm]) for arm in order.tolist()] if len(order) <= NAMED else []
    axes.set_yticks(range(len(called)), called, fontsize=min(10, _COLUMN / max(len(called), 1)))
    axes.set_xlabel("estimated mean")
    axes.set_ylabel("arm")
    return at


def _in_plane(axes: Any, places: FloatArray, known: IntArray) -> FloatArray:
    """The two coordinates, or the principal components of more, at one scale."""
    words = ["first coordinate", "second coordinate"]
    at = places
    if places.shape[1] > 2:
        at = np.full((len(places), 2), np.nan)
        at[known], shares = principal_plane(places[known])
        words = ["principal component 1", "principal component 2"]
        if shares is not None:
            words = [f"{words[i]}\n({shares[i]:.0%} of the variance)" for i in range(2)]
    axes.set_xlabel(words[0])
    axes.set_ylabel(words[1])
    axes.set_aspect("equal", adjustable="datalim")
    return at


def _draw_region(axes: Any, point: FloatArray, region: Any, shade: str) -> None:
    """An interval on a line, or the disc of a radius."""
    from matplotlib.patches import Circle

    if np.ndim(region):
        axes.plot(region, [point[1]] * 2, color=shade, alpha=0.35, linewidth=3,
                  solid_capstyle="round")  # fmt: skip
    else:
        axes.add_patch(Circle((point[0], point[1]), region, color=shade, alpha=0.1))


def draw_course(
    axes: Any, samples: Sequence[int], evidence: Sequence[float | None], threshold: float | None
) -> None:
    """What was shown after so many samples, and what must be reached as the dotted line."""
    shown = [nan if one is None else one for one in evidence]
    axes.plot(samples, shown, color=colour(0), linewidth=1.8)
    if threshold is not None:
        axes.axhline(threshold, **LEVEL_LINE)
        label_right(axes, threshold, "threshold")
    axes.set_xlabel("samples")
    axes.set_ylabel("evidence")


def draw_shares(axes: Any, shares: FloatArray, labels: Labels) -> None:
    """Bars of the arms' shares, cluster by cluster, and equal shares as the dotted line."""
    order = sorted(range(len(shares)), key=lambda arm: (labels[arm] or 0, arm))
    colours = [colour(labels[arm]) for arm in order]
    hatches = [hatch(labels[arm]) for arm in order]
    axes.bar(range(len(order)), shares[order], color=colours, hatch=hatches, edgecolor="white",
             linewidth=0, width=0.8)  # fmt: skip
    axes.axhline(1 / len(order), **LEVEL_LINE)
    label_right(axes, 1 / len(order), "equal shares")
    if len(order) <= NAMED:
        axes.set_xticks(range(len(order)), [str(arm) for arm in order])
    else:
        axes.set_xticks([])
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.3g}%")
    axes.xaxis.grid(False)
    axes.set_xlabel("arm")
