"""Samples that are 0 or 1."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from boclust._validate import LARGEST, FloatArray, invalid
from boclust.problem.families.base import log_excess
from boclust.problem.families.one_parameter import OneParameter


@dataclass(frozen=True)
class Bernoulli(OneParameter):
    """Samples in {0, 1} with mean p: ``theta = log(p / (1 - p))``, ``A = log(1 + e^theta)``.

    If all samples of an arm are 0 (or all are 1), the maximum-likelihood estimate p = 0 (or 1) is
    outside the family and its theta is infinite. ``estimate`` then returns
    ``(total + 1/2) / (count + 1)``, the posterior mean under Jeffreys' prior, and otherwise the
    sample mean.

    >>> Bernoulli().estimate([0.0, 3.0, 4.0], [4, 4, 4]).tolist()
    [0.1, 0.75, 0.9]
    """

    name: ClassVar[str] = "bernoulli"
    law_name: ClassVar[str] = "BernoulliLaw"
    domain: ClassVar[tuple[float, float]] = (1 / LARGEST, 1.0)

    def moments(self, means: FloatArray) -> tuple[FloatArray, FloatArray]:
        """V = p (1 - p), and V (1 - 4 V)."""
        variance = means * (1 - means)
        return variance, variance * (1 - 4 * variance)

    @property
    def sample_range(self) -> tuple[float, float]:
        """[0, 1]."""
        return 0.0, 1.0

    def natural(self, means: FloatArray) -> FloatArray:
        """log(p / (1 - p))."""
        return np.asarray(np.log(means) - np.log1p(-means), dtype=np.float64)

    def mean(self, natural: FloatArray) -> FloatArray:
        """1 / (1 + exp(-theta)), without overflow."""
        return np.asarray(0.5 * (1 + np.tanh(natural / 2)), dtype=np.float64)

    def log_partition(self, natural: FloatArray) -> FloatArray:
        """log(1 + e^theta)."""
        return np.asarray(np.logaddexp(0.0, natural), dtype=np.float64)

    def divergence(self, means: FloatArray, others: FloatArray) -> FloatArray:
        """p log(p/q) + (1-p) log((1-p)/(1-q)); p = 0 and p = 1 are allowed."""
        p, q = np.reshape(means, -1), np.reshape(others, -1)
        with np.errstate(divide="ignore", invalid="ignore"):
            ones = np.where(p > 0, p * log_excess((q - p) / p), q)
            zeros = np.where(p < 1, (1 - p) * log_excess((p - q) / (1 - p)), 1 - q)
        return np.asarray(ones + zeros, dtype=np.float64)

    def check_samples(self, value: Any, name: str = "samples") -> FloatArray:
        """Zeros and ones."""
        array = super().check_samples(value, name)
        bad = array[(array != 0) & (array != 1)]
        if bad.size:
            raise invalid(name, "0 or 1 in the family 'bernoulli'", f"{bad[0]:g}")
        return array

    def sample(
        self, mean: float | FloatArray, rng: np.random.Generator, size: int | tuple[int, ...]
    ) -> FloatArray:
        """``size`` zeros and ones."""
        return (rng.random(size) < mean).astype(np.float64)

    def _estimate(self, total: FloatArray, count: FloatArray) -> FloatArray:
        on_boundary = (total <= 0) | (total >= count)
        return np.where(on_boundary, (total + 0.5) / (count + 1), total / count)
