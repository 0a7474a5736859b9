"""The interface of all families of distributions."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from boclust._validate import FloatArray, finite_array, invalid, means_matrix, shown

if TYPE_CHECKING:  # kernels are loaded on first use
    from boclust.problem.families.law import Law

_LAWS: dict[tuple[str, bool], "Law"] = {}


class Family(ABC):
    """What is assumed of the samples of an arm, and how arms are compared.

    A family maps the means of the arms to the *positions* that single linkage works on, and gives
    the cost of moving an arm from one mean to another as a *divergence*. The nearest alternative,
    the lower bound and the stopping rules use only these two.
    """

    #: The name used on the command line and in files.
    name: ClassVar[str]
    #: What kernels know of it: the name of a class in ``families.law``.
    law_name: ClassVar[str]
    #: Whether only one-dimensional samples are possible.
    scalar_only: ClassVar[bool] = False
    #: The parameter in which distances are measured: "mean" or "natural".
    space: str = "mean"
    #: The open interval of possible means.
    domain: ClassVar[tuple[float, float]] = (-np.inf, np.inf)

    @property
    def sample_range(self) -> tuple[float, float]:
        """The closed interval of possible samples."""
        return -np.inf, np.inf

    @property
    def variance_proxy(self) -> float:
        """Divide weights by this to work with unit variance; 1 if the family has no scale."""
        return 1.0

    @property
    def origin(self) -> float:
        """Kernels see ``(sample - origin) / unit``."""
        return 0.0

    @property
    def unit(self) -> float:
        """Kernels see ``(sample - origin) / unit``."""
        return 1.0

    @property
    def law(self) -> "Law":
        """What kernels know of this family; its means are told in units of ``unit``."""
        from boclust.problem.families import law

        in_mean = self.space == "mean"
        if (self.law_name, in_mean) not in _LAWS:
            _LAWS[self.law_name, in_mean] = getattr(law, self.law_name)(in_mean=in_mean)
        return _LAWS[self.law_name, in_mean]

    #: Whether ``boclust.lower_bound`` holds for all samples that this family admits.
    bound_holds: ClassVar[bool] = True

    #: Whether ``misfit`` can find anything: possible samples may still scatter too much.
    is_doubtable: ClassVar[bool] = False

    def misfit(self, scatter: FloatArray, means: FloatArray, counts: FloatArray) -> str:
        """Why the samples scatter too much for this family, or an empty string if they do not.

        ``scatter`` (d x d) is the sum over all samples of ``(x - m)(x - m)'``, m the mean of the
        sample's arm. ``means`` and ``counts`` are those of the arms that have samples.
        """
        return ""

    @property
    @abstractmethod
    def bound_statement(self) -> str:
        """What the lower bound of ``boclust.lower_bound`` proves under this family."""

    @abstractmethod
    def divergence(self, means: FloatArray, others: FloatArray) -> FloatArray:
        """The cost per sample of moving each arm from ``means`` (M x d) to ``others``."""

    def positions(self, means: FloatArray) -> FloatArray:
        """Where single linkage sees the arms: by default, at their means."""
        return means

    def means_at(self, positions: FloatArray) -> FloatArray:
        """The means of arms at these positions."""
        return positions

    def check_means(self, value: Any, name: str = "means") -> FloatArray:
        """``value`` as an M x d matrix of means inside the domain of this family."""
        means = means_matrix(value, name)
        if self.scalar_only and means.shape[1] > 1:
            accepted = f"one number per arm in the family {self.name!r} (for vectors, see Bounded)"
            raise invalid(name, accepted, f"{means.shape[1]} columns")
        low, high = self.domain
        outside = np.argwhere(~((means > low) & (means < high)))
        if len(outside):
            arm = int(outside[0][0])
            accepted = f"strictly between {low:g} and {high:g} in the family {self.name!r}"
            raise invalid(name, accepted, f"{means[tuple(outside[0])]:g} for arm {arm}")
        return means

    def check_samples(self, value: Any, name: str = "samples") -> FloatArray:
        """``value`` as an array of samples that are possible in this family."""
        return finite_array(name, value, f"finite numbers in the family {self.name!r}")

    def estimate(self, total: Any, count: Any) -> FloatArray:
        """The mean of ``count`` samples with the sum ``total``, kept inside the domain.

        ``total`` has shape M or M x d, ``count`` has M entries. In every family here, the sample
        mean is the maximum-likelihood estimate of the mean.
        """
        sums = finite_array("total", total, "finite sums of samples")
        counts = finite_array("count", count, "integers >= 1, one per arm")
        whole = counts.size > 0 and counts.min() >= 1 and (counts == np.floor(counts)).all()
        if counts.shape != sums.shape[: counts.ndim] or not whole:
            raise invalid("count", "integers >= 1, one per arm", shown(count))
        counts = counts.reshape(counts.shape + (1,) * (sums.ndim - counts.ndim))
        low, high = self.sample_range
        if (sums < low * counts).any() or (sums > high * counts).any():
            accepted = f"sums of samples from {low:g} to {high:g}"
            raise invalid("total", accepted, f"{shown(total)} for {shown(count)} samples")
        return self._estimate(sums, counts)

    def _estimate(self, total: FloatArray, count: FloatArray) -> FloatArray:
        return total / count


def log_excess(x: FloatArray) -> FloatArray:
    """``x - log(1 + x)`` to full precision, also for small x. All divergences are made of it.

    With u = x / (2 + x), log(1 + x) = 2 (u + u^3/3 + u^5/5 + ...).
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        u = np.where(np.abs(x) < 0.1, x / (2 + x), 0.0)
        square = u**2
        tail = 1 / 3 + square * (1 / 5 + square * (1 / 7 + square * (1 / 9 + square / 11)))
        series = 2 * square / (1 - u) - 2 * u * square * tail
        return np.asarray(np.where(np.abs(x) < 0.1, series, x - np.log1p(x)), dtype=np.float64)
