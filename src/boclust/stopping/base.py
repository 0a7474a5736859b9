"""What the stopping rules share."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from boclust.problem.families import Bounded, Family, OneParameter
from boclust.problem.families.gaussian import Quadratic
from boclust.stopping.codes import BY_POINTER, NO_LIFT


@dataclass(frozen=True)
class Stopping:
    """A stopping rule: stop when what it has shown reaches ``its threshold``.

    What it has shown (``standing`` of the kernels) is the weakest link of a certificate, or for the
    global rules the statistic Z(t) less what their threshold grows by: psi at the counts, exactly
    for d = 1; in space its spanning-tree lower bound, which equals the paper's Z(t) when no cluster
    has more than two arms and never stops earlier otherwise.
    """

    name: ClassVar[str]
    #: Whether the rule needs a squared distance (Gaussian, SubGaussian, Bounded).
    quadratic_only: ClassVar[bool] = False

    def evidence_code(self, family: Family) -> int:
        """The code of the evidence whose weakest link is compared."""
        return BY_POINTER

    def lift(self, family: Family) -> int:
        """The code of what its threshold grows by."""
        return NO_LIFT

    def parts(self, dim: int) -> dict[str, Any]:
        """The parts of a run that the rule uses: fields of ``run_kernels.Parts``."""
        return {"glr": dim == 1}

    def kernels(self, dim: int, family: Family) -> tuple[Any, Any]:
        """Its kernels ``standing`` and ``evidence``: see ``engine_kernels``.

        Evidence is None where it has a code, and where it is v(a, b; m, n) itself.
        """
        from boclust.stopping.glr import standing_in_space, standing_on_line

        return standing_on_line if dim == 1 else standing_in_space, None

    def for_crowds(self, dim: int, family: Family) -> bool:
        """Whether ``crowd_kernels`` know the rule."""
        return dim > 1 and isinstance(family, Quadratic)

    @property
    def parameter(self) -> float:
        """The number that the kernels need to know of the rule."""
        return 0.0

    def threshold(self, n_arms: int, dim: int, n_clusters: int, delta: float) -> float:
        """What must be reached; minus infinity where there is nothing to show."""
        if n_clusters in (1, n_arms):
            return -np.inf
        return self._threshold(n_arms, dim, n_clusters, delta)

    def _threshold(self, n_arms: int, dim: int, n_clusters: int, delta: float) -> float:
        return float(-np.log(delta))

    def guarantee(self, family: Family, delta: float, dim: int) -> str:
        """The statement that holds when the rule has stopped a run."""
        return (
            f"wrong with probability at most {delta:g}, if {assumption(family, dim)} "
            f"(rule {self.name!r}, any sampling)"
        )

    def refusal(self, dim: int, family: Family) -> str:
        """What the rule needs and does not find here; empty where it can be used."""
        if self.quadratic_only and not isinstance(family, Quadratic):
            return "Gaussian, SubGaussian or Bounded samples"
        return ""


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
