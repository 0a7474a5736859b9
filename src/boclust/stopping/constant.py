"""``constant``: a threshold to sweep."""

from dataclasses import dataclass
from typing import ClassVar

from boclust.problem.families import Family
from boclust.stopping.base import Stopping

NOTHING = "none: a constant threshold guarantees nothing"


@dataclass(frozen=True)
class Constant(Stopping):
    """Stop when ``Z(t) >= log(1/delta)``: with delta = exp(-b), the constant threshold b.

    For curves of samples against the *observed* error rate, as in the paper's plots against
    log(1/P_e); the threshold itself guarantees nothing.
    """

    name: ClassVar[str] = "constant"

    def guarantee(self, family: Family, delta: float, dim: int) -> str:
        """None."""
        return NOTHING
