"""Counts."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from boclust._validate import LARGEST, FloatArray, invalid
from boclust.problem.families.base import log_excess
from boclust.problem.families.law import Law, gamma_penalty, ratio_excess
from boclust.problem.families.one_parameter import OneParameter


class PoissonLaw(Law):
    """Counts."""

    def estimate(self, total: float, count: float) -> float:
        """The sample mean, or Jeffreys' posterior mean after only zeros."""
        return 0.5 / count if total <= 0.0 else total / count

    def natural(self, mean: float) -> float:
        """Log of the mean."""
        return np.log(mean) if mean > 0.0 else -np.inf

    def mean_of_natural(self, theta: float) -> float:
        """e^theta."""
        return np.exp(theta)

    def variance(self, mean: float) -> float:
        """The mean."""
        return mean

    def divergence(self, mean: float, other: float) -> float:
        """l - m + m log(m / l)."""
        if other <= 0.0:
            return 0.0 if mean == other else np.inf
        return mean * ratio_excess(other, mean) if mean > 0.0 else other

    def rest(self, mean: float, push: float) -> float:
        """In the mean: no force of one or more can be balanced."""
        if not self.in_mean:
            return self.natural(mean + push)
        return mean / (1.0 - push) if push < 1.0 else np.inf

    def penalty(self, total: float, count: float) -> float:
        """The prior on the mean is Gamma(1/2, b), an average over b."""
        return gamma_penalty(total, count)

    def is_linear_at_zero(self) -> bool:
        """In the mean: d(0, l) = l."""
        return self.in_mean


@dataclass(frozen=True)
class Poisson(OneParameter):
    """Counts 0, 1, 2, ... with mean m: ``theta = log m``, ``A = e^theta``.

    If all samples of an arm are 0, ``estimate`` returns ``1 / (2 count)``, the posterior mean under
    Jeffreys' prior, because m = 0 has no natural parameter; otherwise, it is the sample mean.

    >>> Poisson().estimate([0.0, 6.0], [4, 4]).tolist()
    [0.125, 1.5]
    """

    name: ClassVar[str] = "poisson"
    law_type: ClassVar[type[Law]] = PoissonLaw
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
