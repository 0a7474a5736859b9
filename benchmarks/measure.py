"""What all sections share: rows, repeated measurements, processes of their own."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from statistics import median
from typing import Any, Protocol

import numpy as np

Parameters = Mapping[str, int | float | str]
#: How often everything is measured.
REPEATS = 3
_ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Row:
    """A measured quantity: the median of its repetitions and their range.

    ``baseline`` is what the baseline takes for the same, ``ratio`` is baseline over median, and
    ``paper`` is the published figure. A row with ``least_ratio`` or ``most`` has a pass mark: the
    ratio must be at least, or the median at most, as large.
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
    #: The points behind a fitted exponent: x, median, low, high.
    curve: Sequence[Sequence[float]] = field(default_factory=list)

    @property
    def required(self) -> str | None:
        """The pass mark in words."""
        if self.least_ratio is not None:
            return f"ratio >= {self.least_ratio:g}"
        return None if self.most is None else f"<= {self.most:g} {self.unit}"

    @property
    def held(self) -> bool | None:
        """Whether the row reaches its pass mark; None if it has none."""
        if self.least_ratio is not None:
            return self.ratio is not None and self.ratio >= self.least_ratio
        return None if self.most is None else self.median <= self.most

    def to_dict(self, section: str) -> dict[str, Any]:
        """The row in ``bench.json``."""
        return {"section": section, **asdict(self), "required": self.required, "held": self.held}

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> "Row":
        """The row that ``to_dict`` saved."""
        return cls(**{one.name: saved[one.name] for one in fields(cls)})


class Section(Protocol):
    """A module that measures one subject.

    ``ACROSS`` is the parameter whose values are the columns of its table, or None.
    """

    TITLE: str
    NOTE: str
    ACROSS: str | None

    def rows(self, quick: bool) -> Iterator[Row]:
        """Measure, one row at a time."""
        ...


def budget(quick: bool) -> float:
    """CPU seconds for one measurement that can be cut short."""
    return 0.1 if quick else 0.25


def interleaved(
    work: Mapping[str, Callable[[], float]], repeats: int = REPEATS
) -> dict[str, list[float]]:
    """Repeat several measurements in turn, so that a busy moment affects all of them."""
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
    """A row of repeated measurements, and of the baseline's in the same turns.

    The ratio is that of the medians, its range that of the single turns.
    """
    values = [float(value) for value in values]  # JSON does not take NumPy's numbers
    if baseline:
        ratios = [b / v for b, v in zip(baseline, values, strict=True)]
        more |= {
            "baseline": median(baseline),
            "ratio": median(baseline) / median(values),
            "ratio_low": min(ratios),
            "ratio_high": max(ratios),
        }
    return Row(name, parameters, median(values), min(values), max(values), unit, **more)


def exponent(x: Sequence[float], y: Sequence[float]) -> float:
    """The exponent e of the fit y ~ x^e."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


#: Prints the peak resident memory in MB. On Linux a child inherits its parent's ru_maxrss.
PEAK = """
import sys
if sys.platform == "linux":
    line = next(l for l in open("/proc/self/status") if l.startswith("VmHWM:"))
    print(int(line.split()[1]) / 1024)
else:
    import resource
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)
"""


def output_of(code: str, folder: Path | None = None, **environment: str) -> str:
    """What a Python program prints; it finds the packages that this process finds."""
    path = os.pathsep.join([*sys.path, str(_ROOT)])
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": path, **environment},
    )  # fmt: skip
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise RuntimeError(f"a child process ended with {done.returncode}: {last}")
    return done.stdout
