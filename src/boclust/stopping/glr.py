"""The statistic Z(t) of the global rules, and how their thresholds grow."""

import numpy as np

from boclust.kernels import kernel
from boclust.psi.confusing import line_alternative
from boclust.problem.families.laws import divergence
from boclust.run.state import Evidence, Rules, Run
from boclust.stopping.weakest_link import weakest_link
from boclust.stopping.codes import HEURISTIC_LIFT, MIXTURE_LIFT, PENALTY_LIFT


@kernel
def standing_on_line(rules: Rules, run: Run, evidence: Evidence, enough: float) -> float:
    """Z(t) = psi(N, estimates) for d = 1 (or a lower bound), less the lift of its threshold.

    Any alternative bounds Z from above, so the one that was nearest last time tells most of the
    time that Z is still too small.
    """
    raised = lift(rules, run)
    glr = run.glr
    m = run.counts.shape[0]
    known = True
    bound = 0.0
    for i in range(m):
        if rules.lift == PENALTY_LIFT and run.kin.raw[i] != run.means[i, 0]:
            return -np.inf  # a sample mean on the boundary of the parameter space: wait
        glr.weights[i] = run.counts[i]
        if rules.lift == MIXTURE_LIFT:
            glr.weights[i] *= run.counts[i] / (run.counts[i] + rules.parameter)
        known = known and glr.labels[i] == run.labels[i]
        bound += glr.weights[i] * divergence(rules.family, run.means[i, 0], glr.nearest[i])
    if known and bound - raised < enough:
        return bound - raised
    return statistic_anew(rules, run) - raised


@kernel
def statistic_anew(rules: Rules, run: Run) -> float:
    """Z(t) or a lower bound, and the nearest alternative for the next time."""
    glr = run.glr
    m = run.counts.shape[0]
    least, cost = line_alternative(rules, run, glr.weights, glr.nearest.reshape((m, 1)))
    for i in range(m):
        glr.labels[i] = run.labels[i] if cost > 0.0 else -1
    return least


@kernel
def standing_in_space(rules: Rules, run: Run, evidence: Evidence, enough: float) -> float:
    """The spanning-tree lower bound of Z(t), less the lift of its threshold."""
    raised = lift(rules, run)
    return weakest_link(rules, run, evidence, enough + raised) - raised


@kernel
def lift(rules: Rules, run: Run) -> float:
    """What a rule's threshold grows by with the samples, beyond its share of log(1/delta)."""
    total = 0.0
    if rules.lift == HEURISTIC_LIFT:
        for j in range(run.counts.shape[0]):
            total += run.counts[j]
        return np.log1p(np.log(total))
    for j in range(run.counts.shape[0]):
        total += run.lifts[j]
    return total
