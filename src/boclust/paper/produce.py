"""From a figure to its files: data, picture and text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from boclust._files import appearing
from boclust.paper.base import Figure, Point, Statement, Table
from boclust.paper.cells import Cell, Rows, Store


@dataclass(frozen=True)
class Produced:
    """A figure that was made."""

    figure: Figure
    points: Sequence[Point]
    statements: Sequence[Statement]
    table: Table | None
    picture: str
    seconds: float

    @property
    def paragraph(self) -> str:
        """What held and what did not, in words."""
        told = [f"{self.figure.title} ({self.figure.place} of the paper)."]
        for s in self.statements:
            told.append(f"{s.verdict.capitalize()}: {s.claim} {s.evidence}")
        return "\n\n".join([*told, *self.figure.notes])


def produce(
    figure: Figure, out: Path, cells: Sequence[Cell], advance: Callable[[], None]
) -> Produced:
    """Work out what is missing of a figure and write its files into ``out``."""
    import time

    began = time.monotonic()
    store = Store(out / "cells")
    found: list[tuple[Cell, Rows]] = []
    for cell in cells:
        found.append((cell, store.rows(cell)))
        advance()
    points = figure.paper_points() + figure.points(found)
    made = Produced(
        figure,
        points,
        figure.statements(points, found),
        figure.table(points, found),
        _write_picture(figure, points, out),
        time.monotonic() - began,
    )
    _write_data(figure, points, out)
    with appearing(out / f"{figure.name}.md") as part:
        part.write_text(made.paragraph + "\n", encoding="utf-8")
    return made


def _write_picture(figure: Figure, points: Sequence[Point], out: Path) -> str:
    """PNG and SVG; returns the SVG."""
    drawn = [out / f".{figure.name}.drawing.{kind}" for kind in ("png", "svg")]
    figure.draw(points, drawn)
    for path in drawn:
        path.replace(out / f"{figure.name}{path.suffix}")
    return (out / f"{figure.name}.svg").read_text(encoding="utf-8")


def _write_data(figure: Figure, points: Sequence[Point], out: Path) -> None:
    """Every point as Parquet and CSV; what is unknown is empty."""
    import pyarrow
    from pyarrow import csv, parquet

    rows = [
        {name: None if value != value else value for name, value in row.items()}
        for row in figure.rows(points)
    ]
    table = pyarrow.Table.from_pylist(rows)
    with appearing(out / f"{figure.name}.parquet") as part:
        parquet.write_table(table, part)
    with appearing(out / f"{figure.name}.csv") as part:
        csv.write_csv(table, part)


def verdicts(made: Sequence[Produced]) -> dict[str, int]:
    """How many statements held, in part or not."""
    counts = dict.fromkeys(("held", "held in part", "not held"), 0)
    for statement in (s for one in made for s in one.statements):
        counts[statement.verdict] += 1
    return counts


def number(value: float) -> str:
    """Three significant digits, or nothing where there is no number."""
    return "" if np.isnan(value) else f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
