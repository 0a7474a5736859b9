"""The kernels of BOC against enumeration of all partitions, cutting planes and plain K-means."""

from functools import cache

import numpy as np
import pytest
from scipy.optimize import linprog

from boclust.problem.linkage import single_linkage
from boclust.sampling.boc_steps import (
    TOLERANCE,
    boc_proportions,
    boc_statistic,
    boc_threshold,
    cluster_centres,
    threshold_level,
    twice_psi,
    weighted_kmeans,
)
from instances import JIT_OFF, few

#: What rounding may take off an upper bound, relatively.
ROUNDING = 1e-12

YANG = np.repeat([[0.0, 0, 0], [0, 10, 0], [0, 0, 10], [5, 0, 0]], [2, 4, 3, 2], axis=0)
YANG_LABELS = np.repeat([0, 1, 2, 3], [2, 4, 3, 2])


@cache
def partitions(n_arms: int, n_clusters: int) -> np.ndarray:
    """All partitions into non-empty clusters: a row of labels each, in order of appearance."""
    rows = [[0]]
    for _ in range(1, n_arms):
        rows = [[*row, k] for row in rows for k in range(min(max(row) + 2, n_clusters))]
    return np.array([row for row in rows if max(row) == n_clusters - 1])


def in_order(labels: np.ndarray) -> list[int]:
    names = list(dict.fromkeys(labels.tolist()))
    return [names.index(k) for k in labels.tolist()]


