"""The files of the NYC Taxi and Limousine Commission: when and where passengers were picked up."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boclust._validate import FloatArray, IntArray, shown
from boclust.datasets.files import csv_header, damaged, read_csv, read_parquet, unreadable

ORIGIN = "the TLC Trip Record Data page of the NYC Taxi and Limousine Commission, nyc.gov/tlc"
DAY = 86400
LONGEST_MONTH = 31 * DAY
_TIME, _SECONDS, _ZONE = "tpep_pickup_datetime", "pickup_s", "PULocationID"
_EXPECTED = (
    f"the yellow taxi trips of a month, CSV or .parquet, with the columns {_TIME} "
    f"(or {_SECONDS}, seconds since the month began) and {_ZONE}"
)


def read_pickups(path: Path) -> tuple[FloatArray, IntArray]:
    """Seconds since the month began and zones, of all pickups inside the month."""
    if path.is_dir():
        raise damaged(path, "is a folder", _EXPECTED, ORIGIN)
    packed = path.suffix.lower() == ".parquet"
    header = _parquet_header(path) if packed else csv_header(path, _EXPECTED, ORIGIN)
    time = _SECONDS if _SECONDS in header else _TIME
    if not {time, _ZONE} <= set(header):
        problem = f"has the columns {shown(', '.join(header))}"
        raise damaged(path, problem, _EXPECTED, ORIGIN)
    if packed:
        found = read_parquet(path, [time, _ZONE], ORIGIN)
    else:
        kind = "timestamp" if time == _TIME else "float64"
        found = read_csv(path, {time: kind, _ZONE: "int64"}, ORIGIN)
    if found[time].dtype.kind not in ("M" if time == _TIME else "if"):
        problem = f"the column {time} is made of {found[time].dtype}"
        raise damaged(path, problem, "times, or seconds as numbers", ORIGIN)
    if found[_ZONE].dtype.kind not in "iu":
        problem = f"the column {_ZONE} is made of {found[_ZONE].dtype}"
        raise damaged(path, problem, "whole numbers", ORIGIN)
    seconds, length = _since_month(found[time])
    inside = (seconds >= 0) & (seconds < length)
    return seconds[inside], found[_ZONE][inside]


def _parquet_header(path: Path) -> list[str]:
    """The names of the columns."""
    import pyarrow
    from pyarrow import parquet

    try:
        return list(parquet.read_schema(path).names)
    except OSError as error:
        raise unreadable(path, error, _EXPECTED, ORIGIN) from None
    except pyarrow.ArrowException as error:
        raise damaged(path, " ".join(str(error).split()), _EXPECTED, ORIGIN) from None


def _since_month(times: NDArray[Any]) -> tuple[FloatArray, float]:
    """Seconds since the month of most times began, and how long that month is."""
    if times.dtype.kind != "M":
        return times.astype(np.float64), LONGEST_MONTH
    months = times.astype("M8[M]").astype(np.int64)
    common = int(np.bincount(months - months.min()).argmax() + months.min())
    start, end = (np.datetime64(common + i, "M").astype("M8[s]") for i in (0, 1))
    second = np.timedelta64(1, "s")
    return (times - start) / second, float((end - start) / second)
