"""Taxi pickups: small files in the publisher's columns, damaged ones, and the real ones."""

from datetime import datetime, timedelta

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

import boclust
from boclust.datasets import nyc_taxi
from support.realdata import real_data

START = datetime(2024, 2, 1)
# seconds since February began: two zones, one pickup before it and one after
PICKUPS = [(-5, 4), (0, 4), (30, 12), (10, 4), (90, 12), (90, 12), (25, 4), (29 * 86400, 4)]
HOURS = [7, 8, 9, 21, 22]
DAYS = [
    (day * 86400 + hour * 3600 + second, zone)
    for day in range(3)
    for hour in HOURS
    for zone in (4, 12)
    for second in (0, 60)
]


def write(path, pickups=PICKUPS):
    """The pickups in the publisher's columns, as Parquet or CSV by the name."""
    times = [START + timedelta(seconds=seconds) for seconds, _ in pickups]
    zones = [zone for _, zone in pickups]
    if path.suffix == ".parquet":
        columns = {
            "VendorID": pyarrow.array([1] * len(zones), pyarrow.int32()),
            "tpep_pickup_datetime": pyarrow.array(times, pyarrow.timestamp("us")),
            "PULocationID": pyarrow.array(zones, pyarrow.int32()),
        }
        parquet.write_table(pyarrow.table(columns), path)
    else:
        lines = [
            f'1,{t:%Y-%m-%d %H:%M:%S},"N",{zone}' for t, zone in zip(times, zones, strict=True)
        ]
        header = '"VendorID","tpep_pickup_datetime","store_and_fwd_flag","PULocationID"'
        path.write_text("\n".join([header, *lines]) + "\n")
    return path


def load(path, **options):
    return nyc_taxi(path, **{"zones": (4, 12), "n_clusters": 2, **options})


@pytest.mark.parametrize("name", ["trips.parquet", "trips.csv"])
def test_gaps_inside_the_month(tmp_path, name):
    data = load(write(tmp_path / name))
    assert data.arms == ("4", "12")
    assert [array.ravel().tolist() for array in data.records] == [[10, 15], [60, 0]]
    assert data.bounds == (0, 31 * 86400)
    assert data.family == boclust.Bounded(0, 31 * 86400)


@pytest.mark.parametrize("kind", ["int32", "float64", "csv"])
def test_the_reduced_file(tmp_path, kind):
    seconds, zones = zip(*PICKUPS[:-1], (31 * 86400, 4), strict=True)
    if kind == "csv":
        path = tmp_path / "reduced.csv"
        rows = [f"{s},{z}" for s, z in zip(seconds, zones, strict=True)]
        path.write_text("\n".join(["pickup_s,PULocationID", *rows]))
    else:
        path = tmp_path / "reduced.parquet"
        times = pyarrow.array(np.array(seconds, dtype=kind))
        table = {"pickup_s": times, "PULocationID": pyarrow.array(zones, pyarrow.int16())}
        parquet.write_table(pyarrow.table(table), path)
    assert [array.ravel().tolist() for array in load(path).records] == [[10, 15], [60, 0]]


def test_hours_of_the_day(tmp_path):
    path = write(tmp_path / "trips.csv", DAYS)
    data = load(path, hours=(8, 22))
    expected = [60, 3540, 60, 43140, 60] * 3  # nothing from one day to the next
    assert [array.ravel().tolist() for array in data.records] == [expected] * 2
    assert data.family == boclust.Bounded(0, 14 * 3600)
    assert data.name.endswith("8 to 22 h")
    whole = load(path).records[0].ravel()
    assert (len(whole), whole.sum()) == (29, 2 * 86400 + 15 * 3600 + 60)
    assert load(path, hours=(8, 8.5)).records[0].ravel().tolist() == [60] * 3


def test_gaps_of_zero(tmp_path):
    path = write(tmp_path / "trips.csv")
    assert any(
        "make 1 gaps zero, which Exponential" in sentence for sentence in load(path).assumptions
    )
    with pytest.raises(boclust.InvalidInputError, match=" 0"):
        load(path).instance(boclust.Exponential())
    data = load(path, zero_gap=0.5)
    assert data.records[1].ravel().tolist() == [60, 0.5]
    assert data.instance(boclust.Exponential()).means.ravel().tolist() == [12.5, 30.25]
    assert any("which 0.5 seconds replace" in sentence for sentence in data.assumptions)
    still = write(tmp_path / "still.csv", [(5, zone) for zone in (4, 4, 4, 12, 12, 12)])
    assert load(still).means.tolist() == [[0], [0]]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "2024-02-01 00:00:10",
            "yesterday",
            "for tpep_pickup_datetime in line 5 an invalid value 'y",
        ),
        (
            "2024-02-01 00:00:10",
            "",
            "line 5: tpep_pickup_datetime must be a value, got an empty cell",
        ),
        ('00:00:10,"N",4', '00:00:10,"N",4th', "for PULocationID in line 5 an invalid value '4th'"),
        ('00:00:10,"N",4', "00:00:10,N", "3 columns instead of 4 in line 5"),
        ("PULocationID", "pickup_zone", "got the columns 'VendorID"),
        ("tpep_pickup_datetime", "Trip_Pickup_DateTime", "got the columns 'VendorID"),
    ],
)
def test_csv_that_does_not_fit(tmp_path, old, new, message):
    path = write(tmp_path / "trips.csv")
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(boclust.InvalidInputError, match=message) as told:
        load(path)
    assert "TLC Trip Record Data" in str(told.value)


