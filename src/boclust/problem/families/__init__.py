"""Families: what is assumed of the samples."""

from dataclasses import fields
from typing import Any

from boclust._validate import choice, invalid, shown
from boclust.problem.families.base import Family
from boclust.problem.families.bernoulli import Bernoulli
from boclust.problem.families.bounded import Bounded
from boclust.problem.families.exponential import Exponential
from boclust.problem.families.gaussian import Gaussian, Quadratic, SubGaussian
from boclust.problem.families.one_parameter import OneParameter
from boclust.problem.families.poisson import Poisson

__all__ = [
    "Bernoulli",
    "Bounded",
    "Exponential",
    "Family",
    "Gaussian",
    "OneParameter",
    "Poisson",
    "Quadratic",
    "SubGaussian",
    "check_family",
    "family",
]

_BY_NAME: dict[str, type[Family]] = {
    cls.name: cls for cls in (Gaussian, SubGaussian, Bounded, Bernoulli, Poisson, Exponential)
}


def family(name: str, **options: Any) -> Family:
    """The family with this name, as written on the command line or in a file.

    >>> family("gaussian", sigma=2.0)
    Gaussian(sigma=2.0)
    """
    cls = _BY_NAME[choice("family", name, _BY_NAME)]
    known = [field.name for field in fields(cls)]  # type: ignore[arg-type]
    for option in options:
        choice(f"family {name!r} option", option, known)
    return cls(**options)


def check_family(value: Any) -> Family:
    """``value``, which must be a family."""
    if not isinstance(value, Family):
        names = ", ".join(f"boclust.{cls.__name__}" for cls in _BY_NAME.values())
        raise invalid("family", f"one of {names}", shown(value))
    return value
