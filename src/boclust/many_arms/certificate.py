"""The certificate among many arms: the same claims are refuted, found without a matrix.

A *sure score* bounds the evidence against a claim from below; only claims whose sure score is not
enough are looked at themselves. The clusters' trees need not be the best ones against every rival
pair: where a bond fails, the certified bonds of all arms of its cluster are tried.
"""

from typing import NamedTuple

import numpy as np

from boclust.kernels import kernel
from boclust._validate import IntArray
from boclust.many_arms.survey import (
    BLOCK,
    Prices,
    Survey,
    below,
    claim_score,
    dangerous_pairs,
    distance,
    priced,
    score_of,
    survey,
)
from boclust.run.state import FRESH, Evidence, Rules, Run
from boclust.stopping.codes import LOCAL, LOCAL_SEMI, MIXTURE_LIFT
from boclust.evidence.mixtures import (
    SEMI_PRECISIONS,
    global_cost,
    local_evidence,
    semi_evidence,
)
from boclust.stopping.glr import lift


class Proof(NamedTuple):
    """How a claim is refuted: surely, if its score at the prices ``sure`` reaches ``surely``;
    never, if at the prices ``most`` it is below ``need``; else by the evidence itself.
    """

    sure: Prices
    most: Prices
    surely: float
    need: float


@kernel
def standing_of_crowd(rules: Rules, run: Run, other: Evidence, enough: float) -> float:
    """``enough`` where every claim is refuted (a global rule: Z(t) is large enough), else less.

    Looks only where the sampling rule has just looked. ``enough`` infinite, of either sign: the
    evidence against the claim that looks weakest.
    """
    raised = lift(rules, run)
    if np.isinf(enough):
        quad = run.quad
        return claim_evidence(rules, run, quad[0], quad[1], quad[2], quad[3]) - raised
    if run.crowd.clock[FRESH] == 0:
        return -np.inf
    proof = proof_of(rules, run, enough + raised)
    for doubt in (run.suspect, run.crowd.witness):
        if run.labels[doubt[1]] != run.labels[doubt[2]] and not connected(
            rules, run, proof, run.labels[doubt[0]], doubt[1], doubt[2]
        ):
            return -np.inf
    if known_are_refuted(rules, run, proof) and all_refuted(rules, run, proof):
        return enough
    return -np.inf


@kernel
def known_are_refuted(rules: Rules, run: Run, proof: Proof) -> bool:
    """The same for the rival pairs that the sampling rule found: few, and the hardest ones."""
    passed = np.full(run.start.shape[0] - 1, -1)
    for e in range(run.crowd.scores.shape[0]):
        m, n = run.crowd.rivals[e, 0], run.crowd.rivals[e, 1]
        rival = distance(run.places, m, n)
        if not bond_holds(rules, run, proof, e, m, n, rival, passed, e):
            return False
    return True


@kernel
def proof_of(rules: Rules, run: Run, need: float) -> Proof:
    """What is sure, and what is possible.

    ``local-semi`` is at least a quarter of any of its parts (that which is the largest of the claim
    that looks weakest is taken) and at most the cost v at the counts; the scores of the other rules
    are the evidence itself.
    """
    dim = run.means.shape[1]
    free = np.zeros_like(run.counts)
    if rules.evidence == LOCAL_SEMI:
        bond, rival = run.quad[:2], run.quad[2:]
        sure = priced(run.counts, SEMI_PRECISIONS[0], 1, dim)
        for precision in SEMI_PRECISIONS[1:]:
            other = priced(run.counts, precision, 1, dim)
            if score_of(run.places, other, bond, rival) > score_of(run.places, sure, bond, rival):
                sure = other
        most = Prices(run.noise, free, free)
        return Proof(sure, most, need + np.log(len(SEMI_PRECISIONS)), need)
    precision = rules.parameter if rules.evidence == LOCAL or rules.lift == MIXTURE_LIFT else 0.0
    tolled = dim if rules.evidence == LOCAL else 0
    prices = priced(run.counts, precision, tolled, tolled)
    return Proof(prices, prices, need, need)


