"""The certificate among many arms holds exactly where the plain one does."""

from functools import cache

import numpy as np
import pytest
from boclust._jit import pointer
from boclust.stopping.weakest_link import weakest_link

import boclust.run.engine
from boclust import Algorithm
from boclust.many_arms.certificate import (
    all_refuted,
    claim_evidence,
    connected,
    proof_of,
    standing_of_crowd,
)
from boclust.many_arms.challenger import look_at_crowd
from boclust.many_arms.survey import link
from boclust.run.state import FRESH, WAIT
from boclust.stopping.glr import lift
from crowds import SHAPES, crowd_run, crowds, numbers, places, random_trees, with_matrix
from instances import JIT_OFF, thorough
from oracles import crowd as oracle

RULES = [
    (Algorithm("challenger", "local-semi"), (1, 2, 3, 10), 0.0),
    (Algorithm("challenger", "local"), (1, 2, 3, 10), 10.0),
    (Algorithm("challenger", "local", precision=2.0), (2,), 2.0),
    (Algorithm("challenger", "paper"), (2, 10), 0.0),
    (Algorithm("challenger", "mixture"), (2, 3), 1.0),
    (Algorithm("challenger", "mixture", precision=30.0), (2, 10), 30.0),
    (Algorithm("rr", "heuristic"), (3,), 0.0),
    (Algorithm("rr", "constant"), (2,), 0.0),
]


@pytest.fixture(autouse=True)
def every_run_is_a_crowd(monkeypatch):
    monkeypatch.setattr(boclust.run.engine, "FEW", 0)


def name(value):
    return repr(value) if isinstance(value, Algorithm) else ""


def claim_of(rules, run):
    return pointer(None, 0.0, rules, run, 0, 0, 0, 0)


@cache
def promising(algorithm, c, dims):
    """(means, counts, K, weakest link), the last one positive where there is anything to show.

    Counts are raised until it is; it stays at zero or below for ties.
    """
    found = []
    for means, counts, k in crowds(np.random.default_rng(20261116), 16, dims, 44):
        for raised in (1.0, 1e3, 1e9):
            _, run = crowd_run(algorithm, means, counts * raised, k)
            against = oracle.evidence(algorithm.stopping, c, run.means, run.counts)
            value = oracle.weakest_link(against, run.labels)
            if value > 1.0:
                break
        found.append((means, counts * raised, k, value))
    return found


def promising_runs(algorithm, c, dims):
    """(rules, run, evidence, weakest link)."""
    for means, counts, k, value in promising(algorithm, c, dims):
        rules, run = crowd_run(algorithm, means, counts, k)
        yield rules, run, oracle.evidence(algorithm.stopping, c, run.means, run.counts), value


@pytest.mark.parametrize(("algorithm", "dims", "c"), RULES, ids=name)
def test_all_claims_are_refuted_where_the_weakest_link_is(algorithm, dims, c, rng, monkeypatch):
    """``need`` a millionth below and above the weakest link, and far away; any spanning trees."""
    answers = []
    for rules, run, against, value in promising_runs(algorithm, c, dims):
        plain_rules, plain = with_matrix(monkeypatch, algorithm, run)
        known = weakest_link(plain_rules, plain, claim_of(plain_rules, plain), -np.inf)
        assert known == pytest.approx(value, rel=1e-7, abs=1e-7)
        trees = [run.crowd.ends.copy(), random_trees(rng, run)]
        needs = [1e-3, 1.0, 20.0]
        if value > 0:
            needs += [value * (1 - 1e-6), value * (1 + 1e-6), 0.5 * value, 2.0 * value]
        for need in needs:
            for tree in trees:
                run.crowd.ends[:] = tree
                holds = all_refuted(rules, run, proof_of(rules, run, need))
                assert holds == (value >= need), (value, need)
                answers.append(holds)
                if not holds:
                    check_witness(run, against, need)
    assert 0.2 < np.mean(answers) < 0.8 or JIT_OFF


def check_witness(run, against, need):
    """The bonds that are certified against the witness do not connect its cluster."""
    a, m, n = run.crowd.witness
    assert run.labels[m] != run.labels[n]
    assert not certified_bonds_connect(against, run.labels == run.labels[a], m, n, need)


def certified_bonds_connect(against, members, m, n, need):
    """Whether bonds with enough evidence against the rival pair connect the members."""
    arms = np.flatnonzero(members)
    certified = against(arms[:, None], arms[None], m, n) >= need
    reached = np.arange(len(arms)) == 0
    for _ in arms:
        reached |= certified[reached].any(axis=0)
    return bool(reached.all())


