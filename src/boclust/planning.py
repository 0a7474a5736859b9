"""``plan``: how many samples a study needs, for guessed means."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from boclust._validate import error_probabilities, integer, invalid, shown
from boclust.problem.instance import Instance
from boclust.psi.bound import LowerBound, hopeless, quick_bound
from boclust.run.algorithm import Algorithm

DELTAS = (0.1, 0.05, 0.01, 0.001)
#: Studies of at least this many samples are not simulated: it would take minutes.
LONG = 1_000_000


class Need(NamedTuple):
    """Samples for one delta: the lower bound, and the simulated numbers.

    If nothing was simulated, the numbers are None and ``note`` says why.
    """

    delta: float
    at_least: float
    mean: float | None = None
    error: float | None = None
    nine_in_ten: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Plan:
    """The samples that a study needs.

    ``trials`` is the number of simulated studies per delta (0 if none was simulated). ``warning``
    says why the problem is hopeless, and is empty otherwise.
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
    """The lower bound on the number of samples, and the samples that ``algorithm`` takes.

    ``at_least`` is the lower bound, or NaN for more than 50 arms because ``lower_bound`` takes
    long. ``mean`` is the mean over ``trials`` simulated studies with its standard ``error``, and
    ``nine_in_ten`` the number of samples that suffices in nine of ten studies.

    The answer is only as good as the guessed means: the number of samples grows like
    1 / (d_inter - d_intra)^2, where d_inter is the smallest distance between two clusters and
    d_intra the largest gap inside one.

    >>> found = plan(Instance([0, 0.5, 4], n_clusters=2), deltas=[0.05], trials=10)
    >>> need = found.needs[0]
    >>> need.at_least < need.mean < need.nine_in_ten < 200
    True
    """
    if not isinstance(instance, Instance):
        raise invalid("instance", "a boclust.Instance", shown(instance))
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
        short = _short_deltas(instance, algorithm, wanted, seed)
    if short:
        from boclust.simulation import simulate

        found = simulate(instance, [algorithm], short, count, seed=seed, progress=progress)
        rows = {row["delta"]: row for row in found.summary()}
    needs = tuple(_need(delta, bound.samples(delta), rows.get(delta)) for delta in wanted)
    return Plan(bound, algorithm, count if short else 0, needs, warning)


def _short_deltas(
    instance: Instance, algorithm: str | Algorithm, deltas: Sequence[float], seed: int
) -> list[float]:
    """The deltas for which one simulated study ends within ``LONG`` samples."""
    from boclust.simulation import simulate

    found = simulate(instance, [algorithm], deltas, 1, seed=seed, max_samples=LONG)
    return [row["delta"] for row in found.summary() if not row["censored"]]


def _need(delta: float, at_least: float, row: dict[str, Any] | None) -> Need:
    """The samples for one delta from a row of the simulation's summary, if there is one."""
    if row is None:
        why = f"not simulated: a study of {LONG:,.0f} samples or more takes too long"
        return Need(delta, at_least, note=why)
    if row["censored"]:
        ended = f"{row['censored']} of {row['trials']} simulated studies did not end"
        return Need(delta, at_least, note=f"{ended} within {row['max_samples']:,} samples")
    return Need(delta, at_least, row["mean_samples"], row["se_samples"], row["q90_samples"])
