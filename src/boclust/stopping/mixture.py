"""``mixture``: the paper's argument without its factor of two."""

from dataclasses import dataclass
from typing import ClassVar

from boclust.stopping.certificate import MIXTURE_LIFT, Stopping


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
    """

    name: ClassVar[str] = "mixture"
    lift: ClassVar[int] = MIXTURE_LIFT
    precision: float = 1.0
