"""The cost v of making a claim true, as it stands: what the global rules compare in space.

v(a, b; m, n) is the least ``sum n_c |mean - other|^2 / 2`` over all other means for which the claim
holds (``psi.bond``). The smallest link under v is the spanning-tree lower bound of the statistic
Z(t). It is no e-process of one claim: the thresholds of the global rules make up for that.
"""

import numpy as np

from boclust._validate import FloatArray
from boclust.evidence.base import Evidence
from boclust.kernels import kernel
from boclust.psi.bond import four_arm_cost, three_arm_cost_of_gaps
from boclust.run.state import Run, fewest


@kernel
def shrunk_inverse(count: float, precision: float) -> float:
    """1 / n_c with n_c = N^2 / (N + c): what N samples weigh under a prior of precision c."""
    return (1.0 + precision / count) / count


@kernel
def claim_cost(
    counts: FloatArray, gaps: FloatArray, precision: float, a: int, b: int, m: int, n: int
) -> float:
    """v(a, b; m, n) at the weights n_c; with c = 0 every sample weighs one."""
    bond = gaps[a, b]
    rival = gaps[m, n]
    if rival <= bond:
        return 0.0
    if a == m or a == n or b == m or b == n:
        j = a if a == m or a == n else b
        i = b if j == a else a
        k = n if j == m else m
        outer = shrunk_inverse(counts[i], precision) + shrunk_inverse(counts[k], precision)
        shared = shrunk_inverse(counts[j], precision)
        return three_arm_cost_of_gaps(bond, rival, gaps[i, k], outer, shared)
    inverse = shrunk_inverse(counts[a], precision) + shrunk_inverse(counts[b], precision)
    inverse += shrunk_inverse(counts[m], precision) + shrunk_inverse(counts[n], precision)
    return four_arm_cost(bond, rival, inverse)


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
