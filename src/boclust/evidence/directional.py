"""Evidence on a line (d = 1), with most of the prior along the contrast that matters.

A true claim has ``|B| >= |R|`` for the signed bond B and rival R, so with B > 0 both contrasts
h = B - R and h = B + R have h . mean >= 0, with B < 0 both have h . mean <= 0: (1, -1, -1, 1) and
(1, -1, 1, -1) on four arms, (1, 0, -1) and (1, -2, 1) on three. The estimates have them of opposite
signs, so one contrast refutes each sign of B.
"""

from math import erf

import numpy as np

from boclust._validate import FloatArray
from boclust.evidence.base import Evidence
from boclust.kernels import kernel
from boclust.psi.bond import claim_cost
from boclust.run.state import Run

#: Rows of the mixture: prior precision along the contrast, across it, and share of the mixture.
ROWS = ((1.0, 5.0, 0.1), (6.0, 40.0, 0.9))
#: The restriction of a row to a half-space is proven from this ratio s on.
LEAST_RATIO = 2.36


@kernel
def contrast_row(
    counts: FloatArray, arms: tuple[int, int, int, int], signs: tuple[float, float, float, float],
    gap: float, along: float, across: float,
) -> tuple[float, float]:
    """``v - cost`` of one row of ``contrast_evidence``, and its ratio s."""
    norm = 0.0
    h1 = 0.0
    h2 = 0.0
    shrunk = 0.0
    cost = 0.0
    for k in range(4):
        square = signs[k] * signs[k]
        if square == 0.0:
            continue
        count = counts[arms[k]]
        norm += square
        h1 += square / count
        h2 += square / (count * count)
        shrunk += square / (across + count)
        cost += np.log1p(count / across)
    tilt = 1.0 + (along - across) / norm * shrunk
    cost += np.log(across / along * tilt)
    width = h1 + across * h2 + (along - across) * h1 * h1 / norm
    tau = np.sqrt(shrunk / tilt)
    return 0.5 * gap * gap / width - 0.5 * cost, gap * h1 / (width * tau)


@kernel
def half_space_evidence(value: float, ratio: float, share: float) -> float:
    """The logarithm of a row's part in the mixture, restricted to its half-space."""
    if ratio < LEAST_RATIO:
        return -np.inf
    return value + np.log(share * (1.0 + erf(ratio / 2.0 / np.sqrt(2.0))))


@kernel
def contrast_evidence(
    counts: FloatArray, arms: tuple[int, int, int, int], signs: tuple[float, float, float, float],
    gap: float, threshold: float,
) -> float:
    """Evidence that ``h . mean`` has the sign of its estimate, |h . estimate| = gap.

    A Gaussian mixture with precision c1 along h and c2 across it, restricted to the half-space that
    pushes the estimate away from the null (hence twice the density). Without the restriction it is
    ``exp(v - cost)``: ``v = gap^2/2 / K``, ``K = H + c2 H2 + (c1 - c2) H^2 / |h|^2``,
    H = sum h^2/N, H2 = sum h^2/N^2,
    ``cost = 1/2 [sum log(1 + N/c2) + log((c2/c1) (1 + (c1-c2)/|h|^2 sum h^2/(c2+N)))]``.
    The restriction multiplies it by at least ``2 Phi(s/2)`` where ``s = gap H / (K tau) >= 2.36``,
    ``tau^2 = h' (P + N)^-1 h``, with P the prior's precision matrix; below that a row counts zero.

    The rows are at most twice ``exp(v - cost)``, which stands for the evidence where it is below
    ``threshold``.
    """
    one, two = ROWS
    value_one, ratio_one = contrast_row(counts, arms, signs, gap, one[0], one[1])
    value_two, ratio_two = contrast_row(counts, arms, signs, gap, two[0], two[1])
    most = max(value_one, value_two) + np.log(2.0)
    if most < threshold:
        return most
    first = half_space_evidence(value_one, ratio_one, one[2])
    second = half_space_evidence(value_two, ratio_two, two[2])
    top = max(first, second)
    return top + np.log(1.0 + np.exp(min(first, second) - top)) if top > -np.inf else -np.inf


@kernel
def directional_evidence(
    counts: FloatArray, means: FloatArray, a: int, b: int, m: int, n: int, threshold: float
) -> float:
    """The smaller evidence against the two signs that the true bond may have, less log 2.

    Which contrast refutes the true sign depends on the estimated sign of the rival pair, at
    different times perhaps a different one: two supermartingales per claim, hence log 2.
    """
    bond = means[a, 0] - means[b, 0]
    rival = means[m, 0] - means[n, 0]
    ways = np.log(2.0)
    if not abs(bond) < abs(rival):
        return -np.inf
    if a != m and a != n and b != m and b != n:
        gap = abs(rival) - abs(bond)
        signs = (1.0, 1.0, 1.0, 1.0)
        return contrast_evidence(counts, (a, b, m, n), signs, gap, threshold + ways) - ways
    j = a if a == m or a == n else b
    i = b if j == a else a
    k = n if j == m else m
    arms = (i, j, k, k)
    bent = abs(means[i, 0] - 2.0 * means[j, 0] + means[k, 0])
    straight = abs(means[i, 0] - means[k, 0])
    one = contrast_evidence(counts, arms, (1.0, 2.0, 1.0, 0.0), bent, threshold + ways)
    if one < threshold + ways:
        return one - ways
    two = contrast_evidence(counts, arms, (1.0, 0.0, 1.0, 0.0), straight, threshold + ways)
    return min(one, two) - ways


class DirectionalMixture(Evidence):
    """The evidence of ``local-directional``."""

    def against(self, run: Run, a: int, b: int, m: int, n: int, threshold: float) -> float:
        """The evidence; v at the counts bounds it from above and costs far less to compute."""
        most = claim_cost(run.counts, run.gaps, 0.0, a, b, m, n)
        if most < threshold:
            return most
        return directional_evidence(run.counts, run.means, a, b, m, n, threshold)
