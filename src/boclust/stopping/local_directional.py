"""``local-directional``: on a line, most of the prior along the contrast that matters."""

from dataclasses import dataclass
from typing import ClassVar

from boclust.families import Family
from boclust.stopping.certificate import Certificate
from boclust.stopping.codes import LOCAL_DIRECTIONAL


@dataclass(frozen=True)
class LocalDirectional(Certificate):
    """Evidence on a line (d = 1) from mixtures with precision c1 along a contrast, c2 across it.

    Proof. Let B and R be the true signed bond and rival, and B >= |R| (the true bond pointing up;
    the other way is the same with signs changed). So h . mu >= 0 for the contrasts h = B - R and
    h = B + R: (1, -1, -1, 1) and (1, -1, 1, -1) on four arms, (1, -2, 1) and (1, 0, -1) on three.

    Fix one of them. With D = diag(N), x = estimate - mean and P = c2 I + (c1 - c2) h h'/|h|^2, the
    average of ``exp(u . D x - u' D u / 2)`` over u ~ N(0, P^-1), restricted to ``h . u < 0`` with
    the density doubled, is a supermartingale that starts at one. It equals
    ``2 Phi(s(x)) exp(x'Ax/2 - cost)`` with A = D (P + D)^-1 D,
    ``s(x) = -h . (P + D)^-1 D x / tau``, ``tau^2 = h'(P + D)^-1 h`` and the cost given at
    ``contrast_evidence``. Suppose the estimates have h . estimate = -gap < 0, so
    h . x <= -gap. In the inner product of A, s is linear with gradient of norm one. Write x as a
    multiple alpha of the unit vector opposite to A^-1 h, plus y with h . y = 0. Then
    alpha >= alpha_0, alpha_0^2 / 2 = v, and s >= s_0 alpha/alpha_0 - |y| with
    s_0 = gap H / (K tau) > 0, so the exponent is at least
    ``v - cost + min over b >= 0 of [b^2/2 + log 2 Phi(s_0 - b)]``. For b <= s_0/2 the bracket is at
    least log 2 Phi(s_0/2). For s_0/2 < b <= s_0 it is at least s_0^2/8, and for b > s_0 at least
    s_0^2/2 + (b - s_0)(s_0 - (2/pi)^(1/2)), because log 2 Phi(-z) >= -z^2/2 - (2/pi)^(1/2) z; both
    exceed log 2 once s_0 >= 2.36. So there the supermartingale is at least
    ``2 Phi(s_0/2) exp(v - cost)``, and so is, row by row, its average over the rows (c1, c2).

    A refuted claim needs evidence against both directions of the true bond. Against the true
    direction one of the two contrasts h was used, at different times perhaps different ones: two
    supermartingales, each of which reaches 2 Q / delta with probability at most delta / (2 Q).
    That is the log 2 in the evidence.
    """

    name: ClassVar[str] = "local-directional"
    quadratic_only: ClassVar[bool] = True
    evidence: ClassVar[int] = LOCAL_DIRECTIONAL

    def refusal(self, dim: int, family: Family) -> str:
        """Only on a line."""
        return super().refusal(dim, family) if dim == 1 else "d = 1 ('local-semi' is for d > 1)"
