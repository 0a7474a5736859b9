"""Evidence from samples in [0, 1] alone: gamblers who bet against the means of a claim.

Every arm has gamblers on two sides. Those of side 0 bet that its mean is larger than some null,
those of side 1 the same for one minus its samples. Before each sample x a gambler chooses, from the
past only, a null p >= 0 and a bet b >= 0 with b p < 1. Its wealth if the mean were y is
``exp(gain - stake y)``, with gain = sum of log(1 + b (x - p)) + b p and stake = sum of b: a
supermartingale at the true mean. The gamblers of all arms of a claim bet against the contrast
(``evidence.directional``) that the estimates contradict.

Against a null u standard deviations s away, the bet u / (s (1 + u^2)) makes the wealth grow by
about u^2 / 2 per sample, as if s were known. There is a gambler for every u from 0.003 to 0.5
within a factor of about two; differences that leave every arm less than 0.0015 s from its null are
never certified.
"""

from math import exp, log, sqrt

import numpy as np

from boclust._validate import FloatArray
from boclust.evidence.base import Evidence
from boclust.kernels import f1, f3, kernel
from boclust.run.state import Run

#: The gamblers: how many standard deviations away the nulls are that they bet against, descending
#: (the last one never bets), and their shares of the initial wealth.
DISTANCES = (0.5, 0.25, 0.12, 0.06, 0.03, 0.01, 0.003, 0.0)
SHARES = (0.2, 0.2, 0.19, 0.16, 0.11, 0.07, 0.04, 0.03)
GAMBLERS = len(DISTANCES)
#: The largest part of its wealth that a gambler risks on one sample.
LARGEST_RISK = 0.95


@kernel
def place_bets(
    value: float, count: float, total: float, spread: float, gains: FloatArray, stakes: FloatArray,
) -> float:
    """Let the gamblers of one arm bet on its next sample; returns the new spread of the arm.

    ``count``, ``total`` and ``spread`` are those before the sample. They predict the mean
    m = (1/2 + total) / (count + 1) and the variance s^2 = (1/4 + spread) / (count + 1). The gambler
    at distance u bets against the null p = m - u s: its wealth is multiplied by ``1 + b (x - p)``,
    b = u / (s (1 + u^2)), which is close to the best bet if m and s are right, or less where b p
    would exceed the largest risk.
    """
    mean = (0.5 + total) / (count + 1.0)
    deviation = sqrt((0.25 + spread) / (count + 1.0))
    for side in range(2):
        x = value if side == 0 else 1.0 - value
        middle = mean if side == 0 else 1.0 - mean
        for k in range(GAMBLERS):
            distance = DISTANCES[k]
            null = max(middle - distance * deviation, 0.0)
            bet = distance / (deviation * (1.0 + distance * distance))
            if bet * null > LARGEST_RISK:
                bet = LARGEST_RISK / null
            gains[side, k] += log(1.0 + bet * (x - null)) + bet * null
            stakes[side, k] += bet
    return spread + (value - mean) ** 2


