"""The certificate: for every cluster and rival pair the certified bonds connect the cluster.

The weakest link is the smallest, over clusters and rival pairs, of the bottleneck edges of the
maximum spanning tree under the evidence; the certificate holds when it reaches its threshold.
"""

import numpy as np

from boclust.kernels import kernel
from boclust.run.state import Evidence, Rules, Run
from boclust.sampling.turn_kernels import fewest
from boclust.stopping.codes import BY_POINTER, GLOBAL, LOCAL, MIXTURE_LIFT
from boclust.evidence.mixtures import closed_evidence, shrunk_inverse


@kernel
def pair_link(
    rules: Rules, run: Run, other: Evidence, first: int, last: int, m: int, n: int, enough: float,
) -> float:
    """The bottleneck of the cluster ``arms[first:last]`` against one rival pair.

    Prim's maximum spanning tree. Closed forms are told apart by their code; they need not be exact
    below ``enough``.
    """
    best = run.work
    prior = rules.parameter if rules.evidence == LOCAL or rules.lift == MIXTURE_LIFT else 0.0
    arms = run.arms
    counts = run.counts
    means = run.means
    gaps = run.gaps
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
            if rules.evidence == BY_POINTER:
                value = other(rules, run, a, b, m, n)
            else:
                value = closed_evidence(
                    rules.evidence, prior, counts, means, gaps, a, b, m, n, enough
                )
            best[e] = max(best[e], value)
            if chosen == 0 or best[e] > best[chosen]:
                chosen = e
        weakest = min(weakest, best[chosen])
        best[chosen] = np.inf
        newest = chosen
    return weakest


@kernel
def far_away(rules: Rules, run: Run, first: int, last: int, weakest: float) -> float:
    """How long rival pairs are whose links to the cluster ``arms[first:last]`` are no weaker.

    For a global rule, ``v >= g^2 / 2 / (6 s)`` for three arms and for four, s the largest inverse
    weight; the bonds of any one arm span the cluster. The other rules: infinite.
    """
    if rules.evidence != GLOBAL or weakest == np.inf:
        return np.inf
    longest = 0.0
    for e in range(first + 1, last):
        longest = max(longest, run.gaps[run.arms[first], run.arms[e]])
    prior = rules.parameter if rules.lift == MIXTURE_LIFT else 0.0
    largest = shrunk_inverse(run.counts[fewest(run.counts)], prior)
    return longest + np.sqrt(12.0 * weakest * largest) * (1.0 + 1e-12)


@kernel
def weakest_link(rules: Rules, run: Run, other: Evidence, enough: float) -> float:
    """The weakest link of all clusters and rival pairs.

    ``run.suspect`` is (an arm of the cluster, m, n) of a link that is likely to be weak: it is
    looked at first, and set to the weakest one found. Leaves early, with what it has, once a link
    is below ``enough``; where that is plus infinity, with the suspect's link itself.
    """
    floor = -np.inf if enough == np.inf else enough
    arms = run.arms
    start = run.start
    labels = run.labels
    suspect = run.suspect
    n_arms = labels.shape[0]
    n_clusters = start.shape[0] - 1
    k = labels[suspect[0]]
    weakest = np.inf
    if labels[suspect[1]] != labels[suspect[2]] and start[k + 1] - start[k] > 1:
        weakest = pair_link(
            rules, run, other, start[k], start[k + 1], suspect[1], suspect[2], floor
        )
        if weakest < enough:
            return weakest
    for k in range(n_clusters):
        if start[k + 1] - start[k] < 2:
            continue
        far = far_away(rules, run, start[k], start[k + 1], weakest)
        for p in range(n_clusters):
            for i in range(start[p], start[p + 1]):
                for j in range(start[p + 1], n_arms):
                    if run.gaps[arms[i], arms[j]] > far:
                        continue
                    value = pair_link(
                        rules, run, other, start[k], start[k + 1], arms[i], arms[j], floor
                    )
                    if value < weakest:
                        weakest = value
                        suspect[0] = arms[start[k]]
                        suspect[1] = arms[i]
                        suspect[2] = arms[j]
                        if weakest < enough:
                            return weakest
    return weakest
