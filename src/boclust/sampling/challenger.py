"""The challenger (ours): sample where the certificate is weakest.

Every cluster and rival pair has a bottleneck bond under the score ``v(n_c) - cost``, c = 16, the
margin of ``local`` with the cheaper cost of ``local-semi``. The weakest of them says which cut of
which cluster is hardest to defend against which rival pair.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from boclust._validate import BoolArray, FloatArray, IntArray, integer
from boclust.kernels import Struct, b1, copy_vector, f1, i1, inlined, kernel, scratch
from boclust.problem.trees import maximum_tree
from boclust.psi.bond import four_arm_cost, shrunk_inverse, three_arm_cost_of_gaps
from boclust.run.clusters import group
from boclust.run.saved import check_quadruple, check_tree
from boclust.run.state import Problem, Run
from boclust.sampling.base import Kernels, Sampling

#: Prior precision of the score.
PRECISION = 16.0
#: How many standard errors a bond may be shorter than it looks.
OPTIMISM = 2.0
#: Scores that differ by less may be equal but for rounding.
ROUNDING = 1e-9


class State(Struct):
    """How certain each position is, and the quadruple that is hardest to defend."""

    noise: f1 = scratch  # the variance of a position
    inverse: f1 = scratch  # the same under the prior: 1/n_c
    logs: f1 = scratch  # log(1 + N/c)
    quad: i1  # (a, b, m, n)
    tree: i1  # the best tree of its cluster: parents, relative to the first arm
    chosen: i1 = scratch  # 4
    side: b1 = scratch


class Scores(NamedTuple):
    """The graph of the arms of a cluster: bonds weighted by ``v(n_c) - cost`` against (m, n)."""

    gaps: FloatArray
    inverse: FloatArray
    logs: FloatArray
    half: float  # d / 2
    arms: IntArray
    first: int  # where the cluster begins
    m: int
    n: int

    def weight(self, i: int, j: int) -> float:
        """The score of a bond."""
        gaps, inverse, logs, half, arms, first, m, n = self
        a = arms[first + i]
        b = arms[first + j]
        bond = gaps[a, b]
        rival = gaps[m, n]
        found = -(half * (logs[m] + logs[n]))
        if a == m or a == n or b == m or b == n:
            shared = a if a == m or a == n else b
            single = b if shared == a else a
            other = n if shared == m else m
            found -= 0.5 * logs[single]
            if rival > bond:
                found += three_arm_cost_of_gaps(
                    bond, rival, gaps[single, other], inverse[single] + inverse[other],
                    inverse[shared],
                )
            return found
        found -= 0.5 * (logs[a] + logs[b])
        if rival > bond:
            spread = inverse[a] + inverse[b] + (inverse[m] + inverse[n])
            found += four_arm_cost(bond, rival, spread)
        return found


@kernel
def observe(run: Run, own: State, arm: int) -> None:
    """How certain the position of an arm is."""
    n = run.counts[arm]
    own.noise[arm] = run.variance[arm] / n
    own.inverse[arm] = run.variance[arm] * shrunk_inverse(n, PRECISION)
    own.logs[arm] = np.log1p(n / PRECISION)


@kernel
def update(run: Run, own: State) -> None:
    """The clusters, and the quadruple that is hardest to defend."""
    group(run)
    weakest_quadruple(run, own)
    run.suspect[0] = own.quad[0]
    run.suspect[1] = own.quad[2]
    run.suspect[2] = own.quad[3]


@kernel
def select(run: Run, own: State) -> int:
    """The least sampled arm of that quadruple, its bond the one that may be the shortest."""
    copy_vector(own.chosen, own.quad)
    k = run.labels[own.quad[0]]
    if run.start[k + 1] - run.start[k] > 2:
        optimistic_bond(
            own.noise, run.gaps, run.arms, run.start[k], run.start[k + 1], own.tree, own.side,
            own.chosen,
        )
    return least_asked(run.asked, own.chosen)


@kernel
def weakest_quadruple(run: Run, own: State) -> float:
    """The weakest bottleneck of all clusters and rival pairs: its score, and ``own.quad``.

    ``own.tree`` receives the maximum spanning tree of that cluster.
    """
    gaps, arms, start = run.gaps, run.arms, run.start
    n_clusters = start.shape[0] - 1
    half = 0.5 * run.means.shape[1]
    weakest = np.inf
    for k in range(n_clusters):
        first = start[k]
        size = start[k + 1] - first
        if size < 2:
            continue
        for p in range(n_clusters):
            for i in range(start[p], start[p + 1]):
                for j in range(start[p + 1], arms.shape[0]):
                    m = arms[i]
                    n = arms[j]
                    floor = weakest + ROUNDING * (1.0 + abs(weakest))
                    if clearly_stronger(
                        gaps, own.inverse, own.logs, half, arms, first, first + size, m, n, floor
                    ):
                        continue
                    scores = Scores(gaps, own.inverse, own.logs, half, arms, first, m, n)
                    maximum_tree(scores, size, run.parent, run.reach, run.order)
                    improved = False
                    for at in range(1, size):
                        e = run.order[at]
                        if run.reach[e] < weakest:
                            weakest = run.reach[e]
                            improved = True
                            own.quad[0] = arms[first + run.parent[e]]
                            own.quad[1] = arms[first + e]
                            own.quad[2] = m
                            own.quad[3] = n
                    if improved:
                        for e in range(1, size):
                            own.tree[e] = run.parent[e]
    return weakest


@inlined
def clearly_stronger(
    gaps: FloatArray, inverse: FloatArray, logs: FloatArray, half: float, arms: IntArray,
    first: int, last: int, m: int, n: int, floor: float,
) -> bool:
    """Whether bonds that score more than ``floor`` connect the cluster ``arms[first:last]``.

    It passes over most rival pairs without a division or a root, which makes ``update`` several
    times faster. It looks only for a bond of each arm to an earlier one. The rival is longer than
    the bond by g; three arms cost at least ``g^2 / 2 / (s + 4 b)`` (see ``bond_value``), since a
    step of the shared arm changes g by at most twice its length.
    """
    rival = gaps[m, n]
    closing = inverse[m] + inverse[n]
    needed = floor + half * (logs[m] + logs[n])
    for i in range(first + 1, last):
        b = arms[i]
        connected = False
        for j in range(first, i):
            a = arms[j]
            gap = rival - gaps[a, b]
            if gap <= 0.0:
                continue
            spread = inverse[a] + inverse[b] + closing
            if a == m or a == n:
                spread += 2.0 * inverse[a]
            if b == m or b == n:
                spread += 2.0 * inverse[b]
            if 0.5 * gap * gap > (needed + 0.5 * (logs[a] + logs[b])) * spread:
                connected = True
                break
        if not connected:
            return False
    return True


@kernel
def optimistic_bond(
    noise: FloatArray, gaps: FloatArray, arms: IntArray, first: int, last: int, tree: IntArray,
    side: BoolArray, quad: IntArray,
) -> None:
    """Replace the bond in ``quad`` by the one across the same cut that may be the shortest.

    The bottleneck bond is the best known across its cut, not the best possible: an arm that once
    looked worse and has few samples would never be sampled again. So the bonds across the cut are
    compared by their length less two standard errors.
    """
    at = 0
    for e in range(1, last - first):  # the end of the bottleneck edge that hangs below the other
        x = arms[first + e]
        y = arms[first + tree[e]]
        if (x == quad[0] and y == quad[1]) or (x == quad[1] and y == quad[0]):
            at = e
    for e in range(last - first):
        up = e
        while up != 0 and up != at:
            up = tree[up]
        side[e] = up == at
    shortest = np.inf
    for i in range(last - first):
        for j in range(last - first):
            if side[i] and not side[j]:
                a = arms[first + i]
                b = arms[first + j]
                error = np.sqrt(noise[a] + noise[b])
                if gaps[a, b] - OPTIMISM * error < shortest:
                    shortest = gaps[a, b] - OPTIMISM * error
                    quad[0] = a
                    quad[1] = b


@kernel
def least_asked(asked: FloatArray, quad: IntArray) -> int:
    """The least sampled arm of the quadruple; one in both the bond and the rival counts half."""
    arm = quad[0]
    fewest = np.inf
    for e in range(4):
        j = quad[e]
        twice = j == quad[2] or j == quad[3] if e < 2 else j == quad[0] or j == quad[1]
        n = 0.5 * asked[j] if twice else asked[j]
        if n < fewest:
            fewest = n
            arm = j
    return arm


@dataclass(frozen=True)
class Challenger(Sampling):
    """Sample where the certificate is weakest.

    The weakest (cluster, cut, rival pair) is found by the score; across that cut the bond that may
    be the shortest is taken, and of its arms and the rival pair the least sampled one, an arm in
    both counting half. One-parameter families and bounded samples are scored as Gaussian ones with
    the variance that the estimates have.

    Among many arms (see ``many_arms.challenger``) one update plans the next ``batch`` samples,
    about M/20 by default: of the quadruples that are the weakest with the samples planned already.
    """

    name: ClassVar[str] = "challenger"
    reason: ClassVar[str] = "the clusters are least certain here"
    kernels: ClassVar[Kernels] = observe, update, select
    observe_is_pure: ClassVar[bool] = True
    batch: int = 0

    def __post_init__(self) -> None:
        integer("batch", self.batch, 0)

    def check(self, problem: Problem, run: Run, state: Struct) -> None:
        """Also: the best tree of the cluster in doubt is a tree."""
        super().check(problem, run, state)
        assert isinstance(state, State)
        check_quadruple(run, state.quad)
        k = run.labels[state.quad[0]]
        check_tree(state.tree[: run.start[k + 1] - run.start[k]])

    def new(self, problem: Problem) -> State:
        """Nothing is doubted yet."""
        m = problem.n_arms
        some = np.zeros(m, dtype=np.int64)
        four = np.zeros(4, dtype=np.int64)
        return State(
            noise=np.zeros(m), inverse=np.zeros(m), logs=np.zeros(m), quad=four, tree=some,
            chosen=four.copy(), side=np.zeros(m, dtype=np.bool_),
        )  # fmt: skip
