"""Claims of many arms, all of them at once: slow, plain NumPy, from the text of the rules.

A claim (a, b; m, n) says that the bond (a, b) of a cluster is at least as long as the rival pair
(m, n) of two clusters. ``v`` is the least cost ``sum w |mu - lambda|^2 / 2`` of means for which it
is true; the rules take from it what their mixtures cost. Arms are arrays of any shapes that fit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
#: What a rule has against claims: of (a, b, m, n).
Against = Callable[[Whole, Whole, Whole, Whole], Floats]


def lengths(means: Floats, a: Any, b: Any) -> Floats:
    """|mu_a - mu_b|."""
    return np.asarray(np.sqrt(((means[a] - means[b]) ** 2).sum(axis=-1)))


def distances(means: Floats) -> Floats:
    """All lengths."""
    return lengths(means, np.arange(len(means))[:, None], np.arange(len(means))[None])


def cost(means: Floats, gaps: Floats, inverse: Floats, a: Any, b: Any, m: Any, n: Any) -> Floats:
    """v(a, b; m, n), ``inverse`` the arms' 1 / w; 0 where the claim looks true.

    Four arms: g^2 / 2 / (sum of 1/w), g = |m - n| - |a - b|. Bond i-j and rival j-k: with
    x = mu_i - mu_j, y = mu_k - mu_j, s = 1/w_i + 1/w_k and t = 1/w_j,
    C^2 / 2 / (s (X + Y) + 2 t Q + 2 sqrt((s D - t Q)^2 + s (s + 4 t) G)).
    """
    bond, rival = gaps[a, b], gaps[m, n]
    spread = (inverse[a] + inverse[b]) + (inverse[m] + inverse[n])
    value = np.asarray(0.5 * (rival - bond) ** 2 / spread)
    three = np.asarray((a == m) | (a == n) | (b == m) | (b == n))
    a, b, m, n = (np.broadcast_to(arm, three.shape)[three] for arm in (a, b, m, n))
    j = np.where((a == m) | (a == n), a, b)
    i = np.where(j == a, b, a)
    k = np.where(j == m, n, m)
    x, y = means[i] - means[j], means[k] - means[j]
    xx, yy, dot = (x * x).sum(-1), (y * y).sum(-1), (x * y).sum(-1)
    q = ((x - y) ** 2).sum(-1)
    s, t = inverse[i] + inverse[k], inverse[j]
    area = np.maximum(xx * yy - dot * dot, 0.0)
    root = np.sqrt((s * dot - t * q) ** 2 + s * (s + 4 * t) * area)
    bottom = 2 * (s * (xx + yy) + 2 * t * q + 2 * root)
    value[three] = (yy - xx) ** 2 / np.where(bottom > 0, bottom, 1.0)
    return np.where(rival > bond, value, 0.0)


def toll(price: Floats, share: float, dim: int, a: Any, b: Any, m: Any, n: Any) -> Floats:
    """d/2 of the rival's prices and ``share`` of those of arms that are only in the bond."""
    paid = dim / 2 * (price[m] + price[n])
    for x in (a, b):
        paid = paid + share * price[x] * ((x != m) & (x != n))
    return np.asarray(paid)


def shrunk(counts: Floats, c: float) -> Floats:
    """1 / n_c, n_c = N^2 / (N + c)."""
    return (counts + c) / counts**2


def score(means: Floats, counts: Floats, c: float = 16.0) -> Against:
    """The challenger's score: v(n_c) less 1/2 log(1 + N/c) an arm of the bond, d/2 of the rival."""
    inverse, price, dim = shrunk(counts, c), np.log1p(counts / c), means.shape[1]
    gaps = distances(means)

    def against(a: Whole, b: Whole, m: Whole, n: Whole) -> Floats:
        return cost(means, gaps, inverse, a, b, m, n) - toll(price, 0.5, dim, a, b, m, n)

    return against


