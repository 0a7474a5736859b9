"""What the figures and tables of the paper have in common."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from boclust._validate import fail
from boclust.paper.cells import Cell, Rows
from boclust.paper.published import published

#: Finished cells with what they found.
Found = Sequence[tuple[Cell, Rows]]

Verdict = Literal["held", "held in part", "not held"]

DATA_WANTED = (
    "--data DIR or BOCLUST_DATA: a folder with mnist (IDX files), movielens-latest-small "
    "(ratings.csv, movies.csv) and nyc-tlc-yellow (trip records)"
)

#: The share by which two curves may differ and still be called comparable.
COMPARABLE = 0.25


@dataclass(frozen=True)
class Point:
    """A point of a curve; bars are 95 % intervals."""

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
    """A claim of the paper about a figure, and what the numbers say of it."""

    claim: str
    verdict: Verdict
    evidence: str


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
    #: What a reader has to know to compare the two: choices that the paper leaves open.
    notes: Sequence[str] = ()

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
    def draw(self, points: Sequence[Point], paths: Sequence[Path]) -> None:
        """The picture."""

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


def verdict(holds: Sequence[bool]) -> Verdict:
    """One word for several comparisons; without any, a claim has not held."""
    if holds and all(holds):
        return "held"
    return "held in part" if any(holds) else "not held"


@dataclass(frozen=True)
class Comparison:
    """Two curves at some places of the range that they share."""

    first: str
    second: str
    at: Sequence[float]
    #: How many times the samples of the second curve the first one needs, with 95 % limits.
    ratio: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]

    @property
    def below(self) -> list[bool]:
        """Where the first is clearly below the second."""
        return [high < 1 for high in self.high]

    @property
    def comparable(self) -> list[bool]:
        """Where they differ by no more than ``COMPARABLE``."""
        return [1 / (1 + COMPARABLE) <= ratio <= 1 + COMPARABLE for ratio in self.ratio]

    def __str__(self) -> str:
        if not self.at:
            return f"{self.first} and {self.second} share no range"
        least, most = min(self.ratio), max(self.ratio)
        times = (
            f"{least:.2f}" if round(least, 2) == round(most, 2) else f"{least:.2f} to {most:.2f}"
        )
        clear = sum(self.below) + sum(low > 1 for low in self.low)
        return (
            f"{self.first} needs {times} times the samples of {self.second} (difference clear at "
            f"{clear} of {len(self.at)} places)"
        )


def compare(
    points: Sequence[Point],
    first: str,
    second: str,
    within: tuple[float, float] = (-np.inf, np.inf),
    places: int = 5,
) -> Comparison:
    """The first curve over the second at evenly spaced places of the range that they share."""
    a, b = curve(points, first), curve(points, second)
    at = np.zeros(0)
    if a and b:
        left, right = max(a[0].x, b[0].x, within[0]), min(a[-1].x, b[-1].x, within[1])
        at = np.linspace(left, right, places) if left < right else at
    ya, ua = _interpolate(a, at)
    yb, ub = _interpolate(b, at)
    ratio = ya / yb
    spread = np.sqrt((ua / ya) ** 2 + (ub / yb) ** 2)
    limits = ratio * np.exp(-spread), ratio * np.exp(spread)
    return Comparison(first, second, *(v.tolist() for v in (at, ratio, *limits)))


def _interpolate(points: Sequence[Point], at: Any) -> tuple[Any, Any]:
    """Height and its uncertainty; that of x counts as much as the curve is steep."""
    if not len(at):
        return np.ones(0), np.ones(0)
    x, y = (np.array([getattr(p, name) for p in points]) for name in ("x", "y"))
    steep = (y.max() - y.min()) / (x[-1] - x[0]) if x[-1] > x[0] else 0.0
    half_y = np.nan_to_num([(p.y_high - p.y_low) / 2 for p in points])
    half_x = np.nan_to_num([(p.x_high - p.x_low) / 2 for p in points])
    return np.interp(at, x, y), np.interp(at, x, np.hypot(half_y, steep * half_x))
