"""Saved runs: everything that comes from outside is checked before a kernel sees it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from boclust._validate import LARGEST, FloatArray, IntArray, finite_array, invalid, shown
from boclust.kernels import Struct
from boclust.problem.families import Bernoulli, Exponential, Family, Poisson
from boclust.run.state import Problem, Run

#: More samples of one arm cannot be counted one by one in double precision.
_MOST = 2.0**53
_ACCEPTED = "what Learner.state() returned"


def fill(structs: Mapping[str, Struct], saved: Mapping[str, Any]) -> None:
    """Copy saved arrays into fresh structs; only types, shapes and finiteness are checked."""
    for owner, struct in structs.items():
        for name, array in struct.arrays().items():
            array[...] = saved_array(saved, f"{owner}.{name}", array)


def saved_array(saved: Mapping[str, Any], key: str, like: Any) -> Any:
    """One saved array, of the shape and the kind of numbers that ``like`` has."""
    if key not in saved:
        raise invalid("state", _ACCEPTED, f"one without {key!r}")
    array = finite_array(f"state[{key!r}]", saved[key], "finite numbers")
    if array.size == 0 == like.size:
        return like.copy()  # a list does not tell (0, 0) from (0,)
    if array.shape != like.shape:
        raise invalid(f"state[{key!r}]", f"of shape {like.shape}", f"shape {array.shape}")
    if like.dtype.kind in "iub":
        whole = np.abs(array).max(initial=0.0) < _MOST and (array == np.floor(array)).all()
        if not whole:
            raise invalid(f"state[{key!r}]", "integers", shown(saved[key]))
    return array


def check_run(problem: Problem, run: Run) -> None:
    """Refuse counts, sums and clusters that no run can have."""
    m, k = problem.n_arms, problem.n_clusters
    check_counts("run.counts", run.counts)
    check_sums(problem.family, run.counts, run.sums)
    check_scatter(run)
    check_range("run.variance", run.variance, 0.0, LARGEST)
    check_range("run.suspect", run.suspect, 0, m - 1)
    check_range("run.labels", run.labels, 0, k - 1)
    check_range("run.arms", run.arms, 0, m - 1)
    check_range("run.start", run.start, 0, m)
    if run.start.any():
        check_clusters(run.labels, run.arms, run.start)


def check_counts(key: str, counts: FloatArray) -> None:
    """Refuse anything but numbers of samples."""
    if (counts < 0).any() or (counts != np.floor(counts)).any() or (counts >= _MOST).any():
        raise invalid(f"state[{key!r}]", "numbers of samples", shown(counts.tolist()))


def check_scatter(run: Run) -> None:
    """Refuse anything but sums of squares and products, no larger than those of the samples."""
    own = np.diag(run.scatter)
    most = 4.0 * run.counts.sum() * LARGEST**2
    slack = 1e-6 * (1.0 + own.max(initial=0.0))
    bound = np.sqrt(np.abs(own))[:, None] * np.sqrt(np.abs(own)) + slack
    if (own < 0).any() or (own > most).any() or (np.abs(run.scatter) > bound).any():
        raise invalid("state['run.scatter']", "sums of squares", shown(run.scatter.tolist()))


def check_sums(family: Family, counts: FloatArray, sums: FloatArray) -> None:
    """Refuse sums that samples of this family cannot have."""
    low, high = (
        np.clip((end - family.origin) / family.unit, -LARGEST, LARGEST)
        for end in family.sample_range
    )
    each = counts[:, None]
    slack = 1e-9 * (1.0 + np.abs(sums))
    wrong = (sums < low * each - slack) | (sums > high * each + slack)
    wrong |= (each == 0) & (sums != 0)
    if isinstance(family, (Bernoulli, Poisson)):
        wrong |= sums != np.floor(sums)
    if isinstance(family, Exponential):
        wrong |= (each > 0) & (sums <= 0)
    if wrong.any():
        arm = int(np.argwhere(wrong)[0][0])
        got = f"{shown(sums[arm].tolist())} for {counts[arm]:g} samples of arm {arm}"
        raise invalid("state['run.sums']", f"sums of samples of {family}", got)


def check_clusters(labels: IntArray, arms: IntArray, start: IntArray) -> None:
    """Refuse arms that are not listed cluster by cluster, each of them once."""
    sizes = np.diff(start)
    listed = np.repeat(np.arange(len(sizes)), np.maximum(sizes, 0))
    fits = (
        start[0] == 0
        and start[-1] == len(arms)
        and (sizes > 0).all()
        and (np.sort(arms) == np.arange(len(arms))).all()
        and (labels[arms] == listed).all()
    )
    if not fits:
        raise invalid("state['run.arms']", "the arms of each cluster in turn", shown(arms.tolist()))


def check_labels(key: str, labels: Any, n_arms: int, n_clusters: int) -> IntArray:
    """Labels of non-empty clusters, numbered in order of first appearance."""
    like = np.zeros(n_arms, dtype=np.int64)
    found: IntArray = saved_array({key: labels}, key, like).astype(np.int64)
    firsts = [int(np.argmax(found == k)) for k in range(n_clusters)]
    if set(found.tolist()) != set(range(n_clusters)) or firsts != sorted(firsts):
        accepted = f"labels of {n_clusters} clusters in order of first appearance"
        raise invalid(f"state[{key!r}]", accepted, shown(labels))
    return found


def check_range(key: str, array: Any, low: float, high: float) -> None:
    """Refuse numbers outside a range."""
    if array.size and (array.min() < low or array.max() > high):
        raise invalid(f"state[{key!r}]", f"numbers from {low} to {high}", shown(array.tolist()))


def check_integers(owner: str, struct: Struct, low: int, high: int) -> None:
    """Refuse saved integers of a struct outside a range."""
    for name, array in struct.arrays().items():
        if array.dtype.kind == "i":
            check_range(f"{owner}.{name}", array, low, high)


def check_means(key: str, family: Family, means: FloatArray) -> None:
    """Refuse means that lie outside the parameter space."""
    low, high = (np.clip(end, -LARGEST, LARGEST) for end in family.domain)
    if not ((means >= low) & (means <= high)).all():
        accepted = f"means of the family {family.name!r}"
        raise invalid(f"state[{key!r}]", accepted, shown(means.tolist()))


def check_all_clusters(problem: Problem, run: Run) -> None:
    """Refuse labels that leave a cluster empty although every arm has a sample."""
    trivial = problem.n_clusters in (1, problem.n_arms)
    if not trivial and run.counts.min() > 0 and len(set(run.labels)) < problem.n_clusters:
        accepted = f"labels of {problem.n_clusters} clusters"
        raise invalid("state['run.labels']", accepted, shown(run.labels.tolist()))


def check_quadruple(run: Run, quad: IntArray) -> None:
    """Refuse anything but two arms of one cluster and two arms of different ones."""
    check_range("sampling.quad", quad, 0, len(run.labels) - 1)
    a, b, m, n = run.labels[quad]
    if run.start.any() and (a != b or quad[0] == quad[1] or m == n):
        accepted = "two arms of one cluster and two arms of different ones"
        raise invalid("state['sampling.quad']", accepted, shown(quad.tolist()))


def check_tree(parents: IntArray) -> None:
    """Refuse parents that do not lead every node to node 0."""
    check_range("sampling.tree", parents, 0, max(len(parents) - 1, 0))
    up = parents.copy()
    up[:1] = 0
    for _ in range(len(up).bit_length()):
        up = up[up]  # twice as many parents up
    if up.any():
        raise invalid("state['sampling.tree']", "a tree with root 0", shown(parents.tolist()))
