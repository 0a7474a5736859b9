"""The loop: the same steps serve the learner and whole simulated trials.

One step observes a sample, lets the sampling rule update what it goes by, compares the statistic of
the stopping rule with its threshold, and selects the next arm. The loop knows no rule: it is handed
the states of both and their kernels as first-class functions.
"""

from typing import Any

import numpy as np

from boclust._validate import FloatArray, IntArray, KeyArray
from boclust.kernels import Struct, copy_vector, inlined, inner_kernel, kernel
from boclust.run.state import Run, all_sampled, fewest, locate
from boclust.sources.draw import Supply, Tap

#: How a trial ends, other than well.
EXHAUSTED = 1
BAD_ARM = 2


class Calls(Struct):
    """The kernels of both rules, as ``sampling.base`` and ``stopping.base`` describe them."""

    explores: bool
    record: Any  # ``state.record``: compiled on its own, the loop stays small
    observe: Any
    update: Any
    select: Any
    plan: Any
    account: Any  # ``observe`` of the stopping rule
    statistic: Any


@inner_kernel
def observe(run: Run, sampler: Any, stopper: Any, calls: Calls, arm: int) -> None:
    """Take ``run.sample``, a sample of ``arm``, into the run and into both rules."""
    calls.record(run, arm)
    calls.account(run, stopper, arm)
    calls.observe(run, sampler, arm)


@inner_kernel
def learn(
    run: Run, sampler: Any, stopper: Any, calls: Calls, arm: int, threshold: float
) -> float:
    """Observe ``run.sample``; returns the statistic, minus infinity until all arms are sampled."""
    observe(run, sampler, stopper, calls, arm)
    if not all_sampled(run.counts):
        return -np.inf
    calls.update(run, sampler)
    return calls.statistic(run, stopper, threshold)


@kernel
def current_statistic(run: Run, stopper: Any, calls: Calls, threshold: float) -> float:
    """``statistic_of`` for Python."""
    return statistic_of(run, stopper, calls, threshold)


@inner_kernel
def statistic_of(run: Run, stopper: Any, calls: Calls, threshold: float) -> float:
    """The statistic, for an infinite ``threshold`` without any effect on the run."""
    if not all_sampled(run.counts):
        return -np.inf
    return calls.statistic(run, stopper, threshold)


@kernel
def select(run: Run, sampler: Any, calls: Calls) -> tuple[int, bool]:
    """The next arm, and whether exploration is forced; the caller checks what a rule returns."""
    arm = forced_exploration(run.asked) if calls.explores else -1
    if arm >= 0:
        return arm, True
    return calls.select(run, sampler), False


@kernel
def forced_exploration(asked: FloatArray) -> int:
    """Algorithm 1, lines 4 and 5: the least sampled arm if it has fewer than sqrt(t / M) samples.

    Else -1.
    """
    least = fewest(asked)
    n = asked[least]
    t = 0.0
    for j in range(asked.shape[0]):
        t += asked[j]
    return least if n == 0.0 or n * n * asked.shape[0] < t else -1


@kernel
def replay(
    run: Run, sampler: Any, stopper: Any, calls: Calls, steps: IntArray, values: FloatArray,
    threshold: float, answer: IntArray, marks: IntArray, seen: FloatArray,
) -> bool:
    """Repeat tells and asks in order: a step is the arm of the next value, or minus n for ask(n).

    Returns whether the statistic has reached the threshold (never if that is minus infinity:
    nothing to show), with the labels of the first time in ``answer``. ``seen`` receives the
    evidence against the claim that looks weakest after the numbers of steps in ``marks``.
    """
    held = False
    at = 0
    marked = 0
    for i in range(steps.shape[0] + 1):
        while marked < marks.shape[0] and marks[marked] == i:
            seen[marked] = -np.inf
            if threshold > -np.inf:
                seen[marked] = statistic_of(run, stopper, calls, np.inf)
            marked += 1
        if i == steps.shape[0]:
            break
        step = steps[i]
        if step < 0:
            if threshold > -np.inf:
                calls.plan(run, sampler, -step)
            continue
        copy_vector(run.sample, values[at])
        at += 1
        if threshold == -np.inf:
            observe(run, sampler, stopper, calls, step)
            continue
        statistic = learn(run, sampler, stopper, calls, step, threshold)
        if not held and statistic >= threshold:
            held = True
            copy_vector(answer, run.labels)
    return held


