"""LUCBBOC-sampling (Algorithm 2 of the paper): two pairs of arms that may be clustered wrongly."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boclust._validate import real
from boclust.kernels import Struct, f1, i1, inlined, kernel, scratch
from boclust.problem.trees import maximum_tree
from boclust.run.clusters import Closeness, group
from boclust.run.intervals import interval
from boclust.run.saved import check_range
from boclust.run.state import Problem, Run
from boclust.sampling.base import Kernels, Sampling


class State(Struct):
    """The confidence radii alpha, and the two pairs of potential arms."""

    delta: float
    below: f1 = scratch  # on a line the interval of an arm may reach farther on one side
    above: f1 = scratch
    potential: i1  # (a, b, n, m) of line 9


@kernel
def observe(run: Run, own: State, arm: int) -> None:
    """alpha_m(t): for Gaussian samples, sqrt(2/N log(2^(d+1) M N^2 / delta)) in units of sigma."""
    own.below[arm], own.above[arm] = interval(run, arm, own.delta, False)


@inlined
def upper(run: Run, own: State, i: int, j: int) -> float:
    """U_ij, the upper confidence bound of the gap between two arms (line 2)."""
    if run.positions[i, 0] < run.positions[j, 0]:
        return run.gaps[i, j] + (own.below[i] + own.above[j])
    return run.gaps[i, j] + (own.below[j] + own.above[i])


@inlined
def lower(run: Run, own: State, i: int, j: int) -> float:
    """L_ij, its lower confidence bound (line 2)."""
    if run.positions[i, 0] < run.positions[j, 0]:
        return run.gaps[i, j] - (own.above[i] + own.below[j])
    return run.gaps[i, j] - (own.above[j] + own.below[i])


@kernel
def close_pair(run: Run, own: State) -> None:
    """Line 3: of the closest pairs of any two clusters, the one with the least lower bound."""
    gaps, arms, start = run.gaps, run.arms, run.start
    n_clusters = start.shape[0] - 1
    lowest = np.inf
    for p in range(n_clusters):
        for q in range(p + 1, n_clusters):
            closest = np.inf
            n = arms[start[p]]
            m = arms[start[q]]
            for i in range(start[p], start[p + 1]):
                for j in range(start[q], start[q + 1]):
                    gap = gaps[arms[i], arms[j]]
                    if gap < closest:
                        closest, n, m = gap, arms[i], arms[j]
            bound = lower(run, own, n, m)
            if bound < lowest:
                lowest = bound
                own.potential[2] = n
                own.potential[3] = m


@kernel
def far_pair(run: Run, own: State) -> None:
    """Lines 4 to 8: of the longest edges of the clusters' trees, the one with the largest U.

    SLINK splits a cluster in two at the longest edge of its tree (lines 5 and 6), which has the
    least closeness.
    """
    gaps, arms, start, parent = run.gaps, run.arms, run.start, run.parent
    highest = -np.inf
    for k in range(start.shape[0] - 1):
        size = start[k + 1] - start[k]
        if size < 2:
            continue
        tree = Closeness(gaps, arms, start[k])
        longest = maximum_tree(tree, size, parent, run.reach, run.order)
        a = arms[start[k] + parent[longest]]
        b = arms[start[k] + longest]
        bound = upper(run, own, a, b)
        if bound > highest:
            highest = bound
            own.potential[0] = a
            own.potential[1] = b


@kernel
def far_pair_of_all(run: Run, own: State) -> None:
    """Of *all* edges of the clusters' trees the one with the largest U."""
    gaps, arms, start, parent = run.gaps, run.arms, run.start, run.parent
    highest = -np.inf
    for k in range(start.shape[0] - 1):
        size = start[k + 1] - start[k]
        tree = Closeness(gaps, arms, start[k])
        maximum_tree(tree, size, parent, run.reach, run.order)
        for e in run.order[1:size]:
            a = arms[start[k] + parent[e]]
            b = arms[start[k] + e]
            bound = upper(run, own, a, b)
            if bound > highest:
                highest = bound
                own.potential[0] = a
                own.potential[1] = b


@kernel
def update(run: Run, own: State) -> None:
    """Lines 1 to 8."""
    group(run)
    close_pair(run, own)
    far_pair(run, own)


@kernel
def update_by_upper_bound(run: Run, own: State) -> None:
    """The same with all edges."""
    group(run)
    close_pair(run, own)
    far_pair_of_all(run, own)


@kernel
def select(run: Run, own: State) -> int:
    """Lines 9 and 10: the least sampled of the four potential arms."""
    arm = own.potential[0]
    for e in range(1, 4):
        if run.asked[own.potential[e]] < run.asked[arm]:
            arm = own.potential[e]
    return int(arm)


@dataclass(frozen=True)
class Lucbboc(Sampling):
    """Of two suspicious pairs of arms the least sampled one, as printed.

    It takes, inside each cluster, the *empirically* longest tree edge. An arm of a cluster of three
    or more whose edge once looked short can then be starved for a very long time.

    The confidence radius uses the delta of the run, or ``radius_delta`` if that is given: then one
    trajectory answers every delta, as in the paper's curves.
    """

    name: ClassVar[str] = "lucb"
    reason: ClassVar[str] = "it may be joined or split off wrongly"
    kernels: ClassVar[Kernels] = observe, update, select
    observe_is_pure: ClassVar[bool] = True
    radius_delta: float | None = None

    def __post_init__(self) -> None:
        if self.radius_delta is not None:
            real("radius_delta", self.radius_delta, 0.0, 1.0)

    @property
    def uses_delta(self) -> bool:
        """In the confidence radius, unless that has its own."""
        return self.radius_delta is None

    def new(self, problem: Problem) -> State:
        """No radii yet."""
        m = problem.n_arms
        delta = problem.delta if self.radius_delta is None else self.radius_delta
        potential = np.zeros(4, dtype=np.int64)
        return State(
            delta=float(delta), below=np.zeros(m), above=np.zeros(m), potential=potential
        )

    def check(self, problem: Problem, run: Run, state: Struct) -> None:
        """Potential arms are arms."""
        assert isinstance(state, State)
        check_range("sampling.potential", state.potential, 0, problem.n_arms - 1)


@dataclass(frozen=True)
class LucbbocUpper(Lucbboc):
    """The same, but the edge inside a cluster is the one with the largest upper bound.

    An arm whose edge only looks short is then not starved.
    """

    name: ClassVar[str] = "lucb-ucb"
    kernels: ClassVar[Kernels] = observe, update_by_upper_bound, select
