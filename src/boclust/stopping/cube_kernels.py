"""Evidence from samples in the cube [0, 1]^d, d > 1, with independent coordinates.

Gamblers of fixed size bet in every direction at once: what one of them has won along v, |v| <= 1,
is bounded from below by ``B v.(estimate - mean) - C`` if that were the mean, the same B and C for
all v. So a claim in space comes down to one number for each arm, how far its mean is from the
estimate along the direction that matters, and is settled like one on a line. ``LocalBounded`` has
the proof.

The state of a run: ``tallies`` (M x d x 3 x GAMBLERS) of the bets, from which ``gains`` and
``stakes`` (M x 3 x GAMBLERS, one row for each part that an arm may have in a claim) follow, and
``spreads``, squared errors of prediction averaged over the coordinates; all zero at first.
"""

from math import log, sqrt

import numpy as np

from boclust._jit import kernel
from boclust._validate import FloatArray
from boclust.stopping.bounded_kernels import GAMBLERS, LARGEST_RISK, least_wealth

#: The sizes of the bets, descending; the first is more than the risk ever allows, the last none.
SIZES = (2.0, 0.8, 0.35, 0.15, 0.065, 0.03, 0.01, 0.0)
#: The parts of an arm in a claim: only in the bond, only in the rival pair, in both.
BOND, RIVAL, BOTH = 0, 1, 2
#: Rows of ``tallies``: sums of b x, of z^2/2 + h(|z|) and of z^3/3, z = b (x - p).
LEANS, SQUARES, CUBES = 0, 1, 2


@kernel
def focus(dim: int) -> tuple[float, float]:
    """What it takes to turn bets in all directions into bets in one: (r, cost).

    Directions that are uniform on the sphere can be weighed such that their mean is r times any
    unit vector, at an entropy of at most ``cost``:
    ``r = k / (p + s)``, ``cost = k r - (s - q - p log((p + s) / d))``, with p = (d - 1)/2,
    q = (d + 1)/2, s = sqrt(k^2 + q^2). Any k > 0 will do; a larger one has r closer to one.
    """
    k = 12.0 + dim
    p = 0.5 * (dim - 1.0)
    q = 0.5 * (dim + 1.0)
    s = sqrt(k * k + q * q)
    r = k / (p + s)
    return r, k * r - (s - q - p * log((p + s) / dim))


@kernel
def place_bets_in_cube(
    value: FloatArray, count: float, sums: FloatArray, spread: float, tallies: FloatArray,
    gains: FloatArray, stakes: FloatArray,
) -> float:
    """Let the gamblers of one arm bet on its next sample; returns the new spread of the arm.

    ``value`` and ``sums`` are told in half ranges, so from 0 to 2 for each sample. ``count``,
    ``sums`` and ``spread`` are those before the sample. They predict the mean
    p = (1/2 + total) / (count + 1) of each coordinate. The gambler of size b, or less where b
    times the largest possible |x - p| would exceed the largest risk, gains at least
    ``v.z - sum v^2 (z^2/2 + h(|z|)) + sum v^3 z^3/3`` along v.
    """
    dim = value.shape[0]
    farthest = 0.5
    error = 0.0
    for c in range(dim):
        mean = (0.5 + 0.5 * sums[c]) / (count + 1.0)
        farthest = max(farthest, mean, 1.0 - mean)
        error += (0.5 * value[c] - mean) ** 2
    width = sqrt(float(dim))
    r, _ = focus(dim)
    for k in range(GAMBLERS):
        bet = min(SIZES[k], LARGEST_RISK / farthest)
        stake = stakes[BOND, k] / (2.0 * width) + bet
        worst = 0.0
        astray = 0.0
        for c in range(dim):
            x = 0.5 * value[c]
            z = bet * (x - (0.5 + 0.5 * sums[c]) / (count + 1.0))
            size = abs(z)
            cube = size * size * size / 3.0
            tallies[c, LEANS, k] += bet * x
            # z^2/2 + h(|z|), h(u) = -log(1 - u) - u - u^2/2 - u^3/3
            tallies[c, SQUARES, k] += -log(1.0 - size) - size - cube
            tallies[c, CUBES, k] += cube if z > 0.0 else -cube
            worst = max(worst, tallies[c, SQUARES, k] + abs(tallies[c, CUBES, k]))
            estimate = (0.5 * sums[c] + x) / (count + 1.0)
            astray += (tallies[c, LEANS, k] - stake * estimate) ** 2
        cost = worst + sqrt(astray)
        # the distance t from the estimate is sqrt(d) (1 - 2 y), y in [0, 1]
        for part in range(3):
            share = 1.0 if part == BOND else r if part == RIVAL else 2.0 * r / (1.0 + r)
            gains[part, k] = share * stake * width - cost
            stakes[part, k] = 2.0 * share * stake * width
    return spread + error / dim


@kernel
def cube_evidence(
    counts: FloatArray, gaps: FloatArray, spreads: FloatArray, gains: FloatArray,
    stakes: FloatArray, dim: int, a: int, b: int, m: int, n: int, enough: float,
) -> float:
    """The least log wealth over all means for which the claim holds, from below.

    ``gaps`` are told in half ranges. The means of a true claim are off the estimates by distances
    whose sum, an arm in both pairs counting twice, is at least ``rival - bond``.
    """
    missing = 0.5 * (gaps[m, n] - gaps[a, b])
    if not missing > 0.0:
        return -np.inf
    arms = (a, b, m, n)
    parts = (BOND, BOND, RIVAL, RIVAL)
    weights = (1.0, 1.0, 1.0, 1.0)
    if a == m or a == n or b == m or b == n:
        j = a if a == m or a == n else b
        arms = (b if j == a else a, j, n if j == m else m, j)
        parts = (BOND, BOTH, RIVAL, BOTH)
        weights = (1.0, 2.0, 1.0, 0.0)
    r, cost = focus(dim)
    y = np.empty(4)
    falls = np.empty(4)
    for i in range(4):
        j = arms[i]
        variance = (0.25 + spreads[j]) / (counts[j] + 1.0)
        y[i] = 0.5
        falls[i] = weights[i] * variance / (4.0 * dim * counts[j])
    excess = 0.5 * missing / sqrt(float(dim))
    wealth = least_wealth(
        gains, stakes, arms, parts, weights, 2.0 - excess, y, falls, excess, enough + cost
    )
    return wealth - cost
