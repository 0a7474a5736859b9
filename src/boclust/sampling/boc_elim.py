"""BOC-ELIM (Algorithm 3, Section VI): arms on a line, eliminated one side at a time.

On a line the K clusters are cut at the K - 1 widest of the M - 1 gaps between neighbouring means,
the *top* gaps. A round samples every active arm once. Afterwards a side of an arm is no longer
active if its gap is certain to be a top gap (S) or certain not to be one (F). An arm is active
while one of its sides is.

Claims of earlier rounds are kept although the limits have moved since. A claim is true if the
limits of its round held the true means, so all claims are true if all rounds' limits did. If some
did not, claims may contradict each other and a run may never end.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boclust._validate import FloatArray, IntArray, invalid, shown
from boclust.kernels import Struct, f1, i1, i2, kernel, scratch
from boclust.run.intervals import interval
from boclust.run.saved import check_all_clusters, check_counts, check_range
from boclust.run.state import Problem, Run
from boclust.sampling.base import Kernels, Sampling
from boclust.sampling.gap_bounds import (
    ascending,
    gap_ceilings,
    gap_floors,
    kth_largest,
    narrowest_right_gaps,
    split,
    widest_right_gaps,
)

#: What is known of a side of an arm: nothing yet (A), its gap is not a top gap (F), or it is (S).
ACTIVE, RULED_OUT, IDENTIFIED = range(3)
#: The sides of an arm: columns of ``status``.
LEFT, RIGHT = range(2)


class State(Struct):
    """What is known after the rounds so far, and what the present round still samples."""

    delta: float
    constant: bool  # see ``run.intervals``
    below: f1 = scratch  # the confidence interval: [position - below, position + above]
    above: f1 = scratch
    target: f1  # the round is over when every arm has this many samples
    status: i2  # M x 2: ACTIVE, RULED_OUT or IDENTIFIED
    done: i1  # (1,): 1 once the clusters are certain

    def decide(self, run: Run, low: FloatArray, high: FloatArray, wanted: FloatArray) -> bool:
        """Whether the clusters are certain; else, which arms are ``wanted``."""
        means = run.positions.reshape(low.shape[0])
        n_clusters = run.start.shape[0] - 1
        return elimination_round(means, low, high, n_clusters, self.status, wanted, run.labels)


@kernel
def select(run: Run, own: State) -> int:
    """Line 5: an arm that the round owes a sample which is not pending; else the least asked."""
    arm = -1
    for m in range(run.counts.shape[0]):
        if run.counts[m] < own.target[m]:
            if run.asked[m] < own.target[m]:
                return m
            if arm < 0 or run.asked[m] < run.asked[arm]:
                arm = m
    return max(arm, 0)


@kernel
def observe(run: Run, own: State, arm: int) -> None:
    """Line 5: the confidence interval of the sampled arm.

    For Gaussian samples it reaches sqrt(2/N log(4 M N^2 / delta)) to both sides, in units of sigma.
    """
    own.below[arm], own.above[arm] = interval(run, arm, own.delta, own.constant)


@kernel
def update(run: Run, own: State) -> None:
    """Lines 6 to 8, once the round is over."""
    if own.done[0] == 0 and round_is_over(run.counts, own.target):
        next_round(run, own)


@kernel
def round_is_over(counts: FloatArray, target: FloatArray) -> bool:
    """Whether every arm has the samples that the round owes it."""
    for m in range(counts.shape[0] - 1, -1, -1):  # the last ones are sampled last
        if counts[m] < target[m]:
            return False
    return True


@kernel
def next_round(run: Run, own: State) -> None:
    """Decide by the limits l_m(t) and r_m(t) which arms the next round samples once more."""
    n_arms = run.counts.shape[0]
    low = np.empty(n_arms)
    high = np.empty(n_arms)
    for m in range(n_arms):
        low[m] = run.positions[m, 0] - own.below[m]
        high[m] = run.positions[m, 0] + own.above[m]
    wanted = np.empty(n_arms)
    own.done[0] = own.decide(run, low, high, wanted)
    for m in range(n_arms):
        own.target[m] = run.counts[m] + wanted[m]


@kernel
def elimination_round(
    means: FloatArray,
    low: FloatArray,
    high: FloatArray,
    n_clusters: int,
    status: IntArray,
    wanted: FloatArray,
    labels: IntArray,
) -> bool:
    """Lines 6 to 8; returns whether ``labels`` are certain, else says which arms are ``wanted``.

    The floor L^(K-1) is at most the (K - 1)-th widest gap of any world and the ceiling U^(K) is at
    least the K-th widest. So both claims of line 7 hold in every world, and no side meets both. The
    outer sides of the two extreme arms have no gap and are ruled out too.

    The paper ends (line 8) when all 2 (K - 1) sides of the top gaps are identified or the 2 (M - K)
    other sides (2 more with the outer ones) are ruled out. It mentions that an earlier end is
    possible if only the clusters matter: this is ``certified``, which also ends if several arms
    share the mean next to a cut. If the claims of one round end the paper's rule, the certificate
    holds in that round:

    - all sides of top gaps identified: K - 1 floors exceed all but K - 1 ceilings, and no gap
      inside a cluster exceeds those;
    - all others ruled out: in every world the K - 1 arms below the cuts are those not ruled out on
      the right. The lower arm of a gap inside a cluster is none of them, so the gap is narrower
      than the floors.

    If the paper's rule counts claims of rounds whose limits have moved since, the present limits
    may not say to which cluster an arm belongs. Then sampling goes on, of all arms once none is
    active.
    """
    order = ascending(means)
    split(means, order, n_clusters, labels)
    if n_clusters == 1 or n_clusters == means.shape[0]:  # there is one such clustering
        wanted[:] = 0.0
        return True
    # line 6
    floors = gap_floors(low, high, order)
    widest_floor = floors.max()
    if not widest_floor > 0.0:  # no cut is certain to exist: nothing can be claimed
        want_active(status, wanted)
        return False
    floor = kth_largest(floors, n_clusters - 1)
    by_low = ascending(low)
    by_high = ascending(high)
    ceiling = kth_largest(gap_ceilings(low, high, by_low, by_high), n_clusters)
    # line 7; no gap is below a floor of zero, and no gap is certain to be wider than all floors
    if floor > 0.0 or widest_floor > ceiling:
        claim_sides(low, high, by_low, floor, ceiling, RIGHT, status)
        claim_sides(-high, -low, by_high[::-1].copy(), floor, ceiling, LEFT, status)
    # line 8
    if certified(low, high, order, floors, labels, status):
        wanted[:] = 0.0
        return True
    want_active(status, wanted)
    return False


@kernel
def claim_sides(
    low: FloatArray,
    high: FloatArray,
    by_low: IntArray,
    floor: float,
    ceiling: float,
    side: int,
    status: IntArray,
) -> None:
    """Line 7 for the sides of the arms that look to the right in these limits."""
    widest = widest_right_gaps(low, high, by_low, np.zeros(low.shape[0], np.int64))
    narrowest = narrowest_right_gaps(low, high, by_low)
    for arm in range(low.shape[0]):
        if status[arm, side] == ACTIVE:
            if widest[arm] < floor:
                status[arm, side] = RULED_OUT
            elif narrowest[arm] > ceiling:
                status[arm, side] = IDENTIFIED


@kernel
def certified(
    low: FloatArray,
    high: FloatArray,
    order: IntArray,
    floors: FloatArray,
    labels: IntArray,
    status: IntArray,
) -> bool:
    """Whether the clusters ``labels``, pieces of ``order``, are the true ones.

    They are if each of their K - 1 cuts has a positive floor, the least being f, and each arm's
    right gap *within its cluster* is at most f in every world or has been ruled out (proof:
    ``docs/explanation/stopping-rules.md``).
    """
    least = np.inf
    for k in range(floors.shape[0]):
        if labels[order[k]] != labels[order[k + 1]]:
            least = min(least, floors[k])
    if not least > 0.0:
        return False
    inner = widest_right_gaps(low, high, ascending(low), labels)
    for arm in range(low.shape[0]):
        if inner[arm] > least and status[arm, RIGHT] != RULED_OUT:
            return False
    return True


@kernel
def want_active(status: IntArray, wanted: FloatArray) -> None:
    """The arms with an active side; all arms if there is none."""
    none = True
    for arm in range(wanted.shape[0]):
        active = status[arm, LEFT] == ACTIVE or status[arm, RIGHT] == ACTIVE
        wanted[arm] = 1.0 if active else 0.0
        none = none and not active
    if none:
        wanted[:] = 1.0


@dataclass(frozen=True)
class BocElim(Sampling):
    """In rounds, every arm with a gap of which it is open whether it is among the K - 1 widest.

    With ``constant`` the confidence intervals are those that the stopping rule ``decided``
    describes.
    """

    name: ClassVar[str] = "elimination"
    reason: ClassVar[str] = "still undecided in this round"
    explores: ClassVar[bool] = False
    needs_gaps: ClassVar[bool] = False
    observe_is_pure: ClassVar[bool] = True
    groups: ClassVar[bool] = False
    own_stopping: ClassVar[str | None] = "decided"
    kernels: ClassVar[Kernels] = observe, update, select
    state_type: ClassVar[type[State]] = State
    constant: bool = False

    @property
    def uses_delta(self) -> bool:
        """In the confidence intervals."""
        return True

    def refusal(self, problem: Problem) -> str:
        """Only on a line."""
        return "" if problem.dim == 1 else "d = 1 (gaps between neighbours on a line)"

    def new(self, problem: Problem) -> State:
        """Line 2: all arms are active on both sides, and the first round samples each once."""
        m = problem.n_arms
        return self.state_type(
            delta=float(problem.delta),
            constant=self.constant,
            below=np.zeros(m),
            above=np.zeros(m),
            target=np.ones(m),
            status=np.full((m, 2), ACTIVE, dtype=np.int64),
            done=np.zeros(1, dtype=np.int64),
        )

    def check(self, problem: Problem, run: Run, state: Struct) -> None:
        """A round owes an arm at most one sample, and no cluster is empty."""
        assert isinstance(state, State)
        check_range("sampling.status", state.status, ACTIVE, IDENTIFIED)
        check_range("sampling.done", state.done, 0, 1)
        check_counts("sampling.target", state.target)
        if (state.target > run.counts + 1).any():
            accepted = "at most one more than the counts"
            raise invalid("state['sampling.target']", accepted, shown(state.target.tolist()))
        check_all_clusters(problem, run)

    def room(self, run: Run, state: Struct, pending: IntArray) -> int:
        """The samples that the round owes and that are not pending."""
        assert isinstance(state, State)
        return int(np.maximum(state.target - run.counts - pending, 0).sum())
