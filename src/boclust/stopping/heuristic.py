"""``heuristic``: popular, without a proof."""

from dataclasses import dataclass
from typing import ClassVar

from boclust.problem.families import Family
from boclust.stopping.base import Stopping
from boclust.stopping.codes import HEURISTIC_LIFT


@dataclass(frozen=True)
class Heuristic(Stopping):
    """Stop when ``Z(t) >= log((1 + log t) / delta)``. No proof is known for it."""

    name: ClassVar[str] = "heuristic"

    def lift(self, family: Family) -> int:
        """log(1 + log t)."""
        return HEURISTIC_LIFT

    def guarantee(self, family: Family, delta: float, dim: int) -> str:
        """None."""
        return "none: the threshold of the rule 'heuristic' has no proof"
