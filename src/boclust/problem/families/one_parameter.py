"""What one-parameter exponential families have in common."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boclust._validate import FloatArray, choice
from boclust.problem.families.base import Family


@dataclass(frozen=True)
class OneParameter(Family):
    """Densities ``exp(theta T(x) - A(theta))`` in one natural parameter theta, with T(x) = x.

    The mean is ``A'(theta)``, an increasing function, and the divergence is Kullback-Leibler's
    ``d(mean, other) = A(theta') - A(theta) - mean (theta' - theta)``.

    ``space`` is the parameter in which clustering measures distances:

    - ``"natural"`` (the paper's choice): distances are ``|theta_i - theta_j|``. The cost is convex
      in theta, so the nearest alternative is exact.
    - ``"mean"``: distances are ``|mean_i - mean_j|``, which most people expect of, say, click
      rates. The cost is convex in the mean for Bernoulli and Poisson, so the nearest alternative
      is exact too. For Exponential, the cost is convex only up to twice the mean: the answer is
      exact if a certificate says so, and otherwise a bracket.

    The lower bound on the number of samples (Theorem 1) holds for both: its proof only needs that
    another clustering is the correct answer under the alternative.
    """

    space: str = "natural"
    scalar_only: ClassVar[bool] = True

    def __post_init__(self) -> None:
        choice("space", self.space, ("natural", "mean"))

    @property
    def bound_statement(self) -> str:
        """What the lower bound proves under this family."""
        return "no method that is wrong with probability at most delta needs fewer on average"

    @abstractmethod
    def moments(self, means: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The variance V of a sample, and of its squared error: ``E (x - m)^4 - V^2``."""

    def misfit(self, scatter: FloatArray, means: FloatArray, counts: FloatArray) -> str:
        """Compare the variance with that of this family at these means.

        It may exceed the family's by a tenth plus three standard errors.
        """
        variance, of_squares = self.moments(means.reshape(-1))
        freedom = counts - 1
        expected = float((freedom * variance).sum())
        chance = 0.1 * expected + 3 * float(np.sqrt((freedom * of_squares).sum()))
        found = float(scatter[0, 0])
        if found <= expected + chance:
            return ""
        times = found / expected if expected > 0 else np.inf  # a restored scatter may be anything
        return (
            f"samples have {times:.3g} times the variance that the family {self.name!r} "
            "has at their means"
        )

    @abstractmethod
    def natural(self, means: FloatArray) -> FloatArray:
        """The natural parameter theta of each mean."""

    @abstractmethod
    def mean(self, natural: FloatArray) -> FloatArray:
        """The mean map A'(theta)."""

    @abstractmethod
    def log_partition(self, natural: FloatArray) -> FloatArray:
        """A(theta)."""

    @abstractmethod
    def sample(
        self, mean: float | FloatArray, rng: np.random.Generator, size: int | tuple[int, ...]
    ) -> FloatArray:
        """``size`` samples of an arm with this mean."""

    def positions(self, means: FloatArray) -> FloatArray:
        """The natural parameters, or the means if ``space="mean"``."""
        return self.natural(means) if self.space == "natural" else means

    def means_at(self, positions: FloatArray) -> FloatArray:
        """The inverse of ``positions``."""
        return self.mean(positions) if self.space == "natural" else positions
