r"""Slow, readable reference values of the characteristic function psi.

``M`` arms have means ``mu_i`` in R^d, positive weights ``w_i`` and integer cluster labels.
An *alternative* is a set of positions ``lambda`` for which some cluster ``D`` falls apart:
there are a split of ``D`` into two non-empty parts ``(P1, P2)`` and a *rival pair* ``(m, n)``
of arms of two different clusters such that

    |lambda_a - lambda_b| >= |lambda_m - lambda_n|      for all a in P1, b in P2.

One arm of the rival pair may belong to ``D``.  ``psi`` is the least cost of an alternative,

    psi(w, mu) = min over alternatives of  sum_i w_i |mu_i - lambda_i|^2 / (2 sigma^2).

The functions below visit every cluster, every split and every rival pair.  They are meant to be
transparently right, not fast:

* ``psi_1d``: exact for d = 1, by enumeration of the active sets of convex quadratic programs;
* ``psi_family``: d = 1 with Kullback-Leibler costs, the same active sets with Newton's method;
* ``psi_nd``: d >= 1, nonlinear programming from many starts with rigorous pruning.

Weights may differ by many orders of magnitude, so nothing assumes that light arms keep their
place in the order of the arms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import null_space
from scipy.optimize import minimize, nnls

Floats = NDArray[np.float64]
Arms = tuple[int, ...]

# ------------------------------------------------------------------------------------------
# Combinatorics
# ------------------------------------------------------------------------------------------


def clusters_of(labels: Sequence[int] | NDArray[np.integer]) -> list[Arms]:
    """The clusters as tuples of arm indices."""
    values = np.asarray(labels)
    return [tuple(int(i) for i in np.flatnonzero(values == c)) for c in np.unique(values)]


def ordered_splits(cluster: Arms) -> Iterator[tuple[Arms, Arms]]:
    """All 2^s - 2 ordered splits of a cluster into two non-empty parts."""
    for size in range(1, len(cluster)):
        for first in combinations(cluster, size):
            yield first, tuple(i for i in cluster if i not in first)


def unordered_splits(cluster: Arms) -> Iterator[tuple[Arms, Arms]]:
    """All 2^(s-1) - 1 unordered splits: those whose first part holds the first arm."""
    for first, second in ordered_splits(cluster):
        if cluster[0] in first:
            yield first, second


def rival_pairs(labels: Sequence[int] | NDArray[np.integer]) -> list[tuple[int, int]]:
    """All pairs m < n of arms of two different clusters."""
    values = np.asarray(labels)
    return [(m, n) for m, n in combinations(range(len(values)), 2) if values[m] != values[n]]


# ------------------------------------------------------------------------------------------
# Cost and membership
# ------------------------------------------------------------------------------------------


def _as_points(points: ArrayLike) -> Floats:
    """Positions as an M x d array; a vector is read as d = 1."""
    array = np.asarray(points, dtype=float)
    return array[:, None] if array.ndim == 1 else array


def cost(means: ArrayLike, alternative: ArrayLike, weights: ArrayLike, sigma: float = 1.0) -> float:
    """sum_i w_i |mu_i - lambda_i|^2 / (2 sigma^2)."""
    moves = _as_points(alternative) - _as_points(means)
    squares = np.sum(moves**2, axis=1)
    return float(np.asarray(weights, dtype=float) @ squares) / (2.0 * sigma**2)


def _distance(points: Floats, i: int, j: int) -> float:
    return float(np.linalg.norm(points[i] - points[j]))


def is_alternative(
    labels: Sequence[int] | NDArray[np.integer], points: ArrayLike, rtol: float = 0.0
) -> bool:
    """Whether some cluster has a split whose every cross distance is >= (1 - rtol) * rival.

    The least rival distance is the easiest to beat, so it is enough to look at that one.
    """
    positions = _as_points(points)
    rival = min((_distance(positions, m, n) for m, n in rival_pairs(labels)), default=np.inf)
    for cluster in clusters_of(labels):
        for first, second in unordered_splits(cluster):
            cross = min(_distance(positions, a, b) for a in first for b in second)
            if cross >= (1.0 - rtol) * rival:
                return True
    return False


# ------------------------------------------------------------------------------------------
# Dimension one: the faces on which a minimiser can lie
# ------------------------------------------------------------------------------------------
#
# In dimension one an alternative has an *ordered* split (Lo, Hi) of D with
#
#     x_b - x_a >= |x_m - x_n|     for all a in Lo, b in Hi.                              (*)
#
# (If the parts of an unordered split interleave, cut D between two neighbours of different
# parts: every cross distance of that cut is at least this gap.)  Write u = max of Lo and
# v = min of Hi.  At a minimiser, by the stationarity conditions,
#
# * an arm of Lo which is not m or n either rests at its mean or is pushed down to u, and it is
#   pushed precisely if its mean is above u: the pushed arms are a prefix of Lo in decreasing
#   order of the means.  Likewise for Hi, with v and increasing order;
# * an arm of D that is also in the rival pair is tied to u (or v) or is not;
# * arms outside of D and the rival pair rest;
# * v - u = +(x_m - x_n), or v - u = -(x_m - x_n), or both (then all is zero).
#
# These equations cut out a linear subspace, a *face*.  The minimiser of (*) is the minimiser of
# the cost on its face.  So the least cost among those face minimisers that satisfy (*) is the
# solution: no multipliers have to be looked at.


@dataclass(frozen=True)
class Line:
    """One ordered split and rival pair in dimension one."""

    lo: Arms
    hi: Arms
    m: int
    n: int

    def slack(self, x: Floats) -> float:
        """min Hi - max Lo - |x_m - x_n|; the point is feasible if this is >= 0."""
        return float(x[list(self.hi)].min() - x[list(self.lo)].max() - abs(x[self.m] - x[self.n]))


@dataclass(frozen=True)
class Face:
    """Equations rows @ x[arms] = 0; all the other arms rest."""

    arms: list[int]
    rows: Floats


def _lines(labels: Sequence[int] | NDArray[np.integer]) -> Iterator[Line]:
    for cluster in clusters_of(labels):
        for lo, hi in ordered_splits(cluster):
            for m, n in rival_pairs(labels):
                yield Line(lo, hi, m, n)


def _tied_sets(part: Arms, by_push: Callable[[int], float], rival: Arms) -> list[list[int]]:
    """Candidates for the arms of one part that sit at its boundary.

    Prefixes of the part without the rival arms, in the order ``by_push``, each with and without
    the arm that the part shares with the rival pair.
    """
    plain = sorted((i for i in part if i not in rival), key=by_push)
    shared = [i for i in part if i in rival]
    prefixes = [plain[:k] for k in range(len(plain) + 1)]
    candidates = prefixes + ([p + shared for p in prefixes] if shared else [])
    return [tied for tied in candidates if tied]


def _face(low: list[int], high: list[int], m: int, n: int, signs: Arms) -> Face:
    """Equal positions in ``low``, equal positions in ``high``, v - u = s (x_m - x_n)."""
    arms = sorted({*low, *high, m, n})
    column = {arm: k for k, arm in enumerate(arms)}
    rows: list[Floats] = []

    def add(*terms: tuple[int, float]) -> None:
        row = np.zeros(len(arms))
        for arm, factor in terms:
            row[column[arm]] += factor
        rows.append(row)

    for tied in (low, high):
        for arm in tied[1:]:
            add((arm, 1.0), (tied[0], -1.0))
    for s in signs:
        add((high[0], 1.0), (low[0], -1.0), (m, -float(s)), (n, float(s)))
    return Face(arms, np.array(rows))


def _faces(line: Line, start: Floats) -> Iterator[Face]:
    """All the faces on which the minimiser can lie (see the comment above)."""
    rival = (line.m, line.n)
    lows = _tied_sets(line.lo, lambda i: -start[i], rival)
    highs = _tied_sets(line.hi, lambda i: start[i], rival)
    for low in lows:
        for high in highs:
            for signs in ((1,), (-1,), (1, -1)):
                yield _face(low, high, line.m, line.n, signs)


# ------------------------------------------------------------------------------------------
# Dimension one: quadratic cost
# ------------------------------------------------------------------------------------------


def _project_on_face(means: Floats, weights: Floats, face: Face) -> Floats:
    """argmin sum_i w_i (x_i - mu_i)^2 subject to the equations of the face.

    In the variables y = sqrt(w) (x - mu) this is the solution of least norm of linear equations.
    A second solve removes the rounding error of the first from the equations.
    """
    roots = np.sqrt(weights[face.arms])
    scaled = face.rows / roots
    x = means.copy()
    for _ in range(2):
        x[face.arms] -= np.linalg.lstsq(scaled, face.rows @ x[face.arms], rcond=1e-13)[0] / roots
    return x


def _half_space_bound(means: Floats, weights: Floats, line: Line) -> float:
    """Lower bound: keep only one of the constraints (*) with one sign of the absolute value.

    Then c @ x >= 0 is a half-space, at cost max(-c @ mu, 0)^2 / (2 sum_i c_i^2 / w_i).
    """
    best = 0.0
    for a in line.lo:
        for b in line.hi:
            for s in (1.0, -1.0):
                c = np.zeros(len(means))
                for arm, factor in ((b, 1.0), (a, -1.0), (line.m, -s), (line.n, s)):
                    c[arm] += factor
                deficit = max(-float(c @ means), 0.0)
                best = max(best, deficit**2 / (2.0 * float(np.sum(c**2 / weights))))
    return best


def psi_1d(
    means: ArrayLike,
    weights: ArrayLike,
    labels: Sequence[int] | NDArray[np.integer],
    sigma: float = 1.0,
) -> tuple[float, Floats]:
    """psi for d = 1 and an alternative that attains it (in the shape of ``means``)."""
    mu = np.asarray(means, dtype=float).ravel()
    w = np.asarray(weights, dtype=float)
    tolerance = 1e-13 * max(float(np.ptp(mu)), 1e-300)
    bounded = sorted(
        ((_half_space_bound(mu, w, line), line) for line in _lines(labels)), key=lambda p: p[0]
    )
    best, where = np.inf, mu
    for bound, line in bounded:
        if bound >= best:
            break
        if line.slack(mu) >= 0.0:
            return 0.0, mu.reshape(np.shape(means)).copy()
        for face in _faces(line, mu):
            x = _project_on_face(mu, w, face)
            value = cost(mu, x, w)
            if value < best and line.slack(x) >= -tolerance:
                best, where = value, x
    return best / sigma**2, where.reshape(np.shape(means)).copy()


# ------------------------------------------------------------------------------------------
# Dimension one: exponential families
# ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Family:
    """A family in coordinates x (natural or mean parameter), elementwise.

    ``divergence(mu, x)`` gives KL(P_mu || P_x) and its first two derivatives in x; outside of
    the domain its value is infinite.  ``convex`` tells whether KL is convex in x.
    """

    to_x: Callable[[Floats], Floats]
    to_mean: Callable[[Floats], Floats]
    divergence: Callable[[Floats, Floats], tuple[Floats, Floats, Floats]]
    convex: bool


# The logarithms are written with log1p so that heavy arms, which hardly move, keep their digits.


def _kl_bernoulli(mu: Floats, p: Floats) -> Floats:
    """mu log(mu / p) + (1 - mu) log((1 - mu) / (1 - p))."""
    move = p - mu
    return -mu * np.log1p(move / mu) - (1.0 - mu) * np.log1p(-move / (1.0 - mu))


def _kl_poisson(mu: Floats, p: Floats) -> Floats:
    """p - mu + mu log(mu / p)."""
    move = p - mu
    return move - mu * np.log1p(move / mu)


def _kl_exponential(mu: Floats, p: Floats) -> Floats:
    """mu / p - 1 - log(mu / p)."""
    excess = (mu - p) / p
    return excess - np.log1p(excess)


def _kl_gaussian(mu: Floats, p: Floats) -> Floats:
    return (mu - p) ** 2 / 2.0


_KL: dict[str, Callable[[Floats, Floats], Floats]] = {
    "bernoulli": _kl_bernoulli,
    "poisson": _kl_poisson,
    "exponential": _kl_exponential,
    "gaussian": _kl_gaussian,
}

_LINKS: dict[str, tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]] = {
    "bernoulli": (lambda p: np.log(p / (1.0 - p)), lambda x: 1.0 / (1.0 + np.exp(-x))),
    "poisson": (np.log, np.exp),
    "exponential": (lambda p: -1.0 / p, lambda x: -1.0 / x),
    "gaussian": (lambda p: p, lambda x: x),
}

# Variance of the distribution with mean p, and the derivative of that variance.  The derivative
# of KL(P_mu || P_p) is (p - mu) / variance(p) in the mean p and p - mu in the natural parameter.
_VARIANCE: dict[str, tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]] = {
    "bernoulli": (lambda p: p * (1.0 - p), lambda p: 1.0 - 2.0 * p),
    "poisson": (lambda p: p, np.ones_like),
    "exponential": (lambda p: p**2, lambda p: 2.0 * p),
    "gaussian": (np.ones_like, np.zeros_like),
}


def _in_domain(family: str, space: str, x: Floats) -> bool:
    """Whether all the parameters are allowed (and, for Bernoulli, can be told from 0 and 1)."""
    natural = space == "natural"
    inside = {
        "bernoulli": (-34.0, 34.0) if natural else (0.0, 1.0),
        "poisson": (-700.0, 700.0) if natural else (0.0, np.inf),
        "exponential": (-np.inf, 0.0) if natural else (0.0, np.inf),
        "gaussian": (-np.inf, np.inf),
    }
    low, high = inside[family]
    return bool(np.all((x > low) & (x < high)))


def make_family(family: str, space: str) -> Family:
    """The family called ``family`` in the coordinates ``space`` ("natural" or "mean")."""
    kl = _KL[family]
    to_natural, from_natural = _LINKS[family]
    variance, slope = _VARIANCE[family]

    def natural(mu: Floats, x: Floats) -> tuple[Floats, Floats, Floats]:
        if not _in_domain(family, space, x):
            return np.full_like(x, np.inf), x, x
        p = from_natural(x)
        return kl(mu, p), p - mu, variance(p)

    def mean(mu: Floats, x: Floats) -> tuple[Floats, Floats, Floats]:
        if not _in_domain(family, space, x):
            return np.full_like(x, np.inf), x, x
        v = variance(x)
        return kl(mu, x), (x - mu) / v, 1.0 / v - (x - mu) * slope(x) / v**2

    if space == "natural":
        return Family(to_natural, from_natural, natural, True)
    if space == "mean":
        return Family(lambda p: p, lambda x: x, mean, family != "exponential")
    raise ValueError(f"unknown space {space!r}")


def _newton(
    family: Family, mu: Floats, w: Floats, basis: Floats, start: Floats
) -> tuple[float, Floats]:
    """Local minimum of sum_i w_i KL(mu_i || x_i) over x in the span of ``basis``.

    Newton's method with line search; negative curvature is reflected, so that every step
    descends also where KL is not convex.
    """
    x = start
    values, slopes, curves = family.divergence(mu, x)
    value = float(w @ values)
    for _ in range(200):
        gradient = basis.T @ (w * slopes)
        eigenvalues, vectors = np.linalg.eigh(basis.T @ ((w * curves)[:, None] * basis))
        floor = 1e-12 * float(np.abs(eigenvalues).max(initial=1e-300))
        step = -vectors @ ((vectors.T @ gradient) / np.maximum(np.abs(eigenvalues), floor))
        decrement = -float(gradient @ step)
        if decrement <= 1e-17 * value:
            break
        length = 1.0
        while length > 1e-12:
            trial = x + basis @ (length * step)
            t_values, t_slopes, t_curves = family.divergence(mu, trial)
            t_value = float(w @ t_values)
            if t_value <= value - 1e-4 * length * decrement:
                break
            length /= 2.0
        else:
            break
        x, value, slopes, curves = trial, t_value, t_slopes, t_curves
    return value, x


def _face_starts(
    family: Family, mu: Floats, w: Floats, basis: Floats, count: int
) -> Iterator[Floats]:
    """Points of the face inside of the domain.

    The point with all arms at the common weighted mean lies on every face.  Where KL is not
    convex there are also random points, light arms far away included: positions on a
    logarithmic scale, projected on the face and shrunk towards the common point until they are
    inside of the domain.
    """
    centre = family.to_x(np.full_like(mu, (w @ mu) / w.sum()))
    yield centre
    if family.convex:
        return
    rng = np.random.default_rng(0)
    orthonormal = np.linalg.qr(basis)[0]
    for k in range(count):
        spread = 0.0 if k == 0 else 2.5
        target = mu * np.exp(spread * rng.uniform(-1.0, 1.0, len(mu)))
        point = orthonormal @ (orthonormal.T @ target)
        for shrink in (1.0, 0.9, 0.7, 0.4, 0.1):
            start = centre + shrink * (point - centre)
            if np.isfinite(family.divergence(mu, start)[0]).all():
                yield start
                break


def _minimise_on_face(
    family: Family, means: Floats, weights: Floats, face: Face, starts: int
) -> list[tuple[float, Floats]]:
    """The local minima (one if KL is convex) of the cost on a face, as full points x."""
    mu, w = means[face.arms], weights[face.arms]
    curves = family.divergence(mu, family.to_x(mu))[2]
    roots = np.sqrt(w * curves)
    basis = null_space(face.rows / roots, rcond=1e-12) / roots[:, None]
    found = []
    for start in _face_starts(family, mu, w, basis, starts):
        value, part = _newton(family, mu, w, basis, start)
        x = family.to_x(means).copy()
        x[face.arms] = part
        found.append((value, x))
    return found


def psi_family(
    means: ArrayLike,
    weights: ArrayLike,
    labels: Sequence[int] | NDArray[np.integer],
    family: str,
    space: str,
    starts: int = 12,
) -> tuple[float, Floats]:
    """Least sum_i w_i KL(P_{mu_i} || P_{lambda_i}) over the alternatives, d = 1.

    Distances are those of the natural parameters (``space="natural"``) or of the means
    (``space="mean"``); ``lambda`` is returned as means.  The comment on the faces holds for any
    cost which decreases up to the mean and increases beyond it.  Only the exponential family
    in mean space has a cost that is not convex: there every face is searched from ``starts``
    more starting points.
    """
    fam = make_family(family, space)
    mu = np.asarray(means, dtype=float).ravel()
    w = np.asarray(weights, dtype=float)
    origin = fam.to_x(mu)
    tolerance = 1e-12 * max(float(np.ptp(origin)), 1e-300)
    known: dict[tuple[int, int, int, int, int], float] = {}

    def one_constraint(a: int, b: int, m: int, n: int, s: int) -> float:
        """Least cost with only x_b - x_a >= s (x_m - x_n): a lower bound."""
        key = (a, b, m, n, s)
        if key not in known:
            violated = origin[b] - origin[a] < s * (origin[m] - origin[n])
            face = _face([a], [b], m, n, (s,))
            known[key] = (
                min(v for v, _ in _minimise_on_face(fam, mu, w, face, starts)) if violated else 0.0
            )
        return known[key]

    def bound(line: Line) -> float:
        return max(
            one_constraint(a, b, line.m, line.n, s)
            for a in line.lo
            for b in line.hi
            for s in (1, -1)
        )

    best, where = np.inf, origin
    for least, line in sorted(((bound(q), q) for q in _lines(labels)), key=lambda p: p[0]):
        if least >= best * (1.0 + 1e-9):
            break
        if line.slack(origin) >= 0.0:
            return 0.0, mu.copy()
        for face in _faces(line, origin):
            for value, x in _minimise_on_face(fam, mu, w, face, starts):
                if value < best and line.slack(x) >= -tolerance:
                    best, where = value, x
    return best, fam.to_mean(where).copy()


# ------------------------------------------------------------------------------------------
# Any dimension: lower bounds
# ------------------------------------------------------------------------------------------
#
# Let t_i = |lambda_i - mu_i|.  By the triangle inequality
#
#     |lambda_a - lambda_b| <= |mu_a - mu_b| + t_a + t_b,
#     |lambda_m - lambda_n| >= |mu_m - mu_n| - t_m - t_n,
#
# so an alternative has  t_a + t_b + t_m + t_n >= |mu_m - mu_n| - |mu_a - mu_b|  for all pairs
# (a, b) of its split, where an arm in both pairs counts twice.  Write G t >= h.  The least
# sum_i w_i t_i^2 / 2 under these constraints is a lower bound of the cost, and by duality so is
#
#     (y @ h)^2 / (2 sum_i (G^T y)_i^2 / w_i)     for every y >= 0 with y @ h > 0.
#
# A unit vector y gives the bound of one pair: four different arms have
# (h_ab)^2 / 2 / (1/w_a + 1/w_b + 1/w_m + 1/w_n), and with one shared arm j, bond i-j and rival
# j-n, (h_ij)^2 / 2 / (1/w_i + 4/w_j + 1/w_n).


@dataclass(frozen=True)
class Plan:
    """One split and rival pair, with a lower bound of its cost.

    ``arms`` are the arms that may move and ``signs`` has one row per pair of arms, with +1 and
    -1: first the cross pairs of the split, last the rival pair.
    """

    arms: list[int]
    signs: Floats
    bound: float

    @property
    def rival(self) -> tuple[int, int]:
        """Places in ``arms`` of the rival pair; the first of them may belong to D."""
        first, second = np.flatnonzero(self.signs[-1])
        if self.signs[:-1, second].any():
            first, second = second, first
        return int(first), int(second)

    def distances(self, points: Floats) -> Floats:
        """Lengths of all the cross pairs and, last, of the rival pair."""
        return np.asarray(np.linalg.norm(self.signs @ points, axis=1), dtype=float)


def _plan(first: Arms, second: Arms, m: int, n: int, means: Floats, weights: Floats) -> Plan:
    arms = sorted({*first, *second, m, n})
    place = {arm: k for k, arm in enumerate(arms)}
    pairs = [(a, b) for a in first for b in second] + [(m, n)]
    signs = np.zeros((len(pairs), len(arms)))
    for row, (i, j) in zip(signs, pairs, strict=True):
        row[place[i]], row[place[j]] = 1.0, -1.0
    lengths = np.linalg.norm(signs @ means[arms], axis=1)
    bound = _triangle_bound(signs, lengths, weights[arms])
    return Plan(arms, signs, bound)


def _triangle_bound(signs: Floats, lengths: Floats, weights: Floats) -> float:
    """The lower bound above; the multipliers y come from non-negative least squares."""
    shortfall = lengths[-1] - lengths[:-1]
    useful = shortfall > 0.0
    if not useful.any():
        return 0.0
    h = shortfall[useful]
    scaled = (np.abs(signs[:-1][useful]) + np.abs(signs[-1])) / np.sqrt(weights)
    unit = float(np.sqrt((scaled**2).sum(axis=1)).min())
    system = np.vstack([scaled.T / unit, h / h.max()])
    target = np.zeros(len(system))
    target[-1] = 1.0
    candidates = [*np.eye(len(h)), nnls(system, target)[0]]
    best = 0.0
    for y in candidates:
        if y @ h > 0.0:
            best = max(best, float(y @ h) ** 2 / (2.0 * float(np.sum((scaled.T @ y) ** 2))))
    return best


# ------------------------------------------------------------------------------------------
# Any dimension: local minimisation
# ------------------------------------------------------------------------------------------


class Program:
    """The nonlinear program of one plan, in scaled variables.

    With the variables z = (lambda - mu) sqrt(w / (2 V)), where V is a cost already attained,
    the cost is V |z|^2: everything of interest lies in the unit ball, whatever the weights.
    The constraints are squared distances, |lambda_a - lambda_b|^2 >= |lambda_m - lambda_n|^2.
    """

    def __init__(self, plan: Plan, means: Floats, weights: Floats, value: float) -> None:
        self.plan = plan
        self.means = means[plan.arms]
        self.weights = weights[plan.arms]
        self.value = value
        self.scale = np.sqrt(2.0 * value / self.weights)[:, None]
        self.unit = float(plan.distances(self.means)[-1])
        self.shape = self.means.shape

    def points(self, z: Floats) -> Floats:
        """Positions of the arms of the plan."""
        return np.asarray(self.means + self.scale * z.reshape(self.shape))

    def scaled(self, points: Floats) -> Floats:
        """The variables z of positions."""
        return ((points - self.means) / self.scale).ravel()

    def constraints(self, z: Floats) -> Floats:
        """One number per cross pair, which must be >= 0."""
        squares = np.sum((self.plan.signs @ self.points(z)) ** 2, axis=1)
        return np.asarray((squares[:-1] - squares[-1]) / self.unit**2)

    def jacobian(self, z: Floats) -> Floats:
        """Derivatives of the constraints in z."""
        signs = self.plan.signs
        slopes = 2.0 * signs[:, :, None] * (signs @ self.points(z))[:, None, :] * self.scale
        return np.asarray((slopes[:-1] - slopes[-1]).reshape(len(signs) - 1, -1) / self.unit**2)

    def curvature(self, multipliers: Floats) -> Floats:
        """Hessian in z of the constraints summed with multipliers."""
        signs = self.plan.signs
        factors = np.append(multipliers, -multipliers.sum()) * 2.0 / self.unit**2
        between = (signs.T * factors) @ signs * self.scale * self.scale.T
        return np.asarray(np.kron(between, np.eye(self.shape[1])), dtype=float)

    def repaired(self, z: Floats) -> Floats:
        """Move the rival arms together until the point is feasible, at the least cost.

        A rival arm that belongs to D stays, so that the cross distances do not change.
        """
        points = self.points(z)
        lengths = self.plan.distances(points)
        if lengths[:-1].min() >= lengths[-1]:
            return z
        kept, moved = self.plan.rival
        share = self.weights[kept] / (self.weights[kept] + self.weights[moved])
        if self.plan.signs[:-1, kept].any():
            share = 1.0
        excess = 1.0 - lengths[:-1].min() / lengths[-1]
        gap = points[kept] - points[moved]
        points[moved] += share * excess * gap
        points[kept] -= (1.0 - share) * excess * gap
        return self.scaled(points)

    def solve(self, start: Floats, precise: bool = False) -> Floats:
        """A feasible local minimiser by sequential quadratic programming."""
        result = minimize(
            lambda z: float(z @ z),
            start,
            jac=lambda z: 2.0 * z,
            method="SLSQP",
            constraints=[{"type": "ineq", "fun": self.constraints, "jac": self.jacobian}],
            options={"ftol": 1e-15 if precise else 1e-10, "maxiter": 300 if precise else 100},
        )
        point = result.x if np.isfinite(result.x).all() else start
        return self.repaired(point)

    def polish(self, z: Floats) -> Floats:
        """Newton steps on the stationarity equations of the constraints that are active.

        z - J^T y = 0 and c(z) = 0 on the active set.  The result replaces ``z`` only if, made
        feasible, it costs less.
        """
        best = z
        for threshold in (1e-7, 1e-5, 1e-3):
            active = np.flatnonzero(self.constraints(z) <= threshold)
            trial = z.copy()
            slopes = self.jacobian(trial)[active]
            y = np.linalg.lstsq(slopes.T, trial, rcond=None)[0]
            active, y = active[y > 1e-9], y[y > 1e-9]
            for _ in range(12):
                slopes = self.jacobian(trial)[active]
                multipliers = np.zeros(len(self.plan.signs) - 1)
                multipliers[active] = y
                hessian = np.eye(len(trial)) - self.curvature(multipliers)
                zeros = np.zeros((len(active), len(active)))
                matrix = np.block([[hessian, -slopes.T], [slopes, zeros]])
                right = np.concatenate(
                    [slopes.T @ y - trial, -self.constraints(trial)[active]],
                )
                step = np.linalg.lstsq(matrix, right, rcond=1e-13)[0]
                if not np.isfinite(step).all() or np.linalg.norm(step[: len(trial)]) > 0.1:
                    break
                trial = trial + step[: len(trial)]
                y = y + step[len(trial) :]
            feasible = self.repaired(trial)
            if feasible @ feasible < best @ best:
                best = feasible
        return best


# ------------------------------------------------------------------------------------------
# Any dimension: search from many starts
# ------------------------------------------------------------------------------------------


def _unit_vector(rng: np.random.Generator, d: int) -> Floats:
    vector = rng.normal(size=d)
    return np.asarray(vector / np.linalg.norm(vector))


def _first_starts(program: Program, rng: np.random.Generator) -> Iterator[Floats]:
    """Starts that every plan gets: at the means, and with the rival arms brought together."""
    size = program.means.size
    yield 0.03 * rng.normal(size=size)
    kept, moved = program.plan.rival
    w = program.weights
    together = program.means.copy()
    together[[kept, moved]] = (w[kept] * together[kept] + w[moved] * together[moved]) / (
        w[kept] + w[moved]
    )
    yield program.scaled(together) + 0.03 * rng.normal(size=size)
    yield rng.normal(size=size) * 0.6 / np.sqrt(size)


def _more_starts(program: Program, rng: np.random.Generator, count: int) -> Iterator[Floats]:
    """Random starts: noise, light arms thrown far out, arms thrown onto or beyond others."""
    arms, d = program.shape
    lightness = 1.0 / np.sqrt(program.weights)
    chance = 0.5 / arms + 0.5 * lightness / lightness.sum()
    for k in range(count):
        z = 0.1 * rng.normal(size=(arms, d)) / np.sqrt(arms * d)
        points = program.points(z)
        arm = int(rng.choice(arms, p=chance))
        if k % 5 == 0:
            z = rng.normal(size=(arms, d)) * rng.uniform(0.2, 1.5) / np.sqrt(arms * d)
        elif k % 5 == 1:
            z[arm] = rng.uniform(0.3, 1.2) * _unit_vector(rng, d)
        elif k % 5 == 2:
            length = program.unit * rng.uniform(0.3, 2.0)
            points[arm] += length * _unit_vector(rng, d)
            z = program.scaled(points).reshape(arms, d)
        elif k % 5 == 3:
            other = int(rng.choice([i for i in range(arms) if i != arm]))
            points[arm] += rng.uniform(0.5, 2.0) * (points[other] - points[arm])
            z = program.scaled(points).reshape(arms, d)
        else:
            for i in rng.choice(arms, 2, replace=False, p=chance):
                z[i] = rng.uniform(0.2, 1.0) * _unit_vector(rng, d)
        yield z.ravel()


def _plans(
    labels: Sequence[int] | NDArray[np.integer], means: Floats, weights: Floats
) -> list[Plan]:
    """All clusters, splits and rival pairs in the order of their lower bounds."""
    found = [
        _plan(first, second, m, n, means, weights)
        for cluster in clusters_of(labels)
        for first, second in unordered_splits(cluster)
        for m, n in rival_pairs(labels)
    ]
    return sorted(found, key=lambda plan: plan.bound)


def _merge_cost(means: Floats, weights: Floats, m: int, n: int) -> float:
    """Cost of the alternative that moves only m and n, to their common weighted mean."""
    reduced = weights[m] * weights[n] / (weights[m] + weights[n])
    return float(reduced * np.sum((means[m] - means[n]) ** 2) / 2.0)


def psi_nd(
    means: ArrayLike,
    weights: ArrayLike,
    labels: Sequence[int] | NDArray[np.integer],
    sigma: float = 1.0,
    starts: int = 80,
    seed: int = 0,
) -> tuple[float, Floats]:
    """psi in any dimension and a feasible alternative with that cost.

    Every plan (cluster, split, rival pair) whose lower bound is below the best cost so far is
    minimised from a few starts.  Those whose lower bound is still below the best cost are then
    minimised again from ``starts`` random starts, and the best few results are polished.  The
    programs are not convex: the value is that of a true alternative, but only with high
    probability the least.
    """
    mu = _as_points(means)
    w = np.asarray(weights, dtype=float)
    rng = np.random.default_rng(seed)
    m, n = min(rival_pairs(labels), key=lambda pair: _merge_cost(mu, w, *pair))
    best = _merge_cost(mu, w, m, n)
    where = mu.copy()
    where[[m, n]] = (w[m] * mu[m] + w[n] * mu[n]) / (w[m] + w[n])

    def improve(program: Program, z: Floats) -> float:
        nonlocal best, where
        value = program.value * float(z @ z)
        if value < best:
            best, where = value, mu.copy()
            where[program.plan.arms] = program.points(z)
        return value

    def search(plan: Plan, many: bool) -> tuple[float, Floats]:
        """Least cost over the starts, and the positions of the arms of the plan."""
        program = Program(plan, mu, w, best)
        points = list(_more_starts(program, rng, starts if many else 5))
        if not many:
            points += _first_starts(program, rng)
        found = [program.solve(start) for start in points]
        z = min(found, key=lambda q: float(q @ q))
        return improve(program, z), program.points(z)

    if is_alternative(labels, mu):
        return 0.0, mu.reshape(np.shape(means)).copy()
    results: list[tuple[float, Floats, Plan]] = []
    for plan in _plans(labels, mu, w):
        if plan.bound >= best:
            break
        results.append((*search(plan, many=False), plan))
    results.sort(key=lambda item: item[0])
    refined: list[tuple[float, Floats, Plan]] = []
    for value, points, plan in results:
        if plan.bound < best:
            again, others = search(plan, many=True)
            refined.append((again, others, plan) if again < value else (value, points, plan))
    for value, points, plan in sorted(refined, key=lambda item: item[0])[:6]:
        if value <= 1.001 * best:
            program = Program(plan, mu, w, best)
            z = program.scaled(points)
            improve(program, program.polish(z))
            precise = program.solve(z, precise=True)
            improve(program, precise)
            improve(program, program.polish(precise))
    return best / sigma**2, where.reshape(np.shape(means)).copy()
