"""The challenger among many arms: the hardest rival pairs against all of them, and the plan."""

import numpy as np

from boclust.many_arms.challenger import find_rivals, is_mixed, weakest_bonds
from boclust.many_arms.survey import FRESH, PACE, PLANNED, WAIT, scoring
from boclust.stopping.certificate import LocalSemi
from oracles import many_arms as oracle
from support.instances import JIT_OFF, few
from support.many_arms import check_clusters, many_arms, problems, random_trees

RULE = LocalSemi()


def check_rivals(many, wanted):
    """The ``wanted`` weakest bonds have their hardest rival pairs, no other bond is weaker."""
    run, trees = many.run, many.trees
    ends, rivals, scores = trees.ends, trees.rivals, trees.scores
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


def find_all(many, wanted):
    """The hardest rival pairs of the ``wanted`` weakest bonds."""
    run, trees = many.run, many.trees
    prices = scoring(run, trees)
    known, _ = weakest_bonds(run, trees, prices, wanted)
    find_rivals(run, trees, prices, known)


def test_the_hardest_rivals_of_all_bonds(rng):
    """Of the trees of single linkage, and of any other ones, which ``plan`` may make."""
    for means, counts, k in problems(rng, 160):
        many = many_arms(RULE, means, counts, k)
        run, trees = many.run, many.trees
        if rng.random() < 0.5:
            trees.ends[:] = random_trees(rng, run)
        wanted = int(rng.choice([1, 3, 8, len(means)]))
        find_all(many, wanted)
        check_rivals(many, wanted)


def test_clusters_are_mixed_where_a_rival_pair_is_no_longer_than_a_bond(rng):
    answers = []
    for means, counts, k in problems(rng, 160):
        many = many_arms(RULE, means, counts, k)
        run, trees = many.run, many.trees
        if rng.random() < 0.5:
            trees.ends[:] = random_trees(rng, run)
        m, n = oracle.rival_pairs(run.labels)
        longest = oracle.lengths(run.positions, *trees.ends.T).max()
        shortest = oracle.lengths(run.positions, m, n).min()
        if abs(longest - shortest) > 1e-12 * shortest:
            answers.append(longest > shortest)
            assert is_mixed(run, trees, scoring(run, trees)) == answers[-1]
    assert {*answers} == {True, False} or JIT_OFF


def test_equal_lengths_are_mixed():
    means = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.5, 0.0]])
    many = many_arms(RULE, means, np.full(4, 3.0), 2)
    run, trees = many.run, many.trees
    assert is_mixed(run, trees, scoring(run, trees))


def test_look_after_look(rng):
    """Estimates that move: rivals of the last look, swapped bonds and new clusters in between."""
    relinked = swapped = 0
    for means, counts, k in problems(rng, 24, most=70):
        many = many_arms(RULE, means, np.minimum(counts, 1e4), k)
        run, trees = many.run, many.trees
        pace = int(rng.integers(1, 12))
        trees.clock[PACE] = pace
        for _ in few(30):
            trees.clock[WAIT] = 0
            before, labels = trees.ends.tolist(), run.labels.copy()
            many.update()
            check_clusters(many)
            assert trees.clock[FRESH] == 1
            if (labels == run.labels).all():
                swapped += {*map(tuple, before)} != {*map(tuple, trees.ends.tolist())}
            else:
                relinked += 1
            assert 1 <= trees.clock[WAIT] <= pace
            for _ in range(pace):
                arm = many.select()
                run.counts[arm] += 1.0
                run.asked[arm] += 1.0
                step = rng.standard_normal(means.shape[1])
                run.sums[arm] += means[arm] + rng.choice([0.3, 3.0]) * step
                many.refresh(arm)
    assert (relinked > 0 and swapped > 0) or JIT_OFF


def test_what_find_rivals_knows_from_before_does_not_matter(rng):
    """Any rival pairs may stand there from the last look."""
    for means, counts, k in problems(rng, 60):
        many = many_arms(RULE, means, counts, k)
        run, trees = many.run, many.trees
        m, n = oracle.rival_pairs(run.labels)
        for _ in range(2):
            some = rng.integers(0, len(m), len(trees.scores))
            trees.rivals[:, 0], trees.rivals[:, 1] = m[some], n[some]
            wanted = int(rng.integers(1, len(trees.scores) + 1))
            find_all(many, wanted)
            check_rivals(many, wanted)


def test_a_plan_is_as_long_as_wanted_and_begins_with_the_weakest(rng):
    for means, counts, k in problems(rng, 60):
        many = many_arms(RULE, means, counts, k)
        run, trees = many.run, many.trees
        trees.clock[PACE] = int(rng.integers(1, 2 * len(means)))
        before = run.counts.copy()
        many.update()
        planned = trees.clock[PLANNED]
        assert planned == min(trees.clock[PACE], len(trees.scores))
        assert (run.counts == before).all()
        taken = run.asked
        taken[:] = run.counts
        for arm, turn in zip(trees.plan[:planned], trees.turns[:planned], strict=True):
            assert many.select() == arm
            taken[arm] += 1.0
            assert turn == taken[arm]
        assert many.select() == taken.argmin()
        a, b, m, n = trees.quad
        assert run.labels[a] == run.labels[b]
        assert run.labels[m] != run.labels[n]
        assert run.suspect[1:].tolist() == [m, n]
