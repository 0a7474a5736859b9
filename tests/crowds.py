"""Many arms: instances of every shape, their runs without a matrix and the same with one."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from runs import ready

import boclust
import boclust.run.engine
from boclust._validate import FloatArray, IntArray
from boclust.many_arms.survey import link
from boclust.run.state import Rules, Run
from instances import JIT_OFF

SHAPES = ("blobs", "chains", "loose", "ties", "one blob", "two", "nearly equal", "coincident")


def places(rng: np.random.Generator, shape: str, m: int, dim: int) -> tuple[FloatArray, int]:
    """(means, K) of one shape; more than 32 of 80 arms share a cluster in some of them."""
    means = rng.standard_normal((m, dim))
    k = int(rng.integers(2, m))
    if shape == "blobs":
        k = int(rng.integers(2, 6))
        means = 0.4 * means + 8.0 * rng.standard_normal((k, dim))[np.arange(m) % k]
    elif shape == "chains":  # as straight as they may be, and far from each other
        k = int(rng.integers(2, 4))
        means *= 0.02
        means[:, 0] += 0.5 * np.arange(m) + 3.0 * (np.arange(m) * k // m)
    elif shape == "ties":
        means = np.rint(2.0 * means)
    elif shape == "one blob":  # all others alone
        k = int(rng.integers(2, max(m // 3, 3))) if rng.random() < 0.7 else m - 1
        means[:k] += 20.0 * rng.standard_normal((k, dim))
    elif shape == "two":
        k = 2
        means[: m // 2] += 6.0
    elif shape == "nearly equal":
        means = 1e-5 * means
        means[:, 0] += np.arange(m)
    elif shape == "coincident":  # fewer places than clusters
        k = int(rng.integers(3, 6))
        means = means[np.arange(m) % (k - 1)]
    return means[rng.permutation(m)], min(k, m - 1)


def numbers(rng: np.random.Generator, m: int) -> FloatArray:
    """Samples of each arm: equal, uneven, or from one to a thousand million."""
    kind = rng.integers(4)
    if kind == 0:
        return np.full(m, float(rng.integers(1, 100)))
    if kind == 1:
        return rng.integers(1, 300, m).astype(float)
    if kind == 2:
        return np.rint(10.0 ** rng.uniform(0, 9, m))
    return np.where(rng.random(m) < 0.1, 1.0, 1e4)


def crowds(
    rng: np.random.Generator, count: int, dims: tuple[int, ...] = (1, 2, 3, 10), most: int = 80
) -> Iterator[tuple[FloatArray, FloatArray, int]]:
    """(means, counts, K) of all shapes in turn; the first are larger than a block."""
    for i in range(2 * len(SHAPES) if JIT_OFF else count):
        shape = SHAPES[i % len(SHAPES)]
        m = int(rng.integers(most // 2, most)) if i < len(SHAPES) else int(rng.integers(3, most))
        if JIT_OFF:
            m = 40 if i == 0 and most > 60 else int(rng.integers(3, 9))
        means, k = places(rng, shape, m, int(rng.choice(dims)))
        yield means, numbers(rng, m), k


def crowd_run(
    algorithm: Any, means: FloatArray, counts: FloatArray, n_clusters: int
) -> tuple[Rules, Run]:
    """A run without a matrix (where ``FEW`` allows it), its clusters and trees found."""
    sums = means * counts[:, None]
    engine, rules, run = ready(algorithm, boclust.Gaussian(), n_clusters, counts, sums)
    assert engine.is_crowd
    assert run.gaps.size == 0
    link(run)
    return rules, run


def with_matrix(monkeypatch: Any, algorithm: Any, crowd: Run) -> tuple[Rules, Run]:
    """The same samples and clusters in a run with a matrix of gaps."""
    with monkeypatch.context() as patch:
        patch.setattr(boclust.run.engine, "FEW", len(crowd.counts))
        k = len(crowd.start) - 1
        family = boclust.Gaussian()
        engine, rules, run = ready(algorithm, family, k, crowd.counts, crowd.sums)
    assert not engine.is_crowd
    run.labels[:], run.arms[:], run.start[:] = crowd.labels, crowd.arms, crowd.start
    return rules, run


def random_trees(rng: np.random.Generator, run: Run) -> IntArray:
    """Any spanning trees of the clusters, in any order."""
    bonds = []
    for k in range(len(run.start) - 1):
        arms = rng.permutation(np.flatnonzero(run.labels == k))
        for i in range(1, len(arms)):
            bonds.append([arms[rng.integers(i)], arms[i]])
    return rng.permutation(np.array(bonds))
