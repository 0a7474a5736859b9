"""Prim's algorithm against its text, edge by edge, and the trees of points."""

from typing import NamedTuple

import numpy as np
import pytest
from scipy.sparse.csgraph import minimum_spanning_tree as scipy_tree

from boclust._validate import FloatArray
from boclust.kernels import kernel
from boclust.problem.trees import count_up, maximum_tree, minimum_spanning_tree
from support.instances import few


class Matrix(NamedTuple):
    weights: FloatArray

    def weight(self, i: int, j: int) -> float:
        return self.weights[i, j]


@kernel
def tree_of(weights, parent, best, order):
    return maximum_tree(Matrix(weights), weights.shape[0], parent, best, order)


def slow_tree(weights):
    """(parent, best, order): at each step the largest edge out of the tree, ties as documented.

    An edge of an earlier node of the tree goes before an equal one of a later node.
    """
    m = len(weights)
    parent, best, order = [0] * m, [np.inf] * m, [0]
    while len(order) < m:
        outside = [j for j in range(m) if j not in order]
        largest = {j: max(weights[i][j] for i in order) for j in outside}
        chosen = min(outside, key=lambda j: (-largest[j], j))
        best[chosen] = largest[chosen]
        parent[chosen] = next(i for i in order if weights[i][chosen] == best[chosen])
        order.append(chosen)
    return parent, best, order


def graphs(rng, count):
    for trial in few(count):
        m = int(rng.integers(1, 10))
        weights = rng.normal(size=(m, m))
        if trial % 3 == 1:
            weights = rng.integers(0, 3, (m, m)).astype(float)
        if trial % 3 == 2:
            weights[rng.random((m, m)) < 0.3] = rng.choice([-np.inf, np.inf])
        yield np.maximum(weights, weights.T)


def test_the_maximum_tree_with_its_ties(rng):
    for weights in graphs(rng, 300):
        m = len(weights)
        parent, order = np.full(m + 1, 77), np.full(m + 1, 77)
        best = np.full(m + 1, 77.0)
        smallest = tree_of(weights, parent, best, order)
        slow_parent, slow_best, slow_order = slow_tree(weights)
        assert parent.tolist() == [*slow_parent, 77]
        assert best.tolist() == [*slow_best, 77]
        assert order.tolist() == [*slow_order, 77]
        assert smallest == min(slow_order, key=lambda j: slow_best[j])


def test_the_tree_of_points_is_a_minimum_one(rng):
    for _ in few(100):
        m, d = int(rng.integers(2, 12)), int(rng.integers(1, 4))
        points = rng.standard_normal((m, d))
        gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
        first, second, lengths = minimum_spanning_tree(points)
        assert (first < second).all()
        np.testing.assert_allclose(lengths, gaps[first, second])
        assert lengths.sum() == pytest.approx(scipy_tree(gaps).sum())


def test_labels_count_up_in_order_of_first_appearance():
    labels = np.array([3, 0, 3, 2, 0])
    count_up(labels, np.empty(4, np.int64))
    assert labels.tolist() == [0, 1, 0, 2, 1]
