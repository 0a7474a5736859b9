"""What a stopping rule is."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boclust.kernels import Struct
from boclust.problem.families import Bounded, Family, OneParameter
from boclust.problem.families.gaussian import Quadratic
from boclust.run.saved import check_integers
from boclust.run.state import Problem, Run

#: observe(run, own, arm), statistic(run, own, threshold) -> float
Kernels = tuple[Callable[..., None], Callable[..., float]]


@dataclass(frozen=True)
class Stopping(ABC):
    """A stopping rule: stop as soon as its statistic reaches its threshold.

    - ``observe(run, own, arm)`` after each sample, which is ``run.sample``;
    - ``statistic(run, own, threshold)`` once every arm has a sample and the clusters are known:
      exact where it is at least ``threshold``, elsewhere any number below ``threshold``. An
      infinite threshold, of either sign, leaves the run and the rule's state as they are.

    What a threshold grows by with the samples is part of the statistic, with a minus sign.
    """

    name: ClassVar[str]
    #: Whether the rule needs a squared distance (Gaussian, SubGaussian, Bounded).
    quadratic_only: ClassVar[bool] = False
    kernels: ClassVar[Kernels]
    #: Whether ``observe`` computes from the counts and sums of an arm alone: see ``Sampling``.
    observe_is_pure: ClassVar[bool] = False

    @abstractmethod
    def new(self, problem: Problem, sampling_state: Struct) -> Struct:
        """Its state before the first sample."""

    def check(self, problem: Problem, run: Run, state: Struct) -> None:
        """Refuse a restored state that no run of this rule can have.

        By default, integers are arms or -1.
        """
        check_integers("stopping", state, -1, problem.n_arms - 1)

    def threshold(self, problem: Problem) -> float:
        """What its statistic must reach; minus infinity if K = 1 or K = M decide everything."""
        if problem.n_clusters in (1, problem.n_arms):
            return -np.inf
        return self._threshold(problem)

    def _threshold(self, problem: Problem) -> float:
        return float(-np.log(problem.delta))

    def guarantee(self, problem: Problem) -> str:
        """The statement that holds after the rule has stopped a run."""
        return (
            f"wrong with probability at most {problem.delta:g}, if "
            f"{assumption(problem.family, problem.dim)} (rule {self.name!r}, any sampling)"
        )

    def refusal(self, problem: Problem) -> str:
        """What the rule needs but this problem lacks; empty if it can be used."""
        if self.quadratic_only and not isinstance(problem.family, Quadratic):
            return "Gaussian, SubGaussian or Bounded samples"
        return ""

    def for_many_arms(self, problem: Problem) -> bool:
        """Whether ``many_arms`` can decide the same without a matrix of distances."""
        return False


def assumption(family: Family, dim: int) -> str:
    """What is assumed of the samples, in words."""
    if isinstance(family, OneParameter):
        return f"samples follow the family {family.name!r}"
    if isinstance(family, Bounded):
        independent = "" if dim == 1 else " and their coordinates are independent of each other"
        return f"samples lie in [{family.low:g}, {family.high:g}]{independent}"
    sigma = getattr(family, "sigma", np.nan)
    everywhere = "" if dim == 1 else " in every direction"
    return f"the noise of a sample is sub-Gaussian with scale {sigma:g}{everywhere}"
