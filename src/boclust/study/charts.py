"""What the page draws: the arms with their regions, the dendrogram, the proportions."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from boclust._validate import InvalidInputError
from boclust.problem.linkage import Linkage
from boclust.projection import principal_plane
from boclust.psi.bound import lower_bound
from boclust.run.engine import FEW
from boclust.run.learner import Learner

#: The relative precision of optimal proportions: enough for a chart.
_PRECISION = 0.01


@dataclass(frozen=True)
class Dendrogram:
    """The single-linkage tree of the present estimates, in the format of SciPy's ``linkage``.

    Nodes 0 to M - 1 are the arms; the i-th of ``merges``, (left, right, height, size), creates node
    M + i. Branches do not cross if the arms are drawn in this ``order``. ``cut`` is a height
    between d_intra and d_inter, which splits the tree into the K clusters; None if K = 1. Heights
    are distances between positions of arms.
    """

    order: list[int]
    merges: list[tuple[int, int, float, int]]
    cut: float | None


@dataclass(frozen=True)
class Picture:
    """The arms as points on a line or in a plane, with confidence regions.

    ``kind`` is "line" (d = 1), "plane" (d = 2) or "projection" (d > 2): onto the two principal
    components of the present estimates, which explain the shares ``explained`` of their variance.
    ``regions`` are intervals on a line, else radii of discs (a ball projects onto a disc of the
    same radius). With probability ``level`` all of them hold at all times: see
    ``boclust.problem.regions``. Points and regions are None for arms without samples; the
    dendrogram is None until every arm has one.
    """

    dim: int
    kind: Literal["line", "plane", "projection"]
    explained: tuple[float, float] | None
    points: list[list[float] | None]
    regions: list[list[float] | float | None]
    level: float
    dendrogram: Dendrogram | None


@dataclass(frozen=True)
class Proportions:
    """The share of each arm: ``pulls`` so far, and ``optimal`` as in ``boclust.lower_bound``.

    The optimal shares take the present estimates for the true means, and need at most 1 % more
    samples than the best. If there are none, ``reason`` says why.
    """

    pulls: list[float]
    optimal: list[float] | None
    reason: str | None


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
        "line" if learner.dim == 1 else "plane" if learner.dim == 2 else "projection",
        explained,
        [point if seen else None for point, seen in zip(flat.tolist(), known, strict=True)],
        [one if seen else None for one, seen in zip(learner.regions.tolist(), known, strict=True)],
        1 - learner.delta,
        None if tree is None else dendrogram(tree, flat[:, 0].tolist()),
    )


def dendrogram(tree: Linkage, along: list[float]) -> Dendrogram:
    """The dendrogram from the edges of a tree, shortest first.

    ``along`` is the coordinate of each arm; of two branches, the left one is that whose first arm
    has the smaller coordinate.
    """
    m = len(along)
    node = list(range(m))  # the node of the branch that an arm represents
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


def proportions_of(learner: Learner) -> Proportions:
    """The present and the optimal proportions."""
    optimal, reason = _optimal(learner)
    return Proportions((learner.pulls / max(learner.n_samples, 1)).tolist(), optimal, reason)


def _optimal(learner: Learner) -> tuple[list[float] | None, str | None]:
    if learner.n_clusters in (1, learner.n_arms):
        return None, "there is only one possible clustering: no sample is needed"
    if learner.n_arms > FEW:
        return None, f"not computed for more than {FEW} arms"
    try:
        instance = learner.instance
    except InvalidInputError as error:
        return None, str(error)
    if instance is None:
        return None, "not every arm has a sample yet"
    if not instance.is_separated:
        return None, "estimates tie: the clusters are not unique"
    return lower_bound(instance, rtol=_PRECISION).weights.tolist(), None
