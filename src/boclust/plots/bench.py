"""The benchmark's pictures: time a sample beside the baseline's and the paper's, and its growth."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from boclust.bench.base import Row
from boclust.plots.curves import apart
from boclust.plots.paper import save, styles
from boclust.plots.style import GREY

Draw = Callable[[Mapping[str, Path], str, Sequence[Row]], None]

#: What grows, in words.
_GROWS = {"M": "number of arms M", "d": "dimension d", "K": "number of clusters K"}


def _panels(title: str, names: Sequence[str]) -> tuple[Any, list[Any]]:
    """Logarithmic axes beside each other that share their heights."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import NullFormatter

    figure = Figure(figsize=(2.2 + 3.1 * len(names), 4.4), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", fontsize=12)
    panels = list(figure.subplots(1, len(names), sharey=True, squeeze=False)[0])
    for axes, name in zip(panels, names, strict=True):
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel(name)
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.minorticks_off()
        axes.grid(True, color="#e6e6e6", linewidth=0.8)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("seconds a sample")
    return figure, panels


def _ticks(axes: Any, values: Sequence[float]) -> None:
    """At these values and nowhere else, with a margin around them."""
    axes.set_xticks(values, [f"{value:g}" for value in values])
    axes.set_xlim(min(values) / 1.15, max(values) * 1.15)


def draw_growth(paths: Mapping[str, Path], title: str, rows: Sequence[Row]) -> None:
    """A panel for what grows; the exponents of the fits stand at the ends of the lines."""
    from matplotlib.lines import Line2D

    grown = list(dict.fromkeys(str(row.parameters["grows"]) for row in rows))
    looks = styles(list(dict.fromkeys(row.name for row in rows)))
    figure, panels = _panels(title, [_GROWS.get(name, name) for name in grown])
    for axes, name in zip(panels, grown, strict=True):
        for row in (row for row in rows if row.parameters["grows"] == name):
            colour, marker = looks[row.name]
            x, y, low, high = zip(*row.curve, strict=True)
            axes.plot(x, y, color=colour, marker=marker, markersize=5, linewidth=1.4)
            axes.vlines(x, low, high, color=colour, linewidth=0.9)
            _ticks(axes, x)
        _label_ends(axes, [row for row in rows if row.parameters["grows"] == name], looks)
    entries = [
        Line2D([], [], color=colour, marker=marker, linewidth=1.4, label=name)
        for name, (colour, marker) in looks.items()
    ]
    entries.append(Line2D([], [], linestyle="none", label="numbers: exponents"))
    figure.legend(handles=entries, loc="outside right upper", frameon=False, fontsize=9)
    save(figure, paths)


def draw_scale(paths: Mapping[str, Path], title: str, rows: Sequence[Row]) -> None:
    """A panel a shape and dimension."""
    fits = [
        replace(
            row,
            name=row.name.split(":")[0],
            parameters={"grows": f"M, {row.parameters['shape']}, d = {row.parameters['d']}"},
        )
        for row in rows
        if row.curve
    ]
    draw_growth(paths, title, fits)


def _label_ends(axes: Any, rows: Sequence[Row], looks: Mapping[str, tuple[str, str]]) -> None:
    """The exponents to the right of the lines, pushed apart where they touch."""
    low, high = np.log10(axes.get_ylim())
    ends = [float(np.log10(row.curve[-1][1])) for row in rows]
    for row, height in zip(rows, apart(ends, 0.045 * (high - low)), strict=True):
        axes.annotate(
            f"{round(row.median, 1) + 0.0:.1f}", (row.curve[-1][0], 10**height), xytext=(6, 0),
            textcoords="offset points", color=looks[row.name][0], fontsize=8, va="center",
            annotation_clip=False,
        )  # fmt: skip


def draw_setup(paths: Mapping[str, Path], title: str, rows: Sequence[Row]) -> None:
    """A panel a dimension or kind of search: what has a baseline, or is in the paper."""
    from matplotlib.lines import Line2D

    shown = [row for row in rows if row.baseline or row.paper or row.name == "span"]
    shown = [row for row in shown if not row.name.endswith("stops")]
    down = "d" if any("d" in row.parameters for row in shown) else "search"
    groups = list(dict.fromkeys(row.parameters[down] for row in shown if row.parameters[down]))
    looks = styles(list(dict.fromkeys(row.name for row in shown)))
    names = [f"M, {down} = {g}" if down == "d" else f"M, {g} search" for g in groups]
    figure, panels = _panels(title, names or ["M"])
    for axes, group in zip(panels, groups or [""], strict=True):
        for name, (colour, marker) in looks.items():
            own = [r for r in shown if r.name == name and r.parameters[down] in (group, "")]
            if not own:
                continue
            x = [float(row.parameters["M"]) for row in own]
            axes.plot(x, [row.median for row in own], color=colour, marker=marker, markersize=5,
                      linewidth=1.4)  # fmt: skip
            axes.vlines(x, [row.low for row in own], [row.high for row in own], color=colour,
                        linewidth=0.9)  # fmt: skip
            for values, line in (
                ([row.baseline for row in own], (0, (4, 2))),
                ([row.paper for row in own], ":"),
            ):
                points = [(a, b) for a, b in zip(x, values, strict=True) if b is not None]
                axes.plot(
                    [a for a, _ in points], [b for _, b in points], color=colour, marker=marker,
                    markersize=7, markerfacecolor="none", linewidth=1, linestyle=line,
                )  # fmt: skip
        _ticks(axes, sorted({float(row.parameters["M"]) for row in shown}))
    entries = [
        Line2D([], [], color=colour, marker=marker, linewidth=1.4, label=name)
        for name, (colour, marker) in looks.items()
    ]
    grey: dict[str, Any] = {"color": GREY, "marker": "o"}
    entries += [
        Line2D([], [], label="filled: ours", **grey),
        Line2D(
            [], [], markerfacecolor="none", linestyle=(0, (4, 2)), label="dashed: NumPy", **grey
        ),
        Line2D([], [], markerfacecolor="none", linestyle=":", label="dotted: the paper", **grey),
    ]
    figure.legend(handles=entries, loc="outside right upper", frameon=False, fontsize=9,
                  handlelength=3)  # fmt: skip
    save(figure, paths)


#: The sections that have a picture.
DRAWN: dict[str, Draw] = {
    "setup1": draw_setup,
    "setup2": draw_setup,
    "growth": draw_growth,
    "scale": draw_scale,
}
