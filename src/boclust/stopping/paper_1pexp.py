"""``paper-1pexp``: the threshold of ATBOC-1pExp (Section IV)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boclust._validate import real
from boclust.problem.families import Family, Gaussian, OneParameter
from boclust.stopping.base import Stopping
from boclust.stopping.codes import ZETA_LIFT


@dataclass(frozen=True)
class Paper1pExp(Stopping):
    """Stop when ``Z(t) >= 3 sum_m log(1 + log N_m) + (1 + zeta) [log(1/delta) + M log(c)]``.

    c = (pi^2/3) / log(1 + zeta)^2; Z(t) is the generalised likelihood ratio of a one-parameter
    exponential family. A small zeta > 0 gives a slope near that of the lower bound and a large
    threshold at once.

    Theorem 2 of the paper states that it is wrong with probability at most delta. The lemma behind
    it (appendix, deviation inequality) fixes a number x > 0 before its martingale is built and then
    uses one martingale for all x, so the proof is not complete as printed; the guarantee is given
    as the paper states it. ``local`` is proven for the same families and needs far fewer samples.
    """

    name: ClassVar[str] = "paper-1pexp"
    zeta: float = 0.1

    def __post_init__(self) -> None:
        real("zeta", self.zeta, 0.0, 1e6)

    def lift(self, family: Family) -> int:
        """Iterated logarithms of the counts."""
        return ZETA_LIFT

    def _threshold(self, n_arms: int, dim: int, n_clusters: int, delta: float) -> float:
        constant = np.log(np.pi**2 / 3 / np.log1p(self.zeta) ** 2)
        return float((1 + self.zeta) * (n_arms * constant - np.log(delta)))

    def guarantee(self, family: Family, delta: float, dim: int) -> str:
        """As the paper states it."""
        said = super().guarantee(family, delta, dim)
        return f"{said}; as stated in the paper, whose proof has a gap"

    def refusal(self, dim: int, family: Family) -> str:
        """One-parameter families."""
        if dim == 1 and isinstance(family, (Gaussian, OneParameter)):
            return ""
        return "d = 1 and Gaussian, Bernoulli, Poisson or Exponential samples"
