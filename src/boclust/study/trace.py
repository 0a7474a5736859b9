"""The evidence over time: at most 2,000 points, evenly spaced in samples.

There is a point at every multiple of ``stride`` samples. When there would be too many points, every
second one is dropped and the stride doubles, so that the points follow from the log alone.
"""

from copy import copy
from dataclasses import dataclass
from math import isfinite
from typing import NamedTuple

from boclust.study.events import iso

#: The largest number of points.
MOST = 2000
#: With more arms than this, evidence takes longer than a tell: then points are M samples apart.
SMALL = 10


class Point(NamedTuple):
    """Samples told, their cost, the time in microseconds since 1970, and the evidence."""

    samples: int
    cost: float
    time: int
    evidence: float


class Points:
    """The points of a study so far."""

    def __init__(self, n_arms: int) -> None:
        self.stride = 1 if n_arms <= SMALL else n_arms
        self.points: list[Point] = []

    def copy(self) -> "Points":
        """An independent copy."""
        twin = copy(self)
        twin.points = list(self.points)
        return twin

    def is_full(self, new: int) -> bool:
        """Whether ``new`` more points are too many."""
        return len(self.points) + new > MOST

    def add(self, moments: list[tuple[int, float, int]], evidence: list[float]) -> None:
        """Add points from (samples, cost, time) and the evidence at each of these moments."""
        self.points += [Point(*moment, e) for moment, e in zip(moments, evidence, strict=True)]
        if self.is_full(0):
            self.stride *= 2
            self.points = [one for one in self.points if one.samples % self.stride == 0]


@dataclass(frozen=True)
class Trace:
    """The course of a study as columns: one point per ``stride`` samples, at most 2,000.

    ``samples`` and ``cost`` count all values told, voided or not. ``evidence`` is the statistic of
    the stopping rule, from the values that are not voided, against the alternative that looked
    nearest; it must reach ``threshold`` against all alternatives. It is at least the evidence in
    ``explain``, which looks at all alternatives where that is affordable. It is None before every
    arm has a sample, and for rules without such a statistic.
    """

    samples: list[int]
    cost: list[float]
    time: list[str]
    evidence: list[float | None]
    threshold: float | None


def trace_of(points: list[Point], threshold: float) -> Trace:
    """The trace of these points."""
    return Trace(
        [one.samples for one in points],
        [one.cost for one in points],
        [iso(one.time) for one in points],
        [one.evidence if isfinite(one.evidence) else None for one in points],
        threshold if isfinite(threshold) else None,
    )
