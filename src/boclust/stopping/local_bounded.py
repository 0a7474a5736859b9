"""``local-bounded``: samples in an interval on a line, no variance assumed."""

from dataclasses import dataclass
from typing import Any, ClassVar

from boclust.families import Bounded, Family
from boclust.stopping.certificate import Certificate


@dataclass(frozen=True)
class LocalBounded(Certificate):
    """Evidence on a line (d = 1) from bets on samples that lie in a known interval.

    **One arm.** Scale the samples x to [0, 1] and let mu be the mean of each, given the past.
    Before each sample a gambler chooses, from the past only, a null p >= 0 and a bet b >= 0 with
    b p < 1. So 1 + b (x - p) > 0, and since 1 + z <= exp(z),

        E[1 + b (x - p)] = 1 + b (mu - p) <= exp(b (mu - p)).

    Hence ``exp(gain - stake mu)``, with gain = sum of log(1 + b (x - p)) + b p and stake = sum of
    b, is a non-negative supermartingale that starts at one. So is the average over gamblers with
    shares that sum to one, ``exp f(mu)``; f is convex and falls, for a smaller mean makes the
    samples look larger. That is side 0; side 1 is the same for 1 - x and 1 - mu.

    **A claim.** Let B and R be the true signed bond and rival, and B >= |R| (the true bond pointing
    up; the other way is the same with signs changed). So h . mu >= 0 for the contrasts h = B - R
    and h = B + R. For each of them let W be the product of ``exp f`` at the true means over the
    arms with h != 0, side 0 where h < 0 and side 1 where h > 0. A sample moves the factor of one
    arm only, so W is a supermartingale that starts at one, and so is the average of both W. The
    evidence against this direction is a lower bound, over all means in [0, 1] with h . mu >= 0, of
    log W for one of the two h (the one that the estimates contradict, at different times perhaps
    different ones) less log 2. It is at most the logarithm of the average. A refuted claim needs
    evidence against both directions, so against the true one. Gamblers on one side of each arm and
    log 2 cost less than gamblers on both sides, which is log 2 for each arm.

    **The lower bound.** Let y = mu where h < 0 and y = 1 - mu where h > 0. Contrasts sum to zero,
    so h . mu >= 0 means sum |h| y <= c with c = sum |h| / 2. For every x >= 0 then
    ``sum f(y) >= sum min over y in [0, 1] of [f(y) + x |h| y] - x c``, and f is nowhere below its
    tangents. So whatever x and tangents the search ends with, the bound holds.

    **Why it needs few samples.** Against a null u standard deviations s away, the bet
    u / (s (1 + u^2)) makes the wealth grow by about u^2 / 2 a sample, as if s were known. There is
    a gambler for every u from 0.003 to 0.5 within a factor of about two; differences that leave
    every arm less than 0.0015 s from its null are never certified. The gambler who does not bet
    lets an arm with very many samples match one with few.
    """

    name: ClassVar[str] = "local-bounded"

    def parts(self, dim: int) -> dict[str, Any]:
        """What the gamblers have won."""
        from boclust.stopping.bounded_kernels import GAMBLERS

        return {"gamblers": GAMBLERS}

    def guarantee(self, family: Family, delta: float) -> str:
        """Nothing but the interval is assumed."""
        low, high = family.sample_range
        return (
            f"wrong with probability at most {delta:g}, if samples lie in [{low:g}, {high:g}]; "
            f"no other assumption (rule {self.name!r}, any sampling)"
        )

    def kernels(self, dim: int, family: Family) -> tuple[Any, Any]:
        """The weakest link; by the pointer, what the gamblers have won."""
        from boclust.stopping.certificate_kernels import weakest_link
        from boclust.stopping.evidence_kernels import wealth_against

        return weakest_link, wealth_against

    def refusal(self, dim: int, family: Family) -> str:
        """Bounded samples on a line."""
        if isinstance(family, Bounded):
            return ""
        return "d = 1 and Bounded samples ('local-semi' with their sigma is for d > 1)"
