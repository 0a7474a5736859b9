"""Counts."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from boclust._validate import LARGEST, FloatArray, invalid
from boclust.problem.families.base import log_excess
from boclust.problem.families.one_parameter import OneParameter


@dataclass(frozen=True)
class Poisson(OneParameter):
    """Counts 0, 1, 2, ... with mean m: ``theta = log m``, ``A = e^theta``.

    If all samples of an arm are 0, ``estimate`` returns ``1 / (2 count)``, the posterior mean under
    Jeffreys' prior, because m = 0 has no natural parameter; otherwise, it is the sample mean.

    >>> Poisson().estimate([0.0, 6.0], [4, 4]).tolist()
    [0.125, 1.5]
    """

    name: ClassVar[str] = "poisson"
    law_name: ClassVar[str] = "PoissonLaw"
    domain: ClassVar[tuple[float, float]] = (1 / LARGEST, LARGEST)

    is_doubtable: ClassVar[bool] = True

    def moments(self, means: FloatArray) -> tuple[FloatArray, FloatArray]:
        """m and m + 2 m^2."""
        return means, means + 2 * means**2

    @property
    def sample_range(self) -> tuple[float, float]:
        """[0, infinity)."""
        return 0.0, np.inf

    def natural(self, means: FloatArray) -> FloatArray:
        """Log of the mean."""
        return np.asarray(np.log(means), dtype=np.float64)

    def mean(self, natural: FloatArray) -> FloatArray:
        """e^theta."""
        return np.asarray(np.exp(natural), dtype=np.float64)

    def log_partition(self, natural: FloatArray) -> FloatArray:
        """e^theta."""
        return np.asarray(np.exp(natural), dtype=np.float64)

    def divergence(self, means: FloatArray, others: FloatArray) -> FloatArray:
        """l - m + m log(m / l); m = 0 is allowed."""
        m, other = np.reshape(means, -1), np.reshape(others, -1)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = np.where(m > 0, m * log_excess((other - m) / m), other)
        return np.asarray(value, dtype=np.float64)

    def check_samples(self, value: Any, name: str = "samples") -> FloatArray:
        """Integers >= 0."""
        array = super().check_samples(value, name)
        bad = array[(array < 0) | (array != np.floor(array))]
        if bad.size:
            raise invalid(name, "integers >= 0 in the family 'poisson'", f"{bad[0]:g}")
        return array

    def sample(
        self, mean: float | FloatArray, rng: np.random.Generator, size: int | tuple[int, ...]
    ) -> FloatArray:
        """``size`` counts."""
        return rng.poisson(mean, size).astype(np.float64)

    def _estimate(self, total: FloatArray, count: FloatArray) -> FloatArray:
        return np.where(total <= 0, 0.5 / count, total / count)
