"""How many samples a study will need, for means that one guesses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from boclust._validate import integer, real
from boclust.bound import LowerBound, lower_bound
from boclust.instance import Instance
from boclust.registry import Algorithm

DELTAS = (0.1, 0.05, 0.01, 0.001)
#: Studies that need more samples than that at least are not worth beginning.
HOPELESS = 1e9
#: Where at least so many are needed nothing is simulated: it would take minutes.
LONG = 1e6


class Need(NamedTuple):
    """Samples for one delta: at least, and as simulated (None where that would take too long)."""

    delta: float
    at_least: float
    mean: float | None
    error: float | None
    nine_in_ten: float | None


@dataclass(frozen=True)
class Plan:
    """The samples that a study needs; ``warning`` where it should not be begun as it is."""

    bound: LowerBound
    algorithm: str | Algorithm
    trials: int
    needs: tuple[Need, ...]
    warning: str


def plan(
    instance: Instance,
    deltas: Sequence[float] = DELTAS,
    algorithm: str | Algorithm = "span",
    trials: int = 20,
    seed: int = 0,
    progress: bool = False,
) -> Plan:
    """What no method can beat, and what ``algorithm`` took in ``trials`` simulated studies.

    ``mean`` samples with their standard ``error``, and the number that sufficed in nine of ten.
    The answer is as good as the guess of the means: samples grow as one over the square of the
    difference between the distance of the clusters and the largest gap inside one.

    >>> found = plan(Instance([0, 0.5, 4], n_clusters=2), deltas=[0.05], trials=10)
    >>> need = found.needs[0]
    >>> need.at_least < need.mean < need.nine_in_ten < 200
    True
    """
    wanted = sorted((real("delta", delta, 0.0, 1.0) for delta in deltas), reverse=True)
    count = integer("trials", trials, 2)
    bound = lower_bound(instance)
    least = [bound.samples(delta) for delta in wanted]
    short = [delta for delta, needed in zip(wanted, least, strict=True) if needed < LONG]
    rows = {}
    if short:
        from boclust.simulation import simulate

        found = simulate(instance, [algorithm], short, count, seed=seed, progress=progress)
        rows = {row["delta"]: row for row in found.summary()}
    needs = []
    for delta, needed in zip(wanted, least, strict=True):
        row = rows.get(delta)
        if row is None or row["censored"]:
            needs.append(Need(delta, needed, None, None, None))
        else:
            simulated = row["mean_samples"], row["se_samples"], row["q90_samples"]
            needs.append(Need(delta, needed, *simulated))
    return Plan(bound, algorithm, count, tuple(needs), warning(bound, wanted))


def warning(bound: LowerBound, deltas: Sequence[float]) -> str:
    """Why a study should not be begun; empty where it may."""
    instance, least = bound.instance, max((bound.samples(delta) for delta in deltas), default=0.0)
    if least < HOPELESS:
        return ""
    gap = instance.d_inter - instance.d_intra
    return (
        f"at least {least:.2g} samples are needed: the clusters are {instance.d_inter:g} apart and "
        f"the largest gap inside one is {instance.d_intra:g}, which differ by {gap:.2g} only; "
        "other means, another number of clusters or less noise would help"
    )
