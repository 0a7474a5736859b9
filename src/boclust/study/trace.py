"""How a study went: at most 2,000 points, evenly spaced in samples, however long it is.

There is a point at every multiple of ``stride`` samples; where there would be too many, every
second one is dropped and the stride doubles. So the points follow from the log alone.
"""

from copy import copy
from dataclasses import dataclass
from math import isfinite
from typing import NamedTuple

from boclust.study.events import iso

#: The largest number of points.
MOST = 2000
#: With more arms than this the evidence takes longer than a value: points are M samples apart.
SMALL = 10


class Point(NamedTuple):
    """A moment: values told, their cost, microseconds since 1970, what the rule had shown."""

    samples: int
    cost: float
    time: int
    evidence: float


class Course:
    """The points up to now."""

    def __init__(self, n_arms: int) -> None:
        self.stride = 1 if n_arms <= SMALL else n_arms
        self.points: list[Point] = []

    def copy(self) -> "Course":
        """Another with the same points."""
        twin = copy(self)
        twin.points = list(self.points)
        return twin

    def is_full(self, new: int) -> bool:
        """Whether so many new points are one too many."""
        return len(self.points) + new > MOST

    def add(self, moments: list[tuple[int, float, int]], evidence: list[float]) -> None:
        """New points: (samples, cost, time), and what the rule had shown then."""
        self.points += [Point(*one, shown) for one, shown in zip(moments, evidence, strict=True)]
        if self.is_full(0):
            self.stride *= 2
            self.points = [one for one in self.points if one.samples % self.stride == 0]


@dataclass(frozen=True)
class Trace:
    """How a study went, as columns: a point at evenly spaced numbers of samples.

    ``samples`` and ``cost`` count values told, voided or not. ``evidence`` is what the stopping
    rule had shown, from the values that stand, against the alternative that looked nearest; it must
    reach ``threshold`` against all. It is at least what ``explain`` says, which looks at all of
    them where that can be afforded. None before every arm had a value or where the rule has no such
    number.
    """

    samples: list[int]
    cost: list[float]
    time: list[str]
    evidence: list[float | None]
    threshold: float | None


def trace_of(points: list[Point], threshold: float) -> Trace:
    """The points as others see them."""
    return Trace(
        [one.samples for one in points],
        [one.cost for one in points],
        [iso(one.time) for one in points],
        [one.evidence if isfinite(one.evidence) else None for one in points],
        threshold if isfinite(threshold) else None,
    )
