"""The paper's own way to psi: ADMM for each cut, full and partial search (Remark 4)."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from boclust._validate import FloatArray, IntArray, clusters, fail, integer, weights_vector
from boclust.psi import admm_steps
from boclust.psi.exact import Clusters
from boclust.problem.families import Family, Gaussian, check_family
from boclust.problem.families.gaussian import check_quadratic
from boclust.problem.linkage import single_linkage

#: More quadratic programs than this are refused: the number grows like K^3 s^2 2^s.
MAX_PROBLEMS = 2_000_000
_TOLERANCE = 1e-8
_MAX_STEPS = 2000


@dataclass(frozen=True)
class Problems:
    """A list of quadratic programs (cluster, cut, rival pair) with the costs ADMM found."""

    cost: FloatArray
    cluster: IntArray
    cut: IntArray
    first: IntArray
    second: IntArray

    def take(self, index: IntArray) -> "Problems":
        """The problems at these places."""
        return Problems(*(getattr(self, f)[index] for f in self.__dataclass_fields__))


def full_search(means: FloatArray, weights: FloatArray, parts: Clusters) -> Problems:
    """Solve every quadratic program of Lemma 5 by ADMM."""
    sizes = np.diff(parts.start)
    pairs = (sizes.sum() ** 2 - (sizes**2).sum()) // 2
    count = int(pairs * (2.0 ** (sizes - 1.0) - 1).sum())
    if count > MAX_PROBLEMS:
        raise fail(
            "method",
            f"'admm' would solve {count} quadratic programs",
            f"at most {MAX_PROBLEMS} of them; 'exact' and 'tree' do not enumerate all cuts",
        )
    return Problems(
        *admm_steps.full_search(means, weights, parts.arms, parts.start, _TOLERANCE, _MAX_STEPS)
    )


def solve(
    means: FloatArray, weights: FloatArray, parts: Clusters, problems: Problems, index: int
) -> tuple[float, FloatArray]:
    """The cost and the alternative of one quadratic program."""
    alternative = np.empty_like(means)
    cost = admm_steps.admm_problem(
        means,
        weights,
        parts.members(int(problems.cluster[index])),
        problems.cut[index],
        problems.first[index],
        problems.second[index],
        _TOLERANCE,
        _MAX_STEPS,
        alternative,
    )
    return float(cost), alternative


@dataclass
class PartialSearch:
    """Remark 4: all quadratic programs at t = 1, 2, 4, 8, ..., only the ``top`` best in between.

    >>> search = PartialSearch(n_clusters=2, top=3)
    >>> means = [0, 1, 2, 5, 6]
    >>> full = search.value(1, means, [1, 1, 1, 1, 1])
    >>> abs(search.value(3, means, [1, 1, 1, 1, 1]) - full) < 1e-6
    True
    """

    n_clusters: int
    top: int
    family: Family = field(default_factory=Gaussian)
    _labels: IntArray | None = field(default=None, init=False, repr=False)
    _kept: Problems | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        integer("n_clusters", self.n_clusters, 1)
        integer("top", self.top, 1)
        check_quadratic(check_family(self.family))

    def value(self, t: int, means: Any, weights: Any) -> float:
        """An upper bound on psi at time ``t``; also searched in full when the clusters changed."""
        step = integer("t", t, 1)
        mu = self.family.check_means(means)
        w = weights_vector(weights, len(mu)) / self.family.variance_proxy
        if w.min() <= 0:
            return 0.0
        labels = single_linkage(mu, clusters(self.n_clusters, len(mu))).labels
        parts = Clusters(mu, labels)
        changed = self._labels is None or not np.array_equal(labels, self._labels)
        if self._kept is None or changed or step & (step - 1) == 0:
            problems = full_search(mu, w, parts)
            self._labels = labels
            self._kept = problems.take(np.argsort(problems.cost, kind="stable")[: self.top])
            return float(self._kept.cost[0]) if len(self._kept.cost) else np.inf
        kept = self._kept
        return min((solve(mu, w, parts, kept, i)[0] for i in range(len(kept.cost))), default=np.inf)
