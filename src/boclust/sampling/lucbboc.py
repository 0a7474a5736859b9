"""LUCBBOC-sampling (Algorithm 2 of the paper): two suspicious pairs of arms."""

import numpy as np

from boclust.kernels import kernel
from boclust._validate import FloatArray
from boclust.problem.trees import group_anew
from boclust.run.state import Band, Rules, Run
from boclust.sampling.codes import LUCB_UPPER


@kernel
def gap_error(places: FloatArray, band: Band, i: int, j: int, opening: bool) -> float:
    """By how much the distance of two arms may be larger (``opening``) or smaller than it looks.

    On a line the interval of an arm may reach farther on one side than on the other.
    """
    lower = i if places[i, 0] < places[j, 0] else j
    upper = j if lower == i else i
    if opening:
        return band.below[lower] + band.above[upper]
    return band.above[lower] + band.below[upper]


@kernel
def suspicious_pairs(run: Run, by_upper_bound: bool) -> bool:
    """``run.quad`` receives (a, b) of one cluster that may be far apart, and (m, n) of two, close.

    (m, n): of the closest pairs of any two clusters the one with the smallest lower bound
    (line 3). (a, b): as printed, of the longest edges of the clusters' trees the one with the
    largest upper bound (lines 4 to 8). ``by_upper_bound``: of *all* edges of the trees the one
    with the largest upper bound; an arm whose edge only looks short is then not starved.

    Returns whether all edges of the trees are shorter than all gaps between clusters: then these
    clusters are those of single linkage, which joins the edges of the trees before such a gap.
    """
    gaps = run.gaps
    arms = run.arms
    start = run.start
    reach = run.work
    parent = run.parent
    quad = run.quad
    n_clusters = start.shape[0] - 1
    widest = 0.0  # no gap errs by more
    for i in range(arms.shape[0]):
        widest = max(widest, 2.0 * max(run.band.below[i], run.band.above[i]))
    lowest = np.inf
    far = np.inf  # from here on no gap has a lower bound below the lowest
    inter = np.inf
    for p in range(n_clusters):
        last_p = start[p + 1]
        last_q = last_p
        for q in range(p + 1, n_clusters):
            first_q = last_q
            last_q = start[q + 1]
            closest = far
            m = -1
            n = -1
            for i in range(start[p], last_p):
                for j in range(first_q, last_q):
                    gap = gaps[np.uint64(arms[i]), np.uint64(arms[j])]
                    if gap < closest:
                        closest = gap
                        m = arms[i]
                        n = arms[j]
            if m < 0:
                continue
            inter = min(inter, closest)
            bound = closest - gap_error(run.places, run.band, m, n, False)
            if bound < lowest:
                lowest = bound
                if widest < np.inf:  # a little more, whatever the rounding
                    far = lowest + widest + 1e-12 * (abs(lowest) + widest)
                quad[2] = m
                quad[3] = n
    intra = 0.0
    highest = -np.inf
    for k in range(n_clusters):
        first = start[k]
        size = start[k + 1] - first
        longest = -1.0
        for e in range(1, size):
            reach[e] = gaps[arms[first], arms[first + e]]
            parent[e] = 0
        for _ in range(1, size):  # Prim's tree of the cluster; -1 marks what is in it
            chosen = 0
            for e in range(1, size):
                if reach[e] >= 0.0 and (chosen == 0 or reach[e] < reach[chosen]):
                    chosen = e
            a = arms[first + parent[chosen]]
            b = arms[first + chosen]
            intra = max(intra, reach[chosen])
            if by_upper_bound or reach[chosen] > longest:
                longest = max(longest, reach[chosen])
                reach[0] = reach[chosen] + gap_error(run.places, run.band, a, b, True)
                parent[0] = chosen
            if by_upper_bound and reach[0] > highest:
                highest = reach[0]
                quad[0] = a
                quad[1] = b
            reach[chosen] = -1.0
            for e in range(1, size):
                gap = gaps[b, arms[first + e]]
                if reach[e] > gap:
                    reach[e] = gap
                    parent[e] = chosen
        if size > 1 and not by_upper_bound and reach[0] > highest:
            highest = reach[0]
            quad[0] = arms[first + parent[parent[0]]]
            quad[1] = arms[first + parent[0]]
    return intra < inter


@kernel
def look_for_suspects(rules: Rules, run: Run) -> None:
    """The clusters and their two suspicious pairs.

    One sample seldom changes the clusters, and the pairs of the last ones tell whether they stand.
    """
    by_upper_bound = rules.sampling == LUCB_UPPER
    known = run.start[run.start.shape[0] - 1] > 0
    if not (known and suspicious_pairs(run, by_upper_bound)):
        group_anew(run)
        suspicious_pairs(run, by_upper_bound)


@kernel
def suspected_arm(rules: Rules, run: Run) -> int:
    """The least sampled of the four arms (line 10 of Algorithm 2)."""
    arm = run.quad[0]
    for e in range(1, 4):
        if run.pulls[run.quad[e]] < run.pulls[arm]:
            arm = run.quad[e]
    return int(arm)
