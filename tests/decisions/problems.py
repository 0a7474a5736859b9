"""The instances of the cases, every argument of theirs in clear: no default may change them."""

from typing import Any

import numpy as np

import boclust
from boclust import Bernoulli, Bounded, Exponential, Gaussian, Instance, Poisson, SubGaussian

ONE_PARAMETER = (Bernoulli, Poisson, Exponential)
UNIT = Gaussian(sigma=1.0)
LINE = np.array([0.0, 0.5, 1.0, 2.5, 3.0, 4.5, 5.0])
PLANE = [[-1.0, -1.0], [-1.0, -2.0], [1.0, 1.0], [2.0, 2.0], [3.0, -3.0], [3.5, -3.0]]
CUBE = [
    [0.0, 0.0, 0.0], [1.0, 0.0, 0.5], [0.5, 1.0, 0.0], [5.0, 0.0, 1.0],
    [5.0, 1.0, 1.5], [0.0, 6.0, 5.0], [1.0, 6.0, 5.5], [0.0, 5.5, 4.0],
]  # fmt: skip


def instance(means: Any, n_clusters: int, family: boclust.Family = UNIT) -> Instance:
    return Instance(means=means, n_clusters=n_clusters, family=family)


def scattered(n_arms: int, dim: int, n_groups: int, width: float, apart: float) -> Any:
    """Means (M x d) in groups on a line of centres, without random numbers.

    The offsets are multiples of irrational numbers modulo one, so they fill a cube evenly.
    """
    steps = np.sqrt(np.array([2, 3, 5, 7, 11, 13, 17, 19, 23, 29], dtype=float)[:dim])
    arms = np.arange(1, n_arms + 1)[:, np.newaxis]
    offsets = width * ((arms * steps) % 1.0 - 0.5)
    groups = np.arange(n_arms) % n_groups
    centres = np.zeros((n_arms, dim))
    centres[:, 0] = apart * groups
    centres[:, -1] += 0.25 * apart * (groups % 2)
    return centres + offsets


#: Gaussian instances, by name.
GAUSSIAN = {
    "A": instance(LINE, 3),
    "B": instance(PLANE, 3),
    "C": instance([0.0, 1.0, 2.0, 3.0, 5.0, 6.0], 2),
    "cube": instance(CUBE, 3),
    "ten-dimensions": instance(scattered(7, 10, 2, 0.5, 4.0), 2),
    "three-arms": instance([0.0, 0.5, 2.0], 2),
    "shuffled": instance([3.1, 0.2, 7.0, 0.0, 6.6, 3.5, 0.5, 7.4], 3),
    "negative": instance([-5.0, -4.5, -4.0, 2.0, 2.25], 2),
    "coincident": instance([0.0, 0.0, 0.0, 3.0, 3.0, 3.0], 2),
    "coincident-plane": instance([[0, 0, 0]] * 2 + [[0, 4, 0]] * 3 + [[0, 0, 4]] * 2, 3),
    "near-tie": instance([0.0, 1.0, 2.02, 5.0], 3),
    "tie": instance([0.0, 1.0, 2.0], 2),
    "near-tie-plane": instance([[0, 0], [1, 0], [1, 1.03], [4, 4]], 3),
    "huge": instance(1e9 * LINE, 3, Gaussian(sigma=5e8)),
    "tiny": instance(1e-9 * LINE, 3, Gaussian(sigma=5e-10)),
    "far-away": instance(1e7 + LINE, 3, Gaussian(sigma=0.5)),
    "very-far-apart": instance([0.0, 1.0, 1e8, 1e8 + 2.0], 2),
    "huge-plane": instance(1e9 * np.array(PLANE), 3, Gaussian(sigma=5e8)),
    "one-cluster": instance([0.0, 1.0, 5.0], 1),
    "as-many-clusters-as-arms": instance([0.0, 1.0, 5.0], 3),
    "two-arms-one-cluster": instance([0.0, 3.0], 1),
    "two-arms-two-clusters": instance([[0.0, 1.0], [3.0, 1.0]], 2),
}

_COUNTS = [1.0, 1.3, 4.0, 4.5, 12.0]

#: Instances of other families and scales, by name.
FAMILIES = {
    "sigma-half": instance(LINE, 3, Gaussian(sigma=0.5)),
    "sigma-three": instance([0.0, 1.0, 9.0, 10.0, 18.0], 3, Gaussian(sigma=3.0)),
    "sigma-half-plane": instance(PLANE, 3, Gaussian(sigma=0.5)),
    "subgaussian": instance(LINE, 3, SubGaussian(sigma=0.75)),
    "subgaussian-plane": instance(PLANE, 3, SubGaussian(sigma=0.75)),
    "bounded": instance([1.2, 1.5, 3.0, 3.2, 4.8], 3, Bounded(low=1.0, high=5.0)),
    "bounded-plane": instance(
        [[0.1, 0.2], [0.2, 0.15], [0.9, 0.9], [0.85, 0.95]], 2, Bounded(low=0.0, high=1.0)
    ),
    "bernoulli-natural": instance([0.2, 0.9, 0.25, 0.93], 2, Bernoulli(space="natural")),
    "bernoulli-mean": instance([0.05, 0.1, 0.5, 0.55, 0.95, 0.97], 3, Bernoulli(space="mean")),
    "poisson-natural": instance(_COUNTS, 3, Poisson(space="natural")),
    "poisson-mean": instance(_COUNTS, 3, Poisson(space="mean")),
    "exponential-natural": instance([1.0, 0.9, 0.16, 0.15], 2, Exponential(space="natural")),
    "exponential-mean": instance([0.5, 6.0, 0.6, 6.3], 2, Exponential(space="mean")),
    "bernoulli-two": instance([0.1, 0.2, 0.8, 0.85], 2, Bernoulli(space="mean")),
    "poisson-two": instance([1.0, 1.5, 9.0, 10.0], 2, Poisson(space="natural")),
    "bounded-two": instance([0.1, 0.2, 0.85, 0.9], 2, Bounded(low=0.0, high=1.0)),
}


def many(n_arms: int, dim: int, sigma: float) -> Instance:
    """More than 50 arms in five clusters."""
    return instance(scattered(n_arms, dim, 5, 1.0, 4.0), 5, Gaussian(sigma=sigma))
