"""Compare two curves, and decide whether a claim holds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from boclust.paper.base_figure import Point, Statement, Verdict, curve

#: Two curves are comparable if they differ by at most this share.
COMPARABLE = 0.25

Finding = Literal["true", "false", "unclear"]


def finding(low: float, high: float, limit: float) -> Finding:
    """Decide whether a quantity with the 95 % interval [low, high] is below ``limit``."""
    return "true" if high < limit else "false" if low > limit else "unclear"


def verdict(findings: Iterable[Finding | bool]) -> Verdict:
    """Summarise findings in one verdict; an unclear one neither supports nor refutes a claim."""
    found = {f if isinstance(f, str) else str(bool(f)).lower() for f in findings}
    if not found or found == {"unclear"}:
        return "undecided"
    if "true" not in found:
        return "not held"
    return "held" if found == {"true"} else "held in part"


def is_comparable(ratio: float) -> bool:
    """Whether a ratio differs from one by at most ``COMPARABLE``, in either direction."""
    return bool(1 / (1 + COMPARABLE) <= ratio <= 1 + COMPARABLE)


@dataclass(frozen=True)
class Comparison:
    """Two curves at some places of the range that they share."""

    first: str
    second: str
    at: Sequence[float]
    #: Samples of the first curve per sample of the second, with 95 % limits.
    ratio: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]

    @property
    def below(self) -> list[Finding]:
        """At each place, whether the first is below; unclear if they share no range."""
        limits = zip(self.low, self.high, strict=True)
        return [finding(low, high, 1.0) for low, high in limits] or ["unclear"]

    @property
    def comparable(self) -> list[Finding]:
        """At each place, whether they are comparable; unclear if they share no range."""
        near: list[Finding] = ["true" if is_comparable(r) else "false" for r in self.ratio]
        return near or ["unclear"]

    def __str__(self) -> str:
        if not self.at:
            return f"{self.first} and {self.second} share no range"
        least, most = min(self.ratio), max(self.ratio)
        times = f"{least:.2f}" if f"{least:.2f}" == f"{most:.2f}" else f"{least:.2f} to {most:.2f}"
        fewer, more = (self.below.count(name) for name in ("true", "false"))
        return (
            f"{self.first} needs {times} times the samples of {self.second} (clearly fewer at "
            f"{fewer} of {len(self.at)} places, clearly more at {more})"
        )


def compare(
    points: Sequence[Point],
    first: str,
    second: str,
    within: tuple[float, float] = (-np.inf, np.inf),
    places: int = 5,
) -> Comparison:
    """Divide the first curve by the second at evenly spaced places of the range they share."""
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
    """Return heights and their uncertainty, which grows with that of x where the curve is steep."""
    if not len(at):
        return np.ones(0), np.ones(0)
    x, y = (np.array([getattr(p, name) for p in points]) for name in ("x", "y"))
    half_x, half_y = (
        np.nan_to_num([(getattr(p, f"{n}_high") - getattr(p, f"{n}_low")) / 2 for p in points])
        for n in ("x", "y")
    )
    # points whose intervals overlap do not tell how steep the curve is
    apart = np.maximum(np.diff(x), (half_x[1:] + half_x[:-1]) / 2)
    rises = np.abs(np.diff(y)) / np.maximum(apart, 1e-9)
    steep = np.maximum(np.append(rises, 0.0), np.insert(rises, 0, 0.0))
    return np.interp(at, x, y), np.interp(at, x, np.hypot(half_y, steep * half_x))


def in_words(comparisons: Sequence[Comparison]) -> str:
    """Write several comparisons as one sentence."""
    return "; ".join(str(c) for c in comparisons) + "."


def claim_below(claim: str, comparisons: Sequence[Comparison]) -> Statement:
    """Judge the claim that the first algorithm of each comparison needs fewer samples."""
    found = verdict(f for c in comparisons for f in c.below)
    return Statement(claim, found, in_words(comparisons))


def claim_comparable(claim: str, comparisons: Sequence[Comparison]) -> Statement:
    """Judge the claim that the two algorithms of each comparison need about as many samples."""
    found = verdict(f for c in comparisons for f in c.comparable)
    return Statement(f"{claim} (here: within {COMPARABLE:.0%}).", found, in_words(comparisons))
