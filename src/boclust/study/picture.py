"""What can be drawn of a study: the arms with their regions, and the dendrogram."""

from dataclasses import dataclass

import numpy as np

from boclust.run.learner import Learner
from boclust.problem.linkage import Linkage
from boclust.projection import principal_plane


@dataclass(frozen=True)
class Dendrogram:
    """The single-linkage tree of the present estimates, as SciPy's ``linkage`` writes it.

    Nodes 0 to M - 1 are the arms; the i-th of ``merges``, (left, right, height, size), makes node
    M + i. In the ``order`` of the arms no branches cross. ``cut`` is a height between d_intra and
    d_inter, at which the tree falls into the K clusters; None where K = 1. Heights are in the
    parameter in which arms are compared.
    """

    order: list[int]
    merges: list[tuple[int, int, float, int]]
    cut: float | None


@dataclass(frozen=True)
class Picture:
    """The arms as points on a line or in a plane, with confidence regions.

    ``kind`` is "line" (d = 1), "plane" (d = 2) or "projection" (d > 2): on the two principal
    components of the present estimates, which have the shares ``explained`` of their variance.
    ``regions`` are intervals on a line and radii of discs otherwise (a ball is projected on a disc
    of the same radius). All of them hold at all times with probability ``level``: see
    ``boclust.problem.regions``. Points and regions are None where an arm has no sample, the dendrogram
    until every arm has one.
    """

    dim: int
    kind: str
    explained: tuple[float, float] | None
    points: list[list[float] | None]
    regions: list[list[float] | float | None]
    level: float
    dendrogram: Dendrogram | None


def picture_of(learner: Learner) -> Picture:
    """The picture of the present estimates."""
    known = learner.pulls > 0
    flat, explained = learner.estimates, None
    if learner.dim > 2:
        flat = np.full((learner.n_arms, 2), np.nan)
        flat[known], explained = principal_plane(learner.estimates[known])
    tree = learner.linkage
    return Picture(
        learner.dim,
        {1: "line", 2: "plane"}.get(learner.dim, "projection"),
        explained,
        [point if seen else None for point, seen in zip(flat.tolist(), known, strict=True)],
        [one if seen else None for one, seen in zip(learner.regions.tolist(), known, strict=True)],
        1 - learner.delta,
        None if tree is None else dendrogram(tree, flat[:, 0].tolist()),
    )


def dendrogram(tree: Linkage, along: list[float]) -> Dendrogram:
    """The tree from its edges, shortest first; of two branches that which begins first is left.

    ``along`` says where an arm is; a branch begins where its first arm is.
    """
    m = len(along)
    node = list(range(m))  # of the branch whose representative an arm is
    above = list(range(m))
    first, size, children = list(along), [1] * m, {}
    merges: list[tuple[int, int, float, int]] = []

    def top(arm: int) -> int:
        while above[arm] != arm:
            above[arm] = above[above[arm]]
            arm = above[arm]
        return arm

    for (one, other), height in zip(tree.edges.tolist(), tree.lengths.tolist(), strict=True):
        tops = sorted((top(one), top(other)), key=lambda arm: (first[node[arm]], node[arm]))
        left, right = (node[arm] for arm in tops)
        new = m + len(merges)
        children[new] = left, right
        first.append(first[left])
        size.append(size[left] + size[right])
        merges.append((left, right, height, size[new]))
        above[tops[1]] = tops[0]
        node[tops[0]] = new
    order, stack = [], [2 * m - 2]
    while stack:
        at = stack.pop()
        if at < m:
            order.append(at)
        else:
            stack += reversed(children[at])
    cut = None if np.isinf(tree.d_inter) else (tree.d_intra + tree.d_inter) / 2
    return Dendrogram(order, merges, cut)
