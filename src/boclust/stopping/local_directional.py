"""``local-directional``: on a line, most of the prior along the contrast that matters."""

from dataclasses import dataclass
from typing import ClassVar

from boclust.problem.families import Family
from boclust.stopping.certificate import Certificate
from boclust.stopping.codes import LOCAL_DIRECTIONAL


@dataclass(frozen=True)
class LocalDirectional(Certificate):
    """Evidence on a line (d = 1) from mixtures with precision c1 along a contrast, c2 across it.

    A true claim has ``|B| >= |R|`` for the signed bond B and rival R, so with B > 0 both contrasts
    h = B - R and h = B + R have h . mean >= 0: (1, -1, -1, 1) and (1, -1, 1, -1) on four arms,
    (1, 0, -1) and (1, -2, 1) on three. The estimates contradict one of them, and one for B < 0. The
    evidence is the smaller of the two (formulas at ``contrast_evidence``) less log 2: against the
    true sign one of two contrasts is used, at different times perhaps different ones.
    """

    name: ClassVar[str] = "local-directional"
    quadratic_only: ClassVar[bool] = True
    evidence: ClassVar[int] = LOCAL_DIRECTIONAL

    def refusal(self, dim: int, family: Family) -> str:
        """Only on a line."""
        return super().refusal(dim, family) if dim == 1 else "d = 1 ('local-semi' is for d > 1)"
