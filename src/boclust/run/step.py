"""One adaptive run, step by step: the same kernels serve the learner and whole simulated trials.

A step: ``take`` takes in one sample; the sampling rule's ``look`` finds the clusters and what it
goes by; the stopping rule's ``standing`` is compared with its threshold; ``choose`` names the next
arm, by forced exploration or by the sampling rule's ``pick``. Rules are pointers to kernels:

- ``take(rules, run, arm)``, which is ``observe_gaussian`` or ``observe``
- ``look(rules, run)``, ``pick(rules, run) -> arm``
- ``standing(rules, run, evidence, enough) -> float``, exact where it is at least ``enough``; where
  that is plus infinity, the evidence against the claim that looks weakest
- ``evidence(rules, run, a, b, m, n) -> float`` of a certificate, where it has no code

None is handed an array: its seven words, written one by one and read together, hold a processor up
for as long as twenty additions, at every call. What they need lies in the run.
"""

import numpy as np

from boclust.kernels import kernel
from boclust._validate import FloatArray, IntArray, KeyArray
from boclust.kernels import copy_vector
from boclust.problem.families.laws import GAUSSIAN, estimate, natural_of_mean, variance
from boclust.run.state import PACE, WAIT, Calls, Rules, Run
from boclust.sampling.challenger_steps import SCORE_PRECISION
from boclust.sampling.codes import ELIMINATION
from boclust.problem.intervals import limits, radius
from boclust.sampling.atboc import cost_of_move
from boclust.sampling.turn_kernels import all_sampled, fewest
from boclust.sources.draw import Supply, Tap, draw_sample
from boclust.evidence.betting import place_bets
from boclust.stopping.codes import MIXTURE_LIFT, PAPER_LIFT, PENALTY_LIFT, ZETA_LIFT
from boclust.evidence.conjugate import penalty
from boclust.evidence.cube import place_bets_in_cube
from boclust.evidence.mixtures import shrunk_inverse


@kernel
def observe(rules: Rules, run: Run, arm: int) -> None:
    """Take ``run.sample``, one of ``arm``, into the run."""
    bets = run.bets
    value = run.sample
    if bets.totals.shape[0] > 0:  # samples are told in half ranges: from 0 to 2
        bets.spreads[arm] = place_bets(
            0.5 * value[0], run.counts[arm], bets.totals[arm], bets.spreads[arm], bets.gains[arm],
            bets.stakes[arm],
        )
        bets.totals[arm] += 0.5 * value[0]
    elif bets.tallies.shape[0] > 0:
        bets.spreads[arm] = place_bets_in_cube(
            value, run.counts[arm], run.sums[arm], bets.spreads[arm], bets.tallies[arm],
            bets.gains[arm], bets.stakes[arm],
        )
    count_in(run, arm)
    settle(rules, run, arm)


@kernel
def observe_gaussian(rules: Rules, run: Run, arm: int) -> None:
    """The same for the Gaussian family where nobody bets: a fraction of the code to compile."""
    count_in(run, arm)
    locate(run, arm)
    compare(rules, run, arm, 1.0)
    if run.band.below.shape[0] > 0:
        settle_gaussian_band(rules, run, arm)
    settle_track(rules, run, arm)


@kernel
def count_in(run: Run, arm: int) -> None:
    """Add a sample to the counts and sums, and where it is wanted to the scatter (Welford)."""
    count = run.counts[arm]
    value = run.sample
    if run.scatter.shape[0] > 0 and count > 0.0:
        for i in range(value.shape[0]):
            error = (value[i] - run.sums[arm, i] / count) * count / (count + 1.0)
            for j in range(value.shape[0]):
                run.scatter[i, j] += error * (value[j] - run.sums[arm, j] / count)
    run.counts[arm] += 1.0
    for c in range(value.shape[0]):
        run.sums[arm, c] += value[c]
    if run.rounds.owed.shape[0] > 0:
        run.rounds.owed[arm] = max(run.rounds.owed[arm] - 1.0, 0.0)


@kernel
def settle(rules: Rules, run: Run, arm: int) -> None:
    """Everything that follows from the samples of one arm."""
    spread = 1.0  # the variance of a sample in the units of places, as far as it is known
    locate(run, arm)
    if rules.family != GAUSSIAN:
        spread = settle_kin(rules, run, arm)
    elif run.bets.spreads.shape[0] > 0:
        spread = (4.0 * run.bets.spreads[arm] + 1.0) / (run.counts[arm] + 1.0)
    compare(rules, run, arm, spread)
    if run.band.below.shape[0] > 0:
        settle_band(rules, run, arm)
    settle_track(rules, run, arm)


@kernel
def locate(run: Run, arm: int) -> None:
    """The sample mean of an arm, which is its place unless the family says otherwise."""
    for c in range(run.sums.shape[1]):
        run.means[arm, c] = run.sums[arm, c] / run.counts[arm]
        run.places[arm, c] = run.means[arm, c]


