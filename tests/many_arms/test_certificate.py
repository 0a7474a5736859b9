"""The certificate among many arms holds exactly where the plain one does."""

from functools import cache

import numpy as np
import pytest

from boclust.many_arms.certificate import all_refuted, claim_evidence, connected
from boclust.many_arms.survey import FRESH, WAIT, link
from boclust.stopping.base import Stopping
from boclust.stopping.certificate import Local, LocalSemi
from boclust.stopping.glr import Constant, Heuristic, Mixture, Paper
from oracles import many_arms as oracle
from support.instances import JIT_OFF, thorough
from support.many_arms import (
    SHAPES,
    many_arms,
    numbers,
    places,
    problems,
    random_trees,
    weakest_link_by_matrix,
)

RULES = [
    (LocalSemi(), (1, 2, 3, 10), 0.0),
    (Local(), (1, 2, 3, 10), 10.0),
    (Local(precision=2.0), (2,), 2.0),
    (Paper(), (2, 10), 0.0),
    (Mixture(), (2, 3), 1.0),
    (Mixture(precision=30.0), (2, 10), 30.0),
    (Heuristic(), (3,), 0.0),
    (Constant(), (2,), 0.0),
]


def name(value):
    return repr(value) if isinstance(value, Stopping) else ""


@cache
def promising(rule, c, dims):
    """(means, counts, K, weakest link), the last one positive where there is anything to show.

    Counts are raised until it is; it stays at zero or below for ties.
    """
    found = []
    for means, counts, k in problems(np.random.default_rng(20261116), 16, dims, 44):
        for raised in (1.0, 1e3, 1e9):
            many = many_arms(rule, means, counts * raised, k)
            against = oracle.evidence(rule.name, c, many.run.means, many.run.counts)
            value = oracle.weakest_link(against, many.run.labels)
            if value > 1.0:
                break
        found.append((means, counts * raised, k, value))
    return found


def promising_runs(rule, c, dims):
    """(run, evidence, weakest link)."""
    for means, counts, k, value in promising(rule, c, dims):
        many = many_arms(rule, means, counts, k)
        against = oracle.evidence(rule.name, c, many.run.means, many.run.counts)
        yield many, against, value


@pytest.mark.parametrize(("rule", "dims", "c"), RULES, ids=name)
def test_all_claims_are_refuted_where_the_weakest_link_is(rule, dims, c, rng):
    """``need`` a millionth below and above the weakest link, and far away; any spanning trees."""
    answers = []
    for many, against, value in promising_runs(rule, c, dims):
        run = many.run
        known = weakest_link_by_matrix(rule, many)
        assert known == pytest.approx(value, rel=1e-7, abs=1e-7)
        choices = [many.trees.ends.copy(), random_trees(rng, run)]
        needs = [1e-3, 1.0, 20.0]
        if value > 0:
            needs += [value * (1 - 1e-6), value * (1 + 1e-6), 0.5 * value, 2.0 * value]
        for need in needs:
            for tree in choices:
                many.trees.ends[:] = tree
                holds = all_refuted(run, many.own, many.proof(need))
                assert holds == (value >= need), (value, need)
                answers.append(holds)
                if not holds:
                    check_witness(many, against, need)
    assert 0.2 < np.mean(answers) < 0.8 or JIT_OFF


def check_witness(many, against, need):
    """The bonds that are certified against the witness do not connect its cluster."""
    run = many.run
    a, m, n = many.own.witness
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


@pytest.mark.parametrize(("rule", "dims", "c"), RULES, ids=name)
def test_connected_by_certified_bonds(rule, dims, c, rng):
    """Cluster by cluster, against rival pairs one by one."""
    answers = []
    for many, against, _ in promising_runs(rule, c, dims):
        run = many.run
        m, n = oracle.rival_pairs(run.labels)
        for i in rng.integers(0, len(m), 4):
            for k in range(min(4, len(run.start) - 1)):
                arms = np.flatnonzero(run.labels == k)
                values = against(arms[:, None], arms[None], m[i], n[i])
                need = abs(float(rng.choice(values.ravel())))
                need = 1.01 * need if np.isfinite(need) and need > 0 else 1.0
                truth = certified_bonds_connect(against, run.labels == k, m[i], n[i], need)
                proof = many.proof(need)
                assert connected(run, many.own, proof, k, m[i], n[i]) == truth
                answers.append(truth and len(arms) > 1)
    assert any(answers)


@pytest.mark.parametrize(("rule", "dims", "c"), RULES, ids=name)
def test_the_evidence_against_single_claims(rule, dims, c, rng):
    for means, counts, k in problems(rng, 24, dims, 30):
        many = many_arms(rule, means, counts, k)
        run, trees = many.run, many.trees
        against = oracle.evidence(rule.name, c, run.means, run.counts)
        m, n = oracle.rival_pairs(run.labels)
        a, b = trees.ends.T
        which, pair = rng.integers(0, len(a), 20), rng.integers(0, len(m), 20)
        found = against(a[which], b[which], m[pair], n[pair])
        for e, p, value in zip(which, pair, found, strict=True):
            got = claim_evidence(run, many.own, a[e], b[e], m[p], n[p])
            assert got == pytest.approx(value, rel=1e-7, abs=1e-7)


@pytest.mark.parametrize(("rule", "dims", "c"), RULES, ids=name)
def test_the_statistic(rule, dims, c):
    """After a look, with the growth of a global rule; no answer between looks."""
    for many, against, value in promising_runs(rule, c, dims):
        run, trees = many.run, many.trees
        before = run.labels.copy()
        many.update()
        assert (run.labels == before).all()
        raised = many.growth()
        needs = [raised + 1.0, raised + 30.0]
        if value > 1.0:
            needs += [value * (1 - 1e-6), value * (1 + 1e-6)]
        for need in needs:
            threshold = need - raised
            shown = many.statistic(threshold)
            assert shown == (threshold if value >= need else -np.inf)
        quad = [np.array([x]) for x in trees.quad]
        weakest = many.statistic(-np.inf)
        assert weakest == pytest.approx(against(*quad)[0] - raised, rel=1e-7, abs=1e-6)
        trees.clock[FRESH] = 0
        assert many.statistic(1e-9) == -np.inf


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
    rule = RULES[0][0]
    means, k = places(rng, shape, 70, dim)
    for raised in (1.0, 1e8):
        many = many_arms(rule, means, raised * np.minimum(numbers(rng, 70), 300), k)
        run, trees = many.run, many.trees
        for _ in range(3):
            trees.clock[WAIT] = 0
            many.update()
        against = oracle.evidence("local-semi", 0.0, run.means, run.counts)
        value = oracle.weakest_link(against, run.labels)
        if value > 1.0:
            break
    for need in (value * (1 - 1e-6), value * (1 + 1e-6)) if value > 0 else (1e-6, 5.0):
        assert all_refuted(run, many.own, many.proof(need)) == (value >= need)


def test_nothing_is_shown_where_clusters_are_tied():
    """d_intra = d_inter, or all arms in one place."""
    for rule, _, _ in RULES:
        for means in (np.zeros((8, 2)), np.arange(16.0).reshape(8, 2)):
            many = many_arms(rule, means, np.full(8, 1e6), 3)
            run, trees = many.run, many.trees
            link(run, trees)
            assert not all_refuted(run, many.own, many.proof(1e-9))
            many.update()
            shown = many.statistic(1e-9)
            assert shown == -np.inf
