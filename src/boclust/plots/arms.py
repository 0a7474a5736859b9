"""Arms: where they are, to which cluster they belong, how often they are sampled."""

from collections.abc import Sequence
from math import nan
from typing import Any

import numpy as np

from boclust._validate import FloatArray, IntArray
from boclust.plots.style import BOUND_LINE, GREY, colour
from boclust.projection import principal_plane

#: With more arms than that they are not named.
NAMED = 40

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
    if places.shape[1] == 1:
        order = known[np.argsort(places[known, 0], kind="stable")]
        at = np.full((len(places), 2), np.nan)
        at[order] = np.column_stack([places[order, 0], np.arange(len(order))])
        if len(known) <= NAMED:
            axes.set_yticks(range(len(order)), [names[arm] for arm in order.tolist()])
        else:
            axes.set_yticks([])
        axes.set_xlabel("estimated mean")
        axes.set_ylabel("arm")
    else:
        at, words = _plane(places, known)
        axes.set_xlabel(words[0])
        axes.set_ylabel(words[1])
        axes.set_aspect("equal", adjustable="datalim")
    for arm in known.tolist():
        x, y = at[arm]
        if regions is not None and places.shape[1] == 1:
            axes.plot(regions[arm], [y, y], color=colour(labels[arm]),
                      alpha=0.35, linewidth=3, solid_capstyle="round")  # fmt: skip
        elif regions is not None:
            from matplotlib.patches import Circle

            axes.add_patch(Circle((x, y), regions[arm], color=colour(labels[arm]), alpha=0.1))
        axes.scatter(x, y, s=sizes[arm], color=colour(labels[arm]), zorder=3)
        if places.shape[1] > 1 and len(known) <= NAMED:
            axes.annotate(names[arm], (x, y), xytext=(7, 5), textcoords="offset points",
                          fontsize=8, color=GREY)  # fmt: skip


def _plane(places: FloatArray, known: IntArray) -> tuple[FloatArray, list[str]]:
    """Two coordinates of each arm and what they are: as they are, or the principal components."""
    if places.shape[1] == 2:
        return places, ["first coordinate", "second coordinate"]
    at = np.full((len(places), 2), np.nan)
    at[known], shares = principal_plane(places[known])
    words = [f"principal component {i + 1}" for i in range(2)]
    if shares is not None:
        words = [f"{words[i]} ({shares[i]:.0%} of the variance)" for i in range(2)]
    return at, words


def draw_course(
    axes: Any, samples: Sequence[int], evidence: Sequence[float | None], threshold: float | None
) -> None:
    """What was shown after so many samples, and what must be reached as the dashed line."""
    shown = [nan if one is None else one for one in evidence]
    axes.plot(samples, shown, color=colour(0), linewidth=1.8)
    if threshold is not None:
        axes.axhline(threshold, **BOUND_LINE)
        axes.annotate(
            "threshold", (1, threshold), xytext=(-2, -12), textcoords="offset points",
            xycoords=("axes fraction", "data"), ha="right", color=GREY, fontsize=9,
        )  # fmt: skip
    axes.set_xlabel("samples")
    axes.set_ylabel("evidence")


def draw_shares(axes: Any, shares: FloatArray, labels: Labels, names: Sequence[str]) -> None:
    """Bars of the arms' shares, cluster by cluster, and equal shares as the dashed line."""
    order = sorted(range(len(shares)), key=lambda arm: (labels[arm] or 0, arm))
    colours = [colour(labels[arm]) for arm in order]
    axes.bar(range(len(order)), shares[order], color=colours, width=0.8)
    axes.axhline(1 / len(order), **BOUND_LINE)
    axes.annotate(
        "equal shares", (1, 1 / len(order)), xytext=(-2, 4), textcoords="offset points",
        xycoords=("axes fraction", "data"), ha="right", color=GREY, fontsize=9,
    )  # fmt: skip
    if len(order) <= NAMED:
        tilt = 90 if max(len(name) for name in names) > 3 else 0
        axes.set_xticks(range(len(order)), [names[arm] for arm in order], rotation=tilt)
    else:
        axes.set_xticks([])
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.xaxis.grid(False)
    axes.set_xlabel("arm")
