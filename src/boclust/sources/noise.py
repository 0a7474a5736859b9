"""The distribution of samples around the means of an instance."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from boclust._validate import (
    LARGEST,
    BoolArray,
    FloatArray,
    InvalidInputError,
    invalid,
    real,
    shown,
)
from boclust.problem.families import Bounded, Family, SubGaussian
from boclust.problem.instance import Instance


@dataclass(frozen=True)
class Beta:
    """Beta distributed samples with standard deviation ``sd``.

    They lie in [0, 1], or in [low, high] of a ``Bounded`` family. A mean at distances p and q from
    the ends needs ``sd^2 < p q``; if sd^2 is close to p q, nearly all samples are at the ends.

    >>> Beta(sd=0.1)
    Beta(sd=0.1)
    """

    sd: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "sd", real("sd", self.sd, 1 / LARGEST, LARGEST))


class Noise(NamedTuple):
    """Noise as ``sources.draw`` represents it; only two kinds use ``low`` and ``high``."""

    kind: str
    spread: float = 0.0
    low: float = 0.0
    high: float = 1.0


#: By name: the kind, the smallest and the largest mean, and examples of extreme samples.
_NAMED: dict[str, tuple[str, float, float, tuple[float, ...]]] = {
    "gaussian": ("normal", -LARGEST, LARGEST, (-LARGEST, 0.5, LARGEST)),
    "bernoulli": ("bernoulli", 0.0, 1.0, (0.0, 1.0)),
    "poisson": ("poisson", 0.0, LARGEST, (0.0, LARGEST)),
    "exponential": ("exponential", 1 / LARGEST, LARGEST, (0.5, LARGEST)),
}


def check_noise(noise: Any, instance: Instance) -> Noise:
    """The noise of a name or ``Beta``, or the family's own; it must fit the instance."""
    family = instance.family
    if isinstance(noise, Beta):
        return _beta(noise, instance)
    if noise is None and isinstance(family, Bounded):
        return Noise("bernoulli", 0.0, family.low, family.high)
    name = _own_noise(family) if noise is None else noise
    if not isinstance(name, str) or name not in _NAMED:
        known = ", ".join(repr(option) for option in _NAMED)
        raise invalid("noise", f"None, {known} or Beta(sd=...)", shown(name))
    kind, low, high, examples = _NAMED[name]
    _check_samples(name, examples, family)
    means = instance.means
    outside = (means < low) | (means > high)
    _check_means(means, outside, f"{name!r} only for means from {low:g} to {high:g}")
    return Noise(kind, getattr(family, "sigma", 0.0))


def _own_noise(family: Family) -> str:
    return "gaussian" if isinstance(family, SubGaussian) else family.name


def _beta(noise: Beta, instance: Instance) -> Noise:
    family, means = instance.family, instance.means
    low, high = family.sample_range if isinstance(family, Bounded) else (0.0, 1.0)
    _check_samples(noise, (low, (low + high) / 2, high), family)
    share, unit = (means - low) / (high - low), noise.sd / (high - low)
    room = (share / unit) * ((1 - share) / unit)  # a + b + 1 of the distribution
    needed = f"sd^2 < (mean - {low:g})({high:g} - mean)"
    _check_means(means, ~(room > 1 + 1e-9), f"{noise!r} only for means with {needed}")
    return Noise("beta", noise.sd, low, high)


def _check_samples(noise: str | Beta, examples: tuple[float, ...], family: Family) -> None:
    try:
        family.check_samples(np.array(examples))
    except InvalidInputError:
        raise invalid("noise", f"possible in the family {family}", repr(noise)) from None


def _check_means(means: FloatArray, outside: BoolArray, accepted: str) -> None:
    if outside.any():
        arm, coordinate = (int(i) for i in np.argwhere(outside)[0])
        raise invalid("noise", accepted, f"mean {means[arm, coordinate]:g} of arm {arm}")
