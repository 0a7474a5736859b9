"""One adaptive run, step by step: the same kernels serve the learner and whole simulated trials.

The state of a run is a handful of arrays: ``counts``, ``sums`` and ``means`` of the samples (in
units of sigma), ``gaps`` between the means, ``inverse`` and ``logs`` of the challenger's score, and
the clusters as ``labels``, ``arms`` and ``start``.
"""

import numpy as np

from boclust._jit import kernel
from boclust._validate import BoolArray, FloatArray, IntArray
from boclust.sampling.challenger_kernels import (
    SCORE_PRECISION,
    least_pulled,
    optimistic_bond,
    weakest_quadruple,
)
from boclust.sampling.lucb_kernels import least_pulled_of, suspicious_pairs
from boclust.sampling.rules import CHALLENGER, LUCB, LUCB_UPPER, ROUND_ROBIN
from boclust.sources.random_kernels import normal
from boclust.stopping.certificate_kernels import lift, weakest_link
from boclust.stopping.evidence_kernels import shrunk_inverse

#: Why an arm was chosen.
FORCED = 0
WEAKEST = 1
IN_TURN = 2
SUSPICIOUS = 3


@kernel
def observe(
    arm: int, value: FloatArray, counts: FloatArray, sums: FloatArray, means: FloatArray,
    gaps: FloatArray, inverse: FloatArray, logs: FloatArray,
) -> None:
    """Take one sample of ``arm`` into the state."""
    counts[arm] += 1.0
    for c in range(value.shape[0]):
        sums[arm, c] += value[c]
        means[arm, c] = sums[arm, c] / counts[arm]
    for j in range(counts.shape[0]):
        total = 0.0
        for c in range(value.shape[0]):
            total += (means[arm, c] - means[j, c]) ** 2
        gaps[arm, j] = np.sqrt(total)
        gaps[j, arm] = gaps[arm, j]
    inverse[arm] = shrunk_inverse(counts[arm], SCORE_PRECISION)
    logs[arm] = np.log1p(counts[arm] / SCORE_PRECISION)


@kernel
def group(
    gaps: FloatArray, arms: IntArray, start: IntArray, labels: IntArray, reach: FloatArray,
    parent: IntArray,
) -> None:
    """Single linkage of a distance matrix into K = len(start) - 1 clusters, by Prim's tree.

    Labels count up in order of first appearance; ``arms[start[k]:start[k + 1]]`` is cluster k.
    """
    m = gaps.shape[0]
    n_clusters = start.shape[0] - 1
    for i in range(m):
        reach[i] = gaps[0, i]
        parent[i] = 0
        labels[i] = -1
    labels[0] = 0
    for joined in range(1, m):  # arms holds the order of joining, labels what is in the tree
        chosen = -1
        for i in range(m):
            if labels[i] < 0 and (chosen < 0 or reach[i] < reach[chosen]):
                chosen = i
        labels[chosen] = 0
        arms[joined] = chosen
        for i in range(m):
            if labels[i] < 0 and gaps[chosen, i] < reach[i]:
                reach[i] = gaps[chosen, i]
                parent[i] = chosen
    for i in range(1, m):
        labels[i] = -1
    for _ in range(1, n_clusters):  # cut the longest edges: their lower ends begin a cluster
        longest = -1
        for i in range(1, m):
            if labels[i] < 0 and (longest < 0 or reach[i] > reach[longest]):
                longest = i
        labels[longest] = longest
    for joined in range(1, m):
        i = arms[joined]
        if labels[i] < 0:
            labels[i] = labels[parent[i]]
    for i in range(m):  # name each cluster by its first arm, then count
        parent[i] = -1
    count = 0
    for i in range(m):
        if parent[labels[i]] < 0:
            parent[labels[i]] = count
            count += 1
        labels[i] = parent[labels[i]]
    place = 0
    for k in range(n_clusters):
        start[k] = place
        for i in range(m):
            if labels[i] == k:
                arms[place] = i
                place += 1
    start[n_clusters] = place