@pytest.mark.parametrize(("algorithm", "dims", "c"), RULES, ids=name)
def test_connected_by_certified_bonds(algorithm, dims, c, rng):
    """Cluster by cluster, against rival pairs one by one."""
    answers = []
    for rules, run, against, _ in promising_runs(algorithm, c, dims):
        m, n = oracle.rival_pairs(run.labels)
        for i in rng.integers(0, len(m), 4):
            for k in range(min(4, len(run.start) - 1)):
                arms = np.flatnonzero(run.labels == k)
                values = against(arms[:, None], arms[None], m[i], n[i])
                need = abs(float(rng.choice(values.ravel())))
                need = 1.01 * need if np.isfinite(need) and need > 0 else 1.0
                truth = certified_bonds_connect(against, run.labels == k, m[i], n[i], need)
                proof = proof_of(rules, run, need)
                assert connected(rules, run, proof, k, m[i], n[i]) == truth
                answers.append(truth and len(arms) > 1)
    assert any(answers)


@pytest.mark.parametrize(("algorithm", "dims", "c"), RULES, ids=name)
def test_the_evidence_against_single_claims(algorithm, dims, c, rng):
    for means, counts, k in crowds(rng, 24, dims, 30):
        rules, run = crowd_run(algorithm, means, counts, k)
        against = oracle.evidence(algorithm.stopping, c, run.means, run.counts)
        m, n = oracle.rival_pairs(run.labels)
        a, b = run.crowd.ends.T
        which, pair = rng.integers(0, len(a), 20), rng.integers(0, len(m), 20)
        found = against(a[which], b[which], m[pair], n[pair])
        for e, p, value in zip(which, pair, found, strict=True):
            got = claim_evidence(rules, run, a[e], b[e], m[p], n[p])
            assert got == pytest.approx(value, rel=1e-7, abs=1e-7)


@pytest.mark.parametrize(("algorithm", "dims", "c"), RULES, ids=name)
def test_standing(algorithm, dims, c):
    """After a look, with the lift of a global rule; no answer between looks."""
    for rules, run, against, value in promising_runs(algorithm, c, dims):
        claim = claim_of(rules, run)
        before = run.labels.copy()
        look_at_crowd(rules, run)
        assert (run.labels == before).all()
        raised = lift(rules, run)
        needs = [raised + 1.0, raised + 30.0]
        if value > 1.0:
            needs += [value * (1 - 1e-6), value * (1 + 1e-6)]
        for need in needs:
            enough = need - raised
            shown = standing_of_crowd(rules, run, claim, enough)
            assert shown == (enough if value >= need else -np.inf)
        quad = [np.array([x]) for x in run.quad]
        weakest = standing_of_crowd(rules, run, claim, -np.inf)
        assert weakest == pytest.approx(against(*quad)[0] - raised, rel=1e-7, abs=1e-6)
        run.crowd.clock[FRESH] = 0
        assert standing_of_crowd(rules, run, claim, 1e-9) == -np.inf


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("shape", "dim"),
    [
        (shape, dim) if i % 3 == j else thorough(shape, dim)
        for i, shape in enumerate(SHAPES)
        for j, dim in enumerate((2, 1, 10))
    ],
)
def test_several_blocks_and_full_bins(shape, dim, rng):
    """Seventy arms: near the threshold, after looks whose trees may have been swapped."""
    algorithm = RULES[0][0]
    means, k = places(rng, shape, 70, dim)
    for raised in (1.0, 1e8):
        rules, run = crowd_run(algorithm, means, raised * np.minimum(numbers(rng, 70), 300), k)
        for _ in range(3):
            run.crowd.clock[WAIT] = 0
            look_at_crowd(rules, run)
        against = oracle.evidence("local-semi", 0.0, run.means, run.counts)
        value = oracle.weakest_link(against, run.labels)
        if value > 1.0:
            break
    for need in (value * (1 - 1e-6), value * (1 + 1e-6)) if value > 0 else (1e-6, 5.0):
        assert all_refuted(rules, run, proof_of(rules, run, need)) == (value >= need)


def test_nothing_is_shown_where_clusters_are_tied():
    """d_intra = d_inter, or all arms in one place."""
    for rule, _, _ in RULES:
        for means in (np.zeros((8, 2)), np.arange(16.0).reshape(8, 2)):
            rules, run = crowd_run(rule, means, np.full(8, 1e6), 3)
            link(run)
            assert not all_refuted(rules, run, proof_of(rules, run, 1e-9))
            look_at_crowd(rules, run)
            shown = standing_of_crowd(rules, run, claim_of(rules, run), 1e-9)
            assert shown == -np.inf
