"""psi with equal means in a cluster against enumeration of all partitions and cutting planes."""

import numpy as np
import pytest
from scipy.optimize import linprog

from boclust.psi.equal_means import (
    TOLERANCE,
    boc_proportions,
    boc_statistic,
    cluster_centres,
    twice_psi,
)
from support.equal_means import (
    YANG,
    YANG_LABELS,
    cheapest_other,
    fitted,
    random_centres,
    random_labels,
    scatter,
)
from support.instances import few

#: What rounding may take off an upper bound, relatively.
ROUNDING = 1e-12


def statistic(counts: np.ndarray, means: np.ndarray, labels: np.ndarray) -> float:
    return boc_statistic(counts, means, labels, labels.max() + 1)


def proportions(centres: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, float, float]:
    out = np.zeros(len(labels))
    value, bound = boc_proportions(centres, labels, out)
    return out, value, bound


def psi(weights: np.ndarray, centres: np.ndarray, labels: np.ndarray) -> float:
    clusters = [weights[labels == k] for k in range(len(centres))]
    least = np.array([w.min() for w in clusters])
    return 0.5 * twice_psi(centres, least, np.array([w.sum() for w in clusters]))


def test_psi_and_z_by_enumeration_of_all_partitions(rng):
    for _ in few(150):
        m = int(rng.integers(3, 8))
        labels = random_labels(rng, m, int(rng.integers(2, m)))
        means = random_centres(rng, labels.max() + 1, int(rng.integers(1, 4)))[labels]
        noise = rng.choice([0.0, 0.05]) * rng.standard_normal(means.shape)
        counts = np.ceil(10 ** rng.uniform(0, rng.choice([0, 1, 4]), m))
        estimates = means + noise
        at_centres = fitted(counts, estimates, labels)
        move, _ = cheapest_other(counts, at_centres, labels)
        centres = np.array([at_centres[labels == k][0] for k in range(labels.max() + 1)])
        assert 2 * psi(counts, centres, labels) == pytest.approx(move, rel=1e-9, abs=1e-9)
        excess = np.sqrt(move) - np.sqrt(scatter(counts, estimates, labels))
        expected = 0.5 * max(excess, 0.0) ** 2
        z = statistic(counts, estimates, labels)
        assert z == pytest.approx(expected, rel=1e-6, abs=1e-9)
        likelihood_ratio = 0.5 * cheapest_other(counts, estimates, labels)[0]
        assert z <= likelihood_ratio * (1 + 1e-9) + 1e-9


def test_the_merger_of_two_single_arms_is_an_alternative():
    """Arms 2 and 3 merge, {0, 1} is split: 2 * 3 / 5 against 1 * 5 / 6 of the next move."""
    means = np.array([[0.0], [0.0], [9.0], [10.0]])
    counts = np.array([4.0, 1.0, 2.0, 3.0])
    labels = np.array([0, 0, 1, 2])
    assert statistic(counts, means, labels) == pytest.approx(0.5 * 6 / 5)
    assert cheapest_other(counts, means, labels)[1].tolist() == [0, 1, 2, 2]


def test_z_is_zero_where_centres_coincide_or_the_partition_is_poor():
    means = np.array([[0.0], [1.0], [0.0], [1.0]])
    assert statistic(np.ones(4), means, np.array([0, 0, 1, 1])) == 0.0
    far = np.array([[0.0], [5.0], [6.0], [7.0]])
    assert statistic(np.ones(4), far, np.array([0, 0, 1, 1])) == 0.0


@pytest.mark.parametrize("scale", [1e-60, 1e-8, 1e8, 1e60])
def test_z_and_the_proportions_follow_the_scale(scale):
    counts = np.arange(1.0, 12.0)
    once = statistic(counts, YANG, YANG_LABELS)
    assert statistic(counts, YANG * scale, YANG_LABELS) / scale**2 == pytest.approx(once)
    centres = YANG[[0, 2, 6, 9]]
    out, value, _ = proportions(centres, YANG_LABELS)
    scaled, scaled_value, bound = proportions(centres * scale, YANG_LABELS)
    np.testing.assert_allclose(scaled, out, rtol=1e-4)
    assert scaled_value / scale**2 == pytest.approx(value, rel=2 * TOLERANCE)
    assert scaled_value * (1 - ROUNDING) <= bound <= scaled_value * (1 + 2 * TOLERANCE)


# --- the proportions


