"""Many arms: instances of every shape, their runs without a matrix and the same with one."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import boclust
from boclust._validate import FloatArray, IntArray
from boclust.many_arms.certificate import ManyArmsStopping, Proof
from boclust.many_arms.challenger import ManyArmsChallenger
from boclust.many_arms.survey import Trees, link
from boclust.problem.linkage import single_linkage
from boclust.run.state import Problem, Run, locate, new_run
from boclust.sampling.base import Sampling
from boclust.stopping.base import Stopping
from boclust.stopping.certificate import statistic as weakest_link
from oracles import many_arms as oracle
from support.instances import JIT_OFF
from support.runs import ready

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


def problems(
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


@dataclass
class Many:
    """A run among many arms: what both rules see, the trees, and the state of the stopping rule."""

    sampling: Sampling
    stopping: Stopping
    run: Run
    trees: Trees
    own: Any

    def refresh(self, *arms: int) -> None:
        """What follows from the counts and sums of these arms."""
        for arm in arms:
            locate(self.run, arm)
            self.stopping.kernels[0](self.run, self.own, arm)
            self.sampling.kernels[0](self.run, self.trees, arm)

    def update(self) -> None:
        self.sampling.kernels[1](self.run, self.trees)

    def select(self) -> int:
        return self.sampling.kernels[2](self.run, self.trees)

    def statistic(self, threshold: float = -np.inf) -> float:
        return self.stopping.kernels[1](self.run, self.own, threshold)

    def proof(self, need: float) -> Proof:
        return self.own.refuter.proof(self.run, self.trees, need)

    def growth(self) -> float:
        return self.own.growth.total(self.run, self.own.lifts)


def many_arms(rule: Stopping, means: FloatArray, counts: FloatArray, n_clusters: int) -> Many:
    """A run without a matrix of distances; its clusters and trees are found."""
    m, dim = means.shape
    family = boclust.Gaussian()
    problem = Problem(m, dim, n_clusters, family, 0.1)
    sampling, stopping = ManyArmsChallenger(), ManyArmsStopping(rule)
    run = new_run(family.law, m, dim, n_clusters, gaps=False)
    trees = sampling.new(problem)
    made = Many(sampling, stopping, run, trees, stopping.new(problem, trees))
    run.counts[:] = counts
    run.asked[:] = counts
    run.sums[:] = means * counts[:, None]
    made.refresh(*range(m))
    link(run, trees)
    return made


def weakest_link_by_matrix(rule: Stopping, many: Many) -> float:
    """The weakest link of the same samples and clusters by the rule for few arms."""
    few = ready(rule, boclust.Gaussian(), len(many.run.start) - 1, many.run.counts, many.run.sums)
    for name in ("labels", "arms", "start"):
        getattr(few.run, name)[:] = getattr(many.run, name)
    return weakest_link(few.run, getattr(few.own, "cost", few.own), -np.inf)


def random_trees(rng: np.random.Generator, run: Run) -> IntArray:
    """Any spanning trees of the clusters, in any order."""
    bonds = []
    for k in range(len(run.start) - 1):
        arms = rng.permutation(np.flatnonzero(run.labels == k))
        for i in range(1, len(arms)):
            bonds.append([arms[rng.integers(i)], arms[i]])
    return rng.permutation(np.array(bonds))


def check_clusters(many: Many) -> None:
    """Single linkage, counted up, with trees that span the clusters."""
    run, trees = many.run, many.trees
    means, k = run.positions, len(run.start) - 1
    tree = single_linkage(means, k)
    assert oracle.linkage_is_valid(means, run.labels, k)
    if tree.d_intra < tree.d_inter * (1 - 1e-12):
        assert run.labels.tolist() == tree.labels.tolist()
    _, first = np.unique(run.labels, return_index=True)
    assert (np.diff(first) > 0).all()
    assert run.labels[run.arms].tolist() == np.sort(run.labels).tolist()
    assert sorted(run.arms.tolist()) == list(range(len(means)))
    assert np.diff(run.start).tolist() == np.bincount(run.labels).tolist()
    assert oracle.spans(trees.ends, run.labels)