def test_blank_lines_do_no_harm(tmp_path):
    path = write(tmp_path / "trips.csv")
    header, _, rest = path.read_text().partition("\n")
    path.write_text(f"{header}\n\n{rest}\n")  # as in some of the publisher's older files
    assert [array.ravel().tolist() for array in load(path).records] == [[10, 15], [60, 0]]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"pickup_s": [1], "zone": [4]}, "got the columns 'pickup_s, zone'"),
        (
            {"pickup_s": ["1"], "PULocationID": [4]},
            "column pickup_s must be .* got the type object",
        ),
        (
            {"tpep_pickup_datetime": [5], "PULocationID": [4]},
            "datetime must be a time .* got the type int64",
        ),
        (
            {"pickup_s": [1], "PULocationID": [4.5]},
            "PULocationID must be an integer .* got the type float64",
        ),
        (
            {"pickup_s": [1, 2, None], "PULocationID": [4] * 3},
            "row 3: pickup_s must be a value, got an empty cell",
        ),
        ({"pickup_s": [], "PULocationID": []}, "at least one row of data, got none"),
    ],
)
def test_parquet_columns_that_do_not_fit(tmp_path, columns, message):
    path = tmp_path / "trips.parquet"
    parquet.write_table(pyarrow.table(columns), path)
    with pytest.raises(boclust.InvalidInputError, match=message) as told:
        load(path)
    assert "TLC Trip Record Data" in str(told.value)


def test_damaged_files(tmp_path):
    whole = write(tmp_path / "trips.parquet", DAYS).read_bytes()
    damaged = tmp_path / "damaged.parquet"
    contents = {
        b"": "0 bytes",
        b"VendorID,tpep_pickup_datetime,PULocationID\n": "not a parquet file",
        whole[:-20]: "not a parquet file",
    }
    for content, message in contents.items():
        damaged.write_bytes(content)
        with pytest.raises(boclust.InvalidInputError, match=message):
            load(damaged)
    footer = whole.index(b"schema") - 30
    damaged.write_bytes(whole[:4] + b"\xff" * (footer - 4) + whole[footer:])
    with pytest.raises(boclust.InvalidInputError, match="TLC Trip Record Data"):
        load(damaged)
    for name in ("none.parquet", "none.csv"):
        with pytest.raises(boclust.InvalidInputError, match=f"{name} must be .* got no such file"):
            load(tmp_path / name)
    with pytest.raises(boclust.InvalidInputError, match="got a folder"):
        load(tmp_path)
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(
        boclust.InvalidInputError, match=r"empty.csv must be .* got an empty file .*TLC"
    ):
        load(tmp_path / "empty.csv")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (dict(zones=(4, 266)), r"^zones\b.*from 1 to 265"),
        (dict(zones=(4, 5)), r"zones must be .* \(the busiest are 4, 12\), got zone 5 with 0 gaps"),
        (dict(zones=(4, 4)), "zones must be at least two"),
        (dict(zones=(4,)), "zones must be at least two"),
        (dict(zones="412"), "zones must be .* got '412'"),
        (dict(zones=(4, "12")), r"^zones\b.*'12'"),
        (dict(hours=(8, 8)), "hours must be two hours"),
        (dict(hours=(22, 8)), "hours must be two hours"),
        (dict(hours=(0, 25)), "hours must be two hours"),
        (dict(hours=8), "hours must be .* got 8"),
        (dict(hours=("a", "b")), "hours must be two hours"),
        (dict(zero_gap=1), r"^zero_gap\b.* 1"),
        (dict(zero_gap=-0.5), r"^zero_gap\b.* -0.5"),
    ],
)
def test_arguments_that_do_not_fit(tmp_path, options, message):
    with pytest.raises(boclust.InvalidInputError, match=message):
        load(write(tmp_path / "trips.csv"), **options)


def variation(data):
    return (data.deviations / data.means).ravel()


def test_the_real_month():
    path = real_data("nyc-tlc-yellow", "yellow_manhattan_pickups_2024-01.parquet")
    data = nyc_taxi(path)
    expected = [18.7, 18.8, 95.8, 109.8, 168.6, 194.0]
    np.testing.assert_allclose(data.means.ravel(), expected, atol=0.051)
    assert data.labels.tolist() == [0, 0, 1, 1, 2, 2]
    assert (variation(data).min(), variation(data).max()) == pytest.approx((2.6, 4.4), abs=0.05)
    daily = nyc_taxi(path, hours=(8, 22))
    assert (variation(daily).min(), variation(daily).max()) == pytest.approx((1.2, 1.4), abs=0.05)
    # most pickups of zone 148 are at night: in these hours the clusters are others
    assert daily.labels.tolist() == [0, 0, 1, 2, 1, 1]
    positive = nyc_taxi(path, zero_gap=0.5)
    assert positive.instance(boclust.Exponential()).labels.tolist() == [0, 0, 1, 1, 2, 2]


def test_the_publishers_own_columns():
    path = real_data("nyc-tlc-yellow", "yellow_tripdata_2025-01_first1000rows.csv")
    data = nyc_taxi(path, zones=(161, 237, 79))
    assert data.counts.tolist() == [27, 56, 53]
