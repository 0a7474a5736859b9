"""Upper bounds where duality leaves a gap: local search from many starting points."""

import numpy as np

from boclust._validate import FloatArray, IntArray
from boclust.psi.cut import repair

_STARTS = 12


def local_search(
    mu: FloatArray,
    w: FloatArray,
    left: IntArray,
    right: IntArray,
    m: int,
    n: int,
    best: tuple[float, FloatArray],
) -> tuple[float, FloatArray]:
    """The cheapest feasible (cost, lambda) of one cut that SLSQP finds from several starts.

    The variables are the displacements in units in which all arms weigh the same.
    """
    from scipy.optimize import minimize

    k, d = mu.shape
    scale = float(np.linalg.norm(mu[m] - mu[n]))
    stretch = scale * np.sqrt(w.max() / w)[:, None]
    bonds = np.arange(len(left))

    def positions(y: FloatArray) -> FloatArray:
        return np.asarray(mu + y.reshape(k, d) * stretch)

    def constraints(y: FloatArray) -> FloatArray:
        lam = positions(y)
        across = ((lam[left] - lam[right]) ** 2).sum(axis=1)
        return np.asarray((across - ((lam[m] - lam[n]) ** 2).sum()) / scale**2)

    def jacobian(y: FloatArray) -> FloatArray:
        lam = positions(y)
        jac = np.zeros((len(left), k, d))
        across = 2 * (lam[left] - lam[right])
        np.add.at(jac, (bonds, left), across)
        np.add.at(jac, (bonds, right), -across)
        rival = 2 * (lam[m] - lam[n])
        jac[:, m] -= rival
        jac[:, n] += rival
        return np.asarray((jac * stretch / scale**2).reshape(len(left), -1))

    rng = np.random.default_rng(0)
    value, winner = best
    for start in range(_STARTS):
        y = (winner - mu) / stretch
        if start:
            light = rng.standard_normal((k, d)) * (0.3 if start % 2 else 1.0) * scale / stretch
            y = y * rng.uniform(0.0, 1.0) + light
        result = minimize(
            lambda y: (0.5 * y @ y, y),
            y.reshape(-1),
            jac=True,
            method="SLSQP",
            constraints={"type": "ineq", "fun": constraints, "jac": jacobian},
            options={"maxiter": 300, "ftol": 1e-15},
        )
        lam = positions(result.x)
        if not np.isfinite(lam).all():
            continue
        repair(lam, w, left, right, m, n)
        cost = float(0.5 * (w[:, None] * (lam - mu) ** 2).sum())
        if cost < value:
            value, winner = cost, lam
    return value, winner
