"""Samples in a known interval and nothing else assumed."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from boclust._validate import LARGEST, FloatArray, fail, real
from boclust.problem.families.gaussian import Quadratic


@dataclass(frozen=True)
class Bounded(Quadratic):
    """Samples in ``[low, high]``: one coordinate, or several that are independent of each other.

    By Hoeffding's lemma such samples are sub-Gaussian with ``sigma = (high - low) / 2``, which is
    the scale of the divergence here. Stopping rules may use the observed spread as well and need
    far fewer samples; the lower bound is a yardstick only.

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
            raise fail("high", f"is {self.high:g} with low = {self.low:g}", "a number above low")

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
        """What the bound is good for."""
        return "T*_mod with sigma = range/2: a yardstick, not a lower bound for bounded samples"

    def check_means(self, value: Any, name: str = "means") -> FloatArray:
        """Means inside the closed interval (an arm may be constant at its end)."""
        return self._inside(super().check_means(value, name), name, "means")

    def check_samples(self, value: Any, name: str = "samples") -> FloatArray:
        """Samples inside the interval."""
        return self._inside(super().check_samples(value, name), name, "samples")

    def _inside(self, array: FloatArray, name: str, what: str) -> FloatArray:
        outside = array[(array < self.low) | (array > self.high)]
        if outside.size:
            raise fail(
                name, f"has the value {outside[0]:g}", f"{what} from {self.low:g} to {self.high:g}"
            )
        return np.ascontiguousarray(array)
