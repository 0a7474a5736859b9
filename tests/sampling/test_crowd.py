"""The challenger among many arms: trees, and the hardest rival pairs, against all of them."""

import numpy as np
import pytest

import boclust.run.engine
from boclust import Algorithm
from boclust.many_arms.challenger import (
    find_rivals,
    is_mixed,
    look_at_crowd,
    planned_arm,
    weakest_bonds,
)
from boclust.many_arms.survey import link, scoring, sort_bonds
from boclust.problem.linkage import single_linkage
from boclust.run.state import FRESH, PACE, PLANNED, WAIT
from boclust.run.step import settle
from crowds import crowd_run, crowds, random_trees
from instances import JIT_OFF, few
from oracles import crowd as oracle

SPAN = Algorithm("challenger", "local-semi")


@pytest.fixture(autouse=True)
def every_run_is_a_crowd(monkeypatch):
    monkeypatch.setattr(boclust.run.engine, "FEW", 0)


def check_clusters(run):
    """Single linkage, counted up, with trees that span the clusters."""
    means, k = run.places, len(run.start) - 1
    tree = single_linkage(means, k)
    assert oracle.linkage_is_valid(means, run.labels, k)
    if tree.d_intra < tree.d_inter * (1 - 1e-12):
        assert run.labels.tolist() == tree.labels.tolist()
    _, first = np.unique(run.labels, return_index=True)
    assert (np.diff(first) > 0).all()
    assert run.labels[run.arms].tolist() == np.sort(run.labels).tolist()
    assert sorted(run.arms.tolist()) == list(range(len(means)))
    assert np.diff(run.start).tolist() == np.bincount(run.labels).tolist()
    assert oracle.spans(run.crowd.ends, run.labels)


def check_rivals(run, wanted):
    """The ``wanted`` weakest bonds have their hardest rival pairs, no other bond is weaker."""
    ends, rivals, scores = run.crowd.ends, run.crowd.rivals, run.crowd.scores
    against = oracle.score(run.means, run.counts)
    truth = oracle.hardest(against, run.labels, ends)
    tolerance = 1e-9 * (1 + np.abs(truth))
    cap = np.sort(truth)[min(wanted, len(truth)) - 1]
    weak = truth <= cap
    assert weak.sum() >= min(wanted, len(truth))
    assert (run.labels[rivals[:, 0]] != run.labels[rivals[:, 1]]).all()
    known = against(*ends.T, *rivals.T)
    np.testing.assert_array_less(np.abs(scores - truth)[weak], tolerance[weak])
    np.testing.assert_array_less(np.abs(known - truth)[weak], tolerance[weak])
    assert (scores[~weak] > cap - 1e-8 * (1 + abs(cap))).all()


def find_all(run, wanted):
    """The hardest rival pairs of the ``wanted`` weakest bonds."""
    prices = scoring(run)
    known, _ = weakest_bonds(run, prices, wanted)
    find_rivals(run, prices, known)


def test_clusters_and_trees(rng):
    for means, counts, k in crowds(rng, 120):
        _, run = crowd_run(SPAN, means, counts, k)
        check_clusters(run)
        lengths = oracle.lengths(run.places, *run.crowd.ends.T)
        assert lengths.max() <= max(single_linkage(run.places, k).d_intra * (1 + 1e-12), 0)


def test_bonds_are_sorted_by_length_with_their_rivals(rng):
    for means, counts, k in crowds(rng, 30):
        _, run = crowd_run(SPAN, means, counts, k)
        run.crowd.ends[:] = random_trees(rng, run)
        run.crowd.rivals[:] = rng.integers(0, len(means), run.crowd.rivals.shape)
        before = sorted(np.hstack([run.crowd.ends, run.crowd.rivals]).tolist())
        sort_bonds(run)
        assert before == sorted(np.hstack([run.crowd.ends, run.crowd.rivals]).tolist())
        assert (np.diff(oracle.lengths(run.places, *run.crowd.ends.T)) >= 0).all()


def test_the_hardest_rivals_of_all_bonds(rng):
    """Of the trees of single linkage, and of any other ones, which ``plan`` may make."""
    for means, counts, k in crowds(rng, 160):
        _, run = crowd_run(SPAN, means, counts, k)
        if rng.random() < 0.5:
            run.crowd.ends[:] = random_trees(rng, run)
        wanted = int(rng.choice([1, 3, 8, len(means)]))
        find_all(run, wanted)
        check_rivals(run, wanted)


