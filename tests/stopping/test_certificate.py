"""The certificate: its union bound, and its weakest link against Kruskal's trees."""

from dataclasses import dataclass
from itertools import combinations, product
from typing import ClassVar

import numpy as np
import pytest

import boclust
from boclust.evidence.cost import Cost
from boclust.problem.families import Bounded, Gaussian
from boclust.run.state import Problem
from boclust.stopping import STOPPING
from boclust.stopping.certificate import (
    Certificate,
    Local,
    LocalBounded,
    LocalDirectional,
    LocalSemi,
    link,
)
from support.instances import few
from support.runs import bottleneck, ready, states


@dataclass(frozen=True)
class Plain(Certificate):
    """The cost itself, as the global rules compare it in space."""

    name: ClassVar[str] = "plain"
    precision: float = 0.0

    def new(self, problem, sampling_state):
        return Cost(precision=self.precision)


RULES = {
    "local": Local(),
    "local-semi": LocalSemi(),
    "local-directional": LocalDirectional(),
    "cost at the counts": Plain(),
    "cost at shrunk counts": Plain(1.0),
}


def a_problem(n_arms=7, dim=2, n_clusters=3, family=None, delta=0.01):
    return Problem(n_arms, dim, n_clusters, family or Gaussian(), delta)


def test_the_number_of_claims():
    assert LocalSemi().claims(7, 3) == 4 * 16
    assert Local().claims(7, 3) == 64
    assert Local().claims(6, 2) == 35  # C(7, 4) sets of arms, fewer than 4 * 9 claims
    assert LocalDirectional().claims(6, 2) == 36
    assert LocalSemi().claims(5, 5) == LocalSemi().claims(5, 1) == 0
    assert LocalSemi().threshold(a_problem(5, 2, 5, delta=0.1)) == -np.inf
    assert LocalSemi().threshold(a_problem(5, 2, 1, delta=0.1)) == -np.inf
    assert LocalSemi().threshold(a_problem()) == pytest.approx(np.log(6400))


def test_what_the_rules_need():
    plane, line = a_problem(), a_problem(dim=1)
    counts = a_problem(dim=1, family=boclust.Poisson())
    assert Local().refusal(plane) == Local().refusal(counts) == LocalSemi().refusal(plane) == ""
    assert "Gaussian" in LocalSemi().refusal(counts)
    assert LocalDirectional().refusal(line) == ""
    assert "d = 1" in LocalDirectional().refusal(plane)
    assert "Gaussian" in LocalDirectional().refusal(counts)
    assert Local().for_many_arms(line)
    assert LocalSemi().for_many_arms(plane)
    assert not Local().for_many_arms(counts)
    assert not LocalDirectional().for_many_arms(line)
    with pytest.raises(ValueError, match="precision"):
        Local(precision=0.0)


def test_the_rule_for_bounded_samples():
    rule = STOPPING["local-bounded"]()
    assert isinstance(rule, LocalBounded)
    assert rule.claims(6, 3) == 36
    line, plane = (a_problem(6, d, 3, Bounded(low=-1, high=3), 0.05) for d in (1, 2))
    assert rule.refusal(line) == rule.refusal(plane) == ""
    assert "Bounded" in rule.refusal(a_problem())
    said = rule.guarantee(line)
    assert "at most 0.05" in said
    assert "[-1, 3]" in said
    assert "independent" not in said
    assert "independent" in rule.guarantee(plane)
    assert "sigma" not in said


@pytest.mark.parametrize("name", RULES)
def test_the_weakest_link_by_kruskal(name, rng):
    """Over all clusters and rival pairs; leaving early never reports a link that is strong."""
    rule = RULES[name]
    for means, counts, labels, _, _, _ in states(rng, 40):
        m, d = means.shape
        k = labels.max() + 1
        if rule.refusal(a_problem(m, d, k)):
            continue
        judged = ready(rule, Gaussian(), k, counts, means * counts[:, None])
        best = np.inf
        for p, q in combinations(range(m), 2):
            if labels[p] == labels[q]:
                continue

            def evidence(a, b, p=p, q=q, judged=judged):
                return judged.against((a, b, p, q))

            for c in range(k):
                members = np.flatnonzero(labels == c).tolist()
                if len(members) > 1:
                    best = min(best, bottleneck(members, evidence))
        for suspect in ((0, 0, 0), (0, 1, m - 1)):
            judged.run.suspect[:] = suspect
            got = judged.statistic()
            assert got == best or got == pytest.approx(best, rel=1e-12)
            assert judged.run.suspect.tolist() == list(suspect)
            if np.isfinite(best):
                assert judged.statistic(best + 1e-6) < best + 1e-6
                assert judged.statistic(best - 1e-6) == got


@pytest.mark.parametrize("name", ["cost at the counts", "cost at shrunk counts", "local-semi"])
def test_rival_pairs_out_of_reach_are_no_weaker_links(name, rng):
    """The bound is tight for three arms in a row, which have the same number of samples."""
    random = [(s[0], s[1], s[2].max() + 1) for s in states(rng, 40) if s[0].shape[1] > 1]
    row = np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]]), np.full(3, 7.0), 2
    for means, counts, k in (row, *random):
        judged = ready(RULES[name], Gaussian(), k, counts, means * counts[:, None])
        run = judged.run
        for c, (p, q) in product(range(k), combinations(range(len(counts)), 2)):
            first, last = run.start[c], run.start[c + 1]
            if last - first > 1 and run.labels[p] != run.labels[q]:
                weakest = link(run, judged.own, first, last, p, q, -np.inf)
                reach = judged.own.reach(run, first, last, max(weakest, 0.0))
                assert run.gaps[p, q] <= reach
                if means is row[0] and p == 1 and name != "local-semi":
                    assert reach == pytest.approx(run.gaps[p, q], rel=1e-11)
    assert name != "local-semi" or reach == np.inf


@pytest.mark.parametrize("name", ["local", "local-semi"])
@pytest.mark.parametrize("dim", [1, 2, 3])
def test_links(name, dim, rng):
    """The threshold minus infinity: the weakest of all; infinity: the suspect's, whatever it is."""
    for _ in few(40):
        m = int(rng.integers(3, 9))
        counts = rng.integers(1, 200, m).astype(float)
        sums = rng.standard_normal((m, dim)) * counts[:, None]
        judged = ready(RULES[name], Gaussian(), 2, counts, sums)
        run = judged.run
        rivals = [(i, j) for i, j in combinations(range(m), 2) if run.labels[i] != run.labels[j]]
        links = {
            (c, pair): bottleneck(
                np.flatnonzero(run.labels == c).tolist(),
                lambda a, b, pair=pair, judged=judged: judged.against((a, b, *pair)),
            )
            for c in range(2)
            for pair in rivals
        }
        for (c, pair), expected in links.items():
            if expected == np.inf:  # a cluster of one arm
                continue
            run.suspect[:] = (np.flatnonzero(run.labels == c)[0], *pair)
            before = {name: array.copy() for name, array in run.arrays().items()}
            assert judged.statistic(np.inf) == pytest.approx(expected, rel=1e-12)
            assert judged.statistic() == pytest.approx(min(links.values()), rel=1e-12)
            assert all((run.arrays()[name] == array).all() for name, array in before.items())
