"""Evidence from Gaussian mixtures over the three or four arms of a claim.

``v(n_c) - cost`` with n_c = N^2 / (N + c) and cost = (d/2) sum log(1 + N/c) over the arms. It is at
most the logarithm of the product over these arms of the mixtures
``(1 + N/c)^(-d/2) exp(n_c |estimate - mean|^2 / 2)``.
"""

import numpy as np

from boclust._validate import FloatArray
from boclust.evidence.base import Evidence
from boclust.kernels import kernel
from boclust.psi.bond import claim_cost
from boclust.run.state import Run


@kernel
def mixture_evidence(
    counts: FloatArray, gaps: FloatArray, precision: float, bond_dim: int, rival_dim: int,
    a: int, b: int, m: int, n: int,
) -> float:
    """``v(n_c)`` less ``(dim/2) log(1 + N/c)`` for every arm of the claim.

    dim is ``rival_dim`` for the arms of the rival pair, ``bond_dim`` for those only in the bond.
    """
    c = precision
    if gaps[m, n] <= gaps[a, b]:
        return -np.inf
    bond_share = 0.5 * bond_dim
    cost = 0.5 * rival_dim * (np.log1p(counts[m] / c) + np.log1p(counts[n] / c))
    if a != m and a != n:
        cost += bond_share * np.log1p(counts[a] / c)
    if b != m and b != n:
        cost += bond_share * np.log1p(counts[b] / c)
    return claim_cost(counts, gaps, c, a, b, m, n) - cost


class GaussianMixture(Evidence):
    """The evidence of ``local``: one mixture with prior precision c for each arm."""

    precision: float

    def against(self, run: Run, a: int, b: int, m: int, n: int, threshold: float) -> float:
        """The evidence; v at the counts bounds it from above and costs far less to compute."""
        most = claim_cost(run.counts, run.gaps, 0.0, a, b, m, n)
        if most < threshold:
            return most
        dim = run.means.shape[1]
        return mixture_evidence(run.counts, run.gaps, self.precision, dim, dim, a, b, m, n)
