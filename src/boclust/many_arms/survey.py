"""Many arms: clusters, their spanning trees and the dangerous rival pairs without a matrix.

A claim (a, b; m, n) scores ``g^2 / 2 / (spread of its arms) - their tolls``, g = |m - n| - |a - b|
(three arms: see ``bond_value``). What matters of a bond is its length, spread and toll; bonds are
kept in order of length, in bins, with the largest of each, so a rival pair that threatens no bin
threatens no bond. What matters of a rival pair is its length and the spread and toll of its arms;
arms are kept in blocks of neighbours, with centre, radius and the largest of each, so two blocks,
or an arm and a block, that threaten no bin hold no dangerous pair. A pair threatens a bond when its
claim would score less than the bond's *ceiling*.
"""

from typing import NamedTuple

import numpy as np

from boclust._validate import FloatArray, IntArray
from boclust.kernels import Struct, copy_matrix, f1, i1, i2, inlined, kernel, scratch
from boclust.problem.trees import count_up
from boclust.psi.bond import shrunk_inverse, squared, squared_between, three_arm_cost_of_gaps
from boclust.run.state import Run

#: Bins of bonds, and arms in a block, at most.
BINS = 32
BLOCK = 32


class Trees(Struct):
    """The spanning trees of the clusters, and the plan until the next update.

    Both rules use it: the sampling rule keeps it up to date, the certificate reads it.
    """

    pace: int  # samples between two updates
    clock: i1  # see WAIT, PACE, FRESH and PLANNED
    ends: i2  # bonds x 2
    rivals: i2  # bonds x 2, the hardest rival pair known
    scores: f1 = scratch  # bonds, against that pair
    plan: i1  # the next arms ...
    turns: f1  # ... and the samples that each will have then
    quad: i1  # (a, b, m, n), the claim that looks weakest
    noise: f1 = scratch  # the variance of a position
    inverse: f1 = scratch  # the same under the challenger's prior: 1/n_c
    logs: f1 = scratch  # log(1 + N/c)


#: Places in ``Trees.clock``: samples until the next update, samples between updates, whether the
#: last sample led to an update, arms in the plan.
WAIT, PACE, FRESH, PLANNED = range(4)


class Prices(NamedTuple):
    """What each arm adds to the spread of a claim, and to its toll in the bond or the rival."""

    spread: FloatArray
    in_bond: FloatArray
    in_rival: FloatArray


class Survey(NamedTuple):
    """Bonds in bins and arms in blocks. Rows are (length, spread, toll, ceiling) or a part of it.

    ``touching`` has, for each arm, the largest of the bonds that end there, their spread with
    twice the arm's own: three arms cost at least ``g^2 / 2 / (s + 4 b)``, s that of the other two.
    """

    bonds: FloatArray  # 4 x bonds
    bins: FloatArray  # 4 x bins
    first: IntArray  # where the bins begin
    at: IntArray  # the bonds that end at an arm ...
    at_first: IntArray  # ... begin here
    touching: FloatArray  # M x 4
    block_first: IntArray  # where the blocks begin in ``run.arms``
    centres: FloatArray  # blocks x d
    blocks: FloatArray  # blocks x (radius, spread, toll)
    block_touching: FloatArray  # blocks x 4


@kernel
def scoring(run: Run, trees: Trees) -> Prices:
    """The prices of the challenger's score: see ``sampling.challenger``."""
    return Prices(trees.inverse, 0.5 * trees.logs, 0.5 * run.means.shape[1] * trees.logs)


@kernel
def priced(counts: FloatArray, precision: float, in_bond: int, in_rival: int) -> Prices:
    """Prices under a prior, with half of log(1 + N/c) for each dimension."""
    prices = Prices(np.empty_like(counts), np.zeros_like(counts), np.zeros_like(counts))
    for i in range(counts.shape[0]):
        set_price(prices, i, counts[i], precision, in_bond, in_rival)
    return prices


