"""The certificate: for every cluster and rival pair the certified bonds connect the cluster.

The weakest link is the smallest, over clusters and rival pairs, of the bottleneck edges of the
maximum spanning tree under the evidence; the certificate holds when it reaches its threshold.
"""

import numpy as np

from boclust._jit import kernel
from boclust._validate import FloatArray, IntArray
from boclust.stopping.certificate import (
    HEURISTIC_LIFT,
    MIXTURE_LIFT,
    NO_LIFT,
    PAPER_LIFT,
)
from boclust.stopping.evidence_kernels import evidence


@kernel
def pair_link(
    rule: int, precision: float, counts: FloatArray, means: FloatArray, gaps: FloatArray,
    arms: IntArray, first: int, last: int, m: int, n: int, best: FloatArray,
) -> float:
    """The bottleneck of the cluster ``arms[first:last]`` against one rival pair.

    Prim's maximum spanning tree; ``best`` is work space.
    """
    for e in range(1, last - first):
        best[e] = -np.inf
    newest = 0
    weakest = np.inf
    for _ in range(1, last - first):
        chosen = 0
        a = arms[first + newest]
        for e in range(1, last - first):
            if best[e] == np.inf:  # already in the tree
                continue
            b = arms[first + e]
            best[e] = max(best[e], evidence(rule, precision, counts, means, gaps, a, b, m, n))
            if chosen == 0 or best[e] > best[chosen]:
                chosen = e
        weakest = min(weakest, best[chosen])
        best[chosen] = np.inf
        newest = chosen
    return weakest


@kernel
def weakest_link(
    rule: int, precision: float, counts: FloatArray, means: FloatArray, gaps: FloatArray,
    arms: IntArray, start: IntArray, labels: IntArray, enough: float, best: FloatArray,
    suspect: IntArray,
) -> float:
    """The weakest link of all clusters and rival pairs.

    ``arms[start[k]:start[k + 1]]`` is cluster k. ``suspect`` is (an arm of the cluster, m, n) of a
    link that is likely to be weak: it is looked at first, and set to the weakest one found. Leaves
    early, with what it has, once a link is below ``enough``.
    """
    n_arms = counts.shape[0]
    n_clusters = start.shape[0] - 1
    k = labels[suspect[0]]
    if labels[suspect[1]] != labels[suspect[2]] and start[k + 1] - start[k] > 1:
        value = pair_link(
            rule, precision, counts, means, gaps, arms, start[k], start[k + 1], suspect[1],
            suspect[2], best,
        )
        if value < enough:
            return value
    weakest = np.inf
    for k in range(n_clusters):
        if start[k + 1] - start[k] < 2:
            continue
        for p in range(n_clusters):
            for i in range(start[p], start[p + 1]):
                for j in range(start[p + 1], n_arms):
                    value = pair_link(
                        rule, precision, counts, means, gaps, arms, start[k], start[k + 1],
                        arms[i], arms[j], best,
                    )
                    if value < weakest:
                        weakest = value
                        suspect[0] = arms[start[k]]
                        suspect[1] = arms[i]
                        suspect[2] = arms[j]
                        if weakest < enough:
                            return weakest
    return weakest


@kernel
def lift(kind: int, precision: float, dim: int, counts: FloatArray) -> float:
    """What a rule's threshold grows by with the samples, beyond its share of log(1/delta)."""
    if kind == NO_LIFT:
        return 0.0
    total = 0.0
    t = 0.0
    for j in range(counts.shape[0]):
        t += counts[j]
        if kind == PAPER_LIFT:
            total += np.log1p(counts[j])
        elif kind == MIXTURE_LIFT:
            total += 0.5 * np.log1p(counts[j] / precision)
    if kind == HEURISTIC_LIFT:
        return np.log1p(np.log(t))
    return dim * total
