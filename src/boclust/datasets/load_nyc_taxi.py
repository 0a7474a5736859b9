"""Pickups of New York's yellow taxis: how long a zone waits for the next."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from boclust._validate import FloatArray, IntArray, fail, integer, real, shown
from boclust.datasets.dataset import Dataset
from boclust.datasets.files import checked_path
from boclust.datasets.pickups import DAY, LONGEST_MONTH, ORIGIN, read_pickups
from boclust.problem.families import Bounded

_SOURCE = f"{ORIGIN}; public records"
_LAST_ZONE = 265


def nyc_taxi(
    path: Any,
    zones: Sequence[int] = (161, 237, 148, 151, 13, 166),
    hours: tuple[float, float] = (0, 24),
    n_clusters: int = 3,
    zero_gap: float | None = None,
) -> Dataset:
    """Taxi zones as arms; a record is the gap in seconds between two pickups in a row.

    Parameters
    ----------
    path:
        A monthly file of the publisher, ``yellow_tripdata_2024-01.parquet`` or the same as CSV.
        A reduced one with the column ``pickup_s`` (seconds since the month began) is taken too.
        Pickups outside the month (that of most pickups) are mistakes of the clock and left out.
    zones, n_clusters:
        Numbers of at least two zones, 1 to 265, and in how many clusters they are to be put.
    hours:
        Only pickups from the first to before the second hour of local time count, and gaps only
        between two of the same day. All day, (0, 24), gaps run over midnight too.
    zero_gap:
        Times are in whole seconds, so some gaps are zero, which the Exponential family does not
        take. A number of seconds between 0 and 1 is put in their place.
    """
    file, chosen, window = checked_path(path), _zones(zones), _hours(hours)
    instead = None if zero_gap is None else real("zero_gap", zero_gap, 0, 1)
    seconds, places = read_pickups(file)
    gaps = [_gaps(np.sort(seconds[places == zone]), window) for zone in chosen]
    for zone, found in zip(chosen, gaps, strict=True):
        if len(found) < 2:
            raise _quiet_zone(file, zone, len(found), places)
    zeros = sum(int((found == 0).sum()) for found in gaps)
    if instead is not None:
        gaps = [np.where(found == 0, instead, found) for found in gaps]
    first, last = window
    longest = LONGEST_MONTH if last - first == 24 else (last - first) * 3600
    when = "" if last - first == 24 else f", {first:g} to {last:g} h"
    return Dataset(
        name=f"New York taxi pickups{when}",
        arms=tuple(str(zone) for zone in chosen),
        records=gaps,
        n_clusters=n_clusters,
        family=Bounded(0, longest),
        reason="no gap is longer than the time in which it was looked for (a range so wide costs "
        "many samples)",
        bounds=(0.0, float(longest)),
        source=_SOURCE,
        caveats=_caveats(gaps, zeros, instead),
    )


def _caveats(gaps: list[FloatArray], zeros: int, instead: float | None) -> tuple[str, ...]:
    ratios = [found.std() / max(found.mean(), 1e-9) for found in gaps]  # all may be zero
    if instead is None:
        treated = "which Exponential does not take; zero_gap=0.5 puts half a second in their place"
    else:
        treated = f"in whose place {instead:g} seconds were put"
    return (
        "An Exponential guarantee does not apply: the coefficient of variation is "
        f"{min(ratios):.2f} to {max(ratios):.2f} where exponential gaps have 1.",
        *([f"Times in whole seconds make {zeros} gaps zero, {treated}."] if zeros else []),
    )


def _zones(value: Any) -> list[int]:
    accepted = f"at least two different numbers of taxi zones, 1 to {_LAST_ZONE}"
    if not isinstance(value, (Sequence, np.ndarray)) or isinstance(value, str) or len(value) < 2:
        raise fail("zones", f"is {shown(value)}", accepted)
    chosen = [integer("zones", zone, 1, _LAST_ZONE) for zone in value]
    if len(set(chosen)) < len(chosen):
        raise fail("zones", f"is {shown(chosen)}", accepted)
    return chosen


def _hours(value: Any) -> tuple[float, float]:
    try:
        first, last = value
        fits = 0 <= first < last <= 24
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise fail("hours", f"is {shown(value)}", "two hours of the day, 0 <= first < last <= 24")
    return float(first), float(last)


def _gaps(seconds: FloatArray, window: tuple[float, float]) -> FloatArray:
    """The gaps between times in order; of part of a day, those inside one day."""
    first, last = window
    if last - first == 24:
        return np.diff(seconds)
    hour = seconds % DAY / 3600
    kept = seconds[(hour >= first) & (hour < last)]
    return np.asarray(np.diff(kept)[np.diff(kept // DAY) == 0])


def _quiet_zone(path: Path, zone: int, gaps: int, places: IntArray) -> Exception:
    numbers, counts = np.unique(places, return_counts=True)
    busy = ", ".join(str(number) for number in numbers[np.argsort(-counts)][:10])
    problem = f"zone {zone} has {gaps} gaps between pickups in {path} in these hours"
    return fail("zones", problem, f"zones with at least two gaps; the busiest are {busy}")
