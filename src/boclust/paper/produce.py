"""From a figure to its files: data, picture and text."""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from boclust._files import appearing
from boclust.paper.base import VERDICTS, Figure, Point, Statement, Table
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

    notes: Sequence[str]

    @property
    def paragraph(self) -> str:
        """What held and what did not, in words."""
        told = [f"{self.figure.title} ({self.figure.place} of the paper)."]
        for s in self.statements:
            mine = " (a check of ours)" if s.kind == "check" else ""
            told.append(f"{s.verdict.capitalize()}{mine}: {s.claim} {s.evidence}")
        return "\n\n".join([*told, *self.notes])


def produce(
    figure: Figure, out: Path, cells: Sequence[Cell], advance: Callable[[], None]
) -> Produced:
    """Work out what is missing of a figure and write its files into ``out``."""
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
        figure.notes(points),
    )
    _write_data(figure, points, out)
    with appearing(out / f"{figure.name}.md") as part:
        part.write_text(made.paragraph + "\n", encoding="utf-8")
    return made


def _write_picture(figure: Figure, points: Sequence[Point], out: Path) -> str:
    """PNG and SVG; returns the SVG."""
    with ExitStack() as stack:
        paths = {
            kind: stack.enter_context(appearing(out / f"{figure.name}.{kind}"))
            for kind in ("png", "svg")
        }
        figure.draw(points, paths)
        return paths["svg"].read_text(encoding="utf-8")


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


def tally(made: Sequence[Produced]) -> str:
    """How many claims of the paper held, in part or not, and how many checks of ours."""
    told = []
    for kind, name in (("claim", "claims of the paper"), ("check", "checks of ours")):
        found = [s.verdict for one in made for s in one.statements if s.kind == kind]
        counts = ", ".join(f"{found.count(v)} {v}" for v in VERDICTS if v in found)
        told.append(f"{len(found)} {name}" + (f" ({counts})" if counts else ""))
    return "; ".join(told)
