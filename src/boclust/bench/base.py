"""What the sections of the benchmark have in common: rows, settings, repeated measurements."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from statistics import median
from typing import Any, Protocol

from boclust.bench.baseline import Baseline

Parameters = Mapping[str, int | float | str]


@dataclass(frozen=True)
class Setting:
    """How much to measure, and what to measure beside it."""

    quick: bool = False
    baseline: Baseline | None = None
    #: How often everything is measured.
    repeats: int = 3

    @property
    def budget(self) -> float:
        """CPU seconds for one measurement, where it can be cut short."""
        return 0.1 if self.quick else 0.25


@dataclass(frozen=True)
class Row:
    """A measured quantity: the median of its repetitions and their range.

    ``baseline`` is what the NumPy program (or one thread) takes for the same, ``ratio`` how many
    times as much that is, ``paper`` the published number. A row with ``least_ratio`` or ``most``
    is a pass mark: the ratio must be at least, or the median at most, as large.
    """

    name: str
    parameters: Parameters
    median: float
    low: float
    high: float
    unit: str
    baseline: float | None = None
    ratio: float | None = None
    ratio_low: float | None = None
    ratio_high: float | None = None
    paper: float | None = None
    least_ratio: float | None = None
    most: float | None = None
    #: The points behind a fitted number: x, median, low, high.
    curve: Sequence[Sequence[float]] = field(default_factory=list)

    @property
    def required(self) -> str | None:
        """The pass mark in words."""
        if self.least_ratio is not None:
            return f"ratio >= {self.least_ratio:g}"
        return None if self.most is None else f"<= {self.most:g} {self.unit}"

    @property
    def held(self) -> bool | None:
        """Whether the pass mark was reached; None where there is none, or no ratio was measured."""
        if self.least_ratio is not None:
            return None if self.ratio is None else self.ratio >= self.least_ratio
        return None if self.most is None else self.median <= self.most

    def to_dict(self, section: str) -> dict[str, Any]:
        """The row as JSON says it."""
        derived = {"required": self.required, "held": self.held}
        return {"section": section} | asdict(self) | derived

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> "Row":
        """The row that ``to_dict`` told."""
        return cls(**{one.name: told[one.name] for one in fields(cls)})


class Section(Protocol):
    """A module that measures one thing."""

    TITLE: str
    NOTE: str
    ACROSS: str | None
    BASELINE: bool

    def rows(self, setting: Setting) -> Iterator[Row]:
        """Measure, a row at a time."""
        ...


def interleaved(
    work: Mapping[str, Callable[[], float]], repeats: int
) -> dict[str, list[float]]:  # fmt: skip
    """Each measurement so many times, in turn: a busy moment falls on all of them alike."""
    found: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(repeats):
        for name, measure in work.items():
            found[name].append(measure())
    return found


def measured(
    name: str,
    parameters: Parameters,
    values: Sequence[float],
    unit: str = "s",
    baseline: Sequence[float] = (),
    **more: Any,
) -> Row:
    """A row of repeated measurements, and of as many of the baseline in the same turns.

    The ratio is that of the medians, its range that of the single turns.
    """
    values = [float(value) for value in values]  # NumPy's numbers are nothing for JSON
    if baseline:
        ratios = [b / v for b, v in zip(baseline, values, strict=True)]
        more |= {
            "baseline": median(baseline),
            "ratio": median(baseline) / median(values),
            "ratio_low": min(ratios),
            "ratio_high": max(ratios),
        }
    return Row(name, parameters, median(values), min(values), max(values), unit, **more)
