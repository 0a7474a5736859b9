"""Named pairs of a sampling and a stopping rule."""

from dataclasses import dataclass
from typing import Any

from boclust._validate import choice, fail, real
from boclust.families import Family
from boclust.families.gaussian import Quadratic
from boclust.sampling import SAMPLING, Sampling
from boclust.stopping import STOPPING, Certificate

#: The named algorithms: sampling rule, and stopping rule (None: the best proven one).
_NAMED: dict[str, tuple[str, str | None]] = {"span": ("challenger", None), "rr": ("rr", None)}


def algorithms() -> list[str]:
    """The names of the algorithms.

    >>> algorithms()
    ['rr', 'span']
    """
    return sorted(_NAMED)


@dataclass(frozen=True)
class Algorithm:
    """Any sampling rule with any stopping rule.

    ``stopping=None`` takes the best proven rule: ``local-directional`` for d = 1 and
    ``local-semi`` for d > 1. ``precision`` is the prior precision c of ``local``.

    >>> Algorithm(sampling="challenger", stopping="local").rules(dim=1)[1].name
    'local'
    """

    sampling: str = "challenger"
    stopping: str | None = None
    precision: float = 10.0

    def __post_init__(self) -> None:
        choice("sampling", self.sampling, SAMPLING)
        if self.stopping is not None:
            choice("stopping", self.stopping, STOPPING)
        real("precision", self.precision, 0.0, 1e6)

    def rules(self, dim: int) -> tuple[Sampling, Certificate]:
        """The two rules for samples of this dimension; a pair that makes no sense is refused."""
        name = self.stopping or ("local-directional" if dim == 1 else "local-semi")
        rule = STOPPING[name](precision=self.precision)
        if problem := rule.refusal(dim):
            raise fail("stopping", f"is {name!r} for d = {dim}", problem)
        return SAMPLING[self.sampling](), rule


def algorithm(value: Any) -> Algorithm:
    """An algorithm by its name, or as it is."""
    if isinstance(value, Algorithm):
        return value
    sampling, stopping = _NAMED[choice("algorithm", value, _NAMED)]
    return Algorithm(sampling, stopping)


def check_family(family: Family) -> Quadratic:
    """The families that these algorithms know: Gaussian, SubGaussian and Bounded."""
    if not isinstance(family, Quadratic):
        raise fail("family", f"is {family}", "Gaussian, SubGaussian or Bounded")
    return family
