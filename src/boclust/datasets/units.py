"""How widely records spread, and the same records in other units."""

from dataclasses import dataclass, replace
from typing import Any

from boclust._validate import LARGEST, choice, fail, real, shown
from boclust.problem.families import Bounded, Family, SubGaussian


@dataclass(frozen=True)
class Scale:
    """How widely the records of the arms spread.

    ``largest_eigenvalue`` is the largest variance of an arm in any direction, ``mean_variance``
    the mean over arms and coordinates; ``bounds`` holds every coordinate, where it is known
    without looking at the records.
    """

    largest_eigenvalue: float
    mean_variance: float
    bounds: tuple[float, float] | None


def widest(width: float, dim: int) -> SubGaussian:
    """What holds for d coordinates in intervals of that width, whatever their dependence.

    In the direction of a unit vector u a record moves over at most ``width |u|_1``, which is at
    most ``width sqrt(d)``; by Hoeffding's lemma half of that is a sub-Gaussian scale. A projection
    on orthonormal axes keeps it.

    >>> widest(4.5, 4)
    SubGaussian(sigma=4.5)
    """
    return SubGaussian(width * dim**0.5 / 2)


def unit_of(scale: Scale, by: Any) -> tuple[float, str]:
    """What to divide by, and the sentence that says so."""
    if not isinstance(by, str):
        unit, what = real("by", by, 1 / LARGEST, LARGEST), "a number chosen by the caller"
    elif choice("by", by, ("pooled", "largest")) == "pooled":
        unit = scale.mean_variance**0.5
        what = "the root of the mean variance over arms and coordinates: 1 on average, not for all"
    else:
        unit = scale.largest_eigenvalue**0.5
        what = "the root of an arm's largest variance in any direction: no variance is above 1"
    if not unit > 1 / LARGEST:
        raise fail("by", f"is {shown(by)}, and the records have no spread", "a number > 0")
    return unit, (
        f"Records were divided by {unit:.6g}, {what}. This is a choice of units; "
        "it makes no variance known and no Gaussian guarantee apply."
    )


def rescaled(family: Family, unit: float) -> Family:
    """What holds for records divided by ``unit``.

    >>> rescaled(Bounded(1, 5), 2.0)
    Bounded(low=0.5, high=2.5)
    """
    if isinstance(family, Bounded):
        return Bounded(family.low / unit, family.high / unit)
    if isinstance(family, SubGaussian):
        return replace(family, sigma=family.sigma / unit)
    raise fail("family", f"is {family}, which other units do not keep", "Bounded or SubGaussian")
