"""Confidence intervals of the arms, around their positions.

``interval(family, delta)`` gives a struct whose method ``around(run, arm)`` returns how far the
interval of an arm reaches below and above its position. All intervals hold at all times with
probability 1 - delta, except those that are ``constant``: they are the means l with
``N d(mean, l) <= log(1/delta)``, for curves against the observed error rate.
"""

import numpy as np

from boclust.kernels import Struct
from boclust.problem.families import Family
from boclust.problem.families.gaussian import Quadratic
from boclust.problem.intervals import limits, radius
from boclust.run.state import Run


class Radius(Struct):
    """Gaussian, sub-Gaussian and bounded samples: ``alpha_m(t)`` of Section V on both sides."""

    delta: float
    constant: bool

    def around(self, run: Run, arm: int) -> tuple[float, float]:
        """How far the interval reaches below and above the position."""
        n_arms, dim = run.positions.shape
        count = run.counts[arm]
        if self.constant:
            reach = np.sqrt(-2.0 * np.log(self.delta) / count)
        else:
            reach = radius(count, n_arms, dim, self.delta)
        return reach, reach


class Limits(Struct):
    """One-parameter families: the limits that the conjugate mixture of the arm allows."""

    delta: float
    constant: bool

    def around(self, run: Run, arm: int) -> tuple[float, float]:
        """How far the interval reaches below and above the position."""
        law = run.law
        total = run.sums[arm, 0]
        count = run.counts[arm]
        most = -np.log(self.delta) / count
        if not self.constant:
            most += (np.log(run.counts.shape[0]) + law.penalty(total, count)) / count
        low, high = limits(law, total / count, most)
        position = run.positions[arm, 0]
        return max(position - law.position(low), 0.0), max(law.position(high) - position, 0.0)


def interval(family: Family, delta: float, constant: bool = False) -> Radius | Limits:
    """The confidence intervals of a family."""
    kind = Radius if isinstance(family, Quadratic) else Limits
    return kind(delta=float(delta), constant=constant)
