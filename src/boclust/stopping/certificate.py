"""What the stopping rules share, and the argument behind the certificates."""

from dataclasses import dataclass
from math import comb
from typing import ClassVar

import numpy as np

from boclust.families import Family

#: How the kernels tell the rules apart.
LOCAL = 0
LOCAL_SEMI = 1
LOCAL_DIRECTIONAL = 2
GLOBAL = 3
#: How a threshold grows with the samples.
NO_LIFT = 0
PAPER_LIFT = 1
MIXTURE_LIFT = 2
HEURISTIC_LIFT = 3


@dataclass(frozen=True)
class Stopping:
    """A stopping rule: stop when the weakest link reaches ``need(delta)`` plus a lift.

    The link is the evidence of a certificate, or for the global rules the statistic Z(t) itself:
    psi at the counts by its spanning-tree lower bound, which equals the paper's Z(t) when no
    cluster has more than two arms and never stops earlier otherwise.
    """

    name: ClassVar[str]
    code: ClassVar[int] = GLOBAL
    lift: ClassVar[int] = NO_LIFT
    precision: float = 10.0

    def need(self, n_arms: int, n_clusters: int, delta: float) -> float:
        """What the link must reach; minus infinity where there is nothing to show."""
        if n_clusters in (1, n_arms):
            return -np.inf
        return self._need(n_arms, n_clusters, delta)

    def _need(self, n_arms: int, n_clusters: int, delta: float) -> float:
        return float(-np.log(delta))

    def guarantee(self, family: Family, delta: float) -> str:
        """The statement that holds when the rule has stopped a run."""
        sigma = getattr(family, "sigma", None)
        return (
            f"wrong with probability at most {delta:g}, if the noise of a sample is sub-Gaussian "
            f"with scale {sigma:g} in every direction (rule {self.name!r}, any sampling)"
        )

    def refusal(self, dim: int) -> str:
        """Why the rule cannot be used in this dimension; empty where it can."""
        return ""


@dataclass(frozen=True)
class Certificate(Stopping):
    """Stop when, for every cluster and rival pair, the certified bonds connect the cluster.

    A *claim* (a, b; m, n) says that the bond (a, b) of a declared cluster is at least as long as
    the rival pair (m, n) of two declared clusters. It is *refuted* when the evidence against it
    reaches ``log(Q / delta)``; the bond is then certified against that rival pair.

    **Why the answer is right with probability 1 - delta.** Suppose the declared clustering is
    wrong. Both clusterings have K clusters, so some true cluster is split: an edge (m, n) of its
    true minimum spanning tree is a declared rival pair. And some declared cluster mixes true
    clusters; the bonds certified against (m, n) connect it, so one of them, (a, b), joins two true
    clusters. But then |a - b| >= d_inter > d_intra >= |m - n|: the claim (a, b; m, n) is true and
    has been refuted. A true claim is refuted at any time with probability at most delta / Q, by
    Ville's inequality for the non-negative supermartingale behind the evidence, whatever arms are
    sampled, in whatever order, delayed or in batches, and however often one looks. There are at
    most M - K true tree edges and I inter-cluster pairs, I = the largest number of pairs of arms
    in different clusters that K clusters of M arms can have; a union bound over
    ``Q = (M - K) I`` claims gives delta.

    With K = 1 or K = M there is nothing to certify.
    """

    #: Whether the evidence is a function of the set of arms of a claim only.
    by_set: ClassVar[bool] = False

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

    def _need(self, n_arms: int, n_clusters: int, delta: float) -> float:
        return float(np.log(self.claims(n_arms, n_clusters)) - np.log(delta))
