"""``local``: the plain certificate."""

from dataclasses import dataclass
from typing import Any, ClassVar

from boclust._validate import real
from boclust.problem.families import Family, OneParameter
from boclust.stopping.certificate import Certificate
from boclust.stopping.codes import BY_POINTER, LOCAL


@dataclass(frozen=True)
class Local(Certificate):
    """Evidence ``v(a, b; m, n; n_c) - (d/2) sum log(1 + N/c)`` over the 3 or 4 arms of the claim.

    n_c = N^2 / (N + c). It is at most the logarithm of the product over these arms of the Gaussian
    mixtures ``(1 + N/c)^(-d/2) exp(n_c |estimate - mean|^2 / 2)``, a function of the set of arms
    only, of which there are C(M+1, 4): Q is the smaller of both counts.

    One-parameter families: ``v(a, b; m, n; N) - sum of penalties``, with conjugate mixtures. A
    penalty is the logarithm of the largest likelihood less that of the mixture likelihood (see
    ``conjugate_kernels``). v is taken at the sample means, in the space in which arms are compared.
    """

    name: ClassVar[str] = "local"
    by_set: ClassVar[bool] = True
    precision: float = 10.0

    def __post_init__(self) -> None:
        real("precision", self.precision, 0.0, 1e6)

    @property
    def parameter(self) -> float:
        """The prior precision c."""
        return self.precision

    def evidence_code(self, family: Family) -> int:
        """Gaussian mixtures, or conjugate ones."""
        return BY_POINTER if isinstance(family, OneParameter) else LOCAL

    def kernels(self, dim: int, family: Family) -> tuple[Any, Any]:
        """The weakest link; by the pointer, the evidence of a one-parameter family."""
        from boclust.stopping.weakest_link import weakest_link
        from boclust.evidence.mixtures import family_evidence

        return weakest_link, family_evidence
