"""The MaxGap rules (Katariya, Tripathy, Nowak 2019): two clusters on a line, cut at the widest gap.

They go in rounds as BOC-ELIM does (see ``boc_elim``). UD of an arm is the larger of the suprema of
its right and its left gap, LD the largest floor of a cut (see ``gap_bounds``).

All end when the two clusters are ``certified``: no gap inside either can be wider than the floor of
the cut. That is the early end of the original paper, for clusters alone. Its other end, only two
arms left with UD >= LD > 0, implies this one: in every world the two arms at the cut with floor LD
have UD >= LD, so they are these two, and any other gap has an arm with UD < LD.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boclust._validate import FloatArray, IntArray
from boclust.kernels import kernel
from boclust.run.state import Problem, Run
from boclust.sampling.boc_elim import (
    LEFT,
    RIGHT,
    RULED_OUT,
    BocElim,
    State,
    certified,
    want_active,
)
from boclust.sampling.gap_bounds import (
    ascending,
    gap_floors,
    kth_largest,
    split,
    widest_right_gaps,
)


class ElimState(State):
    """Like that of BOC-ELIM; a round ends as ``elim_round`` does."""

    def decide(self, run: Run, low: FloatArray, high: FloatArray, wanted: FloatArray) -> bool:
        """Whether the clusters are certain; else, which arms are ``wanted``."""
        means = run.positions.reshape(low.shape[0])
        return elim_round(means, low, high, self.status, wanted, run.labels)


class UcbState(State):
    """Like that of BOC-ELIM; a round ends as ``ucb_round`` does."""

    def decide(self, run: Run, low: FloatArray, high: FloatArray, wanted: FloatArray) -> bool:
        """Whether the clusters are certain; else, which arms are ``wanted``."""
        means = run.positions.reshape(low.shape[0])
        return ucb_round(means, low, high, self.status, wanted, run.labels)


class Top2State(State):
    """Like that of BOC-ELIM; a round ends as ``top2_round`` does."""

    def decide(self, run: Run, low: FloatArray, high: FloatArray, wanted: FloatArray) -> bool:
        """Whether the clusters are certain; else, which arms are ``wanted``."""
        means = run.positions.reshape(low.shape[0])
        return top2_round(means, low, high, self.status, wanted, run.labels)


@kernel
def elim_round(
    means: FloatArray,
    low: FloatArray,
    high: FloatArray,
    status: IntArray,
    wanted: FloatArray,
    labels: IntArray,
) -> bool:
    """MaxGapElim: all arms but those that once had UD < LD, which are not next to the widest gap.

    Returns whether ``labels`` are certain; so do the other two.
    """
    order = ascending(means)
    floors = gap_floors(low, high, order)
    floor = kth_largest(floors, 1)
    widest = widest_gaps(low, high)
    for arm in range(means.shape[0]):
        if widest[arm] < floor:
            status[arm, LEFT] = RULED_OUT
            status[arm, RIGHT] = RULED_OUT
    if two_clusters(means, low, high, order, floors, status, wanted, labels):
        return True
    want_active(status, wanted)
    return False


@kernel
def ucb_round(
    means: FloatArray,
    low: FloatArray,
    high: FloatArray,
    status: IntArray,
    wanted: FloatArray,
    labels: IntArray,
) -> bool:
    """MaxGapUCB: the arms with the largest UD.

    It stops sampling an arm once its UD is below the largest, which is far from LD: it may need
    very long to end.
    """
    order = ascending(means)
    floors = gap_floors(low, high, order)
    if two_clusters(means, low, high, order, floors, status, wanted, labels):
        return True
    widest = widest_gaps(low, high)
    want_widest(widest, np.max(widest), wanted)
    return False


@kernel
def top2_round(
    means: FloatArray,
    low: FloatArray,
    high: FloatArray,
    status: IntArray,
    wanted: FloatArray,
    labels: IntArray,
) -> bool:
    """MaxGapTop2UCB: the arms with the largest or the second largest distinct UD."""
    order = ascending(means)
    floors = gap_floors(low, high, order)
    if two_clusters(means, low, high, order, floors, status, wanted, labels):
        return True
    widest = widest_gaps(low, high)
    largest = np.max(widest)
    second = -np.inf
    for arm in range(means.shape[0]):
        if widest[arm] < largest:
            second = max(second, widest[arm])
    want_widest(widest, second, wanted)
    return False


@kernel
def two_clusters(
    means: FloatArray,
    low: FloatArray,
    high: FloatArray,
    order: IntArray,
    floors: FloatArray,
    status: IntArray,
    wanted: FloatArray,
    labels: IntArray,
) -> bool:
    """Write the two clusters of the estimates; if they are certain, no arm is ``wanted``."""
    split(means, order, 2, labels)
    if means.shape[0] == 2 or certified(low, high, order, floors, labels, status):
        wanted[:] = 0.0
        return True
    return False


@kernel
def widest_gaps(low: FloatArray, high: FloatArray) -> FloatArray:
    """UD of every arm."""
    everywhere = np.zeros(low.shape[0], np.int64)
    return np.maximum(
        widest_right_gaps(low, high, ascending(low), everywhere),
        widest_right_gaps(-high, -low, ascending(-high), everywhere),
    )


@kernel
def want_widest(widest: FloatArray, least: float, wanted: FloatArray) -> None:
    """The arms with UD of at least ``least``."""
    for arm in range(wanted.shape[0]):
        wanted[arm] = 1.0 if widest[arm] >= least else 0.0


@dataclass(frozen=True)
class MaxGapElim(BocElim):
    """In rounds, every arm that may still be next to the largest gap."""

    name: ClassVar[str] = "maxgap-elim"
    reason: ClassVar[str] = "may still be next to the largest gap"
    state_type: ClassVar[type[State]] = ElimState

    def refusal(self, problem: Problem) -> str:
        """Two clusters on a line."""
        one_gap = problem.dim == 1 and problem.n_clusters == 2
        return "" if one_gap else "d = 1 and K = 2 (one gap on a line)"


@dataclass(frozen=True)
class MaxGapUcb(MaxGapElim):
    """In rounds, the arms whose gap may be the largest of all."""

    name: ClassVar[str] = "maxgap-ucb"
    state_type: ClassVar[type[State]] = UcbState


@dataclass(frozen=True)
class MaxGapTop2Ucb(MaxGapElim):
    """In rounds, the arms whose gap may be the largest, or the second largest."""

    name: ClassVar[str] = "maxgap-top2ucb"
    state_type: ClassVar[type[State]] = Top2State
