"""``paper``: the threshold of ATBOC-Gauss and LUCBBOC (Section IV)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boclust.stopping.certificate import PAPER_LIFT, Stopping


@dataclass(frozen=True)
class Paper(Stopping):
    """Stop when ``Z(t) >= 2 log( prod_m (N_m + 1)^(d/2) / delta )``, Z(t) = t psi(N/t, estimates).

    Theorem 2 of the paper: wrong with probability at most delta, for any sampling rule. The slope
    of the mean number of samples in log(1/delta) is twice that of the lower bound.
    """

    name: ClassVar[str] = "paper"
    lift: ClassVar[int] = PAPER_LIFT
    precision: float = 0.0

    def _need(self, n_arms: int, n_clusters: int, delta: float) -> float:
        return float(-2 * np.log(delta))
