"""The cost v of making a claim true, as it stands: what the global rules compare in space.

v(a, b; m, n) is the least ``sum n_c |mean - other|^2 / 2`` over all other means for which the claim
holds (``psi.bond``). The smallest link under v is the spanning-tree lower bound of the statistic
Z(t). It is no e-process of one claim: the thresholds of the global rules make up for that.
"""

import numpy as np

from boclust.evidence.base import Evidence
from boclust.psi.bond import claim_cost, shrunk_inverse
from boclust.run.state import Run, fewest


class Cost(Evidence):
    """v at the weights n_c = N^2 / (N + c)."""

    precision: float

    def against(self, run: Run, a: int, b: int, m: int, n: int, threshold: float) -> float:
        """v(a, b; m, n)."""
        return claim_cost(run.counts, run.gaps, self.precision, a, b, m, n)

    def reach(self, run: Run, first: int, last: int, weakest: float) -> float:
        """``longest + sqrt(12 s weakest)``, from a bound of v.

        ``v >= g^2 / 2 / (6 s)`` for three arms and for four, with g the rival pair less the bond
        and s the largest inverse weight; the bonds of any one arm span its cluster.
        """
        if weakest == np.inf:
            return np.inf
        longest = 0.0
        for e in range(first + 1, last):
            longest = max(longest, run.gaps[run.arms[first], run.arms[e]])
        largest = shrunk_inverse(run.counts[fewest(run.counts)], self.precision)
        return longest + np.sqrt(12.0 * weakest * largest) * (1.0 + 1e-12)
