"""The paper's figures: open markers for its points, filled ones for ours, a line for the bound."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from boclust.paper.base_figure import Point, curve
from boclust.plots.style import BOUND_LINE, COLOURS, GREY, MARKERS

#: The colour of this package's own algorithm.
_OURS = "#000000"


def styles(series: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Choose a colour and a marker for each series.

    If there are many series, those whose names begin alike share a colour, and those whose names
    end alike share a marker.
    """
    alike = len(series) > len(COLOURS) + 1
    colours = _numbered(name.split()[0] if alike else name for name in series)
    markers = _numbered(name.partition(" ")[2] if alike else name for name in series)
    return {
        name: (
            _OURS if name.startswith("span") else COLOURS[colour % len(COLOURS)],
            "*" if name == "span" else MARKERS[marker % len(MARKERS)],
        )
        for name, colour, marker in zip(series, colours, markers, strict=True)
    }


def _numbered(names: Iterable[str]) -> list[int]:
    """Number the names; equal names get the same number, and span uses up none."""
    seen: dict[str, int] = {}
    return [0 if name == "span" else seen.setdefault(name, len(seen)) for name in names]


def new_axes(title: str, x_name: str, y_name: str) -> tuple[Any, Any]:
    """Make a figure and its axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.6, 4.8), layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(textwrap.fill(title, 54), loc="left", fontsize=12)
    axes.set_xlabel(x_name.replace("delta", "δ").replace("P_e", "$P_e$"))
    axes.set_ylabel(y_name)
    axes.grid(True, color="#e6e6e6", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def save(figure: Any, paths: Mapping[str, Path]) -> None:
    """Write a file per format; the same picture gives the same bytes."""
    import matplotlib

    with matplotlib.rc_context({"svg.hashsalt": "boclust", "svg.fonttype": "path"}):
        for kind, path in paths.items():
            metadata = {"Date": None} if kind == "svg" else {}
            figure.savefig(path, format=kind, dpi=150, metadata=metadata)


def draw_series(
    paths: Mapping[str, Path],
    title: str,
    x_name: str,
    y_name: str,
    points: Sequence[Point],
    y_log: bool = False,
) -> None:
    """Draw curves with their points; bars are 95 % intervals."""
    figure, axes = new_axes(title, x_name, y_name)
    series = list(dict.fromkeys(p.series for p in points if p.source != "bound"))
    for name, (colour, marker) in styles(series).items():
        theirs = curve(points, name, "paper")
        ours = curve(points, name, "here")
        axes.plot(
            *_xy(theirs), linestyle=":", color=colour, marker=marker, markersize=8,
            markerfacecolor="none", linewidth=1, zorder=3,
        )  # fmt: skip
        _bars(axes, theirs, colour)
        axes.plot(*_xy(ours), color=colour, marker=marker, markersize=5, linewidth=1.4)
        _bars(axes, ours, colour)
    line = sorted((p for p in points if p.source == "bound"), key=lambda p: p.x)
    axes.plot(*_xy(line), **BOUND_LINE)
    axes.xaxis.get_major_locator().set_params(steps=[1, 2, 5, 10])
    if y_log:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    _limit(axes, points)
    _legend(axes, series, line[0].series if line else "")
    save(figure, paths)


def draw_means(
    paths: Mapping[str, Path], title: str, x_name: str, y_name: str, points: Sequence[Point]
) -> None:
    """Draw points in the plane, coloured by cluster, with their names if they have any."""
    figure, axes = new_axes(title, x_name, y_name)
    series = sorted({p.series for p in points})
    for name, (colour, marker) in styles(series).items():
        for source, face in (("paper", "none"), ("here", colour)):
            own = curve(points, name, source)
            axes.plot(*_xy(own), linestyle="none", color=colour, marker=marker, markersize=8,
                      markerfacecolor=face)  # fmt: skip
            for p in own:
                axes.annotate(p.algorithm, (p.x, p.y), xytext=(-7, 5), textcoords="offset points",
                              fontsize=8, color=colour, ha="right")  # fmt: skip
    axes.set_aspect("equal", adjustable="datalim")
    _legend(axes, series)
    save(figure, paths)


def draw_rows(
    paths: Mapping[str, Path],
    title: str,
    x_name: str,
    points: Sequence[Point],
    theirs: str,
    lines: Sequence[tuple[float, str]] = (),
) -> None:
    """Draw one row per series: an open marker for ``theirs``, a filled one with our interval."""
    figure, axes = new_axes("", x_name, "")
    figure.suptitle(title, x=0.01, ha="left", fontsize=12)
    rows = {name: -i for i, name in enumerate(dict.fromkeys(p.series for p in points))}
    for p in points:
        y = rows[p.series]
        face, size = (COLOURS[0], 6) if p.source == "here" else ("none", 10)
        axes.plot([p.x], [y], color=COLOURS[0], marker="o", markersize=size, markerfacecolor=face)
        if np.isfinite(p.x_low):
            axes.plot([p.x_low, p.x_high], [y, y], color=COLOURS[0], linewidth=1.4)
    for x, label in lines:
        axes.axvline(x, **BOUND_LINE)
        axes.annotate(label, (x, 0.6), xytext=(3, 0), textcoords="offset points", fontsize=8,
                      color=GREY, annotation_clip=False)  # fmt: skip
    axes.set_yticks(list(rows.values()), list(rows))
    axes.set_ylim(-len(rows) + 0.4, 0.9)
    axes.set_xlim(left=min(0.0, min(p.x for p in points)))
    entries = _marker_entries(theirs)
    figure.legend(handles=entries, loc="outside lower right", ncols=2, frameon=False,
                  fontsize=9)  # fmt: skip
    save(figure, paths)


def _xy(points: Sequence[Point]) -> tuple[list[float], list[float]]:
    return [p.x for p in points], [p.y for p in points]


def _bars(axes: Any, points: Sequence[Point], colour: str) -> None:
    """Draw the known intervals of both coordinates."""
    for p in points:
        if np.isfinite(p.y_low):
            axes.plot([p.x, p.x], [p.y_low, p.y_high], color=colour, linewidth=0.9)
        if np.isfinite(p.x_low) and np.isfinite(p.x_high):
            axes.plot([p.x_low, p.x_high], [p.y, p.y], color=colour, linewidth=0.9)


def _limit(axes: Any, points: Sequence[Point]) -> None:
    """Limit the axes to the range of the paper's plot and a little more."""
    theirs = [p.x for p in points if p.source == "paper"]
    if theirs:
        low = min(theirs + [p.x for p in points if np.isfinite(p.x)])
        span = max(theirs) - low
        axes.set_xlim(low - 0.04 * span, max(theirs) + 0.12 * span)
        shown = [p for p in points if p.x <= max(theirs) + 0.12 * span]
        inside = [p.y_high if np.isfinite(p.y_high) else p.y for p in shown]
        if axes.get_yscale() == "linear":
            axes.set_ylim(top=1.05 * max(inside))


def _legend(axes: Any, series: Sequence[str], bound: str = "") -> None:
    """Explain the series, open and filled markers, and the line of the bound."""
    from matplotlib.lines import Line2D

    entries = [
        Line2D([], [], color=colour, marker=marker, linewidth=1.4, label=name)
        for name, (colour, marker) in styles(series).items()
    ]
    entries += _marker_entries("the paper's points")
    if bound:
        entries.append(Line2D([], [], label=bound, **BOUND_LINE))
    axes.figure.legend(
        handles=entries, loc="outside right upper", frameon=False, fontsize=9, handlelength=2.4
    )


def _marker_entries(theirs: str) -> list[Any]:
    """Explain open and filled markers."""
    from matplotlib.lines import Line2D

    style: dict[str, Any] = {"color": GREY, "marker": "o"}
    return [
        Line2D([], [], markerfacecolor="none", linestyle=":", label=f"open: {theirs}", **style),
        Line2D([], [], label="filled: measured here", **style),
    ]
