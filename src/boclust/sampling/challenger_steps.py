"""The challenger: sample where the certificate is weakest.

Every cluster and rival pair has a bottleneck bond under the score ``v(n_c) - cost``, c = 16, the
margin of ``local`` with the cheaper cost of ``local-semi``. The weakest of them says which cut of
which cluster is hardest to defend against which rival pair.
"""

import numpy as np

from boclust.kernels import kernel
from boclust._validate import BoolArray, FloatArray, IntArray
from boclust.psi.bond import four_arm_cost, three_arm_cost_of_gaps
from boclust.problem.trees import group
from boclust.run.state import Rules, Run

#: Prior precision of the score.
SCORE_PRECISION = 16.0
#: How many standard errors a bond may be shorter than it looks.
OPTIMISM = 2.0
#: Scores that differ by less may be equal but for rounding.
ROUNDING = 1e-9


@kernel
def clearly_stronger(
    gaps: FloatArray, inverse: FloatArray, logs: FloatArray, half: float, arms: IntArray,
    first: int, last: int, m: int, n: int, floor: float,
) -> bool:
    """Whether bonds that score more than ``floor`` connect the cluster ``arms[first:last]``.

    Found without a division or a root, and only if every arm has such a bond to an earlier one. The
    rival is longer than the bond by g; three arms cost at least ``g^2 / 2 / (s + 4 b)`` (see
    ``bond_value``), since a step of the shared arm changes g by at most twice its length.
    """
    rival = gaps[m, n]
    closing = inverse[m] + inverse[n]
    needed = floor + half * (logs[m] + logs[n])
    for i in range(first + 1, last):
        b = arms[i]
        connected = False
        for j in range(first, i):
            a = arms[j]
            gap = rival - gaps[a, b]
            if gap <= 0.0:
                continue
            spread = inverse[a] + inverse[b] + closing
            if a == m or a == n:
                spread += 2.0 * inverse[a]
            if b == m or b == n:
                spread += 2.0 * inverse[b]
            if 0.5 * gap * gap > (needed + 0.5 * (logs[a] + logs[b])) * spread:
                connected = True
                break
        if not connected:
            return False
    return True


@kernel
def weakest_quadruple(
    gaps: FloatArray, inverse: FloatArray, logs: FloatArray, dim: int, arms: IntArray,
    start: IntArray, best: FloatArray, parent: IntArray, tree: IntArray, quad: IntArray,
) -> float:
    """The weakest bottleneck: its score, and (a, b, m, n) in ``quad``.

    ``inverse`` and ``logs`` are 1/n_c and log(1 + N/c) of each arm. ``tree`` receives the maximum
    spanning tree of that cluster (parents, relative to its first arm).
    """
    n_arms = gaps.shape[0]
    n_clusters = start.shape[0] - 1
    half = 0.5 * dim
    weakest = np.inf
    for k in range(n_clusters):
        first = start[k]
        size = start[k + 1] - first
        if size < 2:
            continue
        for p in range(n_clusters):
            for i in range(start[p], start[p + 1]):
                m = arms[i]
                for j in range(start[p + 1], n_arms):
                    n = arms[j]
                    floor = weakest + ROUNDING * (1.0 + abs(weakest))
                    if clearly_stronger(
                        gaps, inverse, logs, half, arms, first, first + size, m, n, floor
                    ):
                        continue
                    rival = gaps[m, n]
                    closing = inverse[m] + inverse[n]
                    base = half * (logs[m] + logs[n])
                    for e in range(1, size):
                        best[e] = -np.inf
                    newest = 0
                    improved = False
                    for _ in range(1, size):
                        chosen = 0
                        a = arms[first + newest]
                        for e in range(1, size):
                            if best[e] == np.inf:  # already in the tree
                                continue
                            b = arms[first + e]
                            bond = gaps[a, b]
                            score = -base
                            if a == m or a == n or b == m or b == n:
                                shared = a if a == m or a == n else b
                                single = b if shared == a else a
                                other = n if shared == m else m
                                score -= 0.5 * logs[single]
                                if rival > bond:
                                    score += three_arm_cost_of_gaps(
                                        bond, rival, gaps[single, other],
                                        inverse[single] + inverse[other], inverse[shared],
                                    )
                            else:
                                score -= 0.5 * (logs[a] + logs[b])
                                if rival > bond:
                                    spread = inverse[a] + inverse[b] + closing
                                    score += four_arm_cost(bond, rival, spread)
                            if score > best[e]:
                                best[e] = score
                                parent[e] = newest
                            if chosen == 0 or best[e] > best[chosen]:
                                chosen = e
                        if best[chosen] < weakest:
                            weakest = best[chosen]
                            improved = True
                            quad[0] = arms[first + parent[chosen]]
                            quad[1] = arms[first + chosen]
                            quad[2] = m
                            quad[3] = n
                        best[chosen] = np.inf
                        newest = chosen
                    if improved:
                        for e in range(1, size):
                            tree[e] = parent[e]
    return weakest


