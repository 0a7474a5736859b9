"""Pickups of New York's yellow taxis: the waiting time between two pickups in a zone."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boclust import Bounded
from boclust._validate import FloatArray, IntArray, InvalidInputError, integer, invalid, real, shown
from boclust.datasets.dataset import Dataset
from boclust.datasets.files import (
    checked_path,
    csv_header,
    damaged,
    read_csv,
    read_parquet,
    unreadable,
)

_ORIGIN = "the TLC Trip Record Data page of the NYC Taxi and Limousine Commission, nyc.gov/tlc"
_SOURCE = f"{_ORIGIN}; public records"
_LAST_ZONE = 265
_DAY = 86400
_LONGEST_MONTH = 31 * _DAY
_TIME, _SECONDS, _ZONE = "tpep_pickup_datetime", "pickup_s", "PULocationID"
_EXPECTED = (
    f"the yellow taxi trips of a month, CSV or .parquet, with the columns {_TIME} "
    f"(or {_SECONDS}, seconds since the month began) and {_ZONE}"
)


def nyc_taxi(
    path: Any,
    zones: Sequence[int] = (161, 237, 148, 151, 13, 166),
    hours: tuple[float, float] = (0, 24),
    n_clusters: int = 3,
    zero_gap: float | None = None,
) -> Dataset:
    """Load taxi zones as arms; a record is the gap in seconds between two successive pickups.

    Parameters
    ----------
    path:
        A monthly file of the publisher, ``yellow_tripdata_2024-01.parquet`` or the same as CSV, or
        a reduced file with the column ``pickup_s`` (seconds since the month began). Pickups
        outside the month of most pickups are clock errors and left out.
    zones, n_clusters:
        Numbers of at least two zones, from 1 to 265, and the number of clusters.
    hours:
        Only pickups from the first hour until before the second hour of local time count, and gaps
        only between two pickups of the same day. With (0, 24), gaps may span midnight.
    zero_gap:
        Times are in whole seconds, so some gaps are zero, which the Exponential family does not
        accept. They are replaced by this number of seconds, between 0 and 1.
    """
    file, chosen, window = checked_path(path), _zones(zones), _hours(hours)
    instead = None if zero_gap is None else real("zero_gap", zero_gap, 0, 1)
    seconds, places = _read_pickups(file)
    gaps = [_gaps(np.sort(seconds[places == zone]), window) for zone in chosen]
    for zone, found in zip(chosen, gaps, strict=True):
        if len(found) < 2:
            raise _quiet_zone(file, zone, len(found), places)
    zeros = sum(int((found == 0).sum()) for found in gaps)
    if instead is not None:
        gaps = [np.where(found == 0, instead, found) for found in gaps]
    first, last = window
    longest = _LONGEST_MONTH if last - first == 24 else (last - first) * 3600
    when = "" if last - first == 24 else f", {first:g} to {last:g} h"
    return Dataset(
        name=f"New York taxi pickups{when}",
        arms=tuple(str(zone) for zone in chosen),
        records=gaps,
        n_clusters=n_clusters,
        family=Bounded(0, longest),
        reason="no gap is longer than the period of observation (such a wide range costs many "
        "samples)",
        bounds=(0.0, float(longest)),
        source=_SOURCE,
        caveats=_caveats(gaps, zeros, instead),
    )


def _caveats(gaps: list[FloatArray], zeros: int, instead: float | None) -> tuple[str, ...]:
    ratios = [found.std() / max(found.mean(), 1e-9) for found in gaps]  # all may be zero
    if instead is None:
        treated = "which Exponential does not accept; zero_gap=0.5 replaces them by half a second"
    else:
        treated = f"which {instead:g} seconds replace"
    return (
        "An Exponential guarantee does not apply: the coefficient of variation is "
        f"{min(ratios):.2f} to {max(ratios):.2f}, and exponential gaps have 1.",
        *([f"Times in whole seconds make {zeros} gaps zero, {treated}."] if zeros else []),
    )


def _zones(value: Any) -> list[int]:
    expected = f"at least two different numbers of taxi zones, from 1 to {_LAST_ZONE}"
    if not isinstance(value, (Sequence, np.ndarray)) or isinstance(value, str) or len(value) < 2:
        raise invalid("zones", expected, shown(value))
    chosen = [integer("zones", zone, 1, _LAST_ZONE) for zone in value]
    if len(set(chosen)) < len(chosen):
        raise invalid("zones", expected, shown(chosen))
    return chosen


def _hours(value: Any) -> tuple[float, float]:
    try:
        first, last = value
        fits = 0 <= first < last <= 24
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise invalid("hours", "two hours of the day, 0 <= first < last <= 24", shown(value))
    return float(first), float(last)


def _gaps(seconds: FloatArray, window: tuple[float, float]) -> FloatArray:
    """Return the gaps between sorted times; for part of a day, only those within one day."""
    first, last = window
    if last - first == 24:
        return np.diff(seconds)
    hour = seconds % _DAY / 3600
    kept = seconds[(hour >= first) & (hour < last)]
    return np.asarray(np.diff(kept)[np.diff(kept // _DAY) == 0])


def _quiet_zone(path: Path, zone: int, gaps: int, places: IntArray) -> InvalidInputError:
    numbers, counts = np.unique(places, return_counts=True)
    busy = ", ".join(str(number) for number in numbers[np.argsort(-counts)][:10])
    expected = f"zones with at least two gaps in these hours (the busiest are {busy})"
    return invalid("zones", expected, f"zone {zone} with {gaps} gaps in {path}")


def _read_pickups(path: Path) -> tuple[FloatArray, IntArray]:
    """Return the times (seconds since the month began) and zones of the pickups of the month."""
    if path.is_dir():
        raise damaged(path, _EXPECTED, "a folder", _ORIGIN)
    is_parquet = path.suffix.lower() == ".parquet"
    header = _parquet_header(path) if is_parquet else csv_header(path, _EXPECTED, _ORIGIN)
    time = _SECONDS if _SECONDS in header else _TIME
    if not {time, _ZONE} <= set(header):
        raise damaged(path, _EXPECTED, f"the columns {shown(', '.join(header))}", _ORIGIN)
    if is_parquet:
        found = read_parquet(path, [time, _ZONE], _ORIGIN)
    else:
        kind = "timestamp" if time == _TIME else "float64"
        found = read_csv(path, {time: kind, _ZONE: "int64"}, _ORIGIN)
    times, zones = found[time], found[_ZONE]
    if times.dtype.kind not in ("M" if time == _TIME else "if"):
        expected = "a time in every row, or seconds as numbers"
        raise damaged(path, expected, f"the type {times.dtype}", _ORIGIN, f"column {time}")
    if zones.dtype.kind not in "iu":
        expected = "an integer in every row"
        raise damaged(path, expected, f"the type {zones.dtype}", _ORIGIN, f"column {_ZONE}")
    seconds, length = _since_month(times)
    inside = (seconds >= 0) & (seconds < length)
    return seconds[inside], zones[inside]


def _parquet_header(path: Path) -> list[str]:
    import pyarrow
    from pyarrow import parquet

    try:
        return list(parquet.read_schema(path).names)
    except OSError as error:
        raise unreadable(path, _EXPECTED, error, _ORIGIN) from None
    except pyarrow.ArrowException as error:
        raise damaged(
            path, _EXPECTED, f"the error {' '.join(str(error).split())!r}", _ORIGIN
        ) from None


def _since_month(times: NDArray[Any]) -> tuple[FloatArray, float]:
    """Return seconds since the beginning of the month of most times, and that month's length."""
    if times.dtype.kind != "M":
        return times.astype(np.float64), _LONGEST_MONTH
    months = times.astype("M8[M]").astype(np.int64)
    common = int(np.bincount(months - months.min()).argmax() + months.min())
    start, end = (np.datetime64(common + i, "M").astype("M8[s]") for i in (0, 1))
    second = np.timedelta64(1, "s")
    return (times - start) / second, float((end - start) / second)
