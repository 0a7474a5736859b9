"""Projection of points with many coordinates to a plane."""

import numpy as np

from boclust._validate import FloatArray


def principal_plane(means: FloatArray) -> tuple[FloatArray, tuple[float, float] | None]:
    """Project points on their two principal components, and return the share of variance of each.

    The shares are None if there is no variance. The largest entry of each component is positive.

    >>> points, shares = principal_plane(np.array([[0.0, 0.0, 0.0], [0.0, 3.0, 4.0]]))
    >>> abs(points).round(9).tolist(), [round(share, 9) for share in shares]
    ([[2.5, 0.0], [2.5, 0.0]], [1.0, 0.0])
    """
    if len(means) == 0:
        return np.empty((0, 2)), None
    centred = means - means.mean(axis=0)
    scale = float(np.abs(centred).max()) or 1.0  # so that squares stay finite
    padded = np.vstack([centred / scale, np.zeros((2, means.shape[1]))])  # at least two rows
    _, sizes, axes = np.linalg.svd(padded, full_matrices=False)
    axes = axes[:2]
    axes = axes * np.sign(axes[[0, 1], np.abs(axes).argmax(axis=1)])[:, None]
    total = float((sizes**2).sum())
    shares = sizes[:2] ** 2 / (total or 1.0)
    return centred @ axes.T, (float(shares[0]), float(shares[1])) if total > 0 else None
