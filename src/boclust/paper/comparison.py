"""Two curves beside each other, and what follows for a claim."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from boclust.paper.base import Point, Statement, Verdict, curve

#: The share by which two curves may differ and still be called comparable.
COMPARABLE = 0.25

Finding = Literal["true", "false", "unclear"]


def finding(low: float, high: float, limit: float) -> Finding:
    """Whether a quantity with these 95 % limits lies below ``limit``."""
    return "true" if high < limit else "false" if low > limit else "unclear"


def verdict(findings: Iterable[Finding | bool]) -> Verdict:
    """One word for several findings: what is unclear neither makes a claim nor breaks it."""
    found = {f if isinstance(f, str) else str(bool(f)).lower() for f in findings}
    if not found or found == {"unclear"}:
        return "undecided"
    if "true" not in found:
        return "not held"
    return "held" if found == {"true"} else "held in part"


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
    def below(self) -> list[Finding]:
        """Where the first is below the second; unclear where they share no range."""
        limits = zip(self.low, self.high, strict=True)
        return [finding(low, high, 1.0) for low, high in limits] or ["unclear"]

    @property
    def comparable(self) -> list[Finding]:
        """Where they differ by no more than ``COMPARABLE``."""
        near: list[Finding] = [
            "true" if 1 / (1 + COMPARABLE) <= ratio <= 1 + COMPARABLE else "false"
            for ratio in self.ratio
        ]
        return near or ["unclear"]

    def __str__(self) -> str:
        if not self.at:
            return f"{self.first} and {self.second} share no range"
        least, most = min(self.ratio), max(self.ratio)
        times = f"{least:.2f}" if f"{least:.2f}" == f"{most:.2f}" else f"{least:.2f} to {most:.2f}"
        counts = [self.below.count(name) for name in ("true", "false", "unclear")]
        return (
            f"{self.first} needs {times} times the samples of {self.second} (at {len(self.at)} "
            f"places {counts[0]} times clearly fewer, {counts[1]} times clearly more)"
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
    """Height and its uncertainty; that of x counts as much as the curve is steep there."""
    if not len(at):
        return np.ones(0), np.ones(0)
    x, y = (np.array([getattr(p, name) for p in points]) for name in ("x", "y"))
    half_x, half_y = (
        np.nan_to_num([(getattr(p, f"{n}_high") - getattr(p, f"{n}_low")) / 2 for p in points])
        for n in ("x", "y")
    )
    # places that cannot be told apart say nothing of how steep the curve is
    apart = np.maximum(np.diff(x), (half_x[1:] + half_x[:-1]) / 2)
    rises = np.abs(np.diff(y)) / np.maximum(apart, 1e-9)
    steep = np.maximum(np.append(rises, 0.0), np.insert(rises, 0, 0.0))
    return np.interp(at, x, y), np.interp(at, x, np.hypot(half_y, steep * half_x))


def told(comparisons: Sequence[Comparison]) -> str:
    """Several comparisons in words."""
    return "; ".join(str(c) for c in comparisons) + "."


def below(claim: str, comparisons: Sequence[Comparison], kind: Any = "claim") -> Statement:
    """A claim that in each comparison the first needs fewer samples."""
    found = verdict(f for c in comparisons for f in c.below)
    return Statement(claim, found, told(comparisons), kind)


def comparable(claim: str, comparisons: Sequence[Comparison], kind: Any = "claim") -> Statement:
    """A claim that the two of each comparison need about as many samples."""
    found = verdict(f for c in comparisons for f in c.comparable)
    return Statement(f"{claim} (here: within {COMPARABLE:.0%}).", found, told(comparisons), kind)
