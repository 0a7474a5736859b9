"""The proportions that do best against the worst of several alternatives: a small matrix game.

An alternative ("cut") costs c_m for each sample of arm m, hence ``c . w`` at proportions w. One
player chooses w, the other a cut, and
``z = max_w min_j c_j . w = min_x max_m sum_j x_j c_jm``, w and x in the probability simplex.

With y = w/z this is the linear program ``min sum y, C y >= 1, y >= 0``. The simplex method works on
its dual, ``max sum x, x C <= 1, x >= 0``, which has a feasible corner at x = 0. Cuts are measured
in units of their Euclidean length, so that a price tells what a step of length one brings, and
costs in units of the shortest cut.

Variables 0 to n - 1 are the cuts, variable n + m is the slack of arm m. ``basis`` names the
variables of the M rows of ``table``, then those of its n columns. Row M holds the prices (of the
slacks: -y), row M + 1 the lengths of the cuts; column n the values of the basic variables, column
n + 1 their values for right-hand sides that differ a little.
"""

import numpy as np

from boclust._jit import kernel
from boclust._validate import FloatArray, IntArray

#: Right-hand sides start this far from one. Equal ones can cycle; with nearly equal ones pivots are
#: smaller and rounding is larger.
PERTURBATION = 1e-4
#: Values as low as minus this, and prices up to this share of the worth of a cut, count as zero.
TOLERANCE = 1e-11
#: Entries up to this are not pivots: values are at most about one, so the error is as small.
NEGLIGIBLE = 1e-10
#: Where the bounds of z are further apart, the prices are computed afresh from the costs.
ACCURACY = 1e-9
#: So many attempts.
ROUNDS = 4


@kernel
def best_proportions(
    costs: FloatArray, n_cuts: int, table: FloatArray, basis: IntArray, proportions: FloatArray,
    mixture: FloatArray,
) -> float:
    """``z = max_w min_j c_j . w`` for the first ``n_cuts`` rows of ``costs``, all entries >= 0.

    ``proportions`` receives the maximiser; z is its smallest ``c_j . w``. ``mixture`` receives the
    weights x of the cuts: for any weights ``max_m (x C)_m`` is an upper bound of z, and these make
    it agree with z to about 1e-9. ``table``, (M + 2) x (capacity + 2), and ``basis``, M + capacity,
    are working space; capacity is the length of ``costs`` and of ``mixture``.
    """
    enough = 20 * (costs.shape[1] + n_cuts)
    return play(costs, n_cuts, enough, table, basis, proportions, mixture)


@kernel
def play(
    costs: FloatArray, n_cuts: int, pivots: int, table: FloatArray, basis: IntArray,
    proportions: FloatArray, mixture: FloatArray,
) -> float:
    """``best_proportions`` by at most so many ``pivots`` >= 1; too few, and the bounds are apart."""
    n_arms = costs.shape[1]
    mixture[:] = 0.0
    unit = start(costs, n_cuts, table, basis)
    if unit == 0.0:
        proportions[:] = 1.0 / n_arms
        mixture[basis[0]] = 1.0
        return 0.0
    for _ in range(ROUNDS):
        pivots = primal(n_cuts, unit, pivots, table, basis)
        pivots = dual(n_cuts, pivots, table, basis)
        total = 0.0
        proportions[:] = 0.0
        for c in range(n_cuts):
            arm = basis[n_arms + c] - n_cuts
            if arm >= 0:
                proportions[arm] = max(-table[n_arms, c], 0.0)
                total += proportions[arm]
        worth = 0.0
        mixture[:] = 0.0
        for r in range(n_arms):
            j = basis[r]
            if j < n_cuts:
                mixture[j] = max(table[r, n_cuts], 0.0) * unit / table[n_arms + 1, j]
                worth += mixture[j]
        smallest = np.inf
        for j in range(n_cuts):
            smallest = min(smallest, cost(costs, j, proportions))
        if smallest / total >= (1.0 - ACCURACY) * unit / worth:
            break
        refresh(costs, n_cuts, unit, proportions, table, basis)
    for m in range(n_arms):
        proportions[m] /= total
    for j in range(n_cuts):
        mixture[j] /= worth
    return smallest / total


