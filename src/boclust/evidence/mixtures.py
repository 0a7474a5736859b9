"""Evidence against one claim "the bond (a, b) is at least as long as the rival pair (m, n)".

Each function returns the logarithm of a lower bound, over all true means for which the claim holds,
of a non-negative supermartingale that starts at one. By Ville's inequality it exceeds log(y) at any
time with probability at most 1/y; the proofs are in
``docs/explanation/stopping-rules.md``.

Kernels see the data through ``counts`` N, ``means`` (M x d, in units of sigma) and the matrix
``gaps`` of distances between the means.
"""

from math import erf

import numpy as np

from boclust.kernels import kernel
from boclust._validate import FloatArray
from boclust.psi.bond import four_arm_cost, three_arm_cost_of_gaps
from boclust.psi.line import bond_on_line
from boclust.run.state import Rules, Run
from boclust.evidence.betting import bounded_evidence
from boclust.stopping.codes import GLOBAL, LOCAL_DIRECTIONAL, LOCAL_SEMI
from boclust.evidence.cube import cube_evidence

#: Prior precisions of ``local-semi``, mixed with equal weights.
SEMI_PRECISIONS = (1.0, 4.0, 16.0, 64.0)
#: Prior precisions (along, across) the contrast of ``local-directional`` and their shares.
DIRECTIONAL_ROWS = ((1.0, 5.0, 0.1), (6.0, 40.0, 0.9))


@kernel
def shrunk_inverse(count: float, precision: float) -> float:
    """1 / n_c with n_c = N^2 / (N + c): what N samples weigh under a prior of precision c."""
    return (1.0 + precision / count) / count


@kernel
def global_cost(
    counts: FloatArray, gaps: FloatArray, precision: float, a: int, b: int, m: int, n: int,
) -> float:
    """v(a, b; m, n) at the weights n_c; c = 0 weighs every sample as one."""
    bond = gaps[a, b]
    rival = gaps[m, n]
    if rival <= bond:
        return 0.0
    if a == m or a == n or b == m or b == n:
        j = a if a == m or a == n else b
        i = b if j == a else a
        k = n if j == m else m
        outer = shrunk_inverse(counts[i], precision) + shrunk_inverse(counts[k], precision)
        shared = shrunk_inverse(counts[j], precision)
        return three_arm_cost_of_gaps(bond, rival, gaps[i, k], outer, shared)
    inverse = shrunk_inverse(counts[a], precision) + shrunk_inverse(counts[b], precision)
    inverse += shrunk_inverse(counts[m], precision) + shrunk_inverse(counts[n], precision)
    return four_arm_cost(bond, rival, inverse)


@kernel
def local_evidence(
    counts: FloatArray, gaps: FloatArray, dim: int, precision: float, semi: bool, a: int, b: int,
    m: int, n: int,
) -> float:
    """``v(n_c) - cost`` with n_c = N^2 / (N + c) and cost = (d/2) sum log(1 + N/c) over the arms.

    ``semi``: an arm only in the bond costs 1/2 instead of d/2, since its noise matters only along
    the true bond.
    """
    c = precision
    if gaps[m, n] <= gaps[a, b]:
        return -np.inf
    bond_share = 0.5 if semi else 0.5 * dim
    cost = 0.5 * dim * (np.log1p(counts[m] / c) + np.log1p(counts[n] / c))
    if a != m and a != n:
        cost += bond_share * np.log1p(counts[a] / c)
    if b != m and b != n:
        cost += bond_share * np.log1p(counts[b] / c)
    return global_cost(counts, gaps, c, a, b, m, n) - cost


@kernel
def semi_evidence(
    counts: FloatArray, gaps: FloatArray, dim: int, a: int, b: int, m: int, n: int,
) -> float:
    """``local_evidence`` averaged over the prior precisions 1, 4, 16 and 64."""
    top = -np.inf
    total = 0.0
    if gaps[m, n] <= gaps[a, b]:
        return -np.inf
    for c in SEMI_PRECISIONS:
        value = local_evidence(counts, gaps, dim, c, True, a, b, m, n)
        if value > top:
            total = total * np.exp(top - value) + 1.0
            top = value
        else:
            total += np.exp(value - top)
    return top + np.log(total / len(SEMI_PRECISIONS))


@kernel
def contrast_row(
    counts: FloatArray, arms: tuple[int, int, int, int], signs: tuple[float, float, float, float],
    gap: float, along: float, across: float,
) -> tuple[float, float]:
    """``v - cost`` of one row of ``contrast_evidence``, and its s."""
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
def half_space_evidence(value: float, standing: float, share: float) -> float:
    """The logarithm of a row's part in the mixture, restricted to its half-space."""
    if standing < 2.36:
        return -np.inf
    return value + np.log(share * (1.0 + erf(standing / 2.0 / np.sqrt(2.0))))


