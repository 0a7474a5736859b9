"""Evidence from Gaussian mixtures in which bond arms pay for one direction only.

The noise of an arm that is only in the bond matters only along the *true* bond, whose direction is
fixed though unknown: it costs 1/2 log(1 + N/c) instead of d/2 log(1 + N/c).
"""

import numpy as np

from boclust._validate import FloatArray
from boclust.evidence.base import Evidence
from boclust.evidence.local import mixture_evidence
from boclust.kernels import kernel
from boclust.psi.bond import claim_cost
from boclust.run.state import Run

#: The prior precisions, mixed with equal weights.
PRECISIONS = (1.0, 4.0, 16.0, 64.0)


@kernel
def semi_evidence(
    counts: FloatArray, gaps: FloatArray, dim: int, a: int, b: int, m: int, n: int
) -> float:
    """``log sum_c (1/4) exp(v(n_c) - cost_c)`` over c in {1, 4, 16, 64}."""
    top = -np.inf
    total = 0.0
    if gaps[m, n] <= gaps[a, b]:
        return -np.inf
    for c in PRECISIONS:
        value = mixture_evidence(counts, gaps, c, 1, dim, a, b, m, n)
        if value > top:
            total = total * np.exp(top - value) + 1.0
            top = value
        else:
            total += np.exp(value - top)
    return top + np.log(total / len(PRECISIONS))


class SemiMixture(Evidence):
    """The evidence of ``local-semi``."""

    def against(self, run: Run, a: int, b: int, m: int, n: int, threshold: float) -> float:
        """The evidence; v at the counts bounds it from above and costs far less to compute."""
        most = claim_cost(run.counts, run.gaps, 0.0, a, b, m, n)
        if most < threshold:
            return most
        return semi_evidence(run.counts, run.gaps, run.means.shape[1], a, b, m, n)
