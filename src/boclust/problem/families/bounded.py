"""Samples in a known interval, with no other assumption."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from boclust._validate import LARGEST, FloatArray, invalid, real
from boclust.problem.families.gaussian import Quadratic


@dataclass(frozen=True)
class Bounded(Quadratic):
    """Samples in ``[low, high]``: one coordinate, or several independent ones.

    By Hoeffding's lemma, such samples are sub-Gaussian with ``sigma = (high - low) / 2``, which is
    the scale of the divergence here. Stopping rules may also use the observed spread and need far
    fewer samples; the lower bound is only a yardstick.

    >>> Bounded(low=1, high=5).sigma
    2.0
    """

    low: float = 0.0
    high: float = 1.0
    name: ClassVar[str] = "bounded"
    bound_holds: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", real("low", self.low, -LARGEST, LARGEST))
        object.__setattr__(self, "high", real("high", self.high, -LARGEST, LARGEST))
        if not self.high - self.low > 1 / LARGEST:
            raise invalid("high", f"greater than low = {self.low:g}", f"{self.high:g}")

    @property
    def sigma(self) -> float:  # type: ignore[override]
        """Half the range: Hoeffding's sub-Gaussian scale."""
        return (self.high - self.low) / 2

    @property
    def origin(self) -> float:
        """The lower end."""
        return self.low

    @property
    def sample_range(self) -> tuple[float, float]:
        """[low, high]."""
        return self.low, self.high

    @property
    def bound_statement(self) -> str:
        """What the lower bound proves under this family."""
        return "T*_mod with sigma = range/2: a yardstick, not a lower bound for bounded samples"

    def check_means(self, value: Any, name: str = "means") -> FloatArray:
        """Means in the closed interval: an arm may be constant at an end."""
        return self._inside(super().check_means(value, name), name)

    def check_samples(self, value: Any, name: str = "samples") -> FloatArray:
        """Samples in the closed interval."""
        return self._inside(super().check_samples(value, name), name)

    def _inside(self, array: FloatArray, name: str) -> FloatArray:
        outside = array[(array < self.low) | (array > self.high)]
        if outside.size:
            raise invalid(name, f"from {self.low:g} to {self.high:g}", f"{outside[0]:g}")
        return np.ascontiguousarray(array)