@kernel
def choose(
    sampling: int, t: int, pulls: FloatArray, counts: FloatArray, gaps: FloatArray, arms: IntArray,
    start: IntArray, labels: IntArray, tree: IntArray, side: BoolArray, quad: IntArray,
) -> tuple[int, int]:
    """The next arm and why; ``pulls`` are samples taken or pending, t their number.

    Forced exploration as in the paper's Algorithm 1: the least sampled arm while it has fewer than
    sqrt(t / M) samples.
    """
    m = pulls.shape[0]
    least = 0
    for j in range(1, m):
        if pulls[j] < pulls[least]:
            least = j
    if pulls[least] == 0.0 or pulls[least] * pulls[least] * m < t:
        return least, FORCED
    if sampling == ROUND_ROBIN:
        return least, IN_TURN
    if sampling >= LUCB:
        return least_pulled_of(pulls, quad), SUSPICIOUS
    k = labels[quad[0]]
    if start[k + 1] - start[k] > 2:
        optimistic_bond(counts, gaps, arms, start[k], start[k + 1], tree, side, quad)
    return least_pulled(pulls, quad), WEAKEST


@kernel
def suspects(
    sampling: int, delta: float, dim: int, counts: FloatArray, gaps: FloatArray,
    inverse: FloatArray, logs: FloatArray, arms: IntArray, start: IntArray, work: FloatArray,
    parent: IntArray, tree: IntArray, quad: IntArray,
) -> None:
    """The four arms (a, b, m, n) that the sampling rule doubts most, into ``quad``."""
    if sampling == CHALLENGER:
        weakest_quadruple(gaps, inverse, logs, dim, arms, start, work, parent, tree, quad)
    elif sampling >= LUCB:
        suspicious_pairs(
            counts, gaps, dim, delta, sampling == LUCB_UPPER, arms, start, work, parent, quad
        )


@kernel
def trial(
    sampling: int, delta: float, rule: int, kind: int, precision: float, needs: FloatArray,
    truth: FloatArray, n_clusters: int, keys: np.ndarray, max_samples: int, stops: IntArray,
    pulls: IntArray, answers: IntArray,
) -> int:
    """One simulated run of Gaussian arms with means ``truth`` (in units of sigma).

    Sample i of an arm is a function of its key and i. ``needs`` are increasing thresholds; for each
    the stopping time, the pulls and the labels are written (time 0: not within ``max_samples``;
    then what is known at the end).
    """
    m, d = truth.shape
    counts = np.zeros(m)
    sums = np.zeros((m, d))
    means = np.zeros((m, d))
    gaps = np.zeros((m, m))
    inverse = np.zeros(m)
    logs = np.zeros(m)
    labels = np.zeros(m, np.int64)
    arms = np.zeros(m, np.int64)
    start = np.zeros(n_clusters + 1, np.int64)
    work = np.zeros(m)
    parent = np.zeros(m, np.int64)
    tree = np.zeros(m, np.int64)
    side = np.zeros(m, np.bool_)
    quad = np.zeros(4, np.int64)
    suspect = np.zeros(3, np.int64)
    value = np.zeros(d)
    reached = 0
    arm = 0
    for t in range(1, max_samples + 1):
        i = int(counts[arm])
        for c in range(d):
            value[c] = truth[arm, c] + normal(keys[arm], i * d + c)
        observe(arm, value, counts, sums, means, gaps, inverse, logs)
        if t >= m:
            group(gaps, arms, start, labels, work, parent)
            suspects(
                sampling, delta, d, counts, gaps, inverse, logs, arms, start, work, parent, tree,
                quad,
            )
            if sampling != ROUND_ROBIN:
                suspect[0] = quad[0]
                suspect[1] = quad[2]
                suspect[2] = quad[3]
            raised = lift(kind, precision, d, counts)
            link = -raised + weakest_link(
                rule, precision, counts, means, gaps, arms, start, labels, needs[reached] + raised,
                work, suspect,
            )
            while reached < needs.shape[0] and link >= needs[reached]:
                stops[reached] = t
                for j in range(m):
                    pulls[reached, j] = int(counts[j])
                    answers[reached, j] = labels[j]
                reached += 1
            if reached == needs.shape[0]:
                return t
        arm, _ = choose(sampling, t, counts, counts, gaps, arms, start, labels, tree, side, quad)
    for r in range(reached, needs.shape[0]):
        for j in range(m):
            pulls[r, j] = int(counts[j])
            answers[r, j] = labels[j]
    return max_samples
