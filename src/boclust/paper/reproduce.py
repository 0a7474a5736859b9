"""Reproduce a figure: do its tasks and write its data, picture and text."""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from boclust._files import appearing
from boclust.paper.base_figure import VERDICTS, BaseFigure, Point, Statement, Table
from boclust.paper.tasks import Rows, Task, TaskStore


@dataclass(frozen=True)
class Reproduction:
    """A figure with its points, statements and picture."""

    figure: BaseFigure
    points: Sequence[Point]
    statements: Sequence[Statement]
    table: Table | None
    #: The picture as SVG.
    picture: str
    seconds: float
    notes: Sequence[str]

    @property
    def text(self) -> str:
        """The statements with their verdicts, and the notes."""
        parts = [f"{self.figure.title} ({self.figure.place} of the paper)."]
        for s in self.statements:
            kind = " (our check)" if s.kind == "check" else ""
            parts.append(f"{s.verdict.capitalize()}{kind}: {s.claim} {s.evidence}")
        return "\n\n".join([*parts, *self.notes])


def reproduce(
    figure: BaseFigure, out: Path, tasks: Sequence[Task], advance: Callable[[], None]
) -> Reproduction:
    """Do the tasks that are not finished yet and write the figure's files to ``out``."""
    began = time.monotonic()
    store = TaskStore(out / "tasks")
    finished: list[tuple[Task, Rows]] = []
    for task in tasks:
        finished.append((task, store.rows(task)))
        advance()
    points = figure.paper_points() + figure.points(finished)
    made = Reproduction(
        figure,
        points,
        figure.statements(points, finished),
        figure.table(points, finished),
        _write_picture(figure, points, out),
        time.monotonic() - began,
        figure.notes(points),
    )
    _write_data(figure, points, out)
    with appearing(out / f"{figure.name}.md") as part:
        part.write_text(made.text + "\n", encoding="utf-8")
    return made


def _write_picture(figure: BaseFigure, points: Sequence[Point], out: Path) -> str:
    """Write PNG and SVG files and return the SVG."""
    with ExitStack() as stack:
        paths = {
            kind: stack.enter_context(appearing(out / f"{figure.name}.{kind}"))
            for kind in ("png", "svg")
        }
        figure.draw(points, paths)
        return paths["svg"].read_text(encoding="utf-8")


def _write_data(figure: BaseFigure, points: Sequence[Point], out: Path) -> None:
    """Write every point to Parquet and CSV files; unknown values are empty."""
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


def tally(made: Sequence[Reproduction]) -> str:
    """Count the claims of the paper and our checks by verdict."""
    parts = []
    for kind, name in (("claim", "claims of the paper"), ("check", "checks of ours")):
        found = [s.verdict for one in made for s in one.statements if s.kind == kind]
        counts = ", ".join(f"{found.count(v)} {v}" for v in VERDICTS if v in found)
        parts.append(f"{len(found)} {name}" + (f" ({counts})" if counts else ""))
    return "; ".join(parts)
