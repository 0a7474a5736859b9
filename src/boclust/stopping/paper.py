"""``paper``: the threshold of ATBOC-Gauss, ATBOC-subGauss and LUCBBOC (Section IV)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boclust.problem.families import Family
from boclust.stopping.base import Stopping
from boclust.stopping.codes import PAPER_LIFT


@dataclass(frozen=True)
class Paper(Stopping):
    """Stop when ``Z(t) >= 2 log( prod_m (N_m + 1)^(d/2) / delta )``, Z(t) = t psi(N/t, estimates).

    Theorem 2 of the paper: wrong with probability at most delta, for any sampling rule. The slope
    of the mean number of samples in log(1/delta) is twice that of the lower bound. (It also follows
    from ``mixture``, which never stops later on the same samples.)
    """

    name: ClassVar[str] = "paper"
    quadratic_only: ClassVar[bool] = True

    def lift(self, family: Family) -> int:
        """Logarithms of the counts."""
        return PAPER_LIFT

    def _threshold(self, n_arms: int, dim: int, n_clusters: int, delta: float) -> float:
        return float(-2 * np.log(delta))
