"""``heuristic``: popular, without a proof."""

from dataclasses import dataclass
from typing import ClassVar

from boclust.families import Family
from boclust.stopping.certificate import HEURISTIC_LIFT, Stopping


@dataclass(frozen=True)
class Heuristic(Stopping):
    """Stop when ``Z(t) >= log((1 + log t) / delta)``. No proof is known for it."""

    name: ClassVar[str] = "heuristic"
    lift: ClassVar[int] = HEURISTIC_LIFT
    precision: float = 0.0

    def guarantee(self, family: Family, delta: float) -> str:
        """None."""
        return "none: the threshold of the rule 'heuristic' has no proof"
