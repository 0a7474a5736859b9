"""The quadratic programs of the paper's Section VII in NumPy: one constraint, and ADMM for several.

A batch holds programs of the same shape with the batch as the *last* axis: points are arrays
(arms, d, batch), weights (arms, batch). All operations then run along contiguous memory, and a
program more in a batch costs no call more.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

TINY = np.finfo(float).tiny


@dataclass(frozen=True)
class Shape:
    """Which arms of a program form its constraints |a - b| >= |m - n|.

    ``four``: rows (a, b, m, n) of different arms; ``three``: rows (i, j, n) where the bond (i, j)
    and the rival pair (j, n) share arm j; ``rival``: (m, n).
    """

    four: Any
    three: Any
    rival: tuple[int, int]

    @property
    def n_bonds(self) -> int:
        """L, the number of constraints."""
        return len(self.four) + len(self.three)


def norm(vectors: Any) -> Any:
    """Lengths of (..., d, batch)."""
    return np.sqrt((vectors * vectors).sum(-2))


def four_arms(point: Any, inverse: Any = None) -> Any:
    """1QCQP, case 1: the nearest point with |a - b| >= |m - n|, point (..., 4, d, batch).

    The printed lambda with the printed gamma (its lower signs) put in: each pair moves along its
    own line, each arm by ``force / w``. ``inverse`` holds 1/w, (..., 4, batch); None: w = 1.
    """
    bond = point[..., 0, :, :] - point[..., 1, :, :]
    rival = point[..., 2, :, :] - point[..., 3, :, :]
    x, y = norm(bond), norm(rival)
    force = np.maximum(y - x, 0.0) / (4.0 if inverse is None else inverse.sum(-2))
    along = rival * (force / (y + TINY))[..., None, :]
    apart = bond * (force / (x + TINY))[..., None, :]
    if not x.all():  # a bond of length zero opens along the rival pair
        apart = np.where((x > 0)[..., None, :], apart, along)
    lam = np.empty_like(point)
    for arm, (move, change) in enumerate(
        ((apart, np.add), (apart, np.subtract), (along, np.subtract), (along, np.add))
    ):
        step = move if inverse is None else move * inverse[..., arm, None, :]
        change(point[..., arm, :, :], step, out=lam[..., arm, :, :])
    return lam


def three_arms(point: Any, w: Any) -> Any:
    """1QCQP, case 2 (j = m): bond (i, j) against rival (j, n), point (..., 3, d, batch).

    As printed, except that the linear coefficient lacks a square in print, on |mu_j - mu_n|. Of
    the two roots gamma the one that is zero where the constraint is met with equality.
    """
    i, j, n = (point[..., arm, :, :] for arm in range(3))
    wi, wj, wn = (w[..., arm, :] for arm in range(3))
    to_i, to_n = j - i, j - n
    x, y = (to_i * to_i).sum(-2), (to_n * to_n).sum(-2)
    if (x < 1e-18 * y).any():  # the direction of the bond is free: away from n
        i = np.where((x < 1e-18 * y)[..., None, :], j + 1e-7 * to_n, i)
        to_i = j - i
        x = (to_i * to_i).sum(-2)
    dot = (to_i * to_n).sum(-2)
    a = wi**2 * (wj + 2 * wn) * x - wn**2 * (wj + 2 * wi) * y + 2 * wi * wn * (wn - wi) * dot
    half = wi * wn * (wi * (wj + wn) * x + wn * (wj + wi) * y - 2 * wi * wn * dot)
    c = wi**2 * wn**2 * wj * np.minimum(x - y, 0.0)
    gamma = -c / (half + np.sqrt(np.maximum(half * half - a * c, 0.0)) + TINY)
    of_n, of_i = gamma * wn / (gamma + wn), gamma * wi / (gamma - wi)
    total = (wj + of_n + of_i)[..., None, :]
    lam_j = (wj[..., None, :] * j + of_n[..., None, :] * n + of_i[..., None, :] * i) / total
    g, wi, wn = gamma[..., None, :], wi[..., None, :], wn[..., None, :]
    return np.stack([(g * lam_j - wi * i) / (g - wi), lam_j, (g * lam_j + wn * n) / (g + wn)], -3)


def nearest_three(point: Any) -> Any:
    """``three_arms`` with equal weights, the projection of line 5 of Algorithm 4: fewer steps."""
    i, j, n = point[..., 0, :, :], point[..., 1, :, :], point[..., 2, :, :]
    to_i, to_n = j - i, j - n
    x, y = (to_i * to_i).sum(-2), (to_n * to_n).sum(-2)
    if (x < 1e-18 * y).any():
        return three_arms(point, np.ones((3, 1)))
    half = 2 * (x + y - (to_i * to_n).sum(-2))
    c = np.maximum(y - x, 0.0)
    gamma = c / (half + np.sqrt(np.maximum(half * half - 3 * c * c, 0.0)) + TINY)
    out, into = gamma / (1 - gamma), gamma / (1 + gamma)
    share = 1 / (1 - out + into)
    lam = np.empty_like(point)
    lam_j = lam[..., 1, :, :]
    np.multiply(j - out[..., None, :] * i + into[..., None, :] * n, share[..., None, :], out=lam_j)
    np.add(i, (i - lam_j) * out[..., None, :], out=lam[..., 0, :, :])
    np.subtract(n, (n - lam_j) * into[..., None, :], out=lam[..., 2, :, :])
    return lam


def cost(mu: Any, w: Any, lam: Any) -> Any:
    """sum of w |mu - lambda|^2 / 2 for each program."""
    return 0.5 * (w * ((mu - lam) ** 2).sum(-2)).sum(0)


def closed_form(mu: Any, w: Any, shape: Shape) -> Any:
    """The costs of programs with a single constraint."""
    if len(shape.four):
        return cost(mu, w, four_arms(mu, 1 / w))
    mu, w = mu[shape.three[0]], w[shape.three[0]]
    return cost(mu, w, three_arms(mu, w))


def admm(mu: Any, w: Any, shape: Shape, tolerance: float, max_steps: int) -> Any:
    """Algorithm 4, consensus ADMM, for a batch of programs; returns lambda.

    As in the library: line 4 averages eta_l + u_l (the print repeats lambda there), the start is mu
    instead of 0, rho is the geometric mean of the weights, and it ends when the changes of lambda
    and the copies' disagreement are below ``tolerance`` times the rival pair's length. Of a copy
    eta_l only the arms of its constraint are stored: the others equal lambda, with u_l = 0.
    Programs that have converged leave the batch.
    """
    n_arms, _, size = mu.shape
    result, where = np.empty_like(mu), np.arange(size)
    m, n = shape.rival
    small = (tolerance * norm(mu[m] - mu[n])) ** 2
    rho = np.exp(np.log(w).mean(0))
    parts = []
    for slots, project in ((shape.four, four_arms), (shape.three, nearest_three)):
        if len(slots):
            sums = np.zeros((n_arms, slots.size))
            sums[slots.ravel(), np.arange(slots.size)] = 1.0
            parts.append((slots, sums, project))
    idle = shape.n_bonds - sum(sums.sum(1) for _, sums, _ in parts)
    idle = np.asarray(idle)[:, None, None]
    lam, pulled = mu, w[:, None] * mu
    copies = [mu[slots] for slots, *_ in parts]  # eta + u
    duals = [np.zeros_like(copy) for copy in copies]
    for _ in range(max_steps):
        total = idle * lam
        for (_, sums, _), copy in zip(parts, copies, strict=True):
            total += (sums @ copy.reshape(sums.shape[1], -1)).reshape(total.shape)
        new = (pulled + rho * total) / (w + shape.n_bonds * rho)[:, None]
        change = ((new - lam) ** 2).sum((0, 1))
        lam = new
        for part, (slots, _, project) in enumerate(parts):
            at = lam[slots]
            eta = project(at - duals[part])
            at = eta - at
            duals[part] += at
            copies[part] = eta + duals[part]
            at *= at
            change += at.sum((0, 1, 2))
        ongoing = change >= small
        left = int(ongoing.sum())
        if left == 0:
            break
        if left < 0.8 * len(ongoing):
            result[..., where[~ongoing]] = lam[..., ~ongoing]
            where, small, rho = where[ongoing], small[ongoing], rho[ongoing]
            lam, pulled, w = (array[..., ongoing] for array in (lam, pulled, w))
            copies = [array[..., ongoing] for array in copies]
            duals = [array[..., ongoing] for array in duals]
    result[..., where] = lam
    return result


def repaired(lam: Any, w: Any, shape: Shape) -> Any:
    """Feasible: rival arms pulled together until no bond across the cut is shorter than they are.

    ADMM meets the constraints in the limit only; a repaired solution costs at least psi.
    """
    m, n = shape.rival
    bonds = [*(lam[row[0]] - lam[row[1]] for row in (*shape.four, *shape.three))]
    shortest = np.min([norm(bond) for bond in bonds], axis=0)
    gap = lam[m] - lam[n]
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = np.maximum(1 - shortest / norm(gap) * (1 - 1e-15), 0.0)
    excess = np.nan_to_num(excess)
    share = np.zeros_like(excess) if len(shape.three) else w[n] / (w[m] + w[n])
    lam = lam.copy()
    lam[m] -= share * excess * gap
    lam[n] += (1 - share) * excess * gap
    return lam


def solve(mu: Any, w: Any, shape: Shape, tolerance: float, max_steps: int) -> Any:
    """The cost of each program of a batch: in closed form for one constraint, else by ADMM."""
    if shape.n_bonds == 1:
        return closed_form(mu, w, shape)
    mu = mu - mu[:1]  # keeps the digits of gaps far from the origin
    return cost(mu, w, repaired(admm(mu, w, shape, tolerance, max_steps), w, shape))