@kernel
def all_refuted(rules: Rules, run: Run, proof: Proof) -> bool:
    """Whether every cluster is connected by certified bonds, whatever the rival pair.

    Where one is not, it is the witness that is asked first the next time.
    """
    prices = proof.sure
    known = survey(run, prices, np.full(run.crowd.scores.shape[0], proof.surely))
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
                    rules, run, proof, known, m, n, lengths[i], passed, number
                ):
                    return False
    return True


@kernel
def pair_is_refuted(
    rules: Rules, run: Run, proof: Proof, known: Survey, m: int, n: int, rival: float,
    passed: IntArray, number: int,
) -> bool:
    """Whether every cluster is connected by bonds certified against (m, n)."""
    spread = proof.sure.spread[m] + proof.sure.spread[n]
    toll = proof.sure.in_rival[m] + proof.sure.in_rival[n]
    for b in range(known.bins.shape[1]):
        if below(known.bins[:, b], rival, spread, toll):
            for e in range(known.first[b], known.first[b + 1]):
                if not bond_holds(rules, run, proof, e, m, n, rival, passed, number):
                    return False
    for shared in (m, n):
        for e in known.at[known.at_first[shared] : known.at_first[shared + 1]]:
            if not bond_holds(rules, run, proof, e, m, n, rival, passed, number):
                return False
    return True


@kernel
def bond_holds(
    rules: Rules, run: Run, proof: Proof, bond: int, m: int, n: int, rival: float,
    passed: IntArray, number: int,
) -> bool:
    """Whether a bond, or else its cluster, is certified against the rival pair.

    ``passed`` has the number of the last rival pair against which each cluster is certified.
    """
    a, b = run.crowd.ends[bond, 0], run.crowd.ends[bond, 1]
    k = run.labels[a]
    if passed[k] == number or refutes(rules, run, proof, a, b, m, n, rival):
        return True
    if connected(rules, run, proof, k, m, n):
        passed[k] = number
        return True
    witness = run.crowd.witness
    witness[0], witness[1], witness[2] = a, m, n
    return False


@kernel
def refutes(
    rules: Rules, run: Run, proof: Proof, a: int, b: int, m: int, n: int, rival: float
) -> bool:
    """Whether the claim (a, b; m, n) is refuted."""
    bond = distance(run.places, a, b)
    if rival <= bond:
        return False
    if claim_score(run.places, proof.sure, a, b, m, n, bond, rival) >= proof.surely:
        return True
    if claim_score(run.places, proof.most, a, b, m, n, bond, rival) < proof.need:
        return False
    return claim_evidence(rules, run, a, b, m, n) >= proof.need


@kernel
def connected(rules: Rules, run: Run, proof: Proof, k: int, m: int, n: int) -> bool:
    """Whether bonds certified against the rival pair (m, n) connect cluster k."""
    members = run.arms[run.start[k] : run.start[k + 1]].copy()
    rival = distance(run.places, m, n)
    reached = 1  # the arms that are connected come first
    at = 0
    while at < reached:
        a = members[at]
        at += 1
        for i in range(reached, members.shape[0]):
            b = members[i]
            if refutes(rules, run, proof, a, b, m, n, rival):
                members[i] = members[reached]
                members[reached] = b
                reached += 1
    return reached == members.shape[0]


@kernel
def claim_evidence(rules: Rules, run: Run, a: int, b: int, m: int, n: int) -> float:
    """The evidence against one claim, from its four arms alone."""
    arms = np.array([a, b, m, n])
    counts = np.empty(4)
    gaps = np.zeros((4, 4))
    for i in range(4):
        counts[i] = run.counts[arms[i]]
        for j in range(i):
            gaps[i, j] = distance(run.places, arms[i], arms[j])
            gaps[j, i] = gaps[i, j]
    p = 0 if m == a else 1 if m == b else 2
    q = 0 if n == a else 1 if n == b else 3
    dim = run.means.shape[1]
    if rules.evidence == LOCAL_SEMI:
        return semi_evidence(counts, gaps, dim, 0, 1, p, q)
    if rules.evidence == LOCAL:
        return local_evidence(counts, gaps, dim, rules.parameter, False, 0, 1, p, q)
    prior = rules.parameter if rules.lift == MIXTURE_LIFT else 0.0
    return global_cost(counts, gaps, prior, 0, 1, p, q)
