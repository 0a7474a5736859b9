"""``local-bounded``: samples in a known interval or cube, no variance assumed."""

from dataclasses import dataclass
from typing import Any, ClassVar

from boclust.families import Bounded, Family
from boclust.stopping.base import assumption
from boclust.stopping.certificate import Certificate


@dataclass(frozen=True)
class LocalBounded(Certificate):
    """Evidence from bets on samples that lie in a known interval.

    Several coordinates (d > 1) are assumed to be independent of each other, given the past; one
    coordinate is assumed nothing. First d = 1.

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

    **In space (d > 1).** A gambler bets along v, |v| <= 1, with sizes b that do not depend on v:
    the product over coordinates of ``1 + b v_c (x_c - p_c)``, whose mean is at most
    ``exp(b v.(mu - p))`` because the coordinates are independent. With z = b (x - p) and
    h(u) = -log(1 - u) - u - u^2/2 - u^3/3, ``log(1 + v z) >= v z - v^2 z^2/2 + v^3 z^3/3 -
    v^4 h(|z|)``. So along any v the logarithm of the wealth at mu is at least

        B v.(estimate - mu) + v.P - sum_c v_c^2 K_c,

    with B = sum b, P = sum b (x - estimate), K_c = sum (z_c^2/2 + h(|z_c|)) + |sum z_c^3|/3.

    Let e be the direction of the *true* bond a - b, and u that of the *estimated* rival m - n. The
    gamblers of a bet along -e, those of b along e; those of m along w and those of n along -w, w
    uniform on the sphere. The product is a supermartingale that starts at one. Weigh the directions
    w such that their mean is r u: by the Gibbs variational inequality, and because log-sum-exp is
    convex, the logarithm of the average over w is at least the sum of the log wealths at the means
    of their exponents, less the entropy ``cost`` (see ``focus``). If the claim is true,

        e.(mu_a - mu_b) >= |mu_m - mu_n| >= u.(mu_m - mu_n),

    so the distances t = e.(mu_a - estimate), -e.(mu_b - estimate), -u.(mu_m - estimate),
    u.(mu_n - estimate) sum to at least ``estimated rival - estimated bond``. What remains is the
    problem above, with f(t) = log sum share exp(B t - ...) for the bond arms and f(r t) for the
    rival arms: no arm pays for more than one direction, and the claim pays ``cost`` once.

    An arm j in both pairs, bond j-i and rival j-n, bets along (r e - w)/(1 + r), of length at most
    one. Its distance is (u - e).(mu_j - estimate)/2 and counts twice. The mean square of the
    direction is (1 + r^2 - 2 r^2 e.u)/(1 + r)^2. The true bond lies in one of a few rings around
    the estimated one, by their angle: there e.u is bounded from below, and the gap is at least
    rival - cos(smallest angle) bond. The evidence is the least one of all rings.
    """

    name: ClassVar[str] = "local-bounded"

    def parts(self, dim: int) -> dict[str, Any]:
        """What the gamblers have won."""
        from boclust.stopping.bounded_kernels import GAMBLERS

        return {"gamblers": GAMBLERS}

    def guarantee(self, family: Family, delta: float, dim: int) -> str:
        """The interval is assumed, and coordinates that do not depend on each other."""
        return (
            f"wrong with probability at most {delta:g}, if {assumption(family, dim)}; no other "
            f"assumption (rule {self.name!r}, any sampling)"
        )

    def kernels(self, dim: int, family: Family) -> tuple[Any, Any]:
        """The weakest link; by the pointer, what the gamblers have won."""
        from boclust.stopping.certificate_kernels import weakest_link
        from boclust.stopping.evidence_kernels import wealth_against

        return weakest_link, wealth_against

    def refusal(self, dim: int, family: Family) -> str:
        """Bounded samples."""
        return "" if isinstance(family, Bounded) else "Bounded samples"
