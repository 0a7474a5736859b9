"""Pictures against SciPy and slow geometry; optimal proportions against the lower bound."""

import re

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import arrays
from scipy.cluster.hierarchy import cut_tree, is_valid_linkage
from scipy.cluster.hierarchy import linkage as scipy_linkage

import boclust
from boclust.problem.linkage import same_partition
from boclust.study.charts import picture_of, proportions_of
from support.problems import told


def leaves(drawn, m, node):
    """The arms below a node, in no order."""
    if node < m:
        return [node]
    left, right, *_ = drawn.merges[node - m]
    return leaves(drawn, m, left) + leaves(drawn, m, right)


#: Small integers tie, large ones strain the arithmetic.
coordinates = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(-1e50, 1e50),
    st.integers(-999, 999).map(lambda i: i / 1e3),
)
shapes = st.tuples(st.integers(2, 12), st.integers(1, 5))


@given(st.data(), arrays(float, shapes, elements=coordinates))
def test_dendrograms(data, means):
    """The tree of SciPy, up to ties; no crossing branches; cut into the same clusters."""
    m = len(means)
    k = data.draw(st.integers(1, m))
    drawn = picture_of(told(means, k)).dendrogram
    table = np.array([list(merge) for merge in drawn.merges])
    assert is_valid_linkage(table)
    scale = np.abs(means).max() or 1.0
    heights = scale * scipy_linkage(means / scale, "single")[:, 2]
    assert table[:, 2] == pytest.approx(heights, rel=1e-9, abs=1e-12 * scale)
    place = {arm: i for i, arm in enumerate(drawn.order)}
    assert sorted(place) == list(range(m))
    for i, (*_, size) in enumerate(drawn.merges):
        spots = sorted(place[arm] for arm in leaves(drawn, m, m + i))
        assert len(spots) == size
        assert spots == list(range(spots[0], spots[-1] + 1))  # side by side
    intra, inter = (0.0, *table[:, 2])[m - k], (*table[:, 2], np.inf)[m - k]
    if k == 1:
        assert drawn.cut is None
    else:
        assert intra <= drawn.cut <= inter
    if intra < inter:
        labels = cut_tree(table, n_clusters=k)[:, 0]
        assert same_partition(labels, boclust.Instance(means, k).labels)


def test_arms_on_a_line_are_drawn_in_their_order(rng):
    means = rng.normal(size=(30, 1))
    assert picture_of(told(means, 4)).dendrogram.order == np.argsort(means[:, 0]).tolist()


def test_heights_are_in_the_parameter_of_the_distances():
    family = boclust.Bernoulli("natural")
    learner = boclust.Learner(2, 2, 0.1, family=family)
    for arm, ones in ((0, 1), (1, 9)):
        for i in range(10):
            learner.tell(arm, int(i < ones))
    picture = picture_of(learner)
    theta = family.natural(learner.instance.means)[:, 0]
    assert picture.dendrogram.merges[0][2] == pytest.approx(theta[1] - theta[0])
    assert picture.points == [[0.1], [0.9]]


@pytest.mark.parametrize("dim", [1, 2, 3, 7])
def test_kinds_and_arms_without_samples(dim, rng):
    learner = boclust.Learner(4, 2, 0.1, dim=dim)
    empty = picture_of(learner)
    assert (empty.points, empty.regions) == ([None] * 4, [None] * 4)
    assert (empty.explained, empty.dendrogram) == (None, None)
    learner.tell(2, rng.normal(size=dim))
    one = picture_of(learner)
    assert one.kind == ("line" if dim == 1 else "plane" if dim == 2 else "projection")
    assert one.level == pytest.approx(0.9)
    assert [point is None for point in one.points] == [True, True, False, True]
    assert len(one.points[2]) == min(dim, 2)
    if dim < 3:
        assert one.points[2] == learner.estimates[2].tolist()
    assert one.regions[2] == pytest.approx(learner.regions[2].tolist())
    assert one.dendrogram is None


