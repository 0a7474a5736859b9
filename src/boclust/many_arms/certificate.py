"""The certificate among many arms: the same claims are refuted, found without a matrix.

A *sure score* bounds the evidence against a claim from below; only claims whose sure score is not
enough are looked at themselves. The clusters' trees need not be the best ones against every rival
pair: where a bond fails, the certified bonds of all arms of its cluster are tried.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from boclust._validate import FloatArray, IntArray
from boclust.evidence.local import GaussianMixture, mixture_evidence
from boclust.evidence.semi import PRECISIONS, semi_evidence
from boclust.kernels import Struct, f1, i1, kernel, scratch
from boclust.many_arms.survey import (
    BLOCK,
    FRESH,
    Prices,
    Survey,
    Trees,
    below,
    claim_score,
    dangerous_pairs,
    distance,
    priced,
    score_of,
    survey,
)
from boclust.psi.bond import claim_cost
from boclust.run.saved import check_integers
from boclust.run.state import Problem, Run
from boclust.stopping.base import Kernels, Stopping
from boclust.stopping.glr import Constant, NoGrowth


class Proof(NamedTuple):
    """How a claim is refuted: surely, if its score at the prices ``sure`` reaches ``surely``;
    never, if at the prices ``most`` it is below ``need``; else by the evidence itself.
    """

    sure: Prices
    most: Prices
    surely: float
    need: float


class CostRefuter(Struct):
    """The cost v(a, b; m, n) of a global rule; scores are the evidence itself."""

    precision: float

    def proof(self, run: Run, trees: Trees, need: float) -> Proof:
        """What is sure, and what is possible."""
        prices = priced(run.counts, self.precision, 0, 0)
        return Proof(prices, prices, need, need)

    def evidence(
        self, counts: FloatArray, gaps: FloatArray, dim: int, a: int, b: int, m: int, n: int
    ) -> float:
        """The evidence against one claim."""
        return claim_cost(counts, gaps, self.precision, a, b, m, n)


class LocalRefuter(Struct):
    """``local``: scores are the evidence itself."""

    precision: float

    def proof(self, run: Run, trees: Trees, need: float) -> Proof:
        """What is sure, and what is possible."""
        dim = run.means.shape[1]
        prices = priced(run.counts, self.precision, dim, dim)
        return Proof(prices, prices, need, need)

    def evidence(
        self, counts: FloatArray, gaps: FloatArray, dim: int, a: int, b: int, m: int, n: int
    ) -> float:
        """The evidence against one claim."""
        return mixture_evidence(counts, gaps, self.precision, dim, dim, a, b, m, n)


class SemiRefuter(Struct):
    """``local-semi``, which is at least a quarter of any of its parts.

    The part that is the largest for the claim that looks weakest is taken. It is at most the cost v
    at the counts.
    """

    def proof(self, run: Run, trees: Trees, need: float) -> Proof:
        """What is sure, and what is possible."""
        dim = run.means.shape[1]
        free = np.zeros_like(run.counts)
        bond, rival = trees.quad[:2], trees.quad[2:]
        sure = priced(run.counts, PRECISIONS[0], 1, dim)
        for precision in PRECISIONS[1:]:
            other = priced(run.counts, precision, 1, dim)
            here = score_of(run.positions, other, bond, rival)
            if here > score_of(run.positions, sure, bond, rival):
                sure = other
        most = Prices(trees.noise, free, free)
        return Proof(sure, most, need + np.log(len(PRECISIONS)), need)

    def evidence(
        self, counts: FloatArray, gaps: FloatArray, dim: int, a: int, b: int, m: int, n: int
    ) -> float:
        """The evidence against one claim."""
        return semi_evidence(counts, gaps, dim, a, b, m, n)


class State(Struct):
    """What refutes a claim, the trees of the sampling rule, and the claim that failed last."""

    refuter: Any
    growth: Any
    trees: Any
    lifts: f1 = scratch
    witness: i1  # like ``Run.suspect``


@kernel
def observe(run: Run, own: State, arm: int) -> None:
    """What the samples of an arm add to the threshold."""
    own.lifts[arm] = own.growth.of_arm(run, arm)


@kernel
def statistic(run: Run, own: State, threshold: float) -> float:
    """``threshold`` where every claim is refuted (a global rule: Z(t) is large enough), else less.

    Looks only after an update of the sampling rule. ``threshold`` infinite, of either sign: the
    evidence against the claim that looks weakest.
    """
    raised = own.growth.total(run, own.lifts)
    if np.isinf(threshold):
        quad = own.trees.quad
        return claim_evidence(run, own, quad[0], quad[1], quad[2], quad[3]) - raised
    if own.trees.clock[FRESH] == 0:
        return -np.inf
    proof = own.refuter.proof(run, own.trees, threshold + raised)
    for doubt in (run.suspect, own.witness):
        if run.labels[doubt[1]] != run.labels[doubt[2]] and not connected(
            run, own, proof, run.labels[doubt[0]], doubt[1], doubt[2]
        ):
            return -np.inf
    if known_are_refuted(run, own, proof) and all_refuted(run, own, proof):
        return threshold
    return -np.inf


@kernel
def known_are_refuted(run: Run, own: State, proof: Proof) -> bool:
    """The same for the rival pairs that the sampling rule found: few, and the hardest ones."""
    passed = np.full(run.start.shape[0] - 1, -1)
    for e in range(own.trees.scores.shape[0]):
        m, n = own.trees.rivals[e, 0], own.trees.rivals[e, 1]
        rival = distance(run.positions, m, n)
        if not bond_holds(run, own, proof, e, m, n, rival, passed, e):
            return False
    return True


@kernel
def all_refuted(run: Run, own: State, proof: Proof) -> bool:
    """Whether every cluster is connected by certified bonds, whatever the rival pair.

    Where one is not, it is the witness that is asked first the next time.
    """
    prices = proof.sure
    known = survey(run, own.trees, prices, np.full(own.trees.scores.shape[0], proof.surely))
    passed = np.full(run.start.shape[0] - 1, -1)
    number = 0
    pairs = np.empty((BLOCK * BLOCK, 2), np.int64)
    lengths = np.empty(BLOCK * BLOCK)
    for p in range(known.blocks.shape[0]):
        for q in range(p + 1, known.blocks.shape[0]):
            found = dangerous_pairs(run, prices, known, 0.0, p, q, pairs, lengths)
            for i in range(found):
                number += 1
                m, n = pairs[i, 0], pairs[i, 1]
                if not pair_is_refuted(
                    run, own, proof, known, m, n, lengths[i], passed, number
                ):
                    return False
    return True


@kernel
def pair_is_refuted(
    run: Run, own: State, proof: Proof, known: Survey, m: int, n: int, rival: float,
    passed: IntArray, number: int,
) -> bool:
    """Whether every cluster is connected by bonds certified against (m, n)."""
    spread = proof.sure.spread[m] + proof.sure.spread[n]
    toll = proof.sure.in_rival[m] + proof.sure.in_rival[n]
    for b in range(known.bins.shape[1]):
        if below(known.bins[:, b], rival, spread, toll):
            for e in range(known.first[b], known.first[b + 1]):
                if not bond_holds(run, own, proof, e, m, n, rival, passed, number):
                    return False
    for shared in (m, n):
        for e in known.at[known.at_first[shared] : known.at_first[shared + 1]]:
            if not bond_holds(run, own, proof, e, m, n, rival, passed, number):
                return False
    return True


@kernel
def bond_holds(
    run: Run, own: State, proof: Proof, bond: int, m: int, n: int, rival: float,
    passed: IntArray, number: int,
) -> bool:
    """Whether a bond, or else its cluster, is certified against the rival pair.

    ``passed`` has the number of the last rival pair against which each cluster is certified.
    """
    a, b = own.trees.ends[bond, 0], own.trees.ends[bond, 1]
    k = run.labels[a]
    if passed[k] == number or refutes(run, own, proof, a, b, m, n, rival):
        return True
    if connected(run, own, proof, k, m, n):
        passed[k] = number
        return True
    witness = own.witness
    witness[0], witness[1], witness[2] = a, m, n
    return False


@kernel
def refutes(
    run: Run, own: State, proof: Proof, a: int, b: int, m: int, n: int, rival: float
) -> bool:
    """Whether the claim (a, b; m, n) is refuted."""
    bond = distance(run.positions, a, b)
    if rival <= bond:
        return False
    if claim_score(run.positions, proof.sure, a, b, m, n, bond, rival) >= proof.surely:
        return True
    if claim_score(run.positions, proof.most, a, b, m, n, bond, rival) < proof.need:
        return False
    return claim_evidence(run, own, a, b, m, n) >= proof.need


@kernel
def connected(run: Run, own: State, proof: Proof, k: int, m: int, n: int) -> bool:
    """Whether bonds certified against the rival pair (m, n) connect cluster k."""
    members = run.arms[run.start[k] : run.start[k + 1]].copy()
    rival = distance(run.positions, m, n)
    reached = 1  # the arms that are connected come first
    at = 0
    while at < reached:
        a = members[at]
        at += 1
        for i in range(reached, members.shape[0]):
            b = members[i]
            if refutes(run, own, proof, a, b, m, n, rival):
                members[i] = members[reached]
                members[reached] = b
                reached += 1
    return reached == members.shape[0]


@kernel
def claim_evidence(run: Run, own: State, a: int, b: int, m: int, n: int) -> float:
    """The evidence against one claim, from its four arms alone."""
    arms = np.array([a, b, m, n])
    counts = np.empty(4)
    gaps = np.zeros((4, 4))
    for i in range(4):
        counts[i] = run.counts[arms[i]]
        for j in range(i):
            gaps[i, j] = distance(run.positions, arms[i], arms[j])
            gaps[j, i] = gaps[i, j]
    p = 0 if m == a else 1 if m == b else 2
    q = 0 if n == a else 1 if n == b else 3
    return own.refuter.evidence(counts, gaps, run.means.shape[1], 0, 1, p, q)


@dataclass(frozen=True)
class ManyArmsStopping(Stopping):
    """A stopping rule among many arms: ``rule`` decides what is refuted, this where to look."""

    rule: Stopping
    kernels: ClassVar[Kernels] = observe, statistic
    observe_is_pure: ClassVar[bool] = True

    def check(self, problem: Problem, run: Run, state: Struct) -> None:
        """The witness consists of arms."""
        check_integers("stopping", state, 0, problem.n_arms - 1)

    def new(self, problem: Problem, sampling_state: Struct) -> State:
        """Nothing has failed yet."""
        if isinstance(self.rule, Constant):
            growth = self.rule.growth(problem)
            refuter: Struct = CostRefuter(precision=self.rule.weigh(problem))
        else:
            growth = NoGrowth(parameter=0.0)
            evidence = self.rule.new(problem, sampling_state)
            if isinstance(evidence, GaussianMixture):
                refuter = LocalRefuter(precision=evidence.precision)
            else:
                refuter = SemiRefuter()
        return State(
            refuter=refuter, growth=growth, trees=sampling_state, lifts=np.zeros(problem.n_arms),
            witness=np.zeros(3, dtype=np.int64),
        )  # fmt: skip