@kernel
def recompute(
    run: Run, sampler: Any, stopper: Any, calls: Calls, variance: FloatArray,
    sampler_is_pure: bool, stopper_is_pure: bool,
) -> None:
    """Everything that follows from the counts and sums of a restored run."""
    for arm in range(run.counts.shape[0]):
        if run.counts[arm] > 0.0:
            locate(run, arm)
            if stopper_is_pure:
                calls.account(run, stopper, arm)
            else:  # it may know the variance better than the family does
                run.variance[arm] = variance[arm]
            if sampler_is_pure:
                calls.observe(run, sampler, arm)


@kernel
def trials(
    run: Run, sampler: Any, stopper: Any, calls: Calls, block: IntArray, blank: IntArray,
    thresholds: FloatArray, tap: Tap, supply: Supply, keys: KeyArray, origin: float, unit: float,
    max_samples: int, stops: IntArray, pulls: IntArray, answers: IntArray,
) -> tuple[int, int]:
    """Simulated runs one after the other, each from no samples to its end.

    ``block`` is the memory of the run and both states, and ``blank`` its content before the first
    sample; row i of ``keys``, ``stops``, ``pulls`` and ``answers`` belongs to run i. Returns
    (0, 0), or how the first run that could not go on ended and the arm: see ``trial``.
    """
    for i in range(keys.shape[0]):
        copy_vector(block, blank)
        ended, arm = trial(
            run, sampler, stopper, calls, thresholds, tap, supply, keys[i], origin, unit,
            max_samples, stops[i], pulls[i], answers[i],
        )
        if ended != 0:
            return ended, arm
    return 0, 0


@inlined
def trial(
    run: Run, sampler: Any, stopper: Any, calls: Calls, thresholds: FloatArray, tap: Tap,
    supply: Supply, keys: KeyArray, origin: float, unit: float, max_samples: int, stops: IntArray,
    pulls: IntArray, answers: IntArray,
) -> tuple[int, int]:
    """One simulated run.

    Samples come from ``tap``; ``(sample - origin) / unit`` is observed. For each of the increasing
    ``thresholds`` the stopping time, the pulls and the labels are written (time 0 and what is known
    at the end if it is not reached within ``max_samples``). Ends early, as EXHAUSTED, at an arm
    without records left, and as BAD_ARM if the rule selects an arm that does not exist.
    """
    m, d = run.means.shape
    reached = 0
    t = 0
    while t < max_samples and reached < thresholds.shape[0]:
        arm = forced_exploration(run.asked) if calls.explores else -1
        if arm < 0:
            arm = calls.select(run, sampler)
        if not 0 <= arm < m:
            return BAD_ARM, arm
        for c in range(d):
            drawn = tap.draw(supply, keys[arm], arm, int(run.counts[arm]), c)
            if np.isnan(drawn):
                return EXHAUSTED, arm
            run.sample[c] = (drawn - origin) / unit
        run.asked[arm] += 1.0
        t += 1
        # ``learn``, written out: to pass the structs on takes BOC-ELIM a quarter more time
        calls.record(run, arm)
        calls.account(run, stopper, arm)
        calls.observe(run, sampler, arm)
        statistic = -np.inf
        if all_sampled(run.counts):
            calls.update(run, sampler)
            statistic = calls.statistic(run, stopper, thresholds[reached])
        while t >= m and reached < thresholds.shape[0] and statistic >= thresholds[reached]:
            stops[reached] = t
            note(run, pulls[reached], answers[reached])
            reached += 1
            if reached < thresholds.shape[0]:
                statistic = calls.statistic(run, stopper, thresholds[reached])
    for r in range(reached, thresholds.shape[0]):
        note(run, pulls[r], answers[r])
    return 0, 0


@inlined
def note(run: Run, pulls: IntArray, answer: IntArray) -> None:
    """Write down the pulls and the labels as they are."""
    for j in range(run.counts.shape[0]):
        pulls[j] = int(run.counts[j])
        answer[j] = run.labels[j]
