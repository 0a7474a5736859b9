"""How many samples a study will need, for means that one guesses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from boclust._validate import error_probabilities, fail, integer, shown
from boclust.psi.bound import LowerBound, hopeless, quick_bound
from boclust.problem.instance import Instance
from boclust.run.algorithm import Algorithm

DELTAS = (0.1, 0.05, 0.01, 0.001)
#: Where at least so many are needed nothing is simulated: it would take minutes.
LONG = 1_000_000


class Need(NamedTuple):
    """Samples for one delta: at least, and as simulated (None, and why, where they are not)."""

    delta: float
    at_least: float
    mean: float | None = None
    error: float | None = None
    nine_in_ten: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Plan:
    """The samples that a study needs; ``warning`` where it should not be begun as it is.

    ``trials`` is how many studies were simulated for each delta: 0 where none was.
    """

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

    The first is NaN for more than 50 arms: ``lower_bound`` takes long for them.

    ``mean`` samples with their standard ``error``, and the number that sufficed in nine of ten.
    The answer is as good as the guess of the means: samples grow as one over the square of the
    difference between the distance of the clusters and the largest gap inside one.

    >>> found = plan(Instance([0, 0.5, 4], n_clusters=2), deltas=[0.05], trials=10)
    >>> need = found.needs[0]
    >>> need.at_least < need.mean < need.nine_in_ten < 200
    True
    """
    if not isinstance(instance, Instance):
        raise fail("instance", f"is {shown(instance)}", "a boclust.Instance")
    wanted = error_probabilities(deltas)
    count = integer("trials", trials, 2)
    bound = quick_bound(instance)
    if instance.n_clusters in (1, instance.n_arms):
        needs = tuple(Need(delta, 0.0, 0.0, 0.0, 0.0, bound.note) for delta in wanted)
        return Plan(bound, algorithm, 0, needs, "")
    warning = hopeless(instance, wanted)
    short = [delta for delta in wanted if bound.samples(delta) < LONG]
    rows = {}
    if np.isnan(bound.t_star) and not warning:  # many arms: one study shows how long they take
        short = _that_end(instance, algorithm, wanted, seed)
    if short:
        from boclust.simulation import simulate

        found = simulate(instance, [algorithm], short, count, seed=seed, progress=progress)
        rows = {row["delta"]: row for row in found.summary()}
    needs = tuple(_need(delta, bound.samples(delta), rows.get(delta)) for delta in wanted)
    return Plan(bound, algorithm, count if short else 0, needs, warning)


def _that_end(
    instance: Instance, algorithm: str | Algorithm, deltas: Sequence[float], seed: int
) -> list[float]:
    """The deltas for which one simulated study ends in time."""
    from boclust.simulation import simulate

    found = simulate(instance, [algorithm], deltas, 1, seed=seed, max_samples=LONG)
    return [row["delta"] for row in found.table.to_pylist() if row["stopped"] == "certified"]


def _need(delta: float, at_least: float, row: dict[str, Any] | None) -> Need:
    """With what was simulated, or why there is nothing to say about it."""
    if row is None:
        why = f"not simulated: a study of {LONG:,.0f} samples or more takes too long"
        return Need(delta, at_least, note=why)
    if row["censored"]:
        ended = f"{row['censored']} of {row['trials']} simulated studies did not end"
        return Need(delta, at_least, note=f"{ended} within {row['max_samples']:,} samples")
    return Need(delta, at_least, row["mean_samples"], row["se_samples"], row["q90_samples"])