@kernel
def cheapest_mean(
    gains: FloatArray, stakes: FloatArray, price: float, start: float,
) -> tuple[float, float, float]:
    """The y in [0, 1] with the least ``f(y) + price y``, f = log sum share exp(gain - stake y).

    Returns y, a lower bound of the least value (f is above its tangent at y) and f''(y). At y the
    gamblers with stakes above the price pull as hard as the others, each by its wealth times the
    difference. The logarithm of the ratio of the two pulls falls with y almost along a line, even
    where f is nearly a polygon: Newton's method needs few steps.
    """
    split = 0
    while split < GAMBLERS and stakes[split] > price:  # stakes descend
        split += 1
    y = 0.0 if split == 0 else 1.0 if split == GAMBLERS else start
    low = -np.inf  # the ends 0 and 1 may still be tried
    high = np.inf
    bound = -np.inf
    curvature = 0.0
    for _ in range(50):
        top = -np.inf
        for k in range(GAMBLERS):
            top = max(top, gains[k] - stakes[k] * y)
        wealth = 0.0
        square = 0.0
        up = 0.0
        up_slope = 0.0
        down = 0.0
        down_slope = 0.0
        for k in range(GAMBLERS):
            part = SHARES[k] * exp(gains[k] - stakes[k] * y - top)
            pull = part * (stakes[k] - price)
            wealth += part
            square += pull * (stakes[k] - price)
            if k < split:
                up += pull
                up_slope += pull * stakes[k]
            else:
                down -= pull
                down_slope -= pull * stakes[k]
        slope = (down - up) / wealth
        curvature = square / wealth - slope * slope
        error = slope * y if slope > 0.0 else slope * (y - 1.0)
        bound = top + log(wealth) + price * y - error
        if error < 1e-5:
            break
        if slope < 0.0:
            low = y
        else:
            high = y
        middle = 0.5 * (max(low, 0.0) + min(high, 1.0))
        steep = up_slope / up - down_slope / down if up > 0.0 and down > 0.0 else 0.0
        newton = y + (log(up) - log(down)) / steep if steep > 0.0 else middle
        newton = min(max(newton, 0.0), 1.0)
        y = newton if low < newton < high else middle
    return y, bound, curvature


@kernel
def contrast_wealth(
    counts: FloatArray, totals: FloatArray, spreads: FloatArray, gains: FloatArray,
    stakes: FloatArray, arms: tuple[int, int, int, int], signs: tuple[float, float, float, float],
    limit: float,
) -> float:
    """The least log wealth over all means in [0, 1] with ``sum sign mean >= 0``, from below.

    The gamblers bet on a negative sum. With y = mean where the sign is negative and 1 - mean where
    it is positive, they hold that the y are large, and the null is ``sum |sign| y <= half``, half
    of ``sum |sign|``.
    """
    y = np.empty(4)
    falls = np.empty(4)  # how y falls with the price; at first as if the samples were Gaussian
    half = 0.0
    excess = 0.0
    for i in range(4):
        weight = abs(signs[i])
        if weight > 0.0:
            j = arms[i]
            y[i] = totals[j] / counts[j] if signs[i] < 0.0 else 1.0 - totals[j] / counts[j]
            falls[i] = weight * (0.25 + spreads[j]) / (counts[j] * (counts[j] + 1.0))
            half += 0.5 * weight
            excess += weight * (y[i] - 0.5)
    sides = (
        0 if signs[0] < 0.0 else 1, 0 if signs[1] < 0.0 else 1,
        0 if signs[2] < 0.0 else 1, 0 if signs[3] < 0.0 else 1,
    )
    weights = (abs(signs[0]), abs(signs[1]), abs(signs[2]), abs(signs[3]))
    return least_wealth(gains, stakes, arms, sides, weights, half, y, falls, excess, limit)


@kernel
def least_wealth(
    gains: FloatArray, stakes: FloatArray, arms: tuple[int, int, int, int],
    sides: tuple[int, int, int, int], weights: tuple[float, float, float, float], budget: float,
    y: FloatArray, falls: FloatArray, excess: float, limit: float,
) -> float:
    """The least ``sum f(y)`` over all y in [0, 1] with ``sum weight y <= budget``, from below.

    f of each arm with a weight is that of its gamblers on the given side. For any price x >= 0 of
    the budget, ``sum min (f(y) + x weight y) - x budget`` is a lower bound; it is concave in x,
    with slope ``excess = sum weight y - budget``. Newton's method in a bracket climbs to its
    maximum and leaves early once it reaches ``limit``. It starts from ``y`` with their ``excess``,
    and from ``falls``, how fast they fall with the price; both arrays are work space.
    """
    bend = 0.0
    low = 0.0
    high = 0.0
    for i in range(4):
        if weights[i] > 0.0:
            bend += weights[i] * falls[i]
            high = max(high, stakes[arms[i], sides[i], 0] / weights[i])
    price = 0.0
    best = -np.inf
    for _ in range(60):
        step = excess / bend if bend > 0.0 else 0.0
        if not low < price + step < high:
            step = 0.5 * (low + high) - price
        price += step
        bound = -price * budget
        excess = -budget
        bend = 0.0
        for i in range(4):
            weight = weights[i]
            if weight > 0.0:
                start = min(max(y[i] - falls[i] * step, 0.0), 1.0)
                y[i], least, curvature = cheapest_mean(
                    gains[arms[i], sides[i]], stakes[arms[i], sides[i]], weight * price, start
                )
                falls[i] = weight / curvature if curvature > 0.0 and 0.0 < y[i] < 1.0 else 0.0
                bound += least
                excess += weight * y[i]
                bend += weight * falls[i]
        best = max(best, bound)
        if excess > 0.0:
            low = price
        else:
            high = price
        missing = excess * ((high if excess > 0.0 else low) - price)
        if missing < 1e-4 or best >= limit:
            break
    return best