@kernel
def set_price(
    prices: Prices, arm: int, count: float, precision: float, in_bond: int, in_rival: int
) -> None:
    """What one arm with ``count`` samples adds."""
    prices.spread[arm] = shrunk_inverse(count, precision)
    if in_bond > 0:  # else the precision may be 0
        half = 0.5 * np.log1p(count / precision)
        prices.in_bond[arm] = in_bond * half
        prices.in_rival[arm] = in_rival * half


@inlined
def distance(points: FloatArray, i: int, j: int) -> float:
    """The distance of two rows."""
    return np.sqrt(squared(points, i, j))


@kernel
def link(run: Run, trees: Trees) -> None:
    """Single linkage into K clusters, and the parts of the minimum spanning tree inside them.

    Prim's algorithm with distances on the fly. Arms of a cluster stand in the order in which they
    joined the tree, neighbours close to each other.
    """
    m = run.positions.shape[0]
    n_clusters = run.start.shape[0] - 1
    order = np.empty(m, np.int64)
    parent = np.zeros(m, np.int64)
    length = np.zeros(m)
    length[0] = -1.0  # the root has no edge, not even one between coincident arms
    grow_tree(run.positions, order, parent, length)
    cut = np.argsort(-length)[: n_clusters - 1]  # the longest edges
    begins = np.zeros(m, np.bool_)
    begins[0] = True
    for i in cut:
        begins[i] = True
    bonds = 0
    count = 0
    for i in order:
        if begins[i]:
            run.labels[i] = count
            count += 1
        else:
            run.labels[i] = run.labels[parent[i]]
            trees.ends[bonds, 0] = parent[i]
            trees.ends[bonds, 1] = i
            bonds += 1
    count_up(run.labels, np.empty(n_clusters, np.int64))
    run.start[:] = 0
    for i in range(m):
        run.start[run.labels[i] + 1] += 1
    for k in range(n_clusters):
        run.start[k + 1] += run.start[k]
    place = run.start[:-1].copy()
    for i in order:
        run.arms[place[run.labels[i]]] = i
        place[run.labels[i]] += 1
    for e in range(bonds if n_clusters > 1 else 0):
        nearest = cut[n_clusters - 2]  # the shortest edge between clusters
        trees.rivals[e, 0] = parent[nearest]
        trees.rivals[e, 1] = nearest


@kernel
def grow_tree(points: FloatArray, order: IntArray, parent: IntArray, length: FloatArray) -> None:
    """Prim's tree: the arms in the order of joining, what each joined, and how far away."""
    m, d = points.shape
    left = np.arange(m)
    at = points.T.copy()  # column by column: the arms that are left come first
    reach = np.full(m, np.inf)
    towards = np.zeros(m, np.int64)
    away = np.empty(m)
    chosen = 0
    order[0] = 0
    for joined in range(1, m):
        rest = m - joined
        newest = left[chosen]
        left[chosen] = left[rest]
        reach[chosen] = reach[rest]
        towards[chosen] = towards[rest]
        for c in range(d):
            at[c, chosen] = at[c, rest]
        away[:rest] = 0.0
        for c in range(d):
            x = points[newest, c]
            for i in range(rest):
                away[i] += (at[c, i] - x) ** 2
        chosen = 0
        for i in range(rest):
            if away[i] < reach[i]:
                reach[i] = away[i]
                towards[i] = newest
            if reach[i] < reach[chosen]:
                chosen = i
        order[joined] = left[chosen]
        parent[left[chosen]] = towards[chosen]
        length[left[chosen]] = np.sqrt(reach[chosen])


@kernel
def sort_bonds(run: Run, trees: Trees) -> None:
    """Bonds in order of length."""
    ends = trees.ends
    length = np.empty(ends.shape[0])
    for e in range(ends.shape[0]):
        length[e] = squared(run.positions, ends[e, 0], ends[e, 1])
    order = np.argsort(length, kind="mergesort")  # equal ones keep their positions
    copy_matrix(ends, ends[order])
    copy_matrix(trees.rivals, trees.rivals[order])