@kernel
def compare(rules: Rules, run: Run, arm: int, spread: float) -> None:
    """The distances of an arm to the others, how certain its place is, and what it lifts."""
    run.lifts[arm] = settled_lift(rules, run, arm)
    if run.rounds.owed.shape[0] > 0:
        return
    count = run.counts[arm]
    for j in range(run.gaps.shape[0]):  # none among many arms
        total = 0.0
        for c in range(run.places.shape[1]):
            total += (run.places[arm, c] - run.places[j, c]) ** 2
        run.gaps[arm, j] = np.sqrt(total)
        run.gaps[j, arm] = run.gaps[arm, j]
    run.noise[arm] = spread / count
    run.inverse[arm] = spread * shrunk_inverse(count, SCORE_PRECISION)
    run.logs[arm] = np.log1p(count / SCORE_PRECISION)


@kernel
def settled_lift(rules: Rules, run: Run, arm: int) -> float:
    """What the samples of one arm add to the threshold of a global rule."""
    count = run.counts[arm]
    dim = run.means.shape[1]
    added = 0.0
    if rules.lift == PAPER_LIFT:
        added = dim * np.log1p(count)
    elif rules.lift == MIXTURE_LIFT:
        added = 0.5 * dim * np.log1p(count / rules.parameter)
    elif rules.lift == ZETA_LIFT:
        added = 3.0 * np.log1p(np.log(count))
    elif rules.lift == PENALTY_LIFT:
        added = run.kin.penalties[arm]
    return added


@kernel
def settle_track(rules: Rules, run: Run, arm: int) -> None:
    """What a sample of an arm tells against the alternatives that tracking keeps."""
    track = run.track
    for j in range(track.n_cuts[0]):
        track.costs[j, arm] = cost_of_move(rules.family, run.means[arm], track.cuts[j, arm])


@kernel
def settle_kin(rules: Rules, run: Run, arm: int) -> float:
    """One-parameter families: the estimate inside the parameter space, and its variance."""
    kin = run.kin
    kin.raw[arm] = run.means[arm, 0]
    mean = estimate(rules.family, run.sums[arm, 0], run.counts[arm])
    run.means[arm, 0] = mean
    kin.penalties[arm] = penalty(rules.family, run.sums[arm, 0], run.counts[arm])
    if rules.in_mean:
        kin.raw_places[arm] = kin.raw[arm]
        run.places[arm, 0] = mean
        return variance(rules.family, mean)
    kin.raw_places[arm] = natural_of_mean(rules.family, kin.raw[arm])
    run.places[arm, 0] = natural_of_mean(rules.family, mean)
    return 1.0 / variance(rules.family, mean)


@kernel
def settle_band(rules: Rules, run: Run, arm: int) -> None:
    """The confidence interval of one arm around its place."""
    if rules.family == GAUSSIAN:
        settle_gaussian_band(rules, run, arm)
        return
    count = run.counts[arm]
    most = -np.log(rules.delta) / count
    if not rules.constant:
        most += (np.log(run.counts.shape[0]) + run.kin.penalties[arm]) / count
    low, high = limits(rules.family, run.kin.raw[arm], most)
    if not rules.in_mean:
        low = natural_of_mean(rules.family, low)
        high = natural_of_mean(rules.family, high)
    run.band.below[arm] = max(run.places[arm, 0] - low, 0.0)
    run.band.above[arm] = max(high - run.places[arm, 0], 0.0)


@kernel
def settle_gaussian_band(rules: Rules, run: Run, arm: int) -> None:
    """The same for the Gaussian family: it depends on the count alone.

    In a round the arm before has as many samples, as a rule, and has been settled.
    """
    n_arms, dim = run.places.shape
    count = run.counts[arm]
    if arm > 0 and run.counts[arm - 1] == count:
        run.band.below[arm] = run.band.below[arm - 1]
    elif rules.constant:
        run.band.below[arm] = np.sqrt(-2.0 * np.log(rules.delta) / count)
    else:
        run.band.below[arm] = radius(count, n_arms, dim, rules.delta)
    run.band.above[arm] = run.band.below[arm]


@kernel
def learn(rules: Rules, run: Run, calls: Calls, arm: int, enough: float) -> float:
    """Take ``run.sample`` and look at everything anew; returns what the stopping rule has shown.

    Minus infinity while some arm has no sample.
    """
    calls.take(rules, run, arm)
    if not all_sampled(run.counts):
        return -np.inf
    calls.look(rules, run)
    return calls.standing(rules, run, calls.evidence, enough)


@kernel
def plan_ahead(rules: Rules, run: Run, calls: Calls, n: int, pace: int) -> None:
    """Among many arms, see that the next ``n`` samples are planned together.

    ``pace`` is the rule's own; a longer plan than the present one needs a new look.
    """
    clock = run.crowd.clock
    wanted = max(n, pace)
    longer = wanted > clock[PACE]
    clock[PACE] = wanted
    clock[WAIT] = 0 if longer else min(clock[WAIT], wanted)
    if longer and all_sampled(run.counts):
        calls.look(rules, run)


