"""Stopping rules that belong to one sampling rule."""

import numpy as np

from boclust.kernels import kernel
from boclust.run.state import Evidence, Rules, Run
from boclust.sampling.boc_steps import boc_statistic, boc_threshold
from boclust.sampling.turn_kernels import fewest


@kernel
def standing_decided(rules: Rules, run: Run, evidence: Evidence, enough: float) -> float:
    """Infinite once an elimination rule has decided."""
    return np.inf if run.rounds.done[0] == 1 else -np.inf


@kernel
def standing_fixed_size(rules: Rules, run: Run, evidence: Evidence, enough: float) -> float:
    """Infinite once every arm has its samples."""
    return np.inf if run.counts[fewest(run.counts)] >= rules.parameter else -np.inf


@kernel
def standing_of_equal_means(rules: Rules, run: Run, evidence: Evidence, enough: float) -> float:
    """BOC's Z less the part of its threshold that grows with the counts."""
    peer = run.peer
    z = boc_statistic(run.counts, run.means, run.labels, peer.centres, peer.totals, peer.least)
    if rules.constant:
        return z
    return z - boc_threshold(run.counts, run.means.shape[1], 0.0)