def test_projections(rng):
    """Compared with the eigenvectors of the covariance; balls project onto discs."""
    means = rng.normal(size=(12, 5)) * [1, 9, 2, 3, 0.1]
    picture = picture_of(told(means, 3))
    values, vectors = np.linalg.eigh(np.cov(means.T))
    assert picture.explained == pytest.approx((values[[4, 3]] / values.sum()).tolist())
    expected = (means - means.mean(axis=0)) @ vectors[:, [4, 3]]
    points = np.array(picture.points)
    signs = np.sign((points * expected).sum(axis=0))
    assert points == pytest.approx(signs * expected)
    axes = np.linalg.lstsq(means - means.mean(axis=0), points, rcond=None)[0]
    assert axes.T @ axes == pytest.approx(np.eye(2))
    assert (axes[np.abs(axes).argmax(axis=0), [0, 1]] > 0).all()


@given(arrays(float, st.tuples(st.integers(2, 6), st.integers(3, 5)), elements=coordinates))
def test_projections_keep_distances_or_shorten_them(means):
    picture = picture_of(told(means, 1))
    points = np.array(picture.points)
    assert np.isfinite(points).all()
    largest = np.abs(means).max()
    for i in range(len(means)):
        near = np.linalg.norm((points[i] - points[0]) / (largest or 1.0))
        assert near <= np.linalg.norm((means[i] - means[0]) / (largest or 1.0)) + 1e-12
    if (means == means[0]).all():
        assert picture.explained is None or sum(picture.explained) <= 1 + 1e-9
    elif picture.explained is not None:
        assert 0 <= picture.explained[1] <= picture.explained[0] <= 1 + 1e-9


def test_the_picture_of_a_study(create, reopen):
    study = create()
    study.tell_many([("a", 0.0), ("b", 7.0), ("c", 1.0), ("c", 2.0)])
    picture = study.picture()
    assert picture.points == [[0.0], [7.0], [1.5]]
    assert picture.dendrogram.merges == [(0, 2, 1.5, 2), (3, 1, 5.5, 3)]
    assert picture.dendrogram.cut == 3.5
    assert reopen(study).picture() == picture
    study.void(5, "mistyped")
    assert study.picture().points[2] == [1.0]


# --- proportions -----------------------------------------------------------------------------

MEANS = np.array([[0.0], [0.5], [1.0], [2.5], [3.0], [4.5], [5.0]])


@pytest.mark.parametrize("family", [None, boclust.SubGaussian(3.0), boclust.Bounded(-20, 20)])
def test_the_optimal_shares_are_those_of_the_lower_bound(family):
    learner = told(MEANS, 3, family)
    learner.tell(0, -0.0)
    found = proportions_of(learner)
    assert found.pulls == pytest.approx([0.25] + [0.125] * 6)
    bound = boclust.lower_bound(boclust.Instance(MEANS, 3, family), rtol=0.01)
    assert found.optimal == pytest.approx(bound.weights.tolist(), abs=1e-6)
    assert sum(found.optimal) == pytest.approx(1)
    assert found.reason is None


@pytest.mark.parametrize(
    ("learner", "reason"),
    [
        (boclust.Learner(3, 2, 0.1), "not every arm has a sample yet"),
        (told(np.array([[0.0], [1.0], [2.0]]), 2), "estimates tie: the clusters are not unique"),
        (told(MEANS, 1), "there is only one possible clustering: no sample is needed"),
        (told(MEANS, 7), "there is only one possible clustering: no sample is needed"),
        (told(np.arange(51.0)[:, None] ** 2, 2), "not computed for more than 50 arms"),
        (
            told(np.array([[0.0], [1e70], [3e70]]), 2, boclust.SubGaussian(1e30)),
            "means must .*1e.60",
        ),
    ],
)
def test_why_there_are_no_optimal_shares(learner, reason):
    found = proportions_of(learner)
    assert found.optimal is None
    assert re.match(reason, found.reason)
    assert sum(found.pulls) == pytest.approx(min(learner.n_samples, 1))


def test_means_on_the_boundary_are_taken_inside():
    learner = boclust.Learner(3, 2, 0.1, family=boclust.Bernoulli())
    for arm, value in enumerate([0, 0, 1]):
        for _ in range(arm + 1):
            learner.tell(arm, value)
    assert sum(proportions_of(learner).optimal) == pytest.approx(1)


def test_the_proportions_of_a_study(create, reopen):
    study = create()
    study.tell_many([("a", 0.0), ("b", 7.0), ("c", 1.0), ("c", 2.0)])
    found = study.proportions()
    assert found.pulls == [0.25, 0.25, 0.5]
    assert sum(found.optimal) == pytest.approx(1)
    assert reopen(study).proportions() == found
