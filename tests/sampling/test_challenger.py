"""The challenger against slow versions written from the text."""

from itertools import combinations

import numpy as np
import pytest

import boclust
from boclust.psi.bond import bond_value
from boclust.sampling.challenger import (
    PRECISION,
    clearly_stronger,
    least_asked,
    optimistic_bond,
    weakest_quadruple,
)
from support.rules import ready
from support.runs import bottleneck, states


def test_the_weakest_quadruple_by_kruskal(rng):
    for means, counts, labels, _, _, _ in states(rng, 100):
        m, d = means.shape
        c = PRECISION
        shrunk, logs = counts**2 / (counts + c), np.log1p(counts / c)

        def score(a, b, p, q, means=means, shrunk=shrunk, logs=logs, d=d):
            only = [x for x in (a, b) if x not in (p, q)]
            cost = 0.5 * logs[only].sum() + d / 2 * logs[[p, q]].sum()
            return bond_value(means, shrunk, a, b, p, q) - cost

        best = np.inf
        for p, q in combinations(range(m), 2):
            if labels[p] == labels[q]:
                continue
            for k in range(labels.max() + 1):
                members = np.flatnonzero(labels == k).tolist()
                if len(members) > 1:
                    found = bottleneck(members, lambda a, b, p=p, q=q: score(a, b, p, q))
                    best = min(best, found)
        sums = means * counts[:, None]
        driven = ready("challenger", boclust.Gaussian(), labels.max() + 1, counts, sums)
        driven.update()
        run, own = driven.run, driven.own
        assert run.labels.tolist() == labels.tolist()
        assert weakest_quadruple(run, own) == pytest.approx(best, rel=1e-9, abs=1e-9)
        assert run.suspect.tolist() == own.quad[[0, 2, 3]].tolist()
        assert score(*(int(x) for x in own.quad)) == pytest.approx(best, rel=1e-9, abs=1e-9)


def test_what_is_clearly_stronger_has_a_stronger_bottleneck(rng):
    """Whatever the floor; with enough samples most clusters are found to be."""
    found = []
    for means, counts, labels, arms, start, gaps in states(rng, 100):
        m, d = means.shape
        c = PRECISION
        shrunk, logs = counts**2 / (counts + c), np.log1p(counts / c)
        for p, q in combinations(range(m), 2):
            for k in np.flatnonzero(np.diff(start) > 1) if labels[p] != labels[q] else ():

                def score(a, b, p=p, q=q, means=means, shrunk=shrunk, logs=logs, d=d):
                    only = [x for x in (a, b) if x not in (p, q)]
                    cost = 0.5 * logs[only].sum() + d / 2 * logs[[p, q]].sum()
                    return bond_value(means, shrunk, a, b, p, q) - cost

                members = arms[start[k] : start[k + 1]].tolist()
                truth = bottleneck(members, score)
                for floor in (truth - 5.0, truth - 0.1, truth + 1e-9, truth + 1.0):
                    stronger = clearly_stronger(
                        gaps, 1 / shrunk, logs, d / 2, arms, start[k], start[k + 1], p, q, floor
                    )
                    assert not stronger or floor < truth
                    found.append(stronger)
    assert 0.05 < np.mean(found) < 0.5


def test_the_bond_that_may_be_the_shortest_across_the_cut(rng):
    """By its length less two standard errors, in the part of the tree below the weakest bond."""
    for _, counts, _, arms, start, gaps in states(rng, 100):
        for k in np.flatnonzero(np.diff(start) > 1):
            members = arms[start[k] : start[k + 1]].tolist()
            tree = [0, *(int(rng.integers(i)) for i in range(1, len(members)))]
            e = int(rng.integers(1, len(members)))
            below = {e}
            below |= {i for i in range(e + 1, len(tree)) if hangs_below(tree, i, e)}
            quad = np.array([members[e], members[tree[e]], 0, 0])
            side = np.zeros(len(counts), dtype=np.bool_)
            optimistic_bond(
                1 / counts, gaps, arms, start[k], start[k + 1], np.array(tree), side, quad
            )
            lengths = {
                (members[i], members[j]): gaps[members[i], members[j]]
                - 2 * np.sqrt(1 / counts[members[i]] + 1 / counts[members[j]])
                for i in below
                for j in range(len(members))
                if j not in below
            }
            assert lengths[tuple(quad[:2].tolist())] == pytest.approx(min(lengths.values()))


def hangs_below(tree, i, e):
    while i not in (0, e):
        i = tree[i]
    return i == e


def test_a_shared_arm_counts_half():
    asked = np.array([10.0, 15.0, 9.0, 50.0])
    assert least_asked(asked, np.array([0, 1, 1, 3])) == 1
    assert least_asked(asked, np.array([0, 1, 2, 3])) == 2
