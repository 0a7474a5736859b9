"""The points of the paper's plots.

``published.csv`` holds every point that the paper's figures draw, read from the plotting commands
of its source: *Online Clustering of Data Sequences with Bandit Information*.
"""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Published:
    """A point as the paper plots it."""

    figure: str
    series: str
    x_name: str
    x: float
    y_name: str
    y: float
    #: Half the length of the bar drawn through the point (one standard deviation in all), if any.
    half_deviation: float | None
    #: Digits that the paper prints after the point of y.
    digits: int


@cache
def _all() -> tuple[Published, ...]:
    text = files("boclust.paper").joinpath("published.csv").read_text(encoding="utf-8")
    return tuple(
        Published(
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


def published(figure: str, series: str | None = None) -> list[Published]:
    """The points of a figure, or of one of its series.

    >>> len(published("sd1_asymptotic", "ATBOC-Gauss"))
    10
    """
    return [p for p in _all() if p.figure == figure and series in (None, p.series)]


def series_of(figure: str) -> list[str]:
    """The names of a figure's series, as the paper orders them."""
    return list(dict.fromkeys(p.series for p in published(figure)))


def trials_behind(points: list[Published], most: int = 20_000) -> int:
    """The fewest trials whose means can be all these numbers, as far as they are printed; or 0.

    A mean of whole numbers over n trials is a multiple of 1/n.

    >>> trials_behind(published("sd1_tracking", "DTBOC"))
    30
    """
    for n in range(1, most + 1):
        rest = (abs(p.y * n - round(p.y * n)) - n * 0.5000001 * 10.0**-p.digits for p in points)
        if all(r <= 0 for r in rest):
            return n
    return 0