@kernel
def survey(run: Run, trees: Trees, prices: Prices, ceilings: FloatArray) -> Survey:
    """The bonds and arms as they are, with a ceiling for each bond."""
    m, d = run.positions.shape
    ends = trees.ends
    n_bonds = trees.scores.shape[0]
    n_bins = min(BINS, n_bonds)
    n_clusters = run.start.shape[0] - 1
    bonds = np.empty((4, n_bonds))
    bins = np.full((4, n_bins), -np.inf)
    first = np.empty(n_bins + 1, np.int64)
    at_first = np.zeros(m + 1, np.int64)
    at = np.empty(2 * n_bonds, np.int64)
    touching = np.full((m, 4), -np.inf)
    touching[:, 1] = 0.0  # an arm without bonds: nothing is below it, and no sum is infinite
    for b in range(n_bins + 1):
        first[b] = b * n_bonds // n_bins
    for b in range(n_bins):
        for e in range(first[b], first[b + 1]):
            i, j = ends[e, 0], ends[e, 1]
            bonds[0, e] = distance(run.positions, i, j)
            bonds[1, e] = prices.spread[i] + prices.spread[j]
            bonds[2, e] = prices.in_bond[i] + prices.in_bond[j]
            bonds[3, e] = ceilings[e]
            for row in range(4):
                bins[row, b] = max(bins[row, b], bonds[row, e])
                touching[i, row] = max(touching[i, row], bonds[row, e])
                touching[j, row] = max(touching[j, row], bonds[row, e])
            at_first[i + 1] += 1
            at_first[j + 1] += 1
    for i in range(m):
        at_first[i + 1] += at_first[i]
        touching[i, 1] += 2.0 * prices.spread[i]
    fill = at_first[:-1].copy()
    for e in range(n_bonds):
        for i in ends[e]:
            at[fill[i]] = e
            fill[i] += 1
    n_blocks = 0
    for k in range(n_clusters):
        n_blocks += -(-(run.start[k + 1] - run.start[k]) // BLOCK)
    block_first = np.empty(n_blocks + 1, np.int64)
    n_blocks = 0
    for k in range(n_clusters):
        size = run.start[k + 1] - run.start[k]
        parts = -(-size // BLOCK)
        for part in range(parts):
            block_first[n_blocks] = run.start[k] + part * size // parts
            n_blocks += 1
    block_first[n_blocks] = m
    centres = np.zeros((n_blocks, d))
    blocks = np.zeros((n_blocks, 3))
    block_touching = np.full((n_blocks, 4), -np.inf)
    for p in range(n_blocks):
        members = run.arms[block_first[p] : block_first[p + 1]]
        for i in members:
            for c in range(d):
                centres[p, c] += run.positions[i, c] / members.shape[0]
            blocks[p, 1] = max(blocks[p, 1], prices.spread[i])
            blocks[p, 2] = max(blocks[p, 2], prices.in_rival[i])
            for row in range(4):
                block_touching[p, row] = max(block_touching[p, row], touching[i, row])
        for i in members:
            away = np.sqrt(squared_between(run.positions, i, centres, p))
            blocks[p, 0] = max(blocks[p, 0], away)
    return Survey(
        bonds, bins, first, at, at_first, touching, block_first, centres, blocks, block_touching
    )


@inlined
def below(row: FloatArray, rival: float, spread: float, toll: float) -> bool:
    """Whether a rival pair threatens a bond (length, spread, toll, ceiling)."""
    gap = max(rival - row[0], 0.0)
    return gap * gap < 2.0 * (row[3] + row[2] + toll) * (row[1] + spread)


@kernel
def threatens(bins: FloatArray, rival: float, spread: float, toll: float) -> bool:
    """Whether a rival pair threatens some bin."""
    found = 0
    for b in range(bins.shape[1]):
        found += below(bins[:, b], rival, spread, toll)
    return found > 0


@inlined
def reach(row: FloatArray, spread: float, toll: float) -> float:
    """How long a rival pair may be that threatens a bond (length, spread, toll, ceiling)."""
    return row[0] + np.sqrt(2.0 * max(row[3] + row[2] + toll, 0.0) * (row[1] + spread))


@kernel
def reach_of_bins(bins: FloatArray, spread: float, toll: float) -> float:
    """How long a rival pair may be that threatens some bin."""
    far = 0.0
    for b in range(bins.shape[1]):
        far = max(far, reach(bins[:, b], spread, toll))
    return far


@kernel
def dangerous_pairs(
    run: Run, prices: Prices, known: Survey, shortest: float, p: int, q: int, pairs: IntArray,
    lengths: FloatArray,
) -> int:
    """Rival pairs of two blocks that threaten a bond or are shorter than ``shortest``: how many.

    The pairs and their lengths are written into ``pairs`` and ``lengths``.
    """
    positions = run.positions
    first = known.block_first
    radius, spread, toll = known.blocks[q]
    length = distance(known.centres, p, q) - radius - known.blocks[p, 0]
    both = spread + known.blocks[p, 1]
    tolls = toll + known.blocks[p, 2]
    if run.labels[run.arms[first[p]]] == run.labels[run.arms[first[q]]] or not (
        length < shortest
        or threatens(known.bins, length, both, tolls)
        or below(known.block_touching[p], length, both, tolls)
        or below(known.block_touching[q], length, both, tolls)
    ):
        return 0
    furthest = max(
        shortest,
        reach_of_bins(known.bins, both, tolls),
        reach(known.block_touching[p], both, tolls),
        reach(known.block_touching[q], both, tolls),
    )
    found = 0
    for m in run.arms[first[p] : first[p + 1]]:
        length = np.sqrt(squared_between(positions, m, known.centres, q)) - radius
        if length >= furthest:
            continue
        both = spread + prices.spread[m]
        tolls = toll + prices.in_rival[m]
        far = max(
            shortest,
            reach_of_bins(known.bins, both, tolls),
            reach(known.touching[m], both, tolls),
            reach(known.block_touching[q], both, tolls),
        )
        if length >= far:
            continue
        for n in run.arms[first[q] : first[q + 1]]:
            square = squared(positions, m, n)
            if square >= far * far:
                continue
            length = np.sqrt(square)
            both = prices.spread[m] + prices.spread[n]
            tolls = prices.in_rival[m] + prices.in_rival[n]
            if (
                length < shortest
                or threatens(known.bins, length, both, tolls)
                or below(known.touching[m], length, both, tolls)
                or below(known.touching[n], length, both, tolls)
            ):
                pairs[found, 0] = m
                pairs[found, 1] = n
                lengths[found] = length
                found += 1
    return found


@inlined
def claim_score(
    positions: FloatArray, prices: Prices, a: int, b: int, m: int, n: int, bond: float,
    rival: float,
) -> float:
    """What the claim (a, b; m, n) scores; ``bond`` and ``rival`` are its two lengths."""
    toll = prices.in_rival[m] + prices.in_rival[n]
    if a == m or a == n or b == m or b == n:
        shared = a if a == m or a == n else b
        single = b if shared == a else a
        other = n if shared == m else m
        toll += prices.in_bond[single]
        if rival <= bond:
            return -toll
        outer = prices.spread[single] + prices.spread[other]
        third = distance(positions, single, other)
        return (
            three_arm_cost_of_gaps(bond, rival, third, outer, prices.spread[shared]) - toll
        )
    toll += prices.in_bond[a] + prices.in_bond[b]
    gap = max(rival - bond, 0.0)
    spread = prices.spread[a] + prices.spread[b] + prices.spread[m] + prices.spread[n]
    return 0.5 * gap * gap / spread - toll


@kernel
def score_of(positions: FloatArray, prices: Prices, bond: IntArray, rival: IntArray) -> float:
    """The same for the two ends of a bond and of a rival pair, wherever these are."""
    a, b, m, n = bond[0], bond[1], rival[0], rival[1]
    return claim_score(
        positions, prices, a, b, m, n, distance(positions, a, b), distance(positions, m, n)
    )
