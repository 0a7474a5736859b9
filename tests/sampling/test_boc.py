"""BOC: its clusters against plain K-means, and whole runs."""

import numpy as np
import pytest

import boclust
from boclust.problem.linkage import single_linkage
from boclust.psi.equal_means import boc_proportions, boc_statistic, cluster_centres
from boclust.sampling.boc import weighted_kmeans
from boclust.stopping.own import threshold_growth, threshold_level
from support.equal_means import YANG, YANG_LABELS, fitted, in_order, random_labels, scatter
from support.instances import JIT_OFF, few
from support.rules import ready


def kmeans(counts: np.ndarray, means: np.ndarray, n_clusters: int) -> np.ndarray:
    labels = np.zeros(len(means), np.int64)
    weighted_kmeans(counts, means, n_clusters, labels)
    return labels


def proportions(centres: np.ndarray, labels: np.ndarray) -> np.ndarray:
    out = np.zeros(len(labels))
    boc_proportions(centres, labels, out)
    return out


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
    labels = kmeans(counts, means, n_clusters)
    centres, totals = cluster_centres(counts, means, labels, n_clusters)
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


# --- a whole run


def run(rng: np.random.Generator, linkage: bool, max_samples: int) -> tuple[list[int], np.ndarray]:
    """BOC (or BOC-SLINK) on the eleven arms: D-tracking with forced exploration, delta = 0.1."""
    m, d = YANG.shape
    level = threshold_level(m, d, 0.1)
    counts = np.ones(m)
    means = YANG + rng.standard_normal((m, d))
    for t in range(m, max_samples):
        labels = single_linkage(means, 4).labels if linkage else kmeans(counts, means, 4)
        centres, _ = cluster_centres(counts, means, labels, 4)
        z = boc_statistic(counts, means, labels, 4)
        if z >= level + threshold_growth(counts, d):
            return labels.tolist(), counts
        if counts.min() <= max(np.sqrt(t) - m / 2, 0):
            arm = int(counts.argmin())
        else:
            arm = int((t * proportions(centres, labels) - counts).argmax())
        counts[arm] += 1
        means[arm] += (YANG[arm] + rng.standard_normal(d) - means[arm]) / counts[arm]
    raise AssertionError("does not stop")


@pytest.mark.parametrize("linkage", [False, True])
def test_a_run_stops_with_the_right_clusters(linkage, rng):
    optimal = proportions(YANG[[0, 2, 6, 9]], YANG_LABELS)
    for _ in few(8):
        labels, counts = run(rng, linkage, 2000)
        assert labels == YANG_LABELS.tolist()
        np.testing.assert_allclose(counts / counts.sum(), optimal, atol=0.05)


@pytest.mark.parametrize("name", ["boc", "boc-slink"])
def test_one_cluster_leaves_nothing_to_aim_at(name):
    driven = ready(name, boclust.Gaussian(), 1, [2.0, 1, 3], np.zeros(3))
    driven.update()
    assert driven.run.labels.tolist() == [0, 0, 0]
    assert driven.select() == 1
