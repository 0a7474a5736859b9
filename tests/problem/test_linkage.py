"""Single linkage against scipy, its ties and its distances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.cluster.hierarchy import cut_tree, linkage

import boclust
from boclust.problem.linkage import canonical_labels, same_partition, single_linkage
from support.instances import few, thorough

POINTS = st.tuples(st.integers(2, 12), st.integers(1, 4)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(-3, 3).map(float))
)


@pytest.mark.parametrize("count", [12, thorough(40)])
@pytest.mark.parametrize("dim", [1, 2, 5, 20])
def test_agrees_with_scipy_on_random_points(dim, count, rng):
    for _ in few(count):
        m = int(rng.integers(2, 15))
        points = rng.standard_normal((m, dim))
        merges = linkage(points, "single")
        for k in range(1, m + 1):
            ours = single_linkage(points, k)
            assert same_partition(ours.labels, cut_tree(merges, n_clusters=k)[:, 0])
            np.testing.assert_allclose(ours.lengths, merges[:, 2], rtol=1e-12)


@given(POINTS)
def test_agrees_with_scipy_on_ties(points):
    """Heights are unique even among ties; the clusters are where the cut is not tied."""
    m = len(points)
    merges = linkage(points, "single")
    for k in range(1, m + 1):
        ours = single_linkage(points, k)
        np.testing.assert_allclose(ours.lengths, merges[:, 2], atol=1e-12)
        assert ours.n_clusters == k
        assert ours.d_intra <= ours.d_inter
        if ours.d_intra < ours.d_inter:
            assert same_partition(ours.labels, cut_tree(merges, n_clusters=k)[:, 0])


@given(POINTS)
def test_distances_are_those_of_the_definition(points):
    """d_intra: the worst cut of a cluster; d_inter: the closest pair of two clusters."""
    m = len(points)
    gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
    for k in range(1, m + 1):
        ours = single_linkage(points, k)
        labels = ours.labels
        across = gaps[labels[:, None] != labels[None]]
        assert ours.d_inter == pytest.approx(across.min() if across.size else np.inf)
        worst = 0.0
        for c in range(k):
            members = np.flatnonzero(labels == c)
            for code in range(1, 2 ** (min(len(members), 8) - 1)):
                one = members[[bool(code >> i & 1) for i in range(len(members))]]
                two = np.setdiff1d(members, one)
                worst = max(worst, gaps[np.ix_(one, two)].min())
        if max(np.bincount(labels)) <= 8:
            assert ours.d_intra == pytest.approx(worst)


@given(POINTS)
def test_labels_count_up_in_order_of_first_appearance(points):
    for k in range(1, len(points) + 1):
        labels = single_linkage(points, k).labels
        np.testing.assert_array_equal(labels, canonical_labels(labels))


def test_on_a_line_the_largest_gaps_are_cut():
    result = single_linkage([5.0, 0.0, 0.4, 9.0, 5.1], 3)
    assert result.labels.tolist() == [0, 1, 1, 2, 0]
    assert result.d_intra == pytest.approx(0.4)
    assert result.d_inter == pytest.approx(3.9)


def test_ties_are_broken_by_the_arms_numbers():
    assert single_linkage([0, 1, 2, 3], 2).labels.tolist() == [0, 0, 0, 1]
    square = [[0, 0], [1, 0], [0, 1], [1, 1]]
    assert single_linkage(square, 2).labels.tolist() == [0, 0, 0, 1]
    assert single_linkage([1, 1, 1], 2).labels.tolist() == [0, 0, 1]


def test_extremes():
    assert single_linkage([3, 1, 2], 1).labels.tolist() == [0, 0, 0]
    assert single_linkage([3, 1, 2], 1).d_inter == np.inf
    assert single_linkage([3, 1, 2], 3).labels.tolist() == [0, 1, 2]
    assert single_linkage([3, 1, 2], 3).d_intra == 0


def test_partitions_compare_up_to_names():
    assert same_partition([0, 1, 0], [3, 2, 3])
    assert canonical_labels([2**53, 2**53 + 1]).tolist() == [0, 1]
    assert not same_partition([0, 1, 0], [0, 1, 1])
    assert not same_partition([0, 1, 0], [0, 1])
    for bad in ([0.5, 1], [[0, 1]], [], ["a"], [float("nan")]):
        with pytest.raises(boclust.InvalidInputError, match=r"^labels"):
            canonical_labels(bad)


@pytest.mark.parametrize(
    ("points", "k", "argument"),
    [
        ([0, np.nan], 1, "points"),
        ([0, np.inf], 1, "points"),
        ([0], 1, "points"),
        ([[[0]], [[1]]], 1, "points"),
        ([[0, 1], [2]], 1, "points"),
        ("abc", 1, "points"),
        (["a", "b"], 1, "points"),
        ([0, 1], 0, "n_clusters"),
        ([0, 1], 3, "n_clusters"),
        ([0, 1], 1.5, "n_clusters"),
        ([0, 1], True, "n_clusters"),
    ],
)
def test_bad_input_names_the_argument(points, k, argument):
    with pytest.raises(boclust.InvalidInputError, match=rf"^{argument} must be .*, got "):
        single_linkage(points, k)
