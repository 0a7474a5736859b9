"""The proportions that do best against the worst of several alternatives: a small matrix game.

An alternative ("cut") costs c_m for each sample of arm m, hence ``c . w`` at proportions w. One
player chooses w, the other a cut, and
``z = max_w min_j c_j . w = min_x max_m sum_j x_j c_jm``, w and x in the probability simplex.

With y = w/z this is the linear program ``min sum y, C y >= 1, y >= 0``. The simplex method works on
its dual, ``max sum x, x C <= 1, x >= 0``, which has a feasible corner at x = 0. Each cut is divided
by its Euclidean length, so that a price tells what a step of length one brings; the shortest cut is
the unit of cost.

Variables 0 to n - 1 are the cuts, variable n + m is the slack of arm m. ``basis`` names the
variables of the M rows of ``table``, then those of its n columns. Row M holds the prices (of the
slacks: -y), row M + 1 the lengths of the cuts; column n the values of the basic variables, column
n + 1 their values for right-hand sides that differ a little, and column n + 2 is scratch.
"""

import numpy as np

from boclust._validate import FloatArray, IntArray
from boclust.kernels import kernel

#: How far the right-hand sides are from one. Ties can cycle, and near ties lead to small pivots.
PERTURBATION = 1e-4
#: Values above minus this, and prices below this share of what a cut is worth, count as zero.
TOLERANCE = 1e-11
#: Entries up to this are no pivots. Values are about one at most, so they err no more than that.
NEGLIGIBLE = 1e-10
#: The bounds of z should agree to this.
ACCURACY = 1e-9
#: So many turns of the primal and the dual method from one start.
TURNS = 4


@kernel
def best_proportions(
    costs: FloatArray, n_cuts: int, table: FloatArray, basis: IntArray, proportions: FloatArray,
    mixture: FloatArray,
) -> float:
    """``z = max_w min_j c_j . w`` for the first ``n_cuts`` rows of ``costs``, all entries >= 0.

    ``proportions`` receives the maximiser; z is its smallest ``c_j . w``. ``mixture`` receives the
    weights x of the cuts: for any weights ``max_m (x C)_m`` is an upper bound of z, and with these
    it agrees with z to rounding, or to about 1e-9 where costs are nearly but not exactly equal.
    ``table``, (M + 2) x (capacity + 3), and ``basis``, M + capacity, are working space; capacity is
    the length of ``costs`` and of ``mixture``.
    """
    enough = 20 * (costs.shape[1] + n_cuts)
    return play(costs, n_cuts, enough, table, basis, proportions, mixture)


@kernel
def play(
    costs: FloatArray, n_cuts: int, pivots: int, table: FloatArray, basis: IntArray,
    proportions: FloatArray, mixture: FloatArray,
) -> float:
    """``best_proportions`` by at most so many ``pivots`` >= 1; too few leave the bounds apart.

    The primal method solves the perturbed program. That corner is mostly the right one; where it
    is not, the dual method takes the perturbation back. If small pivots have spoilt the table, all
    starts again from the other side. The best bounds are kept.
    """
    proportions[:] = 1.0 / costs.shape[1]
    mixture[:] = 0.0
    low = -1.0
    high = np.inf
    for shift in (PERTURBATION, -PERTURBATION):
        unit = start(costs, n_cuts, shift, table, basis)
        if unit == 0.0:
            mixture[basis[0]] = 1.0
            return 0.0
        for turn in range(TURNS):
            if turn % 2 == 0:
                pivots = primal(n_cuts, unit, pivots, table, basis)
            else:
                pivots = dual(n_cuts, pivots, table, basis)
            high = better_mixture(costs, n_cuts, unit, high, table, basis, mixture)
            low = better_proportions(costs, n_cuts, low, table, basis, proportions)
            if pivots == 0 or high - low <= ACCURACY * high:
                return low
            refresh_prices(costs, n_cuts, unit, table, basis)
    return low


@kernel
def start(
    costs: FloatArray, n_cuts: int, shift: float, table: FloatArray, basis: IntArray,
) -> float:
    """The table at x = 0; returns the length of the shortest cut, and names it if that is zero."""
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
        table[m, n_cuts + 1] = 1.0 + shift * np.sqrt((m + np.pi) / (n_arms + np.pi))
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
    """Take out variables of negative value, the lowest first; returns the pivots left."""
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
def better_mixture(
    costs: FloatArray, n_cuts: int, unit: float, high: float, table: FloatArray, basis: IntArray,
    mixture: FloatArray,
) -> float:
    """Keep the mixture in the table if its bound is below ``high``; returns the lower of them."""
    n_arms = costs.shape[1]
    total = 0.0
    for r in range(n_arms):
        if basis[r] < n_cuts:
            share = max(table[r, n_cuts], 0.0) * (unit / table[n_arms + 1, basis[r]])
            table[r, n_cuts + 2] = share
            total += share
    largest = 0.0
    for m in range(n_arms):
        mixed = 0.0
        for r in range(n_arms):
            if basis[r] < n_cuts:
                mixed += table[r, n_cuts + 2] * costs[basis[r], m]
        largest = max(largest, mixed)
    if not largest < high * total:
        return high
    mixture[:] = 0.0
    for r in range(n_arms):
        if basis[r] < n_cuts:
            mixture[basis[r]] = table[r, n_cuts + 2] / total
    return largest / total


@kernel
def better_proportions(
    costs: FloatArray, n_cuts: int, low: float, table: FloatArray, basis: IntArray,
    proportions: FloatArray,
) -> float:
    """Keep the proportions in the table if they beat ``low``; returns the higher of the two.

    Column n + 2 of the table receives y.
    """
    n_arms = costs.shape[1]
    table[:n_arms, n_cuts + 2] = 0.0
    total = 0.0
    for c in range(n_cuts):
        arm = basis[n_arms + c] - n_cuts
        if arm >= 0:
            table[arm, n_cuts + 2] = max(-table[n_arms, c], 0.0)
            total += table[arm, n_cuts + 2]
    smallest = np.inf
    for j in range(n_cuts):
        smallest = min(smallest, cost_of(costs, n_cuts, j, table))
    if not smallest > low * total:
        return low
    for m in range(n_arms):
        proportions[m] = table[m, n_cuts + 2] / total
    return smallest / total


@kernel
def refresh_prices(
    costs: FloatArray, n_cuts: int, unit: float, table: FloatArray, basis: IntArray,
) -> None:
    """The prices computed from the costs and y: one step of iterative refinement.

    With any y a cut is worth ``1 - c_j . y`` and the slack of arm m -y_m; the price of a variable
    is its own worth less that of the basic variables it replaces. ``c_j . y`` has no negative
    terms, so it is as exact as y, however small.
    """
    n_arms = costs.shape[1]
    for c in range(n_cuts):
        j = basis[n_arms + c]
        if j < n_cuts:
            table[n_arms, c] = (unit - cost_of(costs, n_cuts, j, table)) / table[n_arms + 1, j]
        else:
            table[n_arms, c] = -table[j - n_cuts, n_cuts + 2]
    for r in range(n_arms):
        j = basis[r]
        if j < n_cuts:
            worth = (unit - cost_of(costs, n_cuts, j, table)) / table[n_arms + 1, j]
            for c in range(n_cuts):
                table[n_arms, c] -= worth * table[r, c]


@kernel
def cost_of(costs: FloatArray, n_cuts: int, j: int, table: FloatArray) -> float:
    """``c_j . y`` for the y in column n + 2 of the table."""
    total = 0.0
    for m in range(costs.shape[1]):
        total += costs[j, m] * table[m, n_cuts + 2]
    return total
