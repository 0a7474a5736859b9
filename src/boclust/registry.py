"""Named pairs of a sampling and a stopping rule."""

from dataclasses import dataclass
from typing import Any

from boclust._validate import choice, fail, real
from boclust.sampling import SAMPLING, Sampling
from boclust.stopping import STOPPING, Stopping

#: The named algorithms: sampling rule, and stopping rule (None: the best proven one).
_NAMED: dict[str, tuple[str, str | None]] = {
    "span": ("challenger", None),
    "lucbboc": ("lucb", "paper"),
    "lucbboc-ucb": ("lucb-ucb", "paper"),
    "rr": ("rr", "paper"),
}


def algorithms() -> list[str]:
    """The names of the algorithms.

    >>> algorithms()
    ['lucbboc', 'lucbboc-ucb', 'rr', 'span']
    """
    return sorted(_NAMED)


@dataclass(frozen=True)
class Algorithm:
    """Any sampling rule with any stopping rule.

    ``stopping=None`` takes the best proven rule: ``local-directional`` for d = 1 and
    ``local-semi`` for d > 1. ``precision`` is the prior precision c of ``local`` and ``mixture``
    (None: what the rule has by itself).

    >>> Algorithm(sampling="challenger", stopping="local").rules(dim=1)[1].name
    'local'
    """

    sampling: str = "challenger"
    stopping: str | None = None
    precision: float | None = None

    def __post_init__(self) -> None:
        choice("sampling", self.sampling, SAMPLING)
        if self.stopping is not None:
            choice("stopping", self.stopping, STOPPING)
        if self.precision is not None:
            real("precision", self.precision, 0.0, 1e6)

    def rules(self, dim: int) -> tuple[Sampling, Stopping]:
        """The two rules for samples of this dimension; a pair that makes no sense is refused."""
        name = self.stopping or ("local-directional" if dim == 1 else "local-semi")
        cls = STOPPING[name]
        rule = cls() if self.precision is None else cls(precision=self.precision)
        if problem := rule.refusal(dim):
            raise fail("stopping", f"is {name!r} for d = {dim}", problem)
        return SAMPLING[self.sampling](), rule


def algorithm(value: Any) -> Algorithm:
    """An algorithm by its name, or as it is."""
    if isinstance(value, Algorithm):
        return value
    sampling, stopping = _NAMED[choice("algorithm", value, _NAMED)]
    return Algorithm(sampling, stopping)
