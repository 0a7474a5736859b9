"""What the certificates share."""

from dataclasses import dataclass
from math import comb
from typing import Any, ClassVar

import numpy as np

from boclust.problem.families import Family
from boclust.stopping.base import Stopping
from boclust.stopping.codes import BY_POINTER, LOCAL, LOCAL_SEMI


@dataclass(frozen=True)
class Certificate(Stopping):
    """Stop when, for every cluster and rival pair, the certified bonds connect the cluster.

    A *claim* (a, b; m, n) says that the bond (a, b) of a declared cluster is at least as long as
    the rival pair (m, n) of two declared clusters. It is *refuted* when the evidence against it
    reaches ``log(Q / delta)``; the bond is then certified against that rival pair.

    Then the answer is right with probability 1 - delta, whatever arms are sampled, in whatever
    order and batches, and however often one looks. If the declared clusters are wrong, a true claim
    has been refuted, one of at most ``Q = (M - K) I``: M - K edges of the true spanning trees times
    I pairs of arms, the largest number of pairs in different clusters that K clusters of M arms can
    have. Each is ever refuted with probability at most delta / Q, by Ville's inequality for the
    non-negative supermartingale behind the evidence. Proofs, of each rule too, are on the page "Why
    the stopping rules are right" (``docs/explanation/stopping-rules.md``).

    With K = 1 or K = M there is nothing to certify.
    """

    #: Whether the evidence is a function of the set of arms of a claim only.
    by_set: ClassVar[bool] = False

    #: The code of its evidence.
    evidence: ClassVar[int] = BY_POINTER

    def evidence_code(self, family: Family) -> int:
        """Its evidence."""
        return self.evidence

    def parts(self, dim: int) -> dict[str, Any]:
        """Nothing."""
        return {}

    def kernels(self, dim: int, family: Family) -> tuple[Any, Any]:
        """The weakest link under its evidence."""
        from boclust.stopping.weakest_link import weakest_link

        return weakest_link, None

    def for_crowds(self, dim: int, family: Family) -> bool:
        """Where the evidence is made of Gaussian mixtures and costs v."""
        return self.evidence_code(family) in (LOCAL, LOCAL_SEMI)

    def claims(self, n_arms: int, n_clusters: int) -> int:
        """Q: how many claims the union bound is taken over.

        >>> from boclust.stopping import LocalSemi
        >>> LocalSemi().claims(7, 3)
        64
        """
        sizes = [n_arms // n_clusters + (k < n_arms % n_clusters) for k in range(n_clusters)]
        pairs = (n_arms**2 - sum(s * s for s in sizes)) // 2
        claims = (n_arms - n_clusters) * pairs
        return min(claims, comb(n_arms + 1, 4)) if self.by_set else claims

    def _threshold(self, n_arms: int, dim: int, n_clusters: int, delta: float) -> float:
        return float(np.log(self.claims(n_arms, n_clusters)) - np.log(delta))