@kernel
def glance(rules: Rules, run: Run, calls: Calls, enough: float) -> float:
    """What the stopping rule has shown; the run stays as it is, bit for bit.

    Minus infinity while some arm has no sample.
    """
    if not all_sampled(run.counts):
        return -np.inf
    suspect, nearest, labels = run.suspect.copy(), run.glr.nearest.copy(), run.glr.labels.copy()
    shown = calls.standing(rules, run, calls.evidence, enough)
    copy_vector(run.suspect, suspect)
    copy_vector(run.glr.nearest, nearest)
    copy_vector(run.glr.labels, labels)
    return shown


@kernel
def replay(
    rules: Rules, run: Run, calls: Calls, steps: IntArray, values: FloatArray, enough: float,
    pace: int, answer: IntArray, marks: IntArray, seen: FloatArray,
) -> bool:
    """What was told and asked, in order: a step is the arm of the next value, or minus an ask's n.

    Asks matter among many arms only. Returns whether the certificate has held, with the labels of
    the first time in ``answer``; never where ``enough`` is minus infinity (nothing to show). What
    had been shown against the claim that looked weakest, after so many steps as ``marks`` say
    (increasing), is written to ``seen``.
    """
    held = False
    at = 0
    marked = 0
    for i in range(steps.shape[0] + 1):
        while marked < marks.shape[0] and marks[marked] == i:
            seen[marked] = -np.inf
            if enough > -np.inf:
                seen[marked] = glance(rules, run, calls, np.inf)
            marked += 1
        if i == steps.shape[0]:
            break
        step = steps[i]
        if step < 0:
            if run.crowd.clock.shape[0] > 0:
                plan_ahead(rules, run, calls, -step, pace)
            continue
        copy_vector(run.sample, values[at])
        at += 1
        if enough == -np.inf:
            calls.take(rules, run, step)
            continue
        shown = learn(rules, run, calls, step, enough)
        if not held and shown >= enough:
            held = True
            copy_vector(answer, run.labels)
    return held


@kernel
def choose(rules: Rules, run: Run, calls: Calls) -> tuple[int, bool]:
    """The next arm, and whether exploration is forced.

    Forced exploration as in the paper's Algorithm 1: the least sampled arm while it has fewer than
    sqrt(t / M) samples.
    """
    pulls = run.pulls
    m = pulls.shape[0]
    if rules.sampling < ELIMINATION:
        least = fewest(pulls)
        count = pulls[least]
        t = 0.0
        for j in range(m):
            t += pulls[j]
        if count == 0.0 or count * count * m < t:
            return least, True
    return calls.pick(rules, run), False


@kernel
def trials(
    rules: Rules, run: Run, block: IntArray, blank: IntArray, calls: Calls, needs: FloatArray,
    tap: Tap, supply: Supply, keys: KeyArray, origin: float, unit: float, max_samples: int,
    stops: IntArray, pulls: IntArray, answers: IntArray,
) -> int:
    """Simulated runs one after the other, each from no samples to its end.

    ``block`` is the memory of ``run``, and ``blank`` what it holds before the first sample; row i
    of ``keys``, ``stops``, ``pulls`` and ``answers`` belongs to run i. Ends with the first run in
    which records run out: see ``trial``.
    """
    for i in range(keys.shape[0]):
        for word in range(block.shape[0]):
            block[word] = blank[word]
        arm = trial(
            rules, run, calls, needs, tap, supply, keys[i], origin, unit, max_samples, stops[i],
            pulls[i], answers[i],
        )
        if arm >= 0:
            return arm
    return -1


@kernel
def trial(
    rules: Rules, run: Run, calls: Calls, needs: FloatArray, tap: Tap, supply: Supply,
    keys: KeyArray, origin: float, unit: float, max_samples: int, stops: IntArray, pulls: IntArray,
    answers: IntArray,
) -> int:
    """One simulated run, from a run without samples to its end.

    Samples come from ``tap``; ``(sample - origin) / unit`` is what is told. ``needs`` are
    increasing thresholds; for each the stopping time, the pulls and the labels are written (time 0:
    not within ``max_samples``; then what is known at the end). Returns the arm whose records have
    run out, else -1.
    """
    m, d = run.means.shape
    reached = 0
    t = 0
    while t < max_samples and reached < needs.shape[0]:
        arm, _ = choose(rules, run, calls)
        number = int(run.counts[arm])
        if not draw_sample(tap, supply, keys[arm], arm, number, run.sample):
            return arm
        for c in range(d):
            run.sample[c] = (run.sample[c] - origin) / unit
        run.pulls[arm] += 1.0
        t += 1
        need = needs[reached]
        shown = learn(rules, run, calls, arm, need)
        while t >= m and reached < needs.shape[0] and shown >= needs[reached]:
            stops[reached] = t
            note(run, pulls[reached], answers[reached])
            reached += 1
            if reached < needs.shape[0]:
                shown = calls.standing(rules, run, calls.evidence, needs[reached])
    for r in range(reached, needs.shape[0]):
        note(run, pulls[r], answers[r])
    return -1


@kernel
def note(run: Run, pulls: IntArray, answer: IntArray) -> None:
    """Write down the pulls and the labels as they are."""
    for j in range(run.counts.shape[0]):
        pulls[j] = int(run.counts[j])
        answer[j] = run.labels[j]
