"""Gaussian and sub-Gaussian samples: the divergence is a squared distance."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boclust._validate import LARGEST, FloatArray, invalid, real
from boclust.problem.families.base import Family


class Quadratic(Family):
    """Families whose divergence is ``|mean - other|^2 / (2 sigma^2)``."""

    sigma: float
    law_name: ClassVar[str] = "GaussianLaw"

    @property
    def variance_proxy(self) -> float:
        """sigma squared."""
        return self.sigma**2

    @property
    def unit(self) -> float:
        """sigma."""
        return self.sigma

    def divergence(self, means: FloatArray, others: FloatArray) -> FloatArray:
        """``|mean - other|^2 / (2 sigma^2)`` for each arm."""
        means, others = np.asarray(means), np.asarray(others)
        scaled = ((means - others) / self.sigma).reshape(len(means), -1)
        return np.asarray((scaled**2).sum(axis=1) / 2)


def check_quadratic(family: Family) -> Quadratic:
    """``family``, whose divergence must be a squared distance."""
    if not isinstance(family, Quadratic):
        raise invalid("family", "Gaussian, SubGaussian or Bounded", family)
    return family


@dataclass(frozen=True)
class SubGaussian(Quadratic):
    """Samples in R^d whose noise is sub-Gaussian with scale ``sigma`` in every direction.

    The assumption is ``E exp(u . (X - mean)) <= exp(sigma^2 |u|^2 / 2)`` for **every vector** u.
    If sigma is valid for each coordinate alone, it is valid here only if the coordinates are
    independent; if they depend on each other in an unknown way, multiply it by sqrt(d).

    The divergence is ``|mean - other|^2 / (2 sigma^2)`` (psi_mod of the paper, Section IV). It is
    not a Kullback-Leibler divergence unless the samples are Gaussian. ``lower_bound`` therefore
    gives T*_mod, which the paper's upper bounds on its algorithms use, and not a limit for all
    methods.

    >>> SubGaussian(sigma=0.5).divergence(np.array([[0.0]]), np.array([[1.0]])).tolist()
    [2.0]
    """

    sigma: float = 1.0
    name: ClassVar[str] = "subgaussian"
    bound_holds: ClassVar[bool] = False

    is_doubtable: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "sigma", real("sigma", self.sigma, 1 / LARGEST, LARGEST))

    def misfit(self, scatter: FloatArray, means: FloatArray, counts: FloatArray) -> str:
        """Compare the largest standard deviation in any direction with sigma.

        For f Gaussian vectors, it is about ``1 + (sqrt(d) - 1) / sqrt(f)`` times sigma, with a
        standard error of ``1 / sqrt(2 f)``. It may exceed that by 5 % plus three standard errors.
        """
        freedom = max(float((counts - 1).sum()), 1.0)
        spread = float(np.sqrt(np.linalg.eigvalsh(scatter)[-1] / freedom))
        excess = (np.sqrt(len(scatter)) - 1) / np.sqrt(freedom) + 3 / np.sqrt(2 * freedom)
        if spread <= self.sigma * (1.05 + excess):
            return ""
        where = "" if len(scatter) == 1 else " in some direction"
        return (
            f"samples scatter with standard deviation {spread:.3g}{where}, but sigma = "
            f"{self.sigma:g} is assumed"
        )

    @property
    def bound_statement(self) -> str:
        """What the lower bound proves under this family."""
        return (
            "T*_mod of the paper: a true lower bound where the samples are Gaussian, "
            "a yardstick (no lower bound) for other sub-Gaussian samples"
        )


@dataclass(frozen=True)
class Gaussian(SubGaussian):
    """Samples from N(mean, sigma^2 I) in R^d with a known standard deviation ``sigma``.

    For d = 1, this is also a one-parameter exponential family with natural parameter
    ``theta = mean / sigma^2``, log-partition ``A(theta) = sigma^2 theta^2 / 2`` and mean map
    ``A'(theta) = sigma^2 theta``. Distances in theta and in the mean only differ by the factor
    sigma^2, so both give the same clusters and there is no ``space`` to choose.

    >>> Gaussian(sigma=2.0).natural(np.array([1.0])).tolist()
    [0.25]
    """

    name: ClassVar[str] = "gaussian"
    bound_holds: ClassVar[bool] = True

    @property
    def bound_statement(self) -> str:
        """What the lower bound proves under this family."""
        return "no method that is wrong with probability at most delta needs fewer on average"

    def natural(self, means: FloatArray) -> FloatArray:
        """theta = mean / sigma^2."""
        return means / self.variance_proxy

    def mean(self, natural: FloatArray) -> FloatArray:
        """A'(theta) = sigma^2 theta."""
        return natural * self.variance_proxy

    def log_partition(self, natural: FloatArray) -> FloatArray:
        """A(theta) = sigma^2 theta^2 / 2."""
        return self.variance_proxy * natural**2 / 2

    def sample(
        self, mean: float | FloatArray, rng: np.random.Generator, size: int | tuple[int, ...]
    ) -> FloatArray:
        """``size`` samples of an arm with this mean."""
        shape = (size,) if isinstance(size, int) else tuple(size)
        return np.asarray(rng.normal(mean, self.sigma, shape + np.shape(mean)), dtype=np.float64)
