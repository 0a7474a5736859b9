"""The pictures of a report: seconds per sample over sizes, on logarithmic axes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.measure import Row

#: The sections that have a picture.
DRAWN = ("setup1", "setup2", "growth", "scale")
#: Of what is measured, of the baseline, and of the paper's figures.
_LINES: tuple[Any, ...] = ("-", "--", ":")


def draw(section: str, title: str, rows: Sequence[Row], out: Path) -> None:
    """One panel per kind of instance, one colour per algorithm."""
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.ticker import NullFormatter

    panels = _curves(rows) if section in ("growth", "scale") else _sizes(rows)
    names = list(dict.fromkeys(name for lines in panels.values() for name, _, _ in lines))
    colours = {name: f"C{i}" for i, name in enumerate(names)}
    figure = Figure(figsize=(2.2 + 3.1 * len(panels), 4.4), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left")
    every = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for axes, (heading, lines) in zip(every, panels.items(), strict=True):
        axes.set(xscale="log", yscale="log", xlabel=heading)
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.grid(True, color="#e6e6e6")
        for name, kind, points in lines:
            x, y = [point[0] for point in points], [point[1] for point in points]
            axes.plot(x, y, color=colours[name], marker="o", markersize=4, linestyle=_LINES[kind])
            axes.set_xticks(x, [f"{value:g}" for value in x])
    every[0].set_ylabel("seconds per sample")
    entries = [Line2D([], [], color=colour, label=name) for name, colour in colours.items()]
    for kind, label in enumerate(("ours", "NumPy", "the paper")):
        if any(line[1] == kind for lines in panels.values() for line in lines):
            entries.append(Line2D([], [], color="grey", linestyle=_LINES[kind], label=label))
    figure.legend(handles=entries, loc="outside right upper", frameon=False, fontsize=9)
    for ending in ("png", "svg"):
        figure.savefig(out / f"{section}.{ending}", dpi=150)


#: Name, kind of line, points.
_Lines = list[tuple[str, int, list[tuple[float, float]]]]


def _curves(rows: Sequence[Row]) -> dict[str, _Lines]:
    """The curves behind fitted exponents, by what grows."""
    panels: dict[str, _Lines] = {}
    for row in rows:
        if row.curve:
            where = ", ".join(f"{name} {value}" for name, value in row.parameters.items())
            points = [(point[0], point[1]) for point in row.curve]
            panels.setdefault(where, []).append((row.name, 0, points))
    return panels


def _sizes(rows: Sequence[Row]) -> dict[str, _Lines]:
    """Times over M, where there is a baseline or a figure of the paper, and of span."""
    series: dict[tuple[str, str, int], list[tuple[float, float]]] = {}
    for row in rows:
        if (row.baseline or row.paper or row.name == "span") and "stops" not in row.name:
            where = ", ".join(f"{k} {v}" for k, v in row.parameters.items() if v and k != "M")
            figures: Sequence[Any] = (row.median, row.baseline, row.paper)
            for kind, seconds in enumerate(figures):
                if seconds is not None:
                    point = (float(row.parameters["M"]), float(seconds))
                    series.setdefault((where, row.name, kind), []).append(point)
    panels: dict[str, _Lines] = {}
    for (where, name, kind), points in series.items():
        heading = f"M ({where})" if where else "M"
        panels.setdefault(heading, []).append((name, kind, points))
    return panels