def evidence(rule: str, c: float, means: Floats, counts: Floats) -> Against:
    """What a stopping rule has against claims; minus infinity where a certificate's looks true."""
    dim, gaps = means.shape[1], distances(means)
    scores = [score(means, counts, x) for x in (1.0, 4.0, 16.0, 64.0)]

    def against(a: Whole, b: Whole, m: Whole, n: Whole) -> Floats:
        if rule == "local-semi":
            parts = np.array([one(a, b, m, n) for one in scores])
            largest = parts.max(axis=0)
            found = largest + np.log(np.exp(parts - largest).mean(axis=0))
        elif rule == "local":
            price = np.log1p(counts / c)
            found = cost(means, gaps, shrunk(counts, c), a, b, m, n)
            found = found - toll(price, dim / 2, dim, a, b, m, n)
        else:
            weighs = shrunk(counts, c if rule == "mixture" else 0.0)
            return cost(means, gaps, weighs, a, b, m, n)
        return np.where(gaps[m, n] <= gaps[a, b], -np.inf, found)

    return against


def rival_pairs(labels: Whole) -> tuple[Whole, Whole]:
    """All pairs of arms of different clusters."""
    m, n = np.triu_indices(len(labels), 1)
    apart = labels[m] != labels[n]
    return m[apart], n[apart]


def hardest(against: Against, labels: Whole, bonds: Whole) -> Floats:
    """The least of each bond over all rival pairs."""
    m, n = rival_pairs(labels)
    return np.array([against(a, b, m, n).min() for a, b in bonds])


def weakest_link(against: Against, labels: Whole) -> float:
    """The smallest bottleneck over clusters and rival pairs: Prim's maximum spanning trees."""
    m, n = rival_pairs(labels)
    pair = np.arange(len(m))
    weakest = np.inf
    for k in range(labels.max() + 1):
        arms = np.flatnonzero(labels == k)
        one, two = np.triu_indices(len(arms), 1)
        bond = np.zeros((len(arms), len(arms)), dtype=np.int64)
        bond[one, two] = bond[two, one] = np.arange(len(one))
        values = against(arms[one][:, None], arms[two][:, None], m[None], n[None])
        best = np.full((len(arms), len(pair)), -np.inf)
        inside = np.zeros(best.shape, dtype=bool)
        newest = np.zeros(len(pair), dtype=np.int64)
        for _ in arms[1:]:
            inside[newest, pair] = True
            best = np.where(inside, -np.inf, np.maximum(best, values[bond[:, newest], pair]))
            newest = np.where(inside, -np.inf, np.maximum(best, -1e300)).argmax(axis=0)
            weakest = min(weakest, float(best[newest, pair].min()))
    return weakest


def linkage_is_valid(means: Floats, labels: Whole, n_clusters: int) -> bool:
    """Whether no pair of arms of different clusters is shorter than what holds a cluster together.

    The longest edge of a cluster's minimum spanning tree, by Prim.
    """
    if sorted(set(labels.tolist())) != list(range(n_clusters)):
        return False
    longest = 0.0
    for k in range(n_clusters):
        arms = np.flatnonzero(labels == k)
        reach = lengths(means, arms, arms[0])
        left = np.arange(len(arms)) > 0
        while left.any():
            nearest = np.where(left, reach, np.inf).argmin()
            longest = max(longest, reach[nearest])
            left[nearest] = False
            reach = np.minimum(reach, lengths(means, arms, arms[nearest]))
    m, n = rival_pairs(labels)
    return bool(longest <= lengths(means, m, n).min())


def spans(bonds: Whole, labels: Whole) -> bool:
    """Whether the bonds are spanning trees of the clusters."""
    part = np.arange(len(labels))
    for a, b in bonds:
        if labels[a] != labels[b] or part[a] == part[b]:
            return False
        part[part == part[b]] = part[a]
    return len(set(part.tolist())) == len(set(labels.tolist()))
