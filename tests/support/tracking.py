"""Problems of every kind after a few samples of each arm, for tests of tracking."""

from typing import Any

import numpy as np

import boclust
from boclust.problem.linkage import single_linkage
from boclust.run.clusters import group
from support.rules import Driven, ready

LINE = [0.0, 0.5, 1.0, 2.5, 3.0, 4.5, 5.0]
PLANE = [[-1.0, -1], [-1, -2], [1, 1], [2, 2], [3, -3], [3.5, -3]]
PROBLEMS = {
    "gaussian": (boclust.Gaussian(), LINE, 3),
    "plane": (boclust.Gaussian(), PLANE, 3),
    "bernoulli": (boclust.Bernoulli(), [0.1, 0.15, 0.5, 0.55, 0.9], 3),
    "bernoulli-mean": (boclust.Bernoulli(space="mean"), [0.1, 0.2, 0.5, 0.9], 2),
    "poisson": (boclust.Poisson(), [0.5, 0.6, 2.0, 2.5, 8.0], 3),
}


def draw(family: Any, mean: Any, rng: np.random.Generator) -> Any:
    return np.atleast_1d(family.sample(mean, rng, 1)[0]).astype(float)


def sampled(
    kind: str, rng: np.random.Generator, sampling: str = "average", each: int = 3
) -> tuple[Any, Any, Driven]:
    """The family, the means and a run of a problem after a few samples of each arm."""
    family, means, k = PROBLEMS[kind]
    means = np.array(means)
    m = len(means)
    sums = np.array([sum(draw(family, mean, rng) for _ in range(each)) for mean in means])
    driven = ready(sampling, family, k, np.full(m, float(each)), sums)
    group(driven.run)
    return family, means, driven


def psi(family: Any, means: Any, weights: Any, k: int, method: str = "exact") -> float:
    return boclust.infimum(means, weights, k, family, method=method).value


def contradicts(family: Any, alternative: Any, labels: Any, slack: float = 1e-6) -> bool:
    """Whether some bond of these clusters must be as long as a rival pair: not their clustering."""
    places = family.positions(np.asarray(alternative, dtype=float))
    places = places.reshape(len(labels), -1)
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2)
    inter = gaps[labels[:, None] != labels[None]].min()
    intra = 0.0
    for c in range(labels.max() + 1):
        members = np.flatnonzero(labels == c)
        if len(members) > 1:
            intra = max(intra, single_linkage(places[members], 1).lengths.max())
    return intra >= inter - slack * gaps.max()