def fitted(weights: np.ndarray, points: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Every point replaced by the weighted mean of its cluster, for each row of labels."""
    inside = weights * (labels[..., np.newaxis, :] == labels[..., np.newaxis])
    return inside @ points / inside.sum(-1, keepdims=True)


def scatter(weights: np.ndarray, points: np.ndarray, labels: np.ndarray) -> np.ndarray:
    return ((points - fitted(weights, points, labels)) ** 2).sum(-1) @ weights


def cheapest_other(
    weights: np.ndarray, points: np.ndarray, labels: np.ndarray
) -> tuple[float, np.ndarray]:
    """The least scatter over all other partitions into as many clusters, and that partition."""
    every = partitions(len(points), labels.max() + 1)
    others = every[(every != in_order(labels)).any(1)]
    costs = scatter(weights, points, others)
    return float(costs.min()), others[costs.argmin()]


def random_labels(rng: np.random.Generator, n_arms: int, n_clusters: int) -> np.ndarray:
    labels = rng.integers(0, n_clusters, n_arms)
    labels[:n_clusters] = np.arange(n_clusters)
    return np.array(in_order(rng.permutation(labels)), np.int64)


def random_centres(rng: np.random.Generator, n_clusters: int, dim: int) -> np.ndarray:
    """Spread out, of very different distances, or on a small grid with coincident ones."""
    kind = rng.integers(3)
    if kind == 0:
        return rng.standard_normal((n_clusters, dim))
    if kind == 1:
        return rng.standard_normal((n_clusters, dim)) * 10 ** rng.uniform(-2, 2, (n_clusters, 1))
    return rng.integers(0, 3, (n_clusters, dim)).astype(float)


def kmeans(counts: np.ndarray, means: np.ndarray, n_clusters: int) -> tuple[np.ndarray, ...]:
    m, d = means.shape
    labels, centres, totals = np.zeros(m, np.int64), np.zeros((n_clusters, d)), np.zeros(n_clusters)
    weighted_kmeans(
        counts, means, labels, centres, totals, np.zeros(m), np.zeros(n_clusters, np.int64)
    )
    return labels, centres, totals


def statistic(counts: np.ndarray, means: np.ndarray, labels: np.ndarray) -> float:
    k = labels.max() + 1
    return boc_statistic(
        counts, means, labels, np.zeros((k, means.shape[1])), np.zeros(k), np.zeros(k)
    )


def proportions(centres: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, float, float]:
    k = len(centres)
    out = np.zeros(len(labels))
    value, bound = boc_proportions(centres, labels, out, np.zeros((4, k, k)), np.zeros((4, k)))
    return out, value, bound


def psi(weights: np.ndarray, centres: np.ndarray, labels: np.ndarray) -> float:
    clusters = [weights[labels == k] for k in range(len(centres))]
    least = np.array([w.min() for w in clusters])
    return 0.5 * twice_psi(centres, least, np.array([w.sum() for w in clusters]))


# --- the cheapest alternative and the statistic


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


# --- K-means


def plain_kmeans(counts: np.ndarray, means: np.ndarray, n_clusters: int) -> list[np.ndarray]:
    """The labels of Lloyd's rounds from a maximin start, as in a textbook."""
    centres = means[:1]
    for _ in range(1, n_clusters):
        gaps = np.linalg.norm(means[:, None] - centres[None], axis=2).min(1)
        centres = np.vstack([centres, means[gaps.argmax()]])
    rounds: list[np.ndarray] = []
    while len(rounds) < 2 or (rounds[-1] != rounds[-2]).any():
        labels = np.linalg.norm(means[:, None] - centres[None], axis=2).argmin(1)
        rounds.append(labels)
        own = fitted(counts, means, labels)
        centres = np.array([own[labels == k][0] for k in range(n_clusters)])
    return rounds


def check_kmeans(counts: np.ndarray, means: np.ndarray, n_clusters: int) -> np.ndarray:
    labels, centres, totals = kmeans(counts, means, n_clusters)
    assert in_order(labels) == labels.tolist()
    assert set(labels) == set(range(n_clusters))
    np.testing.assert_allclose(totals, np.bincount(labels, weights=counts))
    spread = np.abs(means).max() + 1e-300
    np.testing.assert_allclose(centres[labels], fitted(counts, means, labels), atol=1e-12 * spread)
    gaps = np.linalg.norm(means[:, None] / spread - centres[None] / spread, axis=2)
    assert (gaps[np.arange(len(means)), labels] <= gaps.min(1) + 1e-9).all()
    return labels


def test_kmeans_is_a_fixed_point_and_the_textbook_one(rng):
    longest = 0
    for _ in few(100):
        m = int(rng.integers(3, 30))
        k = int(rng.integers(2, m))
        means = rng.standard_normal((m, int(rng.integers(1, 4))))
        counts = np.ceil(10 ** rng.uniform(0, 4, m))
        labels = check_kmeans(counts, means, k)
        rounds = plain_kmeans(counts, means, k)
        assert labels.tolist() == in_order(rounds[-1])
        falling = [scatter(counts, means, r) for r in rounds[:-1]]
        assert (np.diff(falling) < 0).all()
        longest = max(longest, len(falling))
    assert longest > 3 or JIT_OFF


@pytest.mark.parametrize("scale", [1e-60, 1.0, 1e60])
def test_kmeans_of_few_places(scale, rng):
    """Coincident estimates: as many clusters as places are these; more, and none is empty."""
    for _ in few(60):
        n_places = int(rng.integers(1, 6))
        places = scale * rng.permutation(8)[:n_places, None] * np.array([1.0, 0.1])
        where = random_labels(rng, 12, n_places)
        counts = rng.integers(1, 100, 12).astype(float)
        for k in range(2, 12):
            labels = check_kmeans(counts, places[where], k)
            if k == n_places:
                assert labels.tolist() == where.tolist()
            if k >= n_places:
                assert all(len(set(where[labels == c])) == 1 for c in range(k))


def test_kmeans_leaves_no_cluster_empty():
    """After the start {0, 1}, {2, 3}, {4, 5} both 2 and 3 are nearer to the heavy 1 and 4."""
    means = np.array([0, 3.9, 4.1, 8, 11.6, 15])[:, None]
    counts = np.array([1, 1e4, 15, 1, 1e4, 1])
    assert check_kmeans(counts, means, 3).tolist() == [0, 0, 0, 1, 2, 2]


def test_kmeans_of_a_regular_grid_ends():
    """Ties everywhere, equal counts."""
    grid = np.stack(np.meshgrid(np.arange(5.0), np.arange(5.0)), -1).reshape(-1, 2)
    for k in range(2, 25):
        check_kmeans(np.ones(25), grid, k)


def test_centres_of_coincident_estimates_are_exact(rng):
    place = rng.standard_normal(3) / 3
    centres, totals = np.zeros((2, 3)), np.zeros(2)
    labels = np.array([0, 1, 0, 1, 0])
    cluster_centres(rng.uniform(1, 9, 5), np.tile(place, (5, 1)), labels, centres, totals)
    assert (centres == place).all()


# --- the threshold


def zeta(s: float) -> float:
    n = np.arange(1, 2000)
    return float((n**-s).sum() + 2000 ** (1 - s) / (s - 1) + 0.5 * 2000**-s)


@pytest.mark.parametrize("delta", [0.5, 0.1, 1e-10, 1e-300])
@pytest.mark.parametrize(("n_arms", "dim"), [(3, 1), (11, 3), (500, 20)])
def test_the_threshold_by_a_grid(n_arms, dim, delta):
    size = n_arms * dim
    a = np.unique(np.r_[np.linspace(0.5, 1, 1001)[1:-1], 1 - np.geomspace(1e-6, 0.5, 1000)[:-1]])
    g = 2 * a - 2 * a * np.log(4 * a) + np.log([zeta(2 * x) for x in a]) - np.log(1 - a) / 2
    expected = size * ((g + np.log(1 / delta) / size) / a).min()
    assert threshold_level(n_arms, dim, delta) == pytest.approx(expected, rel=1e-5)
    counts = np.arange(1.0, n_arms + 1)
    expected += sum(2 * dim * np.log(4 + np.log(n)) for n in counts)
    level = threshold_level(n_arms, dim, delta)
    assert boc_threshold(counts, dim, level) == pytest.approx(expected, rel=1e-5)


# --- a whole run


def run(rng: np.random.Generator, linkage: bool, max_samples: int) -> tuple[list[int], np.ndarray]:
    """BOC (or BOC-SLINK) on the eleven arms: D-tracking with forced exploration, delta = 0.1."""
    m, d = YANG.shape
    level = threshold_level(m, d, 0.1)
    counts = np.ones(m)
    means = YANG + rng.standard_normal((m, d))
    for t in range(m, max_samples):
        labels = single_linkage(means, 4).labels if linkage else kmeans(counts, means, 4)[0]
        centres, totals = np.zeros((4, d)), np.zeros(4)
        z = boc_statistic(counts, means, labels, centres, totals, np.zeros(4))
        if z >= boc_threshold(counts, d, level):
            return labels.tolist(), counts
        if counts.min() <= max(np.sqrt(t) - m / 2, 0):
            arm = int(counts.argmin())
        else:
            arm = int((t * proportions(centres, labels)[0] - counts).argmax())
        counts[arm] += 1
        means[arm] += (YANG[arm] + rng.standard_normal(d) - means[arm]) / counts[arm]
    raise AssertionError("does not stop")


@pytest.mark.parametrize("linkage", [False, True])
def test_a_run_stops_with_the_right_clusters(linkage, rng):
    optimal = proportions(YANG[[0, 2, 6, 9]], YANG_LABELS)[0]
    for _ in few(8):
        labels, counts = run(rng, linkage, 2000)
        assert labels == YANG_LABELS.tolist()
        np.testing.assert_allclose(counts / counts.sum(), optimal, atol=0.05)
