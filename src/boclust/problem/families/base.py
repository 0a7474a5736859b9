"""What every family of distributions offers to the layers below it."""

from abc import ABC, abstractmethod
from functools import cache
from typing import Any, ClassVar

import numpy as np

from boclust._validate import FloatArray, fail, finite_array, means_matrix, shown
from boclust.problem.families.law import Law


class Family(ABC):
    """What is assumed of the samples of an arm, and how arms are compared.

    A family turns the means of the arms into the *positions* that single linkage works on, and
    prices the move of an arm from one mean to another by a *divergence*. The nearest alternative,
    the lower bound and the stopping rules are written in these two terms only.
    """

    #: The name used on the command line and in files.
    name: ClassVar[str]
    #: What kernels know of it: see ``law``.
    law_type: ClassVar[type[Law]]
    #: Whether only one-dimensional samples are possible.
    scalar_only: ClassVar[bool] = False
    #: In which parameter distances are measured: "mean" or "natural".
    space: str = "mean"
    #: The open interval of means, for the error message and the check.
    domain: ClassVar[tuple[float, float]] = (-np.inf, np.inf)

    @property
    def sample_range(self) -> tuple[float, float]:
        """The closed interval in which samples lie."""
        return -np.inf, np.inf

    @property
    def variance_proxy(self) -> float:
        """Divide weights by this to work with unit variance (1 where that is not a scale)."""
        return 1.0

    @property
    def origin(self) -> float:
        """What is subtracted from a sample before it is divided by ``unit``."""
        return 0.0

    @property
    def unit(self) -> float:
        """The scale in which samples are told to the kernels."""
        return 1.0

    @property
    def law(self) -> Law:
        """What kernels know of this family; its means are told in units of ``unit``."""
        return _law(self.law_type, self.space == "mean")

    #: Whether ``boclust.lower_bound`` is one for all samples that this family admits.
    bound_holds: ClassVar[bool] = True

    #: Whether ``misfit`` can find anything: samples that are possible may yet scatter too much.
    is_doubtable: ClassVar[bool] = False

    def misfit(self, scatter: FloatArray, means: FloatArray, counts: FloatArray) -> str:
        """Why samples cannot be of this family, by how much they scatter; empty where they can.

        ``scatter`` (d x d) is the sum over all samples of ``(x - m)(x - m)'``, m the mean of the
        sample's arm; ``means`` and ``counts`` are those of the arms that have samples.
        """
        return ""

    @property
    @abstractmethod
    def bound_statement(self) -> str:
        """What the lower bound of ``boclust.lower_bound`` proves under this family."""

    @abstractmethod
    def divergence(self, means: FloatArray, others: FloatArray) -> FloatArray:
        """The cost of each arm's move from ``means`` (M x d) to ``others``, for one sample."""

    def positions(self, means: FloatArray) -> FloatArray:
        """Where single linkage sees the arms: the means themselves unless a subclass says else."""
        return means

    def means_at(self, positions: FloatArray) -> FloatArray:
        """The means that are seen at these positions."""
        return positions

    def check_means(self, value: Any, name: str = "means") -> FloatArray:
        """``value`` as an M x d matrix of means inside the domain of this family."""
        means = means_matrix(value, name)
        if self.scalar_only and means.shape[1] > 1:
            raise fail(
                name,
                f"has {means.shape[1]} columns",
                f"one column for the one-parameter family {self.name!r} "
                "(vectors of bounded coordinates: Bounded)",
            )
        low, high = self.domain
        outside = np.argwhere(~((means > low) & (means < high)))
        if len(outside):
            arm = int(outside[0][0])
            raise fail(
                name,
                f"is {means[tuple(outside[0])]:g} for arm {arm}",
                f"means of the family {self.name!r}, strictly between {low:g} and {high:g}",
            )
        return means

    def check_samples(self, value: Any, name: str = "samples") -> FloatArray:
        """``value`` as an array of samples that this family can produce."""
        return finite_array(name, value, f"finite samples of the family {self.name!r}")

    def estimate(self, total: Any, count: Any) -> FloatArray:
        """The mean of ``count`` samples that sum to ``total``, kept inside the domain.

        ``total`` is M or M x d, ``count`` has M entries. In every family here the maximum-
        likelihood estimate of the mean is the sample mean.
        """
        sums = finite_array("total", total, "finite sums of samples")
        counts = finite_array("count", count, "whole numbers >= 1")
        whole = counts.size > 0 and counts.min() >= 1 and (counts == np.floor(counts)).all()
        if counts.shape != sums.shape[: counts.ndim] or not whole:
            raise fail("count", f"is {shown(count)}", "one whole number >= 1 for each arm")
        counts = counts.reshape(counts.shape + (1,) * (sums.ndim - counts.ndim))
        low, high = self.sample_range
        if (sums < low * counts).any() or (sums > high * counts).any():
            raise fail(
                "total",
                f"is {shown(total)} for {shown(count)} samples",
                f"sums of samples between {low:g} and {high:g}",
            )
        return self._estimate(sums, counts)

    def _estimate(self, total: FloatArray, count: FloatArray) -> FloatArray:
        return total / count


@cache
def _law(law_type: type[Law], in_mean: bool) -> Law:
    return law_type(in_mean=in_mean)


def log_excess(x: FloatArray) -> FloatArray:
    """``x - log(1 + x)`` to full precision also where x is small (all divergences are made of it).

    With u = x / (2 + x), log(1 + x) = 2 (u + u^3/3 + u^5/5 + ...).
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        u = np.where(np.abs(x) < 0.1, x / (2 + x), 0.0)
        square = u**2
        tail = 1 / 3 + square * (1 / 5 + square * (1 / 7 + square * (1 / 9 + square / 11)))
        series = 2 * square / (1 - u) - 2 * u * square * tail
        return np.asarray(np.where(np.abs(x) < 0.1, series, x - np.log1p(x)), dtype=np.float64)
