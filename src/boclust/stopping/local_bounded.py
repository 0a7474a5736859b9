"""``local-bounded``: samples in a known interval or cube, no variance assumed."""

from dataclasses import dataclass
from typing import Any, ClassVar

from boclust.problem.families import Bounded, Family
from boclust.stopping.base import assumption
from boclust.stopping.certificate import Certificate


@dataclass(frozen=True)
class LocalBounded(Certificate):
    """Evidence from bets on samples that lie in a known interval.

    Several coordinates (d > 1) are assumed to be independent of each other, given the past; one
    coordinate is assumed nothing.

    On a line, with samples x scaled to [0, 1], a gambler chooses before each sample, from the past
    only, a null p >= 0 and a bet b >= 0 with b p < 1. ``exp(gain - stake mu)`` with
    gain = sum of log(1 + b (x - p)) + b p and stake = sum of b is a supermartingale at the true
    mean mu. Gamblers of all arms of a claim bet against the contrast of ``local-directional`` that
    the estimates contradict; the evidence is the least logarithm of what they have won, over all
    means for which the claim holds, from below.

    Against a null u standard deviations s away, the bet u / (s (1 + u^2)) makes the wealth grow by
    about u^2 / 2 a sample, as if s were known. There is a gambler for every u from 0.003 to 0.5
    within a factor of about two; differences that leave every arm less than 0.0015 s from its null
    are never certified.

    In space the gamblers of the bond's arms bet along the true bond, those of the rival pair in all
    directions at once, of which those near the estimated rival pair count; see ``cube_kernels``.
    """

    name: ClassVar[str] = "local-bounded"

    def parts(self, dim: int) -> dict[str, Any]:
        """What the gamblers have won."""
        from boclust.evidence.betting import GAMBLERS

        return {"gamblers": GAMBLERS}

    def guarantee(self, family: Family, delta: float, dim: int) -> str:
        """The interval is assumed, and coordinates that do not depend on each other."""
        return (
            f"wrong with probability at most {delta:g}, if {assumption(family, dim)}; no other "
            f"assumption (rule {self.name!r}, any sampling)"
        )

    def kernels(self, dim: int, family: Family) -> tuple[Any, Any]:
        """The weakest link; by the pointer, what the gamblers have won."""
        from boclust.stopping.weakest_link import weakest_link
        from boclust.evidence.mixtures import wealth_against

        return weakest_link, wealth_against

    def refusal(self, dim: int, family: Family) -> str:
        """Bounded samples."""
        return "" if isinstance(family, Bounded) else "Bounded samples"