@kernel
def bounded_evidence(
    counts: FloatArray, totals: FloatArray, spreads: FloatArray, gains: FloatArray,
    stakes: FloatArray, a: int, b: int, m: int, n: int, limit: float,
) -> float:
    """The smaller evidence against the two signs that the true bond may have, less log 2.

    If the claim holds, then ``bond - rival >= 0`` or ``-bond - rival >= 0``, the rival pair signed
    as estimated; the estimates contradict both, or the evidence is minus infinity. Evidence above
    ``limit`` is returned as ``limit``.
    """
    bond = totals[a] / counts[a] - totals[b] / counts[b]
    rival = totals[m] / counts[m] - totals[n] / counts[n]
    if not abs(bond) < abs(rival):
        return -np.inf
    if rival < 0.0:
        m, n = n, m
    if bond < 0.0:  # the sign that is harder to refute comes first
        a, b = b, a
    at_m = 0.0 if m == a or m == b else -1.0
    at_n = 0.0 if n == a or n == b else 1.0
    least = limit + log(2.0)
    for sign in (1.0, -1.0):
        at_a = sign - (1.0 if a == m else 0.0) + (1.0 if a == n else 0.0)
        at_b = -sign - (1.0 if b == m else 0.0) + (1.0 if b == n else 0.0)
        wealth = contrast_wealth(
            counts, totals, spreads, gains, stakes, (a, b, m, n), (at_a, at_b, at_m, at_n), least
        )
        least = min(least, wealth)
    return least - log(2.0)


class Betting(Evidence):
    """The evidence of ``local-bounded`` on a line; samples and means are in half ranges."""

    totals: f1  # of the samples in [0, 1]
    spreads: f1  # their squared errors of prediction
    gains: f3  # M x 2 x GAMBLERS
    stakes: f3

    @classmethod
    def new(cls, n_arms: int) -> "Betting":
        """Before the first sample."""
        return cls(
            totals=np.zeros(n_arms), spreads=np.zeros(n_arms),
            gains=np.zeros((n_arms, 2, GAMBLERS)), stakes=np.zeros((n_arms, 2, GAMBLERS)),
        )

    def observe(self, run: Run, arm: int) -> None:
        """Let the gamblers bet on the sample, and note how much the samples vary."""
        value = 0.5 * run.sample[0]
        self.spreads[arm] = place_bets(
            value, run.counts[arm] - 1.0, self.totals[arm], self.spreads[arm], self.gains[arm],
            self.stakes[arm],
        )
        self.totals[arm] += value
        run.variance[arm] = (4.0 * self.spreads[arm] + 1.0) / (run.counts[arm] + 1.0)

    def against(self, run: Run, a: int, b: int, m: int, n: int, threshold: float) -> float:
        """What the gamblers have won against a claim."""
        return bounded_evidence(
            run.counts, self.totals, self.spreads, self.gains, self.stakes, a, b, m, n, np.inf
        )
