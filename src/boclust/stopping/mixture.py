"""``mixture``: the paper's argument without its factor of two."""

from dataclasses import dataclass
from typing import ClassVar

from boclust._validate import real
from boclust.families import Family, OneParameter
from boclust.stopping.base import Stopping
from boclust.stopping.codes import MIXTURE_LIFT, PENALTY_LIFT


@dataclass(frozen=True)
class Mixture(Stopping):
    """Stop when ``t psi(n_c / t) >= log(1/delta) + (d/2) sum_m log(1 + N_m/c)``, c = 1.

    Proof. With n_c = N^2 / (N + c), the product over all arms of the Gaussian mixtures of ``local``
    is a supermartingale, ``exp(sum n_c |estimate - mean|^2 / 2 - (d/2) sum log(1 + N/c))`` at the
    true means. If the declared clustering is wrong, the true means are an alternative, so
    the sum is at least psi at the weights n_c. By Ville's inequality it exceeds the threshold at
    any time with probability at most delta.

    On the same samples it never stops after ``paper``: psi is monotone and homogeneous in the
    weights and n_1 >= N/2, so ``psi(n_1) >= psi(N) / 2``, and the threshold is half of the paper's.

    One-parameter families: ``t psi(N / t) >= log(1/delta) + sum of penalties``, with the conjugate
    mixtures of ``local``. There the declared clustering is that of estimates kept inside the
    parameter space, which only ever moves an arm from the boundary inwards: psi at these estimates
    is what is compared, and where an arm is on the boundary the rule waits.
    """

    name: ClassVar[str] = "mixture"
    precision: float = 1.0

    def __post_init__(self) -> None:
        real("precision", self.precision, 0.0, 1e6)

    @property
    def parameter(self) -> float:
        """The prior precision c."""
        return self.precision

    def lift(self, family: Family) -> int:
        """What the mixtures cost."""
        return PENALTY_LIFT if isinstance(family, OneParameter) else MIXTURE_LIFT
