"""What the figures and tables of the paper have in common."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import ClassVar, Literal, get_args

import numpy as np

from boclust._validate import fail
from boclust.paper.cells import Cell, Rows
from boclust.paper.published import published

#: Where a picture goes, by its format.
Paths = Mapping[str, Path]

#: Finished cells with what they found.
Found = Sequence[tuple[Cell, Rows]]

Verdict = Literal["held", "held in part", "not held", "undecided"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

DATA_WANTED = (
    "--data DIR or BOCLUST_DATA: a folder with mnist (IDX files), movielens-latest-small "
    "(ratings.csv, movies.csv) and nyc-tlc-yellow (trip records)"
)


@dataclass(frozen=True)
class Point:
    """A point of a curve.

    Bars are 95 % intervals; of times, the range of repetitions; of the paper's points, its standard
    deviations as drawn.
    """

    series: str
    source: Literal["paper", "here", "bound"]
    x: float
    y: float
    x_low: float = np.nan
    x_high: float = np.nan
    y_low: float = np.nan
    y_high: float = np.nan
    #: What was run, the threshold or log(1/delta) it ran with, and how often.
    algorithm: str = ""
    threshold: float = np.nan
    trials: int = 0
    errors: int = 0
    #: Trials that were stopped by the largest number of samples allowed.
    censored: int = 0


@dataclass(frozen=True)
class Statement:
    """A claim of the paper about a figure, or a check of ours, and what the numbers say of it."""

    claim: str
    verdict: Verdict
    evidence: str
    kind: Literal["claim", "check"] = "claim"


@dataclass(frozen=True)
class Table:
    """A table to show beside a picture."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


class Figure(ABC):
    """A figure or table of the paper: what to run for it, and what to make of what was found."""

    name: ClassVar[str]
    title: ClassVar[str]
    #: Where it stands in the paper.
    place: ClassVar[str]
    x_name: ClassVar[str]
    y_name: ClassVar[str]
    #: The folder of real data that it needs, as its publishers call it.
    data_folder: ClassVar[str] = ""

    def __init__(self, data: Path | None = None) -> None:
        self.data = data

    @property
    def data_path(self) -> Path:
        """Where its real data lie."""
        if self.data is None:
            raise fail("data", f"is not given, and {self.name} needs it", DATA_WANTED)
        return self.data / self.data_folder

    @abstractmethod
    def cells(self, quick: bool) -> list[Cell]:
        """The pieces of work."""

    @abstractmethod
    def points(self, found: Found) -> list[Point]:
        """The points measured here."""

    @abstractmethod
    def statements(self, points: Sequence[Point], found: Found) -> list[Statement]:
        """The paper's claims about the figure, each with a verdict."""

    @abstractmethod
    def draw(self, points: Sequence[Point], paths: Paths) -> None:
        """The picture."""

    def notes(self, points: Sequence[Point]) -> list[str]:
        """What a reader has to know to compare the two: choices that the paper leaves open."""
        return []

    def table(self, points: Sequence[Point], found: Found) -> Table | None:
        """A table to show below the picture."""
        return None

    def paper_points(self) -> list[Point]:
        """The points that the paper draws."""
        return [
            Point(
                p.series,
                "paper",
                p.x,
                p.y,
                y_low=p.y - (p.half_deviation if p.half_deviation is not None else np.nan),
                y_high=p.y + (p.half_deviation if p.half_deviation is not None else np.nan),
            )
            for p in published(self.name)
        ]

    def rows(self, points: Iterable[Point]) -> Rows:
        """The points as rows of a table, with the names of their axes."""
        axes = {"figure": self.name, "x_name": self.x_name, "y_name": self.y_name}
        return [axes | asdict(point) for point in points]


def curve(points: Iterable[Point], series: str, source: str = "here") -> list[Point]:
    """The points of one series, from left to right."""
    own = [p for p in points if (p.series, p.source) == (series, source)]
    return sorted(own, key=lambda p: p.x)
