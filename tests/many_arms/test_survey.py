"""Clusters and their trees among many arms, found without a matrix."""

import numpy as np

from boclust.many_arms.survey import link, sort_bonds
from boclust.problem.linkage import single_linkage
from boclust.stopping.certificate import LocalSemi
from oracles import many_arms as oracle
from support.many_arms import check_clusters, many_arms, problems, random_trees

RULE = LocalSemi()


def test_clusters_and_trees(rng):
    for means, counts, k in problems(rng, 120):
        many = many_arms(RULE, means, counts, k)
        run, trees = many.run, many.trees
        check_clusters(many)
        lengths = oracle.lengths(run.positions, *trees.ends.T)
        assert lengths.max() <= max(single_linkage(run.positions, k).d_intra * (1 + 1e-12), 0)


def test_bonds_are_sorted_by_length_with_their_rivals(rng):
    for means, counts, k in problems(rng, 30):
        many = many_arms(RULE, means, counts, k)
        run, trees = many.run, many.trees
        trees.ends[:] = random_trees(rng, run)
        trees.rivals[:] = rng.integers(0, len(means), trees.rivals.shape)
        before = sorted(np.hstack([trees.ends, trees.rivals]).tolist())
        sort_bonds(run, trees)
        assert before == sorted(np.hstack([trees.ends, trees.rivals]).tolist())
        assert (np.diff(oracle.lengths(run.positions, *trees.ends.T)) >= 0).all()


def test_fewer_places_than_clusters():
    """Coincident arms are clusters of their own where there must be so many."""
    for k in range(2, 11):
        means = np.repeat([[0.0, 1.0], [2.0, 2.0]], 6, axis=0)
        many = many_arms(RULE, means, np.full(12, 3.0), k)
        run, trees = many.run, many.trees
        link(run, trees)
        check_clusters(many)
