"""ATBOC (Algorithm 1) and its variants DTBOC and WATBOC: follow the optimal proportions.

Where the lines of Algorithm 1 are:

- lines 4 and 5, forced exploration: ``run.step``, for every rule with ``explores``
- line 7, the arm whose count lags most: ``select``
- lines 9 and 10, the sample: ``run.step``; the kept alternatives follow it (``reprice``)
- lines 11 and 13, the stopping rule: ``stopping``
- line 12, the optimal proportions w*(t): ``update``, by ``kept_alternatives``

The three rules differ in how fast they forget: the counts follow ``sum_s memory^(t-s) w*(s)``.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boclust._validate import FloatArray
from boclust.kernels import Struct, f1, kernel
from boclust.run.clusters import group
from boclust.run.saved import check_range
from boclust.run.state import Problem, Run, fewest
from boclust.sampling.base import Kernels, Sampling
from boclust.sampling.kept_alternatives import (
    Kept,
    check_kept,
    find_shares,
    nothing_kept,
    reprice,
)


class State(Kept):
    """What the counts follow, and w*(t) with the alternatives it comes from."""

    aims: f1  # the counts are to be proportional to these
    memory: float  # what is left of a w*(s) in the aims after one more step


@kernel
def update(run: Run, own: State) -> None:
    """Line 12: the clusters, w*(t), and the sum of line 7."""
    group(run)
    find_shares(run, own)
    for m in range(own.aims.shape[0]):
        own.aims[m] = own.memory * own.aims[m] + own.shares[m]


@kernel
def select(run: Run, own: State) -> int:
    """Line 7."""
    return farthest_behind(run.asked, own.aims)


@kernel
def farthest_behind(counts: FloatArray, aims: FloatArray) -> int:
    """The arm whose share of the samples lags most behind its share of the aims, if that is > 0.

    If there are no aims yet, the arm with the fewest samples.
    """
    total = 0.0
    aimed = 0.0
    for m in range(counts.shape[0]):
        total += counts[m]
        aimed += aims[m]
    if aimed == 0.0:
        return fewest(counts)
    arm = 0
    lag = -np.inf
    for m in range(counts.shape[0]):
        behind = aims[m] * total / aimed - counts[m]
        if aims[m] > 0.0 and behind > lag:
            lag = behind
            arm = m
    return arm


@dataclass(frozen=True)
class Tracking(Sampling):
    """Follow the optimal proportions w*(t) of the present estimates (Algorithm 1).

    The rule samples the arm whose count lags most behind what it should be. w*(t) is found to 1 %
    of the optimum from alternatives that are kept from step to step: exactly on a line, in space up
    to what the bottlenecks of spanning trees miss.
    """

    reason: ClassVar[str] = "farthest behind its best share of the samples"
    kernels: ClassVar[Kernels] = reprice, update, select
    observe_is_pure: ClassVar[bool] = True
    memory: ClassVar[float]

    def new(self, problem: Problem) -> State:
        """No aims and no alternatives."""
        aims = np.full(problem.n_arms, self.first_aim(problem.n_arms))
        return State(aims=aims, memory=self.memory, **nothing_kept(problem))

    def first_aim(self, n_arms: int) -> float:
        """What the M - 1 steps before the first w*(t) add to every aim."""
        return 0.0

    def check(self, problem: Problem, run: Run, state: Struct) -> None:
        """Aims are sums of proportions, and there are no more alternatives than there is room."""
        assert isinstance(state, State)
        check_range("sampling.aims", state.aims, 0.0, 2.0**53)
        check_kept(problem, state)


@dataclass(frozen=True)
class Average(Tracking):
    """ATBOC: counts follow the average of all w*(s) so far, hence ``sum_s w*(s)`` (line 7)."""

    name: ClassVar[str] = "average"
    memory: ClassVar[float] = 1.0

    def first_aim(self, n_arms: int) -> float:
        """Equal shares of each."""
        return 1.0 - 1.0 / n_arms


@dataclass(frozen=True)
class Direct(Tracking):
    """DTBOC: counts follow the present w*(t) alone."""

    name: ClassVar[str] = "direct"
    memory: ClassVar[float] = 0.0


@dataclass(frozen=True)
class Weighted(Tracking):
    """WATBOC: counts follow ``sum_s 2^(s-t) w*(s)``; each older w*(s) counts half."""

    name: ClassVar[str] = "weighted"
    memory: ClassVar[float] = 0.5
