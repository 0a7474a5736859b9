"""Evidence for one-parameter families, from conjugate mixtures.

For a proper prior on the parameter of an arm, the mixture likelihood over the likelihood at the
truth is a non-negative martingale that starts at one. At any mean l its logarithm is
``N d(sample mean, l) - penalty``, where the penalty does not depend on l (``penalty`` of a law).
So ``v(a, b; m, n) - sum of penalties`` over the arms of a claim is evidence against it.
"""

import numpy as np

from boclust.evidence.base import Evidence
from boclust.kernels import f1, scratch
from boclust.psi.line import bond_on_line
from boclust.run.state import Run


class ConjugateMixture(Evidence):
    """The evidence of ``local`` for Bernoulli, Poisson and Exponential samples.

    v is taken at the sample means themselves: an arm on the boundary of the parameter space (only
    zeros, say) has an infinite position there, and a bond with it is never certified.
    """

    raw: f1 = scratch  # the sample means
    raw_positions: f1 = scratch  # where linkage would see them
    penalties: f1 = scratch

    @classmethod
    def new(cls, n_arms: int) -> "ConjugateMixture":
        """Before the first sample."""
        return cls(
            raw=np.zeros(n_arms), raw_positions=np.zeros(n_arms), penalties=np.zeros(n_arms)
        )

    def observe(self, run: Run, arm: int) -> None:
        """Note the sample mean, its position and the penalty."""
        total, count = run.sums[arm, 0], run.counts[arm]
        self.raw[arm] = total / count
        self.raw_positions[arm] = run.law.position(self.raw[arm])
        self.penalties[arm] = run.law.penalty(total, count)

    def against(self, run: Run, a: int, b: int, m: int, n: int, threshold: float) -> float:
        """``v(a, b; m, n)`` less the penalties of its arms."""
        at = self.raw_positions
        if np.isinf(at[a]) or np.isinf(at[b]) or at[m] == at[n]:
            return -np.inf
        if not abs(at[m] - at[n]) > abs(at[a] - at[b]):
            return -np.inf
        p = m if at[m] > at[n] else n
        q = n if p == m else m
        cost = self.penalties[m] + self.penalties[n]
        if a != m and a != n:
            cost += self.penalties[a]
        if b != m and b != n:
            cost += self.penalties[b]
        return bond_on_line(run.law, self.raw, run.counts, at, a, b, p, q) - cost
