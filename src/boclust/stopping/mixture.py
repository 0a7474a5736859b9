"""``mixture``: the paper's argument without its factor of two."""

from dataclasses import dataclass
from typing import ClassVar

from boclust._validate import real
from boclust.problem.families import Family, OneParameter
from boclust.stopping.base import Stopping
from boclust.stopping.codes import MIXTURE_LIFT, PENALTY_LIFT


@dataclass(frozen=True)
class Mixture(Stopping):
    """Stop when ``t psi(n_c / t) >= log(1/delta) + (d/2) sum_m log(1 + N_m/c)``, c = 1.

    n_c = N^2 / (N + c). It rests on the product over all arms of the Gaussian mixtures of
    ``local``; the proof is on the page "Why the stopping rules are right"
    (``docs/explanation/stopping-rules.md``).

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
