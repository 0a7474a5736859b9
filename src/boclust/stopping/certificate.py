"""The certificate: for every cluster and rival pair, certified bonds connect the cluster.

A *claim* (a, b; m, n) says that the bond (a, b) of a declared cluster is at least as long as the
rival pair (m, n) of two declared clusters. It is *refuted* when the evidence against it reaches
``log(Q / delta)``; the bond is then certified against that rival pair.

When the certificate holds, the answer is right with probability 1 - delta, whatever arms are
sampled, in whatever order and batches, and however often one looks. If the declared clusters are
wrong, a true claim has been refuted, one of at most ``Q = (M - K) I``: M - K edges of the true
spanning trees times I pairs of arms, the largest number of pairs in different clusters that K
clusters of M arms can have. Each is ever refuted with probability at most delta / Q, by Ville's
inequality for the non-negative supermartingale behind the evidence. The proofs, also of each
evidence, are on the page "Why the stopping rules are right"
(``docs/explanation/stopping-rules.md``).

The rules differ in their evidence only: see ``boclust.evidence``, one file each.
"""

from dataclasses import dataclass
from math import comb
from typing import Any, ClassVar

import numpy as np

from boclust._validate import invalid, real, shown
from boclust.evidence.base import Evidence
from boclust.evidence.betting import Betting
from boclust.evidence.conjugate import ConjugateMixture
from boclust.evidence.cube import CubeBetting
from boclust.evidence.directional import DirectionalMixture
from boclust.evidence.local import GaussianMixture
from boclust.evidence.semi import SemiMixture
from boclust.kernels import Struct, inner_kernel
from boclust.problem.families import Bounded, OneParameter
from boclust.run.saved import check_range
from boclust.run.state import Problem, Run
from boclust.stopping.base import Kernels, Stopping, assumption

#: More than gamblers ever win or stake.
_MOST = 1e30


@inner_kernel
def observe(run: Run, own: Any, arm: int) -> None:
    """Let the evidence keep account of a sample; ``own`` is the evidence itself."""
    own.observe(run, arm)


@inner_kernel
def statistic(run: Run, own: Any, threshold: float) -> float:
    """The weakest link of all clusters and rival pairs.

    ``run.suspect`` is (an arm of the cluster, m, n) of a link that is likely to be weak: it comes
    first, and is set to the weakest link found. Returns early once a link is below ``threshold``.
    With an infinite threshold nothing is set: minus infinity gives the weakest link of all, plus
    infinity that of the suspect.
    """
    floor = -np.inf if threshold == np.inf else threshold
    arms, start, labels, suspect = run.arms, run.start, run.labels, run.suspect
    n_clusters = start.shape[0] - 1
    weakest = np.inf
    k = labels[suspect[0]]
    if labels[suspect[1]] != labels[suspect[2]] and start[k + 1] - start[k] > 1:
        weakest = link(run, own, start[k], start[k + 1], suspect[1], suspect[2], floor)
        if weakest < threshold:
            return weakest
    for k in range(n_clusters):
        first, last = start[k], start[k + 1]
        if last - first < 2:
            continue
        reach = own.reach(run, first, last, weakest)
        for p in range(n_clusters):
            for i in range(start[p], start[p + 1]):
                for j in range(start[p + 1], labels.shape[0]):
                    if run.gaps[arms[i], arms[j]] > reach:
                        continue
                    value = link(run, own, first, last, arms[i], arms[j], floor)
                    if value < weakest:
                        weakest = value
                        if np.isfinite(threshold):
                            suspect[0], suspect[1], suspect[2] = arms[first], arms[i], arms[j]
                        if weakest < threshold:
                            return weakest
    return weakest


@inner_kernel
def link(run: Run, own: Any, first: int, last: int, m: int, n: int, threshold: float) -> float:
    """How well the cluster ``run.arms[first:last]`` is connected against one rival pair.

    The smallest edge of its maximum spanning tree under the evidence; where that is below
    ``threshold``, an upper bound of it that is below ``threshold`` too. Prim's algorithm in a loop
    of its own: ``problem.trees.maximum_tree`` takes half as long again.
    """
    best = run.reach
    arms = run.arms
    for e in range(first + 1, last):
        best[e] = -np.inf
    newest = first
    weakest = np.inf
    for _ in range(first + 1, last):
        chosen = first
        for e in range(first + 1, last):
            if best[e] == np.inf:  # already in the tree
                continue
            best[e] = max(best[e], own.against(run, arms[newest], arms[e], m, n, threshold))
            if chosen == first or best[e] > best[chosen]:
                chosen = e
        weakest = min(weakest, best[chosen])
        best[chosen] = np.inf
        newest = chosen
    return weakest