@kernel
def optimistic_bond(
    noise: FloatArray, gaps: FloatArray, arms: IntArray, first: int, last: int, tree: IntArray,
    side: BoolArray, quad: IntArray,
) -> None:
    """Replace the bond in ``quad`` by the one across the same cut that may be the shortest.

    The bottleneck bond is the best known across its cut, not the best possible: an arm that once
    looked worse and has few samples would never be sampled again. So the bonds across the cut are
    compared by their length less two standard errors.
    """
    at = 0
    for e in range(1, last - first):  # the end of the bottleneck edge that hangs below the other
        x = arms[first + e]
        y = arms[first + tree[e]]
        if (x == quad[0] and y == quad[1]) or (x == quad[1] and y == quad[0]):
            at = e
    for e in range(last - first):
        up = e
        while up != 0 and up != at:
            up = tree[up]
        side[e] = up == at
    shortest = np.inf
    for i in range(last - first):
        for j in range(last - first):
            if side[i] and not side[j]:
                a = arms[first + i]
                b = arms[first + j]
                error = np.sqrt(noise[a] + noise[b])
                if gaps[a, b] - OPTIMISM * error < shortest:
                    shortest = gaps[a, b] - OPTIMISM * error
                    quad[0] = a
                    quad[1] = b


@kernel
def least_pulled(pulls: FloatArray, quad: IntArray) -> int:
    """The least pulled arm of the quadruple; one in both the bond and the rival counts half."""
    arm = quad[0]
    fewest = np.inf
    for e in range(4):
        j = quad[e]
        twice = j == quad[2] or j == quad[3] if e < 2 else j == quad[0] or j == quad[1]
        n = 0.5 * pulls[j] if twice else pulls[j]
        if n < fewest:
            fewest = n
            arm = j
    return arm


@kernel
def look_for_challenger(rules: Rules, run: Run) -> None:
    """The clusters, and the quadruple that is hardest to defend."""
    group(run)
    weakest_quadruple(
        run.gaps, run.inverse, run.logs, run.means.shape[1], run.arms, run.start, run.work,
        run.parent, run.tree, run.quad,
    )
    run.suspect[0] = run.quad[0]
    run.suspect[1] = run.quad[2]
    run.suspect[2] = run.quad[3]


@kernel
def challenged_arm(rules: Rules, run: Run) -> int:
    """The least sampled arm of that quadruple, its bond the one that may be the shortest."""
    for e in range(4):
        run.chosen[e] = run.quad[e]
    k = run.labels[run.quad[0]]
    if run.start[k + 1] - run.start[k] > 2:
        optimistic_bond(
            run.noise, run.gaps, run.arms, run.start[k], run.start[k + 1], run.tree, run.side,
            run.chosen,
        )
    return least_pulled(run.pulls, run.chosen)