@kernel
def contrast_evidence(
    counts: FloatArray, arms: tuple[int, int, int, int], signs: tuple[float, float, float, float],
    gap: float, enough: float,
) -> float:
    """Evidence on a line that ``h . mu`` has the sign of its estimate, |h . estimate| = gap.

    A Gaussian mixture with precision c1 along h and c2 across it, restricted to the half-space that
    pushes the estimate away from the null (hence twice the density). Without the restriction it is
    ``exp(v - cost)``: ``v = gap^2/2 / K``, ``K = H + c2 H2 + (c1 - c2) H^2 / |h|^2``,
    H = sum h^2/N, H2 = sum h^2/N^2,
    ``cost = 1/2 [sum log(1 + N/c2) + log((c2/c1) (1 + (c1-c2)/|h|^2 sum h^2/(c2+N)))]``.
    The restriction multiplies it by at least ``2 Phi(s/2)`` where ``s = gap H / (K tau) >= 2.36``,
    ``tau^2 = h' (P + N)^-1 h``, with P the prior's precision matrix; below that a row counts zero.

    The rows are at most twice ``exp(v - cost)``: where that is below ``enough`` it stands for the
    evidence.
    """
    one, two = DIRECTIONAL_ROWS
    value_one, standing_one = contrast_row(counts, arms, signs, gap, one[0], one[1])
    value_two, standing_two = contrast_row(counts, arms, signs, gap, two[0], two[1])
    most = max(value_one, value_two) + np.log(2.0)
    if most < enough:
        return most
    first = half_space_evidence(value_one, standing_one, one[2])
    second = half_space_evidence(value_two, standing_two, two[2])
    top = max(first, second)
    return top + np.log(1.0 + np.exp(min(first, second) - top)) if top > -np.inf else -np.inf


@kernel
def directional_evidence(
    counts: FloatArray, means: FloatArray, a: int, b: int, m: int, n: int, enough: float,
) -> float:
    """Evidence on a line against both directions the true bond may have, less log 2.

    If the claim holds with the true bond pointing one way, then ``bond - rival`` and
    ``bond + rival`` (signed) are both >= 0; pointing the other way, both are <= 0. The estimates
    have them of opposite signs, so one contrast refutes each way. Which contrast refutes the true
    way depends on the estimated sign of the rival pair: two supermartingales a claim, hence log 2.
    ``enough`` as in ``closed_evidence``.
    """
    bond = means[a, 0] - means[b, 0]
    rival = means[m, 0] - means[n, 0]
    ways = np.log(2.0)
    if not abs(bond) < abs(rival):
        return -np.inf
    if a != m and a != n and b != m and b != n:
        gap = abs(rival) - abs(bond)
        signs = (1.0, 1.0, 1.0, 1.0)
        return contrast_evidence(counts, (a, b, m, n), signs, gap, enough + ways) - ways
    j = a if a == m or a == n else b
    i = b if j == a else a
    k = n if j == m else m
    arms = (i, j, k, k)
    bent = abs(means[i, 0] - 2.0 * means[j, 0] + means[k, 0])
    straight = abs(means[i, 0] - means[k, 0])
    one = contrast_evidence(counts, arms, (1.0, 2.0, 1.0, 0.0), bent, enough + ways)
    if one < enough + ways:
        return one - ways
    two = contrast_evidence(counts, arms, (1.0, 0.0, 1.0, 0.0), straight, enough + ways)
    return min(one, two) - ways


@kernel
def family_evidence(rules: Rules, run: Run, a: int, b: int, m: int, n: int) -> float:
    """``local`` of a one-parameter family: ``v(a, b; m, n)`` less the penalties of its arms.

    v is taken at the sample means themselves: an arm on the boundary of the parameter space (only
    zeros, say) has an infinite position there, and a bond with it is never certified.
    """
    kin = run.kin
    at = kin.raw_places
    if np.isinf(at[a]) or np.isinf(at[b]) or at[m] == at[n]:
        return -np.inf
    if not abs(at[m] - at[n]) > abs(at[a] - at[b]):
        return -np.inf
    p = m if at[m] > at[n] else n
    q = n if p == m else m
    cost = kin.penalties[m] + kin.penalties[n]
    if a != m and a != n:
        cost += kin.penalties[a]
    if b != m and b != n:
        cost += kin.penalties[b]
    value = bond_on_line(rules.family, rules.in_mean, kin.raw, run.counts, at, a, b, p, q)
    return value - cost


@kernel
def wealth_against(rules: Rules, run: Run, a: int, b: int, m: int, n: int) -> float:
    """``local-bounded``: what the gamblers have won against a claim."""
    bets = run.bets
    if run.means.shape[1] > 1:
        return cube_evidence(
            run.counts, run.means, run.gaps, bets.spreads, bets.gains, bets.stakes, a, b, m, n,
            np.inf,
        )
    return bounded_evidence(
        run.counts, bets.totals, bets.spreads, bets.gains, bets.stakes, a, b, m, n, np.inf
    )


@kernel
def closed_evidence(
    code: int, precision: float, counts: FloatArray, means: FloatArray, gaps: FloatArray, a: int,
    b: int, m: int, n: int, enough: float,
) -> float:
    """The evidence of a rule made of Gaussian mixtures against one claim; v for a global rule.

    Exact where it is at least ``enough``; elsewhere a bound from above that is below ``enough`` may
    stand for it. The first such bound is v(a, b; m, n), which costs far less to compute.
    """
    value = global_cost(counts, gaps, precision if code == GLOBAL else 0.0, a, b, m, n)
    if value < enough or code == GLOBAL:
        return value
    if code == LOCAL_DIRECTIONAL:
        return directional_evidence(counts, means, a, b, m, n, enough)
    if code == LOCAL_SEMI:
        return semi_evidence(counts, gaps, means.shape[1], a, b, m, n)
    return local_evidence(counts, gaps, means.shape[1], precision, False, a, b, m, n)