@dataclass(frozen=True)
class Certificate(Stopping):
    """Stop when, for every cluster and rival pair, certified bonds connect the cluster.

    The statistic is the weakest link: the smallest, over clusters and rival pairs, of the smallest
    edge of the maximum spanning tree under the evidence. The threshold is ``log(Q / delta)``.
    """

    kernels: ClassVar[Kernels] = (observe, statistic)
    observe_is_pure: ClassVar[bool] = True
    #: Whether the evidence is a function of the set of arms of a claim only.
    by_set: ClassVar[bool] = False

    def claims(self, n_arms: int, n_clusters: int) -> int:
        """Q: the number of claims in the union bound.

        >>> LocalSemi().claims(7, 3)
        64
        """
        sizes = [n_arms // n_clusters + (k < n_arms % n_clusters) for k in range(n_clusters)]
        pairs = (n_arms**2 - sum(s * s for s in sizes)) // 2
        claims = (n_arms - n_clusters) * pairs
        return min(claims, comb(n_arms + 1, 4)) if self.by_set else claims

    def _threshold(self, problem: Problem) -> float:
        claims = self.claims(problem.n_arms, problem.n_clusters)
        return float(np.log(claims) - np.log(problem.delta))


@dataclass(frozen=True)
class Local(Certificate):
    """Evidence ``v(a, b; m, n; n_c) - (d/2) sum log(1 + N/c)`` over the 3 or 4 arms of the claim.

    n_c = N^2 / (N + c). The supermartingale depends on the set of arms only, of which there are
    C(M+1, 4): Q is the smaller of both counts. For one-parameter families the evidence is
    ``v(a, b; m, n; N) - sum of penalties``, with conjugate mixtures.
    """

    name: ClassVar[str] = "local"
    by_set: ClassVar[bool] = True
    precision: float = 10.0

    def __post_init__(self) -> None:
        real("precision", self.precision, 0.0, 1e6)

    def new(self, problem: Problem, sampling_state: Struct) -> Evidence:
        """Gaussian mixtures, or conjugate ones for one-parameter families."""
        if isinstance(problem.family, OneParameter):
            return ConjugateMixture.new(problem.n_arms)
        return GaussianMixture(precision=float(self.precision))

    def for_many_arms(self, problem: Problem) -> bool:
        """Gaussian mixtures only."""
        return not isinstance(problem.family, OneParameter)


@dataclass(frozen=True)
class LocalSemi(Certificate):
    """Like ``local``, but an arm that is only in the bond costs 1/2 instead of d/2.

    ``log sum_c (1/4) exp(v(n_c) - cost_c)`` over c in {1, 4, 16, 64} with
    ``cost_c = 1/2 sum log(1 + N/c)`` over arms only in the bond ``+ d/2 sum log(1 + N/c)`` over
    the rival pair.
    """

    name: ClassVar[str] = "local-semi"
    quadratic_only: ClassVar[bool] = True

    def new(self, problem: Problem, sampling_state: Struct) -> Evidence:
        """Gaussian mixtures."""
        return SemiMixture()

    def for_many_arms(self, problem: Problem) -> bool:
        """Always."""
        return True


@dataclass(frozen=True)
class LocalDirectional(Certificate):
    """On a line (d = 1), evidence from mixtures with most of the prior along one contrast.

    A true claim gives two contrasts of its arms a known sign; the estimates contradict one of them.
    """

    name: ClassVar[str] = "local-directional"
    quadratic_only: ClassVar[bool] = True

    def new(self, problem: Problem, sampling_state: Struct) -> Evidence:
        """Gaussian mixtures along a contrast."""
        return DirectionalMixture()

    def refusal(self, problem: Problem) -> str:
        """Only on a line."""
        return super().refusal(problem) if problem.dim == 1 else "d = 1 ('local-semi' is for d > 1)"


@dataclass(frozen=True)
class LocalBounded(Certificate):
    """Evidence from bets on samples that lie in a known interval, with no variance assumed.

    Gamblers bet on the samples of every arm of a claim; the evidence is the least logarithm of what
    they have won, over all means for which the claim holds. Several coordinates (d > 1) are assumed
    to be independent of each other, given the past; one coordinate is assumed nothing.
    """

    name: ClassVar[str] = "local-bounded"
    observe_is_pure: ClassVar[bool] = False  # bets depend on the order of the samples

    def new(self, problem: Problem, sampling_state: Struct) -> Evidence:
        """Gamblers on a line, or in a cube."""
        if problem.dim == 1:
            return Betting.new(problem.n_arms)
        return CubeBetting.new(problem.n_arms, problem.dim)

    def check(self, problem: Problem, run: Run, state: Struct) -> None:
        """The account of the bets fits the counts and sums."""
        assert isinstance(state, (Betting, CubeBetting))
        if isinstance(state, Betting):
            told = 2.0 * state.totals[:, None]
        else:
            told = state.sums
            check_range("stopping.tallies", state.tallies, -_MOST, _MOST)
        check_range("stopping.gains", state.gains, -_MOST, _MOST)
        check_range("stopping.stakes", state.stakes, 0.0, _MOST)
        check_range("stopping.spreads", state.spreads, 0.0, run.counts.max())
        variance = (4.0 * state.spreads + 1.0) / (run.counts + 1.0)
        if (told != run.sums).any() or (run.variance != variance)[run.counts > 0].any():
            got = shown(state.spreads.tolist())
            raise invalid("state['stopping.spreads']", "an account of the sums and variances", got)

    def guarantee(self, problem: Problem) -> str:
        """The interval is assumed, and independent coordinates."""
        assumed = assumption(problem.family, problem.dim)
        return (
            f"wrong with probability at most {problem.delta:g}, if {assumed}; no other assumption "
            f"(rule {self.name!r}, any sampling)"
        )

    def refusal(self, problem: Problem) -> str:
        """Bounded samples."""
        return "" if isinstance(problem.family, Bounded) else "Bounded samples"
