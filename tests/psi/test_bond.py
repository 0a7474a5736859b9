"""One bond against one rival pair: closed form, multiplier and projection against brute force."""

import numpy as np
import pytest
from scipy.optimize import minimize

from boclust.psi.bond import bond_cost, bond_value, project_on_bond
from boclust.psi.cut import solve_cut
from oracles.psi import psi_nd
from support.instances import few


def by_search(mu, w, a, b, m, n, rng, starts=20):
    """The least cost by SLSQP from many starts, in variables in which all arms weigh the same."""
    arms = sorted({a, b, m, n})
    at = {arm: i for i, arm in enumerate(arms)}
    d = mu.shape[1]
    size = np.sqrt(w[arms])[:, None]

    def positions(y):
        return mu[arms] + y.reshape(-1, d) / size

    def slack(y):
        lam = positions(y)
        bond, rival = lam[at[a]] - lam[at[b]], lam[at[m]] - lam[at[n]]
        return bond @ bond - rival @ rival

    def slope(y):
        lam = positions(y)
        bond, rival = lam[at[a]] - lam[at[b]], lam[at[m]] - lam[at[n]]
        found = np.zeros_like(lam)
        for arm, push in ((a, bond), (b, -bond), (m, -rival), (n, rival)):
            found[at[arm]] += 2 * push
        return (found / size).ravel()

    limit = {"type": "ineq", "fun": slack, "jac": slope}
    options = {"maxiter": 500, "ftol": 1e-14}
    best = np.inf
    for _ in range(starts):
        start = rng.standard_normal(len(arms) * d) * rng.choice([0.01, 0.3, 1.0])
        found = minimize(
            lambda y: (0.5 * y @ y, y), start, jac=True, method="SLSQP",
            constraints=limit, options=options,
        )  # fmt: skip
        if found.fun < best and slack(found.x) > -1e-8:
            best = found.fun
    return best


def instances(rng):
    for dim in (1, 2, 3, 5):
        for shape in ("free", "collinear", "coincident bond", "unequal"):
            mu = rng.standard_normal((4, dim))
            if shape == "collinear":
                mu = np.outer(rng.standard_normal(4), np.ones(dim))
            if shape == "coincident bond":
                mu[1] = mu[0]
            w = rng.uniform(0.2, 1, 4) if shape != "unequal" else 10.0 ** rng.uniform(-3, 0, 4)
            yield mu, w


def test_closed_forms_agree_with_search(rng):
    checked = 0
    for mu, w in instances(rng):
        for a, b, m, n in [(0, 1, 2, 3), (0, 1, 1, 2), (0, 1, 2, 0)]:
            value = bond_value(mu, w, a, b, m, n)
            best = by_search(mu, w, a, b, m, n, rng)
            assert value == pytest.approx(best, rel=1e-5, abs=1e-9)
            assert value <= best * (1 + 1e-6) + 1e-12  # never above: it could stop a run wrongly
            checked += value > 0
    assert checked > 20


def test_no_multiplier_gives_more_than_the_value(rng):
    """Weak duality, and strong duality at the best multiplier: one constraint leaves no gap."""
    for _ in few(300):
        dim = int(rng.choice([1, 2, 5]))
        mu, w = rng.standard_normal((4, dim)), 10.0 ** rng.uniform(-6, 0, 4)
        for a, b, m, n in [(0, 1, 2, 3), (0, 1, 1, 2), (1, 0, 2, 1)]:
            value = bond_value(mu, w, a, b, m, n)
            lam = np.empty_like(mu)
            dual, _, _ = solve_cut(
                mu, w, np.array([a]), np.array([b]), m, n, np.zeros(1), 1e-12, 200, np.inf, lam
            )
            assert dual == pytest.approx(value, rel=1e-6)
            assert dual <= value * (1 + 1e-9)


def test_the_cost_from_distances_alone(rng):
    for mu, w in instances(rng):
        gaps = np.linalg.norm(mu[:, None] - mu, axis=2)
        for a, b, m, n in [(0, 1, 2, 3), (0, 1, 1, 2), (1, 0, 2, 1), (2, 3, 0, 1), (1, 0, 3, 0)]:
            value = bond_value(mu, w, a, b, m, n)
            assert bond_cost(gaps, 1 / w, a, b, m, n) == pytest.approx(value, rel=1e-6, abs=1e-12)


def test_zero_where_the_bond_is_already_longer():
    mu = np.array([[0.0], [3.0], [5.0], [6.0]])
    assert bond_value(mu, np.ones(4), 0, 1, 2, 3) == 0
    assert bond_value(mu, np.ones(4), 0, 1, 1, 2) == 0


def test_a_cheap_bound_for_a_shared_arm(rng):
    """``v >= g^2/2 / (1/w_i + 4/w_j + 1/w_n)``; equality where j lies between i and n on a line."""
    for _ in few(500):
        mu, w = rng.standard_normal((3, int(rng.integers(1, 6)))), rng.uniform(0.01, 1, 3)
        gap = np.linalg.norm(mu[1] - mu[2]) - np.linalg.norm(mu[0] - mu[1])
        if gap > 0:
            cheap = gap**2 / 2 / (1 / w[0] + 4 / w[1] + 1 / w[2])
            assert bond_value(mu, w, 0, 1, 1, 2) >= cheap * (1 - 1e-9)
    mu, w = np.array([[-1.0], [0.0], [3.0]]), np.array([0.3, 0.5, 0.7])
    assert bond_value(mu, w, 0, 1, 1, 2) == pytest.approx(2 / (1 / 0.3 + 4 / 0.5 + 1 / 0.7))


def test_bisection_would_overstate_where_i_lies_between_j_and_n():
    """The critical point with i on the segment j-n: i and n meet, j does not move."""
    mu, w = np.array([[1.0], [0.0], [3.0]]), np.ones(3)
    assert bond_value(mu, w, 0, 1, 1, 2) == pytest.approx(1.0)  # 2^2 / 2 / (1 + 1)


def test_projection_is_feasible_and_as_near_as_the_closed_form_says(rng):
    for mu, _ in instances(rng):
        for a, b, m, n in [(0, 1, 2, 3), (0, 1, 1, 2), (0, 1, 2, 0)]:
            point = mu.copy()
            project_on_bond(point, a, b, m, n)
            value = bond_value(mu, np.ones(4), a, b, m, n)
            assert 0.5 * ((point - mu) ** 2).sum() == pytest.approx(value, rel=1e-5, abs=1e-10)
            bond, rival = point[a] - point[b], point[m] - point[n]
            assert bond @ bond >= (rival @ rival) * (1 - 1e-6) - 1e-12


def test_two_arms_in_a_cluster_make_psi_a_closed_form(rng):
    mu, w = rng.standard_normal((3, 2)), rng.uniform(0.1, 1, 3)
    mu[2] += 5
    value, _ = psi_nd(mu, w, np.array([0, 0, 1]))
    assert min(bond_value(mu, w, 0, 1, 1, 2), bond_value(mu, w, 1, 0, 0, 2)) == pytest.approx(
        value, rel=1e-6
    )
