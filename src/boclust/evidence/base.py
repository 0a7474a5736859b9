"""What evidence against a claim is.

A *claim* (a, b; m, n) says that the bond (a, b) is at least as long as the rival pair (m, n).
Evidence against it is the logarithm of a lower bound, over all true means for which the claim
holds, of a non-negative supermartingale that starts at one (an e-process). By Ville's inequality it
ever exceeds log(y) with probability at most 1/y if the claim is true. The proofs are in
``docs/explanation/stopping-rules.md``.
"""

import numpy as np

from boclust.kernels import Struct
from boclust.run.state import Run


class Evidence(Struct):
    """An e-process for each claim: what it keeps of the samples, and its evidence.

    Every subclass has a method ``against(run, a, b, m, n, threshold)``: the evidence against a
    claim, exact where it is at least ``threshold``, elsewhere any upper bound of it that is below
    ``threshold``. Minus infinity stands for a claim that the estimates do not contradict.
    """

    def observe(self, run: Run, arm: int) -> None:
        """Take ``run.sample`` of ``arm`` into the account; ``run.counts`` includes it already."""

    def reach(self, run: Run, first: int, last: int, weakest: float) -> float:
        """How long rival pairs are that cannot be a weaker link than ``weakest``.

        Of the cluster ``run.arms[first:last]``; infinite where nothing is known.
        """
        return np.inf
