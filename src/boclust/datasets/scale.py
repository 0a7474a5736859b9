"""The spread of records, and changes of their unit."""

from dataclasses import dataclass, replace
from typing import Any

from boclust import Bounded, Family, SubGaussian
from boclust._validate import LARGEST, choice, invalid, real, shown


@dataclass(frozen=True)
class Scale:
    """The spread of the records around the means of their arms.

    ``largest_eigenvalue`` is the largest variance of an arm in any direction, ``mean_variance``
    the mean over arms and coordinates. ``bounds`` contains every coordinate, if such bounds are
    known without looking at the records.
    """

    largest_eigenvalue: float
    mean_variance: float
    bounds: tuple[float, float] | None


def subgaussian_of_width(width: float, dim: int) -> SubGaussian:
    """Return the family of d coordinates in intervals of that width, with any dependence.

    In the direction of a unit vector u a record varies by at most ``width |u|_1``, which is at
    most ``width sqrt(d)``; by Hoeffding's lemma half of that is a sub-Gaussian scale. A projection
    on orthonormal axes keeps it.

    >>> subgaussian_of_width(4.5, 4)
    SubGaussian(sigma=4.5)
    """
    return SubGaussian(width * dim**0.5 / 2)


def unit_of(scale: Scale, by: Any) -> tuple[float, str]:
    """Return the number to divide by, and a sentence that describes it."""
    if not isinstance(by, str):
        unit, what = real("by", by, 1 / LARGEST, LARGEST), "a number chosen by the caller"
    elif choice("by", by, ("pooled", "largest")) == "pooled":
        unit = scale.mean_variance**0.5
        what = "the root of the mean variance over arms and coordinates, which is now 1 on average"
    else:
        unit = scale.largest_eigenvalue**0.5
        what = "the root of the largest variance of an arm in any direction, which is now at most 1"
    if not unit > 1 / LARGEST:
        raise invalid("by", "a number > 0, because the records do not vary", shown(by))
    return unit, (
        f"Records were divided by {unit:.6g}, {what}. This is a choice of units; "
        "it makes no variance known and no Gaussian guarantee apply."
    )


def rescaled(family: Family, unit: float) -> Family:
    """Return the family of records divided by ``unit``.

    >>> rescaled(Bounded(1, 5), 2.0)
    Bounded(low=0.5, high=2.5)
    """
    if isinstance(family, Bounded):
        return Bounded(family.low / unit, family.high / unit)
    if isinstance(family, SubGaussian):
        return replace(family, sigma=family.sigma / unit)
    raise invalid("family", "Bounded or SubGaussian to change the unit of records", family)
