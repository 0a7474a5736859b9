"""Clusters of arms that share one mean: all partitions, and instances to try."""

from functools import cache

import numpy as np

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