def best_by_cutting_planes(points: np.ndarray, labels: np.ndarray) -> tuple[float, float]:
    """(best psi found, upper bound of psi) over all proportions, equal in a cluster or not.

    psi is the least of infinitely many linear functions of the weights, one for each other
    partition with its centres: an LP over those met so far bounds it from above.
    """
    m = len(points)
    weights = np.full(m, 1 / m)
    planes: list[np.ndarray] = []
    best, bound = 0.0, np.inf
    while bound > best * (1 + 1e-5):
        value, other = cheapest_other(weights + 1e-9, points, labels)
        planes.append(0.5 * ((points - fitted(weights + 1e-9, points, other)) ** 2).sum(1))
        best = max(best, 0.5 * value / (1 + m * 1e-9))
        solved = linprog(
            np.r_[np.zeros(m), -1.0],
            A_ub=np.column_stack([-np.array(planes), np.ones(len(planes))]),
            b_ub=np.zeros(len(planes)),
            A_eq=[np.r_[np.ones(m), 0.0]],
            b_eq=[1.0],
        )
        # half way back to the last weights: the plain method oscillates
        weights, bound = 0.5 * (weights + solved.x[:m]), -solved.fun
    return best, bound


def test_the_proportions_by_cutting_planes_over_all_partitions(rng):
    for _ in few(12):
        m = int(rng.integers(3, 7))
        labels = random_labels(rng, m, int(rng.integers(2, m)))
        centres = rng.standard_normal((labels.max() + 1, int(rng.integers(1, 4))))
        best, bound = best_by_cutting_planes(centres[labels], labels)
        out, value, upper = proportions(centres, labels)
        assert best * (1 - 1e-9) <= upper
        assert value <= bound * (1 + 1e-9)
        assert value == pytest.approx(best, rel=2e-5)
        assert 0.5 * cheapest_other(out, centres[labels], labels)[0] == pytest.approx(value)


def test_the_proportions_come_with_a_certificate(rng):
    for _ in few(400):
        k = int(rng.integers(2, 9))
        m = int(rng.integers(k + 1, 4 * k + 1))
        labels = random_labels(rng, m, k)
        centres = random_centres(rng, k, int(rng.integers(1, 5)))
        out, value, bound = proportions(centres, labels)
        assert out.sum() == pytest.approx(1, abs=1e-12)
        assert (out > 0).all()
        assert all(len(set(out[labels == c])) == 1 for c in range(k))
        assert value == pytest.approx(psi(out, centres, labels), rel=1e-9)
        if len(np.unique(centres, axis=0)) == k:
            assert value * (1 - ROUNDING) <= bound <= value * (1 + 2 * TOLERANCE)
        else:
            assert value == 0.0
        for weights in rng.dirichlet(np.ones(m), 5):
            assert psi(weights, centres, labels) * (1 - ROUNDING) <= bound


def test_many_clusters(rng):
    labels = random_labels(rng, 60, 30)
    _, value, bound = proportions(rng.standard_normal((30, 3)), labels)
    assert value * (1 - ROUNDING) <= bound <= value * (1 + 2 * TOLERANCE)


def test_coincident_centres():
    """They count as the nearest pair, which decides; where all coincide, the sizes do."""
    labels = np.array([0, 0, 1, 1, 2])
    near, value, _ = proportions(np.array([[0.0], [0.0], [1.0]]), labels)
    assert value == 0.0
    np.testing.assert_allclose(near, [0.25, 0.25, 0.25, 0.25, 0], atol=1e-6)
    same, _, _ = proportions(np.zeros((3, 2)), labels)
    apart, _, _ = proportions(np.eye(3), labels)
    np.testing.assert_allclose(same, apart, rtol=1e-6)


def test_two_clusters_in_closed_form():
    """n = (2, 1), D = 1: u_1 + u_2 <= 1 alone binds, so u is as sqrt(n), x as 1 / sqrt(n)."""
    out, value, _ = proportions(np.array([[0.0], [1.0]]), np.array([0, 0, 1]))
    time = (np.sqrt(2) + 1) ** 2
    assert value == pytest.approx(0.5 / time, rel=TOLERANCE)
    np.testing.assert_allclose(out * time, [1 + 1 / np.sqrt(2)] * 2 + [1 + np.sqrt(2)], rtol=1e-4)


def test_the_proportions_of_the_eleven_arms():
    """The near clusters bind each other (u = 50/3) and each far one (u = 100 - 25/3)."""
    u = np.array([50 / 3, 275 / 3, 275 / 3, 50 / 3])
    time = (np.array([2, 4, 3, 2]) / u).sum()
    out, value, _ = proportions(YANG[[0, 2, 6, 9]], YANG_LABELS)
    assert value == pytest.approx(0.5 / time, rel=TOLERANCE)
    np.testing.assert_allclose(out, (1 / u / time)[YANG_LABELS], rtol=1e-5)


def test_centres_of_coincident_estimates_are_exact(rng):
    place = rng.standard_normal(3) / 3
    labels = np.array([0, 1, 0, 1, 0])
    centres, _ = cluster_centres(rng.uniform(1, 9, 5), np.tile(place, (5, 1)), labels, 2)
    assert (centres == place).all()
