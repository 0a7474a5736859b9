"""Plots of arms: their positions, clusters and samples, and the evidence of a study."""

from collections.abc import Sequence
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from boclust._validate import FloatArray, IntArray
from boclust.plots.style import (
    GREY,
    LEVEL_LINE,
    colour,
    hatch,
    label_right,
    marker,
    new_figure,
    say,
    short,
)
from boclust.projection import principal_plane

if TYPE_CHECKING:
    from boclust import Learner
    from boclust.study.trace import Trace

#: Arms are named only if there are at most this many.
NAMED = 40
#: The height of a column of names, in points.
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
    """Draw arms at their estimated means, larger the more samples they have.

    Arms without samples are left out. In one dimension each arm gets a height of its own, in the
    order of the means; in three or more dimensions the two principal components are drawn.
    ``regions`` are those of ``Learner.regions``: intervals in one dimension, else radii.
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
    """Stack the arms in the order of their means, with their names as ticks if they are few."""
    order = known[np.argsort(places[known, 0], kind="stable")]
    at = np.full((len(places), 2), np.nan)
    at[order] = np.column_stack([places[order, 0], np.arange(len(order))])
    called = [short(names[arm]) for arm in order.tolist()] if len(order) <= NAMED else []
    axes.set_yticks(range(len(called)), called, fontsize=min(10, _COLUMN / max(len(called), 1)))
    axes.set_xlabel("estimated mean")
    axes.set_ylabel("arm")
    return at


def _in_plane(axes: Any, places: FloatArray, known: IntArray) -> FloatArray:
    """Use the two coordinates, or the principal components of more, at one scale."""
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
    """Draw an interval, or the disc of a radius."""
    from matplotlib.patches import Circle

    if np.ndim(region):
        axes.plot(region, [point[1]] * 2, color=shade, alpha=0.35, linewidth=3,
                  solid_capstyle="round")  # fmt: skip
    else:
        axes.add_patch(Circle((point[0], point[1]), region, color=shade, alpha=0.1))


def draw_evidence(
    axes: Any, samples: Sequence[int], evidence: Sequence[float | None], threshold: float | None
) -> None:
    """Draw the evidence over the number of samples, and the threshold as a dotted line."""
    heights = [nan if one is None else one for one in evidence]
    axes.plot(samples, heights, color=colour(0), linewidth=1.8)
    if threshold is not None:
        axes.axhline(threshold, **LEVEL_LINE)
        label_right(axes, threshold, "threshold")
    axes.set_xlabel("samples")
    axes.set_ylabel("evidence")


def draw_shares(axes: Any, shares: FloatArray, labels: Labels) -> None:
    """Draw each arm's share as a bar, cluster by cluster, and equal shares as a dotted line."""
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


def draw_study(name: str, arms: Sequence[str], learner: "Learner", trace: "Trace") -> Any:
    """Draw a study in two panels: the arms with their regions, and the evidence over samples."""
    title = f"{short(name, 48)}: {learner.n_arms} arms after {learner.n_samples:,} samples"
    note = f"Guarantee: {learner.guarantee}. Regions hold with probability {1 - learner.delta:g}"
    figure, (left, right) = new_figure(title, note, panels=2)
    labels = [None] * learner.n_arms if learner.labels is None else learner.labels.tolist()
    pulls = learner.pulls.astype(float)
    draw_places(left, learner.estimates, labels, arms, pulls, learner.regions)
    if learner.n_clusters in (1, learner.n_arms):
        say(right, "Only one clustering is possible: no evidence is needed.")
    else:
        draw_evidence(right, trace.samples, trace.evidence, trace.threshold)
    return figure
