"""``infimum``: one entry to every way of computing psi(w, mu) (Sections III and VII)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from boclust._validate import (
    FloatArray,
    IntArray,
    choice,
    clusters,
    integer,
    invalid,
    weights_vector,
)
from boclust.problem.families import Family, Gaussian, check_family
from boclust.problem.families.gaussian import Quadratic
from boclust.problem.linkage import Linkage, power_of_two_spread, single_linkage

if TYPE_CHECKING:
    from boclust.psi.exact import Search

METHODS = ("auto", "exact", "tree", "admm", "printed")
#: "auto" is "exact" on a line, in space up to so many arms, and "tree" beyond.
AUTO_EXACT_ARMS = 40
#: The printed closed form enumerates 3^s pairs of sets for a cluster of s arms.
PRINTED_CLUSTER = 12
#: Weights below this fraction of the largest one count as zero.
_NO_WEIGHT = 1e-100


@dataclass(frozen=True, eq=False)
class Infimum:
    """The cheapest change of the arms' means that leads to another clustering.

    Attributes
    ----------
    value:
        psi(w, mu) as the method sees it: ``upper`` for "exact" and "admm", ``lower`` for "tree".
    lower, upper:
        A bracket of the true psi, up to rounding. "printed" knows none (0 and infinity) unless the
        samples are Gaussian.
    exact:
        Whether the bracket is closed (to 1e-8 relative).
    alternative:
        M x d means of an instance with another clustering, or on the boundary of one, that costs
        ``upper`` (up to the rounding of the means themselves). None where no alternative exists.
        With "printed": what the formula gives.
    cut:
        The two parts (arrays of arms) into which the alternative splits a cluster.
    rival:
        The pair of arms of two clusters that is then no farther apart than the two parts.
    method, note:
        How it was computed, and a word where there is something to say.
    """

    value: float
    lower: float
    upper: float
    exact: bool
    alternative: FloatArray | None
    cut: tuple[IntArray, IntArray] | None
    rival: tuple[int, int] | None
    method: str
    note: str = ""


def infimum(
    means: Any,
    weights: Any,
    n_clusters: int,
    family: Family | None = None,
    method: str = "auto",
    max_cuts: int = 100_000,
) -> Infimum:
    """psi(w, mu): the least ``sum_m w_m d(mu_m, lambda_m)`` over instances clustered otherwise.

    Parameters
    ----------
    means, n_clusters, family:
        As for ``boclust.Instance``.
    weights:
        One number >= 0 an arm (proportions or counts: psi is homogeneous in them).
    method:
        - ``"exact"``: on a line (d = 1) in polynomial time for every family; in space by branch
          and bound over cuts.
        - ``"tree"``: the spanning-tree lower bound, polynomial.
        - ``"admm"``: the paper's Algorithm 4 over all cuts, an upper bound.
        - ``"printed"``: the paper's closed form for one-parameter families, as printed.
        - ``"auto"``: exact for d = 1 and for up to 40 arms in space, else tree.
    max_cuts:
        How many cuts "exact" may solve for d > 1 before it returns the bracket it has.

    >>> result = infimum([0, 0.5, 1, 2.5, 3, 4.5, 5], [1 / 7] * 7, n_clusters=3)
    >>> round(1 / result.value, 6), result.exact
    (84.0, True)
    """
    fam = Gaussian() if family is None else check_family(family)
    mu = fam.check_means(means)
    w = weights_vector(weights, len(mu))
    k = clusters(n_clusters, len(mu))
    way = choice("method", method, METHODS)
    integer("max_cuts", max_cuts, 1)
    if way == "auto":
        way = "exact" if mu.shape[1] == 1 or len(mu) <= AUTO_EXACT_ARMS else "tree"
    _check_method(way, fam, mu)
    if k in (1, len(mu)):
        which = "one cluster" if k == 1 else "each arm its own cluster"
        return Infimum(
            np.inf, np.inf, np.inf, True, None, None, None, way,
            f"no alternative exists: {which} is the only clustering with K = {k}",
        )  # fmt: skip
    linkage = single_linkage(fam.positions(mu), k)
    labels = linkage.labels
    if linkage.d_intra >= linkage.d_inter:
        return _tie(mu, linkage, way)
    if w.min() <= _NO_WEIGHT * w.max():
        return _free_arm(fam, mu, w, labels, way)
    if isinstance(fam, Quadratic) and way != "printed" and (way, mu.shape[1]) != ("exact", 1):
        return _in_space(fam, mu, w, labels, way, max_cuts)
    return _on_line(fam, mu, w, labels, way)


def _check_method(method: str, family: Family, means: FloatArray) -> None:
    if method == "admm" and not isinstance(family, Quadratic):
        accepted = f"'exact', 'tree' or 'printed' for the family {family.name!r}"
        raise invalid("method", accepted, "'admm'")
    if method == "printed":
        if means.shape[1] > 1:
            accepted = f"'exact', 'tree' or 'admm' in {means.shape[1]} dimensions"
            raise invalid("method", accepted, "'printed'")
        if not isinstance(family, Quadratic) and family.space != "natural":
            raise invalid("method", "'exact' or 'tree' with space='mean'", "'printed'")


def _tie(mu: FloatArray, linkage: Linkage, method: str) -> Infimum:
    """d_intra = d_inter: the instance lies on the boundary of another clustering already."""
    from boclust.problem.trees import labels_of_forest

    kept = len(mu) - linkage.n_clusters
    first, second = np.ascontiguousarray(linkage.edges.T)
    finer = labels_of_forest(len(mu), first, second, kept - 1)
    one, two = (np.flatnonzero(finer == finer[arm]) for arm in linkage.edges[kept - 1])
    m, n = (int(arm) for arm in linkage.edges[kept])
    return Infimum(
        0.0, 0.0, 0.0, True, mu.copy(), (one, two), (m, n), method,
        "d_intra = d_inter: the clustering is not unique",
    )  # fmt: skip


def _free_arm(
    family: Family, mu: FloatArray, w: FloatArray, labels: IntArray, method: str
) -> Infimum:
    """An arm without weight goes where it likes: onto an arm of another cluster, for nothing."""
    arm = int(w.argmin())
    rival = int(np.flatnonzero(labels != labels[arm])[0])
    sizes = np.bincount(labels)
    cluster = labels[arm] if sizes[labels[arm]] > 1 else int(sizes.argmax())
    members = np.flatnonzero(labels == cluster)
    alone = arm if labels[arm] == cluster else int(members[0])
    alternative = mu.copy()
    alternative[arm] = mu[rival]
    value = float(w @ family.divergence(mu, alternative))
    return Infimum(
        value, 0.0, value, value == 0.0, alternative,
        (np.array([alone]), members[members != alone]), (arm, rival), method,
        f"arm {arm} has no weight, so it can join any cluster at no cost",
    )  # fmt: skip


def _on_line(
    family: Family, mu: FloatArray, w: FloatArray, labels: IntArray, method: str
) -> Infimum:
    """d = 1: exact or printed, any family; or the tree bound of a one-parameter family."""
    from boclust.psi import line, printed

    x = np.ascontiguousarray(mu[:, 0])
    unit = w / w.max()
    pos = np.ascontiguousarray(family.positions(mu)[:, 0])
    order = np.lexsort((labels, pos))
    is_quadratic = isinstance(family, Quadratic)
    origin = x[order[len(x) // 2]] if is_quadratic else 0.0
    x = x - origin  # the digits of gaps between means that are large
    pos = x if is_quadratic else pos
    breaks = 1 + np.flatnonzero(np.diff(labels[order]))
    start = np.concatenate([[0], breaks, [len(x)]])
    alternative = np.empty_like(x)
    if method == "printed":
        if np.diff(start).max() > PRINTED_CLUSTER:
            accepted = f"'exact' with clusters of more than {PRINTED_CLUSTER} arms"
            raise invalid("method", accepted, f"'printed' (a cluster has {np.diff(start).max()})")
        value, p, q, side = printed.printed_infimum(
            family.law, x, unit, order, start, alternative
        )
    else:
        lower, value, p, q, side = line.nearest_alternative(
            family.law, x, unit, pos, order, start, alternative
        )
    cut = (np.flatnonzero(side == 1), np.flatnonzero(side == 2))
    point = alternative[:, np.newaxis] + origin
    worth = w.max() / family.variance_proxy
    cost = float(value * worth)  # from positions relative to origin: nothing is rounded away
    if method == "printed":
        exact = is_quadratic
        lower, upper = (cost, cost) if exact else (0.0, np.inf)
        note = "" if exact else "the printed formula is neither a lower nor an upper bound here"
        return Infimum(cost, lower, upper, exact, point, cut, (int(p), int(q)), method, note)
    lower *= worth
    if method == "tree":
        tree = line.tree_on_line(family.law, x, unit, pos, order, start)
        lower = min(lower, tree * worth)
    return _bracket(lower, cost, point, cut, (int(p), int(q)), method)


def _in_space(
    family: Quadratic, mu: FloatArray, w: FloatArray, labels: IntArray, method: str, max_cuts: int
) -> Infimum:
    """Quadratic cost in any dimension, in units in which means and weights are of order one."""
    from boclust.psi.exact import Search

    scale = power_of_two_spread(mu)
    points, unit = mu / scale, w / w.max()
    search = Search(points, unit, labels, max_cuts)
    if method == "admm":
        return _by_admm(family, w, search, scale)
    bound = search.run() if method == "exact" else search.run_tree()
    assert search.alternative is not None
    members = search.clusters.members(search.cluster)
    cut = (members[search.side], members[~search.side])
    alternative = search.alternative * scale
    worth = w.max() * (scale / family.sigma) ** 2
    return _bracket(bound * worth, search.upper * worth, alternative, cut, search.rival, method)


def _by_admm(family: Quadratic, w: FloatArray, search: "Search", scale: float) -> Infimum:
    from boclust.psi import admm
    from boclust.psi.exact import bonds_across, settle

    points, unit, parts = search.means, search.weights, search.clusters
    problems = admm.full_search(points, unit, parts)
    best = int(problems.cost.argmin())
    m, n = int(problems.first[best]), int(problems.second[best])
    cost, alternative = admm.solve(points, unit, parts, problems, best)
    members = parts.members(int(problems.cluster[best]))
    inside = np.array([bool(problems.cut[best] >> i & 1) for i in range(len(members))])
    left, right = bonds_across(inside)
    settle(alternative, unit, members[left], members[right], m, n)
    cost *= w.max() * (scale / family.sigma) ** 2
    return Infimum(
        cost, 0.0, cost, cost == 0.0, alternative * scale,
        (members[inside], members[~inside]), (m, n), "admm",
        "a local solution of a non-convex problem: an upper bound",
    )  # fmt: skip


def _bracket(
    lower: float,
    upper: float,
    alternative: FloatArray,
    cut: tuple[IntArray, IntArray],
    rival: tuple[int, int],
    method: str,
) -> Infimum:
    from boclust.psi.exact import TOLERANCE

    low, upper = float(min(lower, upper)), float(upper)
    exact = bool(upper - low <= 2 * TOLERANCE * upper)
    note = "" if exact or method == "tree" else "the search ended before the bracket closed"
    value = low if method == "tree" else upper
    return Infimum(value, low, upper, exact, alternative, cut, rival, method, note)
