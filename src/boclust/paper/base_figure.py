"""What the figures and tables of the paper have in common."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import ClassVar, Literal, get_args

import numpy as np

from boclust._validate import invalid
from boclust.paper.published import published
from boclust.paper.tasks import Rows, Task

#: The file to write for each image format.
Paths = Mapping[str, Path]

#: Finished tasks, each with its result.
Finished = Sequence[tuple[Task, Rows]]

Verdict = Literal["held", "held in part", "not held", "undecided"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

_DATA_FOLDER = (
    "a folder with mnist (IDX files), movielens-latest-small (ratings.csv, movies.csv) and "
    "nyc-tlc-yellow (trip records), given by --data or BOCLUST_DATA"
)


@dataclass(frozen=True)
class Point:
    """A point of a curve.

    The intervals are 95 % intervals. For times they are the range of the repetitions, for the
    paper's points the standard deviations that the paper draws.
    """

    series: str
    source: Literal["paper", "here", "bound"]
    x: float
    y: float
    x_low: float = np.nan
    x_high: float = np.nan
    y_low: float = np.nan
    y_high: float = np.nan
    algorithm: str = ""
    #: The constant threshold or log(1/delta).
    threshold: float = np.nan
    trials: int = 0
    errors: int = 0
    #: Trials that reached the largest number of samples allowed.
    censored: int = 0


@dataclass(frozen=True)
class Statement:
    """A claim of the paper about a figure, or a check of ours, with a verdict and the evidence."""

    claim: str
    verdict: Verdict
    evidence: str
    kind: Literal["claim", "check"] = "claim"


@dataclass(frozen=True)
class Table:
    """A table to show below a picture."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


class BaseFigure(ABC):
    """A figure or table of the paper: the tasks it needs, and what their results say."""

    name: ClassVar[str]
    title: ClassVar[str]
    #: Its number in the paper.
    place: ClassVar[str]
    x_name: ClassVar[str]
    y_name: ClassVar[str]
    #: The folder of real data that it needs, named as the publisher names it.
    data_folder: ClassVar[str] = ""

    def __init__(self, data: Path | None = None) -> None:
        self.data = data

    @property
    def data_path(self) -> Path:
        """The folder of its real data."""
        if self.data is None:
            raise invalid("data", _DATA_FOLDER, f"nothing, and {self.name} needs it")
        return self.data / self.data_folder

    @abstractmethod
    def tasks(self, quick: bool) -> list[Task]:
        """List the tasks whose results the figure needs."""

    @abstractmethod
    def points(self, finished: Finished) -> list[Point]:
        """Compute the points measured here."""

    @abstractmethod
    def statements(self, points: Sequence[Point], finished: Finished) -> list[Statement]:
        """Judge the paper's claims about the figure."""

    @abstractmethod
    def draw(self, points: Sequence[Point], paths: Paths) -> None:
        """Draw the picture."""

    def notes(self, points: Sequence[Point]) -> list[str]:
        """Explain how to compare the two, and the choices that the paper leaves open."""
        return []

    def table(self, points: Sequence[Point], finished: Finished) -> Table | None:
        """Make the table to show below the picture, if there is one."""
        return None

    def paper_points(self) -> list[Point]:
        """Return the points that the paper draws."""
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
        """Return the points as rows of a table, with the names of their axes."""
        axes = {"figure": self.name, "x_name": self.x_name, "y_name": self.y_name}
        return [axes | asdict(point) for point in points]


def curve(points: Iterable[Point], series: str, source: str = "here") -> list[Point]:
    """Return the points of one series, from left to right."""
    own = [p for p in points if (p.series, p.source) == (series, source)]
    return sorted(own, key=lambda p: p.x)