def test_clusters_are_mixed_where_a_rival_pair_is_no_longer_than_a_bond(rng):
    answers = []
    for means, counts, k in crowds(rng, 160):
        _, run = crowd_run(SPAN, means, counts, k)
        if rng.random() < 0.5:
            run.crowd.ends[:] = random_trees(rng, run)
        m, n = oracle.rival_pairs(run.labels)
        longest = oracle.lengths(run.places, *run.crowd.ends.T).max()
        shortest = oracle.lengths(run.places, m, n).min()
        if abs(longest - shortest) > 1e-12 * shortest:
            answers.append(longest > shortest)
            assert is_mixed(run, scoring(run)) == answers[-1]
    assert {*answers} == {True, False} or JIT_OFF


def test_equal_lengths_are_mixed():
    means = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.5, 0.0]])
    _, run = crowd_run(SPAN, means, np.full(4, 3.0), 2)
    assert is_mixed(run, scoring(run))


def test_look_after_look(rng):
    """Estimates that move: rivals of the last look, swapped bonds and new clusters in between."""
    relinked = swapped = 0
    for means, counts, k in crowds(rng, 24, most=70):
        rules, run = crowd_run(SPAN, means, np.minimum(counts, 1e4), k)
        pace = int(rng.integers(1, 12))
        run.crowd.clock[PACE] = pace
        for _ in few(30):
            run.crowd.clock[WAIT] = 0
            before, labels = run.crowd.ends.tolist(), run.labels.copy()
            look_at_crowd(rules, run)
            check_clusters(run)
            assert run.crowd.clock[FRESH] == 1
            if (labels == run.labels).all():
                swapped += {*map(tuple, before)} != {*map(tuple, run.crowd.ends.tolist())}
            else:
                relinked += 1
            assert 1 <= run.crowd.clock[WAIT] <= pace
            for _ in range(pace):
                arm = planned_arm(rules, run)
                run.counts[arm] += 1.0
                run.pulls[arm] += 1.0
                step = rng.standard_normal(means.shape[1])
                run.sums[arm] += means[arm] + rng.choice([0.3, 3.0]) * step
                settle(rules, run, arm)
    assert (relinked > 0 and swapped > 0) or JIT_OFF


def test_what_find_rivals_knows_from_before_does_not_matter(rng):
    """Any rival pairs may stand there from the last look."""
    for means, counts, k in crowds(rng, 60):
        _, run = crowd_run(SPAN, means, counts, k)
        m, n = oracle.rival_pairs(run.labels)
        for _ in range(2):
            some = rng.integers(0, len(m), len(run.crowd.scores))
            run.crowd.rivals[:, 0], run.crowd.rivals[:, 1] = m[some], n[some]
            wanted = int(rng.integers(1, len(run.crowd.scores) + 1))
            find_all(run, wanted)
            check_rivals(run, wanted)


def test_a_plan_is_as_long_as_wanted_and_begins_with_the_weakest(rng):
    for means, counts, k in crowds(rng, 60):
        rules, run = crowd_run(SPAN, means, counts, k)
        crowd = run.crowd
        crowd.clock[PACE] = int(rng.integers(1, 2 * len(means)))
        before = run.counts.copy()
        look_at_crowd(rules, run)
        planned = crowd.clock[PLANNED]
        assert planned == min(crowd.clock[PACE], len(crowd.scores))
        assert (run.counts == before).all()
        taken = run.pulls
        taken[:] = run.counts
        for arm, turn in zip(crowd.plan[:planned], crowd.turns[:planned], strict=True):
            assert planned_arm(rules, run) == arm
            taken[arm] += 1.0
            assert turn == taken[arm]
        assert planned_arm(rules, run) == taken.argmin()
        a, b, m, n = run.quad
        assert run.labels[a] == run.labels[b]
        assert run.labels[m] != run.labels[n]
        assert run.suspect[1:].tolist() == [m, n]


def test_fewer_places_than_clusters():
    """Coincident arms are clusters of their own where there must be so many."""
    for k in range(2, 11):
        means = np.repeat([[0.0, 1.0], [2.0, 2.0]], 6, axis=0)
        _, run = crowd_run(SPAN, means, np.full(12, 3.0), k)
        link(run)
        check_clusters(run)
