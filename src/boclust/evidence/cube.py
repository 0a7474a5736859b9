"""Evidence from samples in the cube [0, 1]^d, d > 1, with independent coordinates.

Gamblers of fixed size bet in every direction at once: what one of them has won along v, |v| <= 1,
if mu were the mean, is bounded from below by ``B v.(estimate - mu) - cost``, with a cost that
hardly depends on v. So a claim in space comes down to one number for each arm, how far its mean is
from the estimate along the direction that matters, and is settled like one on a line. The gamblers
of the bond's arms bet along the true bond, those of the rival pair in all directions at once, of
which those near the estimated rival pair count.
"""

from math import acos, cos, log, pi, sqrt

import numpy as np

from boclust._validate import FloatArray
from boclust.evidence.base import Evidence
from boclust.evidence.betting import GAMBLERS, LARGEST_RISK, least_wealth
from boclust.kernels import f1, f2, f3, f4, kernel
from boclust.run.state import Run

#: The sizes of the bets, descending; the first is more than the risk ever allows, the last none.
SIZES = (2.0, 0.8, 0.35, 0.15, 0.065, 0.03, 0.01, 0.0)
#: Rows of ``tallies``: sums of b x, of z^2/2 + h(|z|) and of z^3/3, z = b (x - p).
LEANS, SQUARES, CUBES = 0, 1, 2
#: How far the true bond may point away from the estimated one: each ring is looked at on its own.
RINGS = (pi, 0.55 * pi, 0.38 * pi, 0.25 * pi, 0.15 * pi, 0.07 * pi, 0.0)


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

    ``value`` and ``sums`` are in half ranges: from 0 to 2 for each sample. ``count``,
    ``sums`` and ``spread`` are those before the sample. They predict the mean
    p = (1/2 + total) / (count + 1) of each coordinate. The gambler of size b, or less where b
    times the largest possible |x - p| would exceed the largest risk, gains at least
    ``v.z - sum v^2 (z^2/2 + h(|z|)) + sum v^3 z^3/3`` along v, z = b (x - p).
    """
    dim = value.shape[0]
    farthest = 0.5
    error = 0.0
    for c in range(dim):
        mean = (0.5 + 0.5 * sums[c]) / (count + 1.0)
        farthest = max(farthest, mean, 1.0 - mean)
        error += (0.5 * value[c] - mean) ** 2
    for k in range(GAMBLERS):
        bet = min(SIZES[k], LARGEST_RISK / farthest)
        stakes[0, k] += bet
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
            gains[c, k] = -tallies[c, SQUARES, k] - abs(tallies[c, CUBES, k])
            estimate = (0.5 * sums[c] + x) / (count + 1.0)
            astray += (tallies[c, LEANS, k] - stakes[0, k] * estimate) ** 2
        gains[dim, k] = -sqrt(astray)
    return float(spread + error / dim)


@kernel
def take_part(
    gains: FloatArray, stakes: FloatArray, arm: int, part: int, share: float, square: float,
    lines: FloatArray, slopes: FloatArray,
) -> None:
    """Write the gamblers of one arm as ``part`` of a claim, as ``least_wealth`` needs them.

    They bet along vectors with mean ``share`` times a unit vector and mean square ``square``. The
    distance t of the mean from the estimate along it is sqrt(d) (1 - 2 y), y in [0, 1].
    """
    dim = gains.shape[1] - 1
    width = sqrt(float(dim))
    for k in range(GAMBLERS):
        least = 0.0
        for c in range(dim):
            least = min(least, gains[arm, c, k])
        stake = share * stakes[arm, 0, k] * width
        lines[part, 0, k] = stake + square * least + share * gains[arm, dim, k]
        slopes[part, 0, k] = 2.0 * stake


@kernel
def take_rival(
    means: FloatArray, gains: FloatArray, stakes: FloatArray, arm: int, other: int, gap: float,
    part: int, r: float, lines: FloatArray, slopes: FloatArray,
) -> None:
    """``take_part`` for an arm that is only in the rival pair, whose direction is known.

    Bets along w have mean r u and mean square one. Of the mean square at least r^2 is along u:
    there the costs of the coordinates count by u^2, elsewhere the largest one counts.
    """
    dim = gains.shape[1] - 1
    take_part(gains, stakes, arm, part, r, 1.0 - r * r, lines, slopes)
    for c in range(dim):
        along = r * (means[arm, c] - means[other, c]) / gap
        for k in range(GAMBLERS):
            lines[part, 0, k] += along * along * gains[arm, c, k]


@kernel
def cube_evidence(
    counts: FloatArray, means: FloatArray, gaps: FloatArray, spreads: FloatArray,
    gains: FloatArray, stakes: FloatArray, a: int, b: int, m: int, n: int, limit: float,
) -> float:
    """The least log wealth over all means for which the claim holds, from below.

    ``means`` and ``gaps`` are in half ranges. The means of a true claim are off the estimates
    by distances whose sum, an arm in both pairs counting twice, is at least
    ``rival - cos(angle) bond``, the angle between the true and the estimated bond.
    """
    bond = gaps[a, b]
    rival = gaps[m, n]
    if not bond < rival:
        return -np.inf
    dim = means.shape[1]
    r, cost = focus(dim)
    lines = np.empty((4, 1, GAMBLERS))
    slopes = np.empty((4, 1, GAMBLERS))
    if a != m and a != n and b != m and b != n:
        take_part(gains, stakes, a, 0, 1.0, 1.0, lines, slopes)
        take_part(gains, stakes, b, 1, 1.0, 1.0, lines, slopes)
        take_rival(means, gains, stakes, m, n, rival, 2, r, lines, slopes)
        take_rival(means, gains, stakes, n, m, rival, 3, r, lines, slopes)
        weights = (1.0, 1.0, 1.0, 1.0)
        wealth = wealth_at_distance(
            counts, spreads, lines, slopes, (a, b, m, n), weights, dim, rival - bond, limit + cost
        )
        return wealth - cost
    j = a if a == m or a == n else b
    i = b if j == a else a
    k = n if j == m else m
    take_part(gains, stakes, i, 0, 1.0, 1.0, lines, slopes)
    take_rival(means, gains, stakes, k, j, rival, 2, r, lines, slopes)
    turn = pi  # the angle between the two pairs; of a very short bond it is not known
    if bond > 1e-6 * rival:
        third = gaps[i, k]
        dot = bond * bond + rival * rival - third * third
        turn = acos(min(max(dot / (2.0 * bond * rival), -1.0), 1.0))
    least = limit + cost
    for ring in range(len(RINGS) - 1):
        widest = cos(min(pi, turn + RINGS[ring]))
        square = (1.0 + r * r * (1.0 - 2.0 * widest)) / (1.0 + r) ** 2
        take_part(gains, stakes, j, 1, 2.0 * r / (1.0 + r), square, lines, slopes)
        gap = rival - bond * cos(RINGS[ring + 1])
        wealth = wealth_at_distance(
            counts, spreads, lines, slopes, (i, j, k, j), (1.0, 2.0, 1.0, 0.0), dim, gap, least
        )
        least = min(least, wealth)
    return least - cost


@kernel
def wealth_at_distance(
    counts: FloatArray, spreads: FloatArray, lines: FloatArray, slopes: FloatArray,
    arms: tuple[int, int, int, int], weights: tuple[float, float, float, float], dim: int,
    gap: float, limit: float,
) -> float:
    """The least log wealth if the distances of the arms, times their weights, sum to the gap."""
    y = np.empty(4)
    falls = np.empty(4)
    for i in range(4):
        j = arms[i]
        variance = (0.25 + spreads[j]) / (counts[j] + 1.0)
        y[i] = 0.5
        falls[i] = weights[i] * variance / (4.0 * dim * counts[j])
    excess = 0.25 * gap / sqrt(float(dim))  # gaps are in half ranges
    rows = (0, 1, 2, 3)
    return least_wealth(
        lines, slopes, rows, (0, 0, 0, 0), weights, 2.0 - excess, y, falls, excess, limit
    )


class CubeBetting(Evidence):
    """The evidence of ``local-bounded`` in space; samples, sums and means are in half ranges."""

    sums: f2  # M x d
    spreads: f1  # squared errors of prediction, averaged over the coordinates
    stakes: f3  # B, M x 1 x GAMBLERS
    tallies: f4  # of the bets, M x d x 3 x GAMBLERS
    gains: f3  # M x (d + 1) x GAMBLERS: less the cost of each coordinate, less the estimate's error

    @classmethod
    def new(cls, n_arms: int, dim: int) -> "CubeBetting":
        """Before the first sample."""
        return cls(
            sums=np.zeros((n_arms, dim)), spreads=np.zeros(n_arms),
            stakes=np.zeros((n_arms, 1, GAMBLERS)), tallies=np.zeros((n_arms, dim, 3, GAMBLERS)),
            gains=np.zeros((n_arms, dim + 1, GAMBLERS)),
        )

    def observe(self, run: Run, arm: int) -> None:
        """Let the gamblers bet on the sample, and note how much the samples vary."""
        self.spreads[arm] = place_bets_in_cube(
            run.sample, run.counts[arm] - 1.0, self.sums[arm], self.spreads[arm],
            self.tallies[arm], self.gains[arm], self.stakes[arm],
        )
        for c in range(self.sums.shape[1]):
            self.sums[arm, c] += run.sample[c]
        run.variance[arm] = (4.0 * self.spreads[arm] + 1.0) / (run.counts[arm] + 1.0)

    def against(self, run: Run, a: int, b: int, m: int, n: int, threshold: float) -> float:
        """What the gamblers have won against a claim."""
        return cube_evidence(
            run.counts, run.means, run.gaps, self.spreads, self.gains, self.stakes, a, b, m, n,
            np.inf,
        )
