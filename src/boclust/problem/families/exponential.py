"""Waiting times."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from boclust._validate import LARGEST, FloatArray, invalid
from boclust.problem.families.base import log_excess
from boclust.problem.families.one_parameter import OneParameter


@dataclass(frozen=True)
class Exponential(OneParameter):
    """Waiting times with mean m (rate 1/m): ``theta = -1/m``, ``A = -log(-theta)``.

    Samples are positive with probability one, so the sample mean lies in the parameter space.
    ``check_samples`` raises an error for samples that were rounded to zero.

    >>> Exponential().natural(np.array([2.0])).tolist()
    [-0.5]
    """

    name: ClassVar[str] = "exponential"
    law_name: ClassVar[str] = "ExponentialLaw"
    domain: ClassVar[tuple[float, float]] = (1 / LARGEST, LARGEST)

    is_doubtable: ClassVar[bool] = True

    def moments(self, means: FloatArray) -> tuple[FloatArray, FloatArray]:
        """m^2 and 8 m^4."""
        return means**2, 8 * means**4

    @property
    def sample_range(self) -> tuple[float, float]:
        """Positive numbers."""
        return float(np.finfo(float).tiny), np.inf

    def natural(self, means: FloatArray) -> FloatArray:
        """-1 / mean."""
        return -1.0 / means

    def mean(self, natural: FloatArray) -> FloatArray:
        """-1 / theta."""
        return -1.0 / natural

    def log_partition(self, natural: FloatArray) -> FloatArray:
        """-log(-theta)."""
        return np.asarray(-np.log(-natural), dtype=np.float64)

    def divergence(self, means: FloatArray, others: FloatArray) -> FloatArray:
        """m/l - 1 - log(m/l)."""
        m, other = np.reshape(means, -1), np.reshape(others, -1)
        with np.errstate(divide="ignore"):
            return log_excess((m - other) / other)

    def check_samples(self, value: Any, name: str = "samples") -> FloatArray:
        """Positive numbers."""
        array = super().check_samples(value, name)
        bad = array[array <= 0]
        if bad.size:
            raise invalid(name, "> 0 in the family 'exponential'", f"{bad[0]:g}")
        return array

    def sample(
        self, mean: float | FloatArray, rng: np.random.Generator, size: int | tuple[int, ...]
    ) -> FloatArray:
        """``size`` waiting times, by the inverse transform of 1 - U so that none is zero."""
        return np.asarray(-np.log1p(-rng.random(size)) * mean + np.finfo(float).tiny, dtype=float)
