"""Rules that compare the generalised likelihood ratio of all arms with a threshold.

``Z(t) = t psi(N / t, estimates)``, the least cost of means under which other clusters are right.
For d = 1 it is exact; in space its spanning-tree lower bound is taken, which equals the paper's
Z(t) when no cluster has more than two arms and never stops earlier otherwise.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from boclust._validate import FloatArray, real
from boclust.evidence.cost import Cost
from boclust.kernels import Struct, copy_vector, f1, i1, inner_kernel, scratch
from boclust.problem.families import Gaussian, OneParameter
from boclust.problem.families.gaussian import Quadratic
from boclust.psi.line import line_alternative
from boclust.run.saved import check_means
from boclust.run.state import Problem, Run
from boclust.stopping.base import Kernels, Stopping
from boclust.stopping.certificate import statistic as weakest_link

NOTHING = "none: a constant threshold guarantees nothing"


# --- what a threshold grows by with the samples ---------------------------------------------------


class NoGrowth(Struct):
    """Nothing: the threshold is log(1/delta) throughout."""

    parameter: float

    def of_arm(self, run: Run, arm: int) -> float:
        """What the samples of one arm add to the threshold."""
        return 0.0

    def total(self, run: Run, lifts: FloatArray) -> float:
        """What all arms add, given what each of them does."""
        total = 0.0
        for j in range(lifts.shape[0]):
            total += lifts[j]
        return total

    def waits(self, run: Run, arm: int) -> bool:
        """Whether the rule cannot stop yet because of this arm."""
        return False


class PaperGrowth(NoGrowth):
    """``d log(N + 1)`` for each arm (Section IV)."""

    def of_arm(self, run: Run, arm: int) -> float:
        """What the samples of one arm add to the threshold."""
        return run.means.shape[1] * np.log1p(run.counts[arm])


class MixtureGrowth(NoGrowth):
    """``(d/2) log(1 + N/c)`` for each arm, c the parameter."""

    def of_arm(self, run: Run, arm: int) -> float:
        """What the samples of one arm add to the threshold."""
        dim = run.means.shape[1]
        return 0.5 * dim * np.log1p(run.counts[arm] / self.parameter)


class ZetaGrowth(NoGrowth):
    """``3 log(1 + log N)`` for each arm."""

    def of_arm(self, run: Run, arm: int) -> float:
        """What the samples of one arm add to the threshold."""
        return 3.0 * np.log1p(np.log(run.counts[arm]))


class PenaltyGrowth(NoGrowth):
    """The penalty of the conjugate mixture of each arm."""

    def of_arm(self, run: Run, arm: int) -> float:
        """What the samples of one arm add to the threshold."""
        return run.law.penalty(run.sums[arm, 0], run.counts[arm])

    def waits(self, run: Run, arm: int) -> bool:
        """Whether the sample mean is on the boundary of the parameter space."""
        return run.sums[arm, 0] / run.counts[arm] != run.means[arm, 0]


class LogLogGrowth(NoGrowth):
    """``log(1 + log t)``."""

    def total(self, run: Run, lifts: FloatArray) -> float:
        """What all arms add, given what each of them does."""
        t = 0.0
        for j in range(lifts.shape[0]):
            t += run.counts[j]
        return np.log1p(np.log(t))


# --- the statistic --------------------------------------------------------------------------------


class OnLine(Struct):
    """Z(t) for d = 1: exact, with the alternative that was nearest when it was last computed."""

    growth: Any
    precision: float  # samples weigh n_c = N^2 / (N + c); c = 0 weighs every sample as one
    lifts: f1 = scratch
    nearest: f1
    labels: i1  # the clusters to which it is an alternative; -1: none
    weights: f1 = scratch

    def statistic(self, run: Run, threshold: float) -> float:
        """Z(t), or a lower bound of it, less the growth of the threshold.

        Any alternative bounds Z(t) from above. Where the one that was nearest last time shows that
        Z(t) is still too small, that bound is returned.
        """
        counts, weights, labels = run.counts, self.weights, run.labels
        raised = self.growth.total(run, self.lifts)
        known = True
        bound = 0.0
        for i in range(counts.shape[0]):
            if self.growth.waits(run, i):
                return -np.inf
            weights[i] = counts[i] * (counts[i] / (counts[i] + self.precision))
            known = known and self.labels[i] == labels[i]
            if known:
                bound += weights[i] * run.law.divergence(run.means[i, 0], self.nearest[i])
        if known and bound - raised < threshold:
            return bound - raised
        return nearest_on_line(run, self, threshold) - raised


class InSpace(Struct):
    """The spanning-tree lower bound of Z(t) for d > 1."""

    growth: Any
    cost: Any
    lifts: f1 = scratch

    def statistic(self, run: Run, threshold: float) -> float:
        """The weakest link, less the growth of the threshold."""
        raised = self.growth.total(run, self.lifts)
        return weakest_link(run, self.cost, threshold + raised) - raised


@inner_kernel
def nearest_on_line(run: Run, own: OnLine, threshold: float) -> float:
    """Z(t) or a lower bound; keeps the nearest alternative unless the threshold is infinite."""
    m = run.counts.shape[0]
    found = np.empty((m, 1))
    least, cost = line_alternative(
        run.law, run.means, run.positions, run.labels, run.start.shape[0] - 1, own.weights, found
    )
    if not np.isinf(threshold):
        copy_vector(own.nearest, found.reshape(m))
        for i in range(m):
            own.labels[i] = run.labels[i] if cost > 0.0 else -1
    return least


@inner_kernel
def observe(run: Run, own: Any, arm: int) -> None:
    """What the samples of an arm add to the threshold."""
    own.lifts[arm] = own.growth.of_arm(run, arm)


@inner_kernel
def statistic(run: Run, own: Any, threshold: float) -> float:
    """Z(t) less the growth of the threshold."""
    return own.statistic(run, threshold)


# --- the rules ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Constant(Stopping):
    """Stop when ``Z(t) >= log(1/delta)``: with delta = exp(-b), the constant threshold b.

    For curves of samples against the *observed* error rate, as in the paper's plots against
    log(1/P_e); the threshold itself guarantees nothing.
    """

    name: ClassVar[str] = "constant"
    kernels: ClassVar[Kernels] = observe, statistic
    observe_is_pure: ClassVar[bool] = True

    def growth(self, problem: Problem) -> NoGrowth:
        """What the threshold grows by."""
        return NoGrowth(parameter=0.0)

    def weigh(self, problem: Problem) -> float:
        """c in the weights ``N^2 / (N + c)`` of the arms."""
        return 0.0

    def new(self, problem: Problem, sampling_state: Struct) -> OnLine | InSpace:
        """No alternative is known yet."""
        m, growth = problem.n_arms, self.growth(problem)
        if problem.dim > 1:
            cost = Cost(precision=self.weigh(problem))
            return InSpace(growth=growth, cost=cost, lifts=np.zeros(m))
        return OnLine(
            growth=growth, precision=self.weigh(problem), lifts=np.zeros(m), nearest=np.zeros(m),
            labels=np.full(m, -1, dtype=np.int64), weights=np.zeros(m),
        )  # fmt: skip

    def check(self, problem: Problem, run: Run, state: Struct) -> None:
        """Also: the nearest alternative consists of means."""
        super().check(problem, run, state)
        if isinstance(state, OnLine):
            check_means("stopping.nearest", problem.family, state.nearest[state.labels >= 0])

    def for_many_arms(self, problem: Problem) -> bool:
        """In space, where the cost has a closed form."""
        return problem.dim > 1 and isinstance(problem.family, Quadratic)

    def guarantee(self, problem: Problem) -> str:
        """None."""
        return NOTHING


@dataclass(frozen=True)
class Paper(Constant):
    """Stop when ``Z(t) >= 2 log( prod_m (N_m + 1)^(d/2) / delta )`` (Section IV).

    Theorem 2 of the paper: wrong with probability at most delta, for any sampling rule. The slope
    of the mean number of samples in log(1/delta) is twice that of the lower bound. (It also follows
    from ``mixture``, which never stops later on the same samples.)
    """

    name: ClassVar[str] = "paper"
    quadratic_only: ClassVar[bool] = True

    def growth(self, problem: Problem) -> NoGrowth:
        """Logarithms of the counts."""
        return PaperGrowth(parameter=0.0)

    def _threshold(self, problem: Problem) -> float:
        return float(-2 * np.log(problem.delta))

    def guarantee(self, problem: Problem) -> str:
        """As proven."""
        return Stopping.guarantee(self, problem)


@dataclass(frozen=True)
class Paper1pExp(Constant):
    """Stop when ``Z(t) >= 3 sum_m log(1 + log N_m) + (1 + zeta) [log(1/delta) + M log(c)]``.

    c = (pi^2/3) / log(1 + zeta)^2; Z(t) is the generalised likelihood ratio of a one-parameter
    exponential family. A small zeta > 0 gives a slope near that of the lower bound and a large
    threshold at once.

    Theorem 2 of the paper states that it is wrong with probability at most delta. The lemma behind
    it (appendix, deviation inequality) fixes a number x > 0 before its martingale is built and then
    uses one martingale for all x, so the proof is not complete as printed; the guarantee is given
    as the paper states it. ``local`` is proven for the same families and needs far fewer samples.
    """

    name: ClassVar[str] = "paper-1pexp"
    zeta: float = 0.1

    def __post_init__(self) -> None:
        real("zeta", self.zeta, 0.0, 1e6)

    def growth(self, problem: Problem) -> NoGrowth:
        """Iterated logarithms of the counts."""
        return ZetaGrowth(parameter=0.0)

    def _threshold(self, problem: Problem) -> float:
        constant = np.log(np.pi**2 / 3 / np.log1p(self.zeta) ** 2)
        return float((1 + self.zeta) * (problem.n_arms * constant - np.log(problem.delta)))

    def guarantee(self, problem: Problem) -> str:
        """As the paper states it."""
        said = Stopping.guarantee(self, problem)
        return f"{said}; as stated in the paper, whose proof has a gap"

    def refusal(self, problem: Problem) -> str:
        """One-parameter families."""
        if problem.dim == 1 and isinstance(problem.family, (Gaussian, OneParameter)):
            return ""
        return "d = 1 and Gaussian, Bernoulli, Poisson or Exponential samples"


@dataclass(frozen=True)
class Mixture(Constant):
    """Stop when ``t psi(n_c / t) >= log(1/delta) + (d/2) sum_m log(1 + N_m/c)``, c = 1.

    n_c = N^2 / (N + c). It rests on the product over all arms of the Gaussian mixtures of
    ``local``; the proof is on the page "Why the stopping rules are right"
    (``docs/explanation/stopping-rules.md``).

    On the same samples it never stops after ``paper``: psi is monotone and homogeneous in the
    weights and n_1 >= N/2, so ``psi(n_1) >= psi(N) / 2``, and the threshold is half of the paper's.

    One-parameter families: ``t psi(N / t) >= log(1/delta) + sum of penalties``, with the conjugate
    mixtures of ``local``. There the declared clustering is that of estimates kept inside the
    parameter space, which only ever moves an arm from the boundary inwards: psi at these estimates
    is what is compared, and while an arm is on the boundary the rule waits.
    """

    name: ClassVar[str] = "mixture"
    precision: float = 1.0

    def __post_init__(self) -> None:
        real("precision", self.precision, 0.0, 1e6)

    def growth(self, problem: Problem) -> NoGrowth:
        """What the mixtures cost."""
        if isinstance(problem.family, OneParameter):
            return PenaltyGrowth(parameter=0.0)
        return MixtureGrowth(parameter=float(self.precision))

    def weigh(self, problem: Problem) -> float:
        """c, or 0 for one-parameter families."""
        return 0.0 if isinstance(problem.family, OneParameter) else float(self.precision)

    def guarantee(self, problem: Problem) -> str:
        """As proven."""
        return Stopping.guarantee(self, problem)


@dataclass(frozen=True)
class Heuristic(Constant):
    """Stop when ``Z(t) >= log((1 + log t) / delta)``. No proof is known for it."""

    name: ClassVar[str] = "heuristic"

    def growth(self, problem: Problem) -> NoGrowth:
        """log(1 + log t)."""
        return LogLogGrowth(parameter=0.0)

    def guarantee(self, problem: Problem) -> str:
        """None."""
        return "none: the threshold of the rule 'heuristic' has no proof"
