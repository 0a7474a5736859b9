"""``local``: the plain certificate."""

from dataclasses import dataclass
from typing import ClassVar

from boclust.stopping.certificate import LOCAL, Certificate


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
    """

    name: ClassVar[str] = "local"
    code: ClassVar[int] = LOCAL
    by_set: ClassVar[bool] = True
