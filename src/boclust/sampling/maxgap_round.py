"""The MaxGap rules (Katariya, Tripathy, Nowak 2019): two clusters on a line, cut at the widest gap.

UD of an arm is the larger of the suprema of its right and its left gap, LD the largest floor of a
cut (see ``elimination_kernels``).
"""

import numpy as np

from boclust.kernels import kernel
from boclust._validate import FloatArray, IntArray
from boclust.sampling.codes import MAXGAP_ELIM, MAXGAP_TOP2
from boclust.sampling.boc_elim import (
    LEFT,
    RIGHT,
    RULED_OUT,
    ascending,
    certified,
    gap_floors,
    kth_largest,
    split,
    want_active,
    widest_right_gaps,
)


@kernel
def maxgap_round(
    rule: int, means: FloatArray, low: FloatArray, high: FloatArray, status: IntArray,
    wanted: FloatArray, labels: IntArray,
) -> bool:
    """One round for K = 2 clusters; returns whether ``labels`` are certain.

    MaxGapElim samples all arms but those that once had UD < LD, which are not next to the widest
    gap; MaxGapUCB those with the largest UD; MaxGapTop2UCB those with the largest or the second
    largest distinct UD.

    All end when the two clusters are ``certified``: no gap inside either can be wider than the
    floor of the cut. That is the early end of the original paper, for clusters alone; its other
    end, only two arms left with UD >= LD > 0, implies this one: in every world the two arms at the
    cut with floor LD have UD >= LD, so they are these two, and any other gap has an arm with
    UD < LD. MaxGapUCB stops sampling an arm once its UD is below the largest, which is far from LD:
    it may need very long to end.
    """
    n_arms = means.shape[0]
    order = ascending(means)
    split(means, order, 2, labels)
    floors = gap_floors(low, high, order)
    floor = kth_largest(floors, 1)
    everywhere = np.zeros(n_arms, np.int64)
    widest = np.maximum(
        widest_right_gaps(low, high, ascending(low), everywhere),
        widest_right_gaps(-high, -low, ascending(-high), everywhere),
    )
    if rule == MAXGAP_ELIM:
        for arm in range(n_arms):
            if widest[arm] < floor:
                status[arm, LEFT] = RULED_OUT
                status[arm, RIGHT] = RULED_OUT
    if n_arms == 2 or certified(low, high, order, floors, labels, status):
        wanted[:] = 0.0
        return True
    if rule == MAXGAP_ELIM:
        want_active(status, wanted)
        return False
    enough = np.max(widest)
    if rule == MAXGAP_TOP2:
        second = -np.inf
        for arm in range(n_arms):
            if widest[arm] < enough:
                second = max(second, widest[arm])
        enough = second
    for arm in range(n_arms):
        wanted[arm] = 1.0 if widest[arm] >= enough else 0.0
    return False