@kernel
def start(costs: FloatArray, n_cuts: int, table: FloatArray, basis: IntArray) -> float:
    """The table at x = 0; returns the length of the shortest cut, and if that is zero names it."""
    n_arms = costs.shape[1]
    unit = np.inf
    for j in range(n_cuts):
        largest = 0.0
        for m in range(n_arms):
            largest = max(largest, costs[j, m])
        if largest == 0.0:
            basis[0] = j
            return 0.0
        squares = 0.0
        for m in range(n_arms):
            table[m, j] = costs[j, m] / largest
            squares += table[m, j] * table[m, j]
        length = np.sqrt(squares)
        for m in range(n_arms):
            table[m, j] /= length
        table[n_arms + 1, j] = largest * length
        unit = min(unit, largest * length)
        basis[n_arms + j] = j
    for j in range(n_cuts):
        table[n_arms, j] = unit / table[n_arms + 1, j]
    for m in range(n_arms):
        basis[m] = n_cuts + m
        table[m, n_cuts] = 1.0
        table[m, n_cuts + 1] = 1.0 + PERTURBATION * np.sqrt((m + np.pi) / (n_arms + np.pi))
    table[n_arms, n_cuts:n_cuts + 2] = 0.0
    return unit


@kernel
def primal(n_cuts: int, unit: float, pivots: int, table: FloatArray, basis: IntArray) -> int:
    """Bring in variables of positive price, the highest first; returns the pivots left."""
    n_arms = table.shape[0] - 2
    while pivots > 0:
        column = -1
        highest = 0.0
        for c in range(n_cuts):
            price = table[n_arms, c]
            if price > highest:
                j = basis[n_arms + c]
                if j >= n_cuts or price > TOLERANCE * unit / table[n_arms + 1, j]:
                    highest = price
                    column = c
        if column < 0:
            break
        row = -1
        step = np.inf
        for r in range(n_arms):
            entry = table[r, column]
            if entry > NEGLIGIBLE and table[r, n_cuts + 1] < step * entry:
                step = max(table[r, n_cuts + 1], 0.0) / entry
                row = r
        if row < 0:
            break
        pivot(n_cuts, row, column, table, basis)
        pivots -= 1
    return pivots


@kernel
def dual(n_cuts: int, pivots: int, table: FloatArray, basis: IntArray) -> int:
    """Take out variables that are negative once the right-hand sides are one, the lowest first."""
    n_arms = table.shape[0] - 2
    while pivots > 0:
        row = -1
        lowest = -TOLERANCE
        for r in range(n_arms):
            if table[r, n_cuts] < lowest:
                lowest = table[r, n_cuts]
                row = r
        if row < 0:
            break
        column = -1
        step = np.inf
        for c in range(n_cuts):
            entry = -table[row, c]
            if entry > NEGLIGIBLE and -table[n_arms, c] < step * entry:
                step = max(-table[n_arms, c], 0.0) / entry
                column = c
        if column < 0:
            break
        pivot(n_cuts, row, column, table, basis)
        pivots -= 1
    return pivots


@kernel
def pivot(n_cuts: int, row: int, column: int, table: FloatArray, basis: IntArray) -> None:
    """Exchange the variables of a row and a column."""
    n_arms = table.shape[0] - 2
    leaving = basis[row]
    basis[row] = basis[n_arms + column]
    basis[n_arms + column] = leaving
    inverse = 1.0 / table[row, column]
    table[row, column] = 1.0
    for c in range(n_cuts + 2):
        table[row, c] *= inverse
    for r in range(n_arms + 1):
        factor = table[r, column]
        if r != row and factor != 0.0:
            table[r, column] = 0.0
            for c in range(n_cuts + 2):
                table[r, c] -= factor * table[row, c]


@kernel
def refresh(
    costs: FloatArray, n_cuts: int, unit: float, y: FloatArray, table: FloatArray, basis: IntArray,
) -> None:
    """The prices computed from the costs, one step of iterative refinement.

    For any y the price of a variable outside the basis is its own excess less the excesses of the
    basic variables times its column; a cut exceeds y by ``1 - c_j . y``, the slack of arm m by
    -y_m. The terms of ``c_j . y`` are not negative, so nothing cancels in it.
    """
    n_arms = y.shape[0]
    for c in range(n_cuts):
        j = basis[n_arms + c]
        if j < n_cuts:
            table[n_arms, c] = (unit - cost(costs, j, y)) / table[n_arms + 1, j]
        else:
            table[n_arms, c] = -y[j - n_cuts]
    for r in range(n_arms):
        j = basis[r]
        if j < n_cuts:
            excess = (unit - cost(costs, j, y)) / table[n_arms + 1, j]
            for c in range(n_cuts):
                table[n_arms, c] -= excess * table[r, c]


@kernel
def cost(costs: FloatArray, j: int, weights: FloatArray) -> float:
    """``c_j . w``."""
    total = 0.0
    for m in range(weights.shape[0]):
        total += costs[j, m] * weights[m]
    return total
