"""``local``: the plain certificate."""

from dataclasses import dataclass
from typing import Any, ClassVar

from boclust._validate import real
from boclust.families import Family, OneParameter
from boclust.stopping.certificate import Certificate
from boclust.stopping.codes import BY_POINTER, LOCAL


@dataclass(frozen=True)
class Local(Certificate):
    """Evidence ``v(a, b; m, n; n_c) - (d/2) sum log(1 + N/c)`` over the 3 or 4 arms of the claim.

    Proof. Let the noise be sub-Gaussian with scale one. For each arm
    ``exp(u . S - N |u|^2 / 2)``, S the sum of its noise, is a non-negative supermartingale for
    every u, and so is its average over u ~ N(0, I/c):
    ``(1 + N/c)^(-d/2) exp(n_c |estimate - mean|^2 / 2)``, n_c = N^2 / (N + c). So is the product
    over the arms of the claim, which starts at one. If the claim is true, the true means are among
    those over which v minimises, so ``sum n_c |estimate - mean|^2 / 2 >= v``: the evidence is at
    most the logarithm of the product. The product is a function of the set of arms only, of which
    there are C(M+1, 4): Q is the smaller of both counts.

    One-parameter families: the evidence is ``v(a, b; m, n; N) - sum of penalties``. Proof. With a
    proper prior on the mean of an arm, the mixture likelihood over the likelihood at the true mean
    is a non-negative martingale that starts at one. Its logarithm is
    ``N d(sample mean, mean) - penalty``, penalty = log of the largest likelihood less log of the
    mixture likelihood (see ``conjugate_kernels``): the likelihood at l is the largest one times
    ``exp(-N d(sample mean, l))``. The rest is the same: if the claim is true, v is at most
    ``sum N d(sample mean, mean)``, and there is one product for each set of arms.
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
        from boclust.stopping.certificate_kernels import weakest_link
        from boclust.stopping.evidence_kernels import family_evidence

        return weakest_link, family_evidence
