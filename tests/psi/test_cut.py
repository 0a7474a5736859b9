"""One cut against one rival pair: the bracket by duality, and local search where it stays open."""

from fractions import Fraction

import numpy as np
import pytest

from boclust.psi.cut import bracket_cut, certified_dual, solve_cut
from boclust.psi.exact import bonds_across, components, ladder
from boclust.psi.search import local_search
from support.instances import few


def cost(mu, w, lam):
    return 0.5 * (w[:, None] * (lam - mu) ** 2).sum()


def feasible(lam, left, right, m, n):
    rival = np.linalg.norm(lam[m] - lam[n])
    return (np.linalg.norm(lam[left] - lam[right], axis=1) >= rival * (1 - 1e-12)).all()


def triangle(light):
    """A light arm inside a triangle of heavy ones, and a rival pair 2 apart, far away."""
    angle = 2 * np.pi * np.arange(3) / 3
    heavy = np.column_stack([np.cos(angle), np.sin(angle)])
    mu = np.vstack([[[0.05, 0.02]], heavy, [[20.0, 0.0], [22.0, 0.0]]])
    left, right = bonds_across(np.array([True, False, False, False]))
    return mu, np.array([light, 1.0, 1.0, 1.0, 1.0, 1.0]), left, right


def test_the_bracket_is_feasible_and_closes_where_duality_is_tight(rng):
    for _ in few(40):
        mu, w = rng.standard_normal((5, 3)), 10.0 ** rng.uniform(-4, 0, 5)
        mu[3:] *= 4
        left, right = bonds_across(np.array([True, False, False]))
        lam = np.empty_like(mu)
        lower, upper = bracket_cut(mu, w, left, right, 3, 4, ladder(mu, 3, 4), 1e-12, lam)
        assert feasible(lam, left, right, 3, 4)
        assert upper == pytest.approx(cost(mu, w, lam), rel=1e-12)
        assert lower <= upper
        assert lower == pytest.approx(upper, rel=1e-8)  # two bonds in three dimensions: no gap


def test_local_search_finds_the_way_out_of_a_triangle():
    """Duality lifts the light arm out of the plane; the true way out is between two heavy arms."""
    mu, w, left, right = triangle(1e-4)
    lam = np.empty_like(mu)
    lower, upper = bracket_cut(mu, w, left, right, 4, 5, ladder(mu, 4, 5), 1e-12, lam)
    assert lower < 0.9 * upper
    value, found = local_search(mu, w, left, right, 4, 5, (upper, lam))
    assert value <= upper
    assert feasible(found, left, right, 4, 5)
    assert value == pytest.approx(cost(mu, w, found), rel=1e-12)
    # every point of the plane that is far enough from the three, on a fine grid
    side = np.linspace(-4, 4, 801)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    out = (np.linalg.norm(grid[:, None] - mu[None, 1:4], axis=2) >= 2).all(axis=1)
    best = 0.5 * w[0] * ((grid[out] - mu[0]) ** 2).sum(axis=1).min()
    assert value == pytest.approx(best, rel=0.01)
    assert lower < value


def test_components_of_a_small_graph():
    graph = np.zeros((5, 5), dtype=bool)
    graph[0, 3] = graph[3, 0] = graph[1, 2] = graph[2, 1] = True
    assert sorted(components(graph)) == [0b00110, 0b01001, 0b10000]


def exact_dual(mu, w, left, right, m, n, gamma):
    """q(gamma) in rational arithmetic, or None where B is not positive definite."""
    k, d = mu.shape
    s_matrix = [[Fraction(0)] * k for _ in range(k)]
    for a, b, g in zip(left.tolist(), right.tolist(), gamma.tolist(), strict=True):
        for i, j, sign in [(m, n, 1), (a, b, -1)]:
            for row, column, value in [(i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)]:
                s_matrix[row][column] += sign * value * Fraction(g)
    points = [[Fraction(x) for x in row] for row in mu.tolist()]
    force = [
        [-sum(s_matrix[i][j] * points[j][c] for j in range(k)) for c in range(d)] for i in range(k)
    ]
    rows = [
        [s_matrix[i][j] + (Fraction(float(w[i])) if i == j else 0) for j in range(k)] + force[i]
        for i in range(k)
    ]
    for j in range(k):  # Gaussian elimination: positive pivots mean positive definite
        if rows[j][j] <= 0:
            return None
        for i in range(j + 1, k):
            ratio = rows[i][j] / rows[j][j]
            rows[i] = [x - ratio * y for x, y in zip(rows[i], rows[j], strict=True)]
    moved = [[Fraction(0)] * d for _ in range(k)]
    for i in reversed(range(k)):
        for c in range(d):
            known = sum(rows[i][j] * moved[j][c] for j in range(i + 1, k))
            moved[i][c] = (rows[i][k + c] - known) / rows[i][i]
    return float(
        -sum(force[i][c] * (points[i][c] + moved[i][c]) for i in range(k) for c in range(d)) / 2
    )


def test_a_cut_that_costs_enough_is_not_solved_further(rng):
    """q is a lower bound at every step, so the steps may end once it is enough."""
    saved = 0
    for _ in few(60):
        size = int(rng.integers(3, 6))
        mu, w = rng.standard_normal((size + 2, 3)), rng.uniform(0.2, 1, size + 2)
        mu[size] += 6
        left, right = bonds_across(np.arange(size) < 1)
        lam = np.empty_like(mu)

        def solved(enough, mu=mu, w=w, left=left, right=right, size=size, lam=lam):
            gamma = np.zeros(len(left))
            return solve_cut(mu, w, left, right, size, size + 1, gamma, 1e-9, 100, enough, lam)

        value, _, steps = solved(np.inf)
        enough = 0.9 * value
        early, _, fewer = solved(enough)
        assert enough <= early <= value * (1 + 1e-9)
        assert fewer <= steps
        saved += fewer < steps
    assert saved > len(few(60)) / 2


def test_certified_dual_values_are_true_in_rational_arithmetic(rng):
    """Never above the exact value, nearly equal to it, and never positive where B is indefinite."""
    close = 0
    for number in few(120):
        size = int(rng.integers(2, 5))
        shared = number % 2
        k = size + 2 - shared
        mu = np.round(rng.standard_normal((k, 2)) * (3 if number % 3 else 1), 3)
        w = 10.0 ** rng.uniform(-8, 0, k)
        m, n = (0, size) if shared else (size, size + 1)
        left, right = bonds_across(np.arange(size) == 0)
        lam, gamma = np.empty_like(mu), np.zeros(len(left))
        solve_cut(mu, w, left, right, m, n, gamma, 1e-13, 200, np.inf, lam)
        for factor in (1.0, 1 - 1e-6, 0.5):
            value = certified_dual(mu, w, left, right, m, n, factor * gamma)
            exact = exact_dual(mu, w, left, right, m, n, factor * gamma)
            if exact is None:
                assert value <= 0
            else:
                assert value <= exact + 1e-10 * abs(exact)
                close += value > 0 and value >= exact * (1 - 1e-6)
    assert close > len(few(120)) / 4
