"""The closed form that the paper prints for one-parameter families (equation after Lemma 5).

It pools two disjoint sets L' and R' of a cluster and fixes the multiplier x by a distance
constraint between *means*, while the clusters are formed by natural parameters; it is exact only
where the mean is linear in the natural parameter (Gaussian). Kept for reproduction.
"""

import numpy as np

from boclust._validate import FloatArray, IntArray
from boclust.kernels import copy_vector, kernel
from boclust.problem.families.law import Law


@kernel
def printed_infimum(
    law: Law, x: FloatArray, w: FloatArray, order: IntArray, start: IntArray,
    alternative: FloatArray,
) -> tuple[float, int, int, IntArray]:
    """The printed minimum over clusters, pairs (L', R') and rival arms of adjacent clusters.

    Arguments as in ``line.nearest_alternative``; returns (value, p, q, side).
    """
    n_clusters = start.shape[0] - 1
    m = x.shape[0]
    moved = np.empty(m)
    member = np.empty(m, np.int64)  # 0 neither, 1 in L', 2 in R'
    side = np.zeros(m, np.int64)
    best = np.inf
    best_p = -1
    best_q = -1
    copy_vector(alternative, x)
    for k in range(n_clusters):
        size = start[k + 1] - start[k]
        for code in range(3**size):
            rest = code
            w_left = 0.0
            x_left = 0.0
            w_right = 0.0
            x_right = 0.0
            member[:] = 0
            for j in range(start[k], start[k + 1]):
                a = order[j]
                member[a] = rest % 3
                rest //= 3
                if member[a] == 1:
                    w_left += w[a]
                    x_left += w[a] * x[a]
                elif member[a] == 2:
                    w_right += w[a]
                    x_right += w[a] * x[a]
            if w_left == 0.0 or w_right == 0.0:
                continue
            x_left /= w_left
            x_right /= w_right
            for r in range(n_clusters - 1):
                for jq in range(start[r], start[r + 1]):
                    for jp in range(start[r + 1], start[r + 2]):
                        q = order[jq]  # n of the print, the lower arm
                        p = order[jp]  # m of the print, the upper arm
                        if member[q] == 1 or member[p] == 2:
                            continue
                        left = 2.0 if member[p] == 1 else 1.0
                        right = 2.0 if member[q] == 2 else 1.0
                        gap = left * x_left - right * x_right
                        room = left * left / w_left + right * right / w_right
                        if member[p] != 1:
                            gap += x[p]
                            room += 1.0 / w[p]
                        if member[q] != 2:
                            gap -= x[q]
                            room += 1.0 / w[q]
                        push = gap / room
                        left_mean = x_left - left * push / w_left
                        right_mean = x_right + right * push / w_right
                        cost = 0.0
                        for a in range(m):
                            moved[a] = x[a]
                            if member[a] == 1:
                                moved[a] = left_mean
                            elif member[a] == 2:
                                moved[a] = right_mean
                            elif a == p:
                                moved[a] = x[p] - push / w[p]
                            elif a == q:
                                moved[a] = x[q] + push / w[q]
                            if moved[a] != x[a]:
                                cost += w[a] * law.divergence(x[a], moved[a])
                        if not cost < best:
                            continue
                        low = law.natural(left_mean)
                        high = law.natural(right_mean)
                        allowed = True
                        for j in range(start[k], start[k + 1]):
                            at = law.natural(moved[order[j]])
                            if at > low and at < high:
                                allowed = False
                        if not allowed:
                            continue
                        best = cost
                        best_p = p
                        best_q = q
                        copy_vector(alternative, moved)
                        side[:] = 0
                        for j in range(start[k], start[k + 1]):
                            a = order[j]
                            side[a] = 1 if law.natural(moved[a]) <= low else 2
    return best, best_p, best_q, side
