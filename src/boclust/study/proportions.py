"""How the samples are spread over the arms, and how they would best be."""

from dataclasses import dataclass

from boclust._validate import InvalidInputError
from boclust.psi.bound import lower_bound
from boclust.run.engine import FEW
from boclust.run.learner import Learner

#: To be looked at, not to be computed with.
_CLOSE = 0.01


@dataclass(frozen=True)
class Proportions:
    """Shares of the samples: ``pulls`` so far, ``optimal`` as in ``boclust.lower_bound``.

    The latter are those of the present estimates, as if these were true, and need at most 1 %
    more samples than the best; where there are none, ``reason`` says why.
    """

    pulls: list[float]
    optimal: list[float] | None
    reason: str | None


def proportions_of(learner: Learner) -> Proportions:
    """Both shares."""
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
    return lower_bound(instance, rtol=_CLOSE).weights.tolist(), None
