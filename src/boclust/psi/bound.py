"""The lower bound on the number of samples (Theorem 1), with a certified bracket."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from boclust._validate import FloatArray, integer, invalid, real, shown
from boclust.problem.families.gaussian import Quadratic
from boclust.problem.instance import Instance
from boclust.problem.linkage import power_of_two_spread
from boclust.psi import infimum

#: Stop after this many programs without a narrower bracket: psi itself is only known to a bracket.
_PATIENCE = 50
#: For more arms, the bound takes longer than a simulation.
_FEW = 50
#: A study that needs at least this many samples is hopeless.
HOPELESS = 1e9


class HopelessWarning(UserWarning):
    """The clusters are so close that no affordable number of samples separates them."""


@dataclass(frozen=True, eq=False)
class LowerBound:
    """``T* = 1 / max_w psi(w, mu)``: delta-correct methods need about T* log(1/delta) samples.

    Attributes
    ----------
    t_star:
        The middle of the bracket.
    t_star_low, t_star_high:
        A bracket, certified up to rounding: the low end by a mixture of alternatives, the high end
        by ``weights``.
    weights:
        Proportions of samples that attain ``1 / psi = t_star_high``.
    iterations:
        The number of linear programs that were solved.
    note:
        A remark if the instance is degenerate.
    """

    instance: Instance
    t_star: float
    t_star_low: float
    t_star_high: float
    weights: FloatArray
    iterations: int = 0
    note: str = ""
    psi_uniform: float = field(default=np.nan)

    def samples(self, delta: float) -> float:
        """The lower bound on the mean number of samples.

        It is ``(1 - 2 delta) log((1 - delta) / delta) T*`` with the certified low end of T*, and 0
        for delta >= 1/2.

        >>> bound = lower_bound(Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], n_clusters=3))
        >>> 321 < bound.samples(0.01) < 323
        True
        """
        return _samples(self.t_star_low, real("delta", delta, 0.0, 1.0))

    def warning(self, deltas: Sequence[float]) -> str:
        """A warning if the problem is hopeless for these deltas, else an empty string.

        >>> bound = lower_bound(Instance([0, 1, 2.00001], n_clusters=2))
        >>> print(bound.warning([0.01]))  # doctest: +ELLIPSIS
        at least 1.4e+12 samples are needed: the clusters are 1.00001 apart and the largest ...
        """
        return _warning(self.instance, _samples(self.t_star_low, min(deltas)))

    def plot(self, path: str | Path | None = None) -> Any:
        """Plot the optimal shares of the arms.

        Returns a Matplotlib figure, and saves it if ``path`` is given.

        >>> bound = lower_bound(Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], n_clusters=3))
        >>> len(bound.plot().axes[0].patches)
        7
        """
        from boclust.plots.arms import draw_shares
        from boclust.plots.style import new_figure, saved, say

        title = "Where to sample, if the means were known"
        if self.t_star in (0.0, np.inf):
            figure, axes = new_figure(title, "")
            say(axes, f"{self.note[0].upper()}{self.note[1:]}.")
            return saved(figure, path)
        note = (
            f"T* is between {self.t_star_low:.5g} and {self.t_star_high:.5g}: at least "
            f"{self.samples(0.01):,.0f} samples on average to be wrong with probability 0.01"
        )
        figure, axes = new_figure(title, "; ".join(filter(None, [note, self.note])))
        draw_shares(axes, self.weights, self.instance.labels.tolist())
        return saved(figure, path)


def lower_bound(instance: Instance, rtol: float = 1e-3, max_iterations: int = 2000) -> LowerBound:
    """Compute T* with its bracket and the optimal proportions.

    psi is concave in w, and every alternative lambda gives a linear function above it,
    ``w -> sum_m w_m d(mu_m, lambda_m)``. A linear program over the alternatives found so far bounds
    max psi from above, and psi at any w bounds it from below. Each step adds an alternative, until
    the bounds agree to ``rtol``. The next w is halfway between the program's solution and the best
    w so far, so that the steps do not jump between corners.

    >>> bound = lower_bound(Instance([0, 1, 2, 3, 5, 6], n_clusters=2))
    >>> round(bound.t_star, 1), bound.t_star_high / bound.t_star_low < 1.0011
    (52.9, True)
    """
    if not isinstance(instance, Instance):
        raise invalid("instance", "a boclust.Instance", shown(instance))
    tolerance = real("rtol", rtol, 0.0, 1.0)
    integer("max_iterations", max_iterations, 1)
    m = instance.n_arms
    uniform = np.full(m, 1 / m)
    if instance.n_clusters in (1, m):
        note = "there is only one possible clustering: no sample is needed"
        return LowerBound(instance, 0.0, 0.0, 0.0, uniform, 0, note, np.inf)
    if not instance.is_separated:
        note = "the clustering is not unique (d_intra = d_inter): no number of samples suffices"
        return LowerBound(instance, np.inf, np.inf, np.inf, uniform, 0, note, 0.0)
    return _cutting_planes(instance, tolerance, max_iterations)


def quick_bound(instance: Instance) -> LowerBound:
    """``lower_bound`` for up to 50 arms; for more, NaN with a note that says why.

    ``lower_bound`` may take 20 s for 100 arms and hours for 1,000.

    >>> quick_bound(Instance([*range(60), 90], n_clusters=2)).note
    'not computed for more than 50 arms, which takes long'
    """
    trivial = instance.n_clusters in (1, instance.n_arms) or not instance.is_separated
    if instance.n_arms <= _FEW or trivial:
        return lower_bound(instance)
    note = f"not computed for more than {_FEW} arms, which takes long"
    nothing = np.full(instance.n_arms, np.nan)
    return LowerBound(instance, np.nan, np.nan, np.nan, nothing, 0, note)


def hopeless(instance: Instance, deltas: Sequence[float]) -> str:
    """A fast ``LowerBound.warning``, which computes the bound only if it may be large.

    If all arms move by less than a quarter of d_inter - d_intra, distances change by less than half
    of it and the clusters stay the same: this bounds T* from above. Two arms that move towards each
    other by all of it join two clusters: this bounds T* from below, which suffices for many arms.

    >>> hopeless(Instance([0, 1, 5], n_clusters=2), [0.01])
    ''
    """
    if instance.n_clusters in (1, instance.n_arms):
        return ""
    gap, delta = instance.d_inter - instance.d_intra, min(deltas)
    smallest, _ = _costs(instance, gap / 4)
    if _samples(instance.n_arms / smallest if smallest else np.inf, delta) < HOPELESS:
        return ""
    if instance.n_arms <= _FEW:
        return lower_bound(instance).warning(deltas)
    _, largest = _costs(instance, gap)
    return _warning(instance, _samples(1 / largest if largest else np.inf, delta))


def _costs(instance: Instance, step: float) -> tuple[float, float]:
    """The smallest and the largest divergence of any arm to a position ``step`` away."""
    family, means = instance.family, instance.means
    move = np.zeros(instance.dim)
    move[0] = step
    positions = family.positions(means)
    with np.errstate(all="ignore"):  # outside the domain, the cost is at least that at its end
        moved = [np.clip(family.means_at(positions + m), *family.domain) for m in (-move, move)]
        costs = np.concatenate([family.divergence(means, there) for there in moved])
    return float(costs.min()), float(costs.max())


def _warning(instance: Instance, least: float) -> str:
    if least < HOPELESS:
        return ""
    near, far = instance.d_intra, instance.d_inter
    return (
        f"at least {least:.2g} samples are needed: the clusters are {far:g} apart and the "
        f"largest gap inside one is {near:g}, which differ by {far - near:.2g} only; "
        "other means, another number of clusters or less noise would help"
    )


def _samples(t_star: float, delta: float) -> float:
    if delta >= 0.5 or t_star == 0:
        return 0.0
    return float((1 - 2 * delta) * (np.log1p(-delta) - np.log(delta)) * t_star)


def _cutting_planes(instance: Instance, rtol: float, max_iterations: int) -> LowerBound:
    m = instance.n_arms
    unit, worth = _in_units(instance)
    program = _Program(m)
    best = w = np.full(m, 1 / m)
    low, high, uniform = 0.0, np.inf, np.nan
    iterations = improved = 0
    width = np.inf
    for iterations in range(1, max_iterations + 1):
        found = infimum(unit.means, w, unit.n_clusters, unit.family)
        assert found.alternative is not None
        if iterations == 1:
            uniform = found.value
        if found.lower > low:
            low, best = found.lower, w
        if not program.add(unit.family.divergence(unit.means, found.alternative)):
            break
        corner, bound = program.solve()
        high = min(high, bound)
        if high - low < (1 - 1e-3) * width:
            width, improved = high - low, iterations
        if high - low <= rtol * high or iterations - improved >= _PATIENCE:
            break
        w = (corner + best) / 2
    note = "" if high - low <= rtol * high else "the bracket did not close to rtol"
    if not low <= high < np.inf:  # rounding is as large as psi itself
        low, high = (0.0, low) if high == np.inf else (min(low, high), max(low, high))
        note = "d_intra and d_inter differ by little more than rounding: the digits are not certain"
    with np.errstate(divide="ignore", over="ignore"):
        t_low, t_mid, t_high = 1 / (worth * np.array([high, (low + high) / 2, low]))
    return LowerBound(
        instance, float(t_mid), float(t_low), float(t_high), best, iterations, note,
        uniform * worth,
    )  # fmt: skip


def _in_units(instance: Instance) -> tuple[Instance, float]:
    """The instance scaled to gaps of order one and sigma = 1, and the value of one unit of psi."""
    if not isinstance(instance.family, Quadratic):
        return instance, 1.0
    means = instance.means
    scale = power_of_two_spread(means)
    unit = Instance(means / scale, instance.n_clusters)
    return unit, float((scale / instance.family.sigma) ** 2)


class _Program:
    """max z subject to z <= c_j . w for each alternative j, w in the simplex; warm-started."""

    def __init__(self, n_arms: int) -> None:
        import highspy

        self.n_arms = n_arms
        self.costs: list[FloatArray] = []
        self.lp: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        self.lp.setOptionValue("output_flag", False)
        self.lp.setOptionValue("threads", 1)
        for kind in ("primal", "dual"):
            self.lp.setOptionValue(f"{kind}_feasibility_tolerance", 1e-10)
        arms = np.arange(n_arms, dtype=np.int32)
        for _ in range(n_arms):
            self.lp.addVar(0.0, 1.0)
        self.lp.addVar(0.0, highspy.kHighsInf)
        self.lp.changeColCost(n_arms, -1.0)
        self.lp.addRow(1.0, 1.0, n_arms, arms, np.ones(n_arms))
        self.columns = np.arange(n_arms + 1, dtype=np.int32)
        self.infinity = highspy.kHighsInf
        self.scale = 0.0

    def add(self, cost: FloatArray) -> bool:
        """Add an alternative, in units of the first one's largest entry; False if out of range."""
        if not 1e-200 < cost.max() < 1e200:
            return False
        self.scale = self.scale or 1 / float(cost.max())
        self.costs.append(cost)
        row = np.concatenate([-cost * self.scale, [1.0]])
        self.lp.addRow(-self.infinity, 0.0, len(row), self.columns, row)
        return True

    def solve(self) -> tuple[FloatArray, float]:
        """The maximiser, and an upper bound that does not depend on the solver's tolerance.

        The dual solution is a mixture y of alternatives, and ``max_w min_j c_j . w`` is at most
        the largest entry of ``sum_j y_j c_j``.
        """
        self.lp.run()
        solution = self.lp.getSolution()
        w = np.clip(np.array(solution.col_value[: self.n_arms]), 0.0, None)
        y = np.clip(-np.array(solution.row_dual[1:]), 0.0, None)
        if not (w.sum() > 0 and y.sum() > 0):
            raise RuntimeError(f"HiGHS ended with {self.lp.getModelStatus()}")
        mixture = (y / y.sum()) @ np.array(self.costs)
        return w / w.sum(), float(mixture.max())
