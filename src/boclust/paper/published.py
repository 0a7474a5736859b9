"""The numbers that the paper prints: the points of its plots, and its slopes.

``published.csv`` holds every point that the figures of *Online Clustering of Data Sequences with
Bandit Information* draw, read from the plotting commands of its source.
"""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

#: The slope of the lower bound on the seven arms, as the paper gives it.
LOWER_SLOPE = 84.0


@dataclass(frozen=True)
class PublishedPoint:
    """A point as the paper plots it."""

    figure: str
    series: str
    x_name: str
    x: float
    y_name: str
    y: float
    #: Half the length of the bar through the point (the bar is one standard deviation long).
    half_deviation: float | None
    #: Digits that the paper prints after the decimal point of y.
    digits: int


@dataclass(frozen=True)
class PublishedSlope:
    """A slope that the paper measures, and its theoretical upper bound if the paper gives one."""

    figure: str
    series: str
    measured: float
    upper: float = np.nan


#: Table II, and Section VIII-A for the instances in the plane.
SLOPES = (
    PublishedSlope("sd1_asymptotic", "LUCBBOC", 186, 190),
    PublishedSlope("sd1_asymptotic", "ATBOC-Gauss", 150, 164),
    PublishedSlope("sd1_tracking", "DTBOC", 155, 164),
    PublishedSlope("sd1_tracking", "WATBOC", 155, 164),
    PublishedSlope("sd1_asymptotic", "ATBOC-1pExp zeta=0.45", 114.2, 121.8),
    PublishedSlope("sd1_asymptotic", "ATBOC-1pExp zeta=0.1", 83.7, 92.4),
    PublishedSlope("gauss_2d_asymptotic", "ATBOC-Gauss", 40, 40),
    PublishedSlope("gauss_2d_asymptotic", "LUCBBOC", 48, 48),
    PublishedSlope("gauss_2d_asymptotic", "RR", 75, 73),
    PublishedSlope("bernoulli_2d_asymptotic", "ATBOC-subGauss", 64, 66),
    PublishedSlope("bernoulli_2d_asymptotic", "LUCBBOC", 79, 80),
)


@cache
def _points() -> tuple[PublishedPoint, ...]:
    text = files("boclust.paper").joinpath("published.csv").read_text(encoding="utf-8")
    return tuple(
        PublishedPoint(
            row["figure"],
            row["series"],
            row["x_name"],
            float(row["x"]),
            row["y_name"],
            float(row["y"]),
            float(row["half_std_as_drawn"]) if row["half_std_as_drawn"] else None,
            len(row["y"].partition(".")[2]),
        )
        for row in csv.DictReader(text.splitlines())
    )


def published(figure: str, series: str | None = None) -> list[PublishedPoint]:
    """Return the points of a figure, or of one of its series.

    >>> len(published("sd1_asymptotic", "ATBOC-Gauss"))
    10
    """
    return [p for p in _points() if p.figure == figure and series in (None, p.series)]


def series_of(figure: str) -> list[str]:
    """Return the names of a figure's series in the paper's order."""
    return list(dict.fromkeys(p.series for p in published(figure)))


def slopes_of(figure: str) -> list[PublishedSlope]:
    """Return the slopes of one figure."""
    return [slope for slope in SLOPES if slope.figure == figure]


def fewest_trials(points: list[PublishedPoint], most: int = 20_000) -> int:
    """Return the fewest trials whose means can round to all these numbers, or 0.

    A mean of integers over n trials is a multiple of 1/n.

    >>> fewest_trials(published("sd1_tracking", "DTBOC"))
    30
    """
    for n in range(1, most + 1):
        rest = (abs(p.y * n - round(p.y * n)) - n * 0.5000001 * 10.0**-p.digits for p in points)
        if all(r <= 0 for r in rest):
            return n
    return 0
