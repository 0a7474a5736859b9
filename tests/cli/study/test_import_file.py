"""``boclust study import``: past values, all or nothing."""

from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

import boclust

ROWS = {"arm": ["a", "b", "c", "a"], "value": [0.1, -2.0, 3e-5, 0.1]}
VALUES = list(zip(ROWS["arm"], ROWS["value"], strict=True))


def write(name, **columns):
    if name.endswith(".parquet"):
        parquet.write_table(pyarrow.table(columns), name)
    else:
        from pyarrow import csv

        csv.write_csv(pyarrow.table(columns), name)
    return name


@pytest.mark.parametrize("name", ["past.csv", "past.CSV", "past.parquet"])
def test_a_file_is_imported_once(call, said, told, study, name):
    write(name, **ROWS)
    result = call("study", "import", "tides", name, "--client", "ann")
    assert result.code == 0, result.err
    assert result.out.splitlines() == [
        f"Recorded 4 values from {name}.", "State: open. See: boclust study status tides"
    ]  # fmt: skip
    assert told() == VALUES
    again = {"recorded": 0, "known": 4, "voided": 0, "state": "open"}
    assert said("import", "tides", name) == again
    assert told() == VALUES
    assert "Skipped 4 values that had been recorded before." in call(
        "study", "import", "tides", name
    ).out  # fmt: skip
    with study() as one:
        assert {e["client"] for e in one.history(1)} == {"ann"}
        assert one.verify().ok
    Path(name).rename(f"tuesday{Path(name).suffix}")
    assert said("import", "tides", f"tuesday{Path(name).suffix}")["recorded"] == 4


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_columns_by_name(call, said, refused, told, study, suffix):
    columns = {"when": [5, 6], "level": [1.5, 2.5], "station": ["a", "b"], "row": [17, 18]}
    name = write(f"log{suffix}", **columns)
    chosen = ["--arm", "station", "--value", "level", "--key", "row"]
    refused("arm must be given by --arm NAME as a column of log", "study", "import", "tides", name)
    refused("value must be a column of log", "study", "import", "tides", name, *chosen[:3], "x")
    refused(
        "key must be one of the columns of log", "study", "import", "tides", name, *chosen[:5], "x"
    )
    assert said("import", "tides", name, *chosen)["recorded"] == 2
    assert call("study", "tell", "tides", "--arm", "a", "1.5", "--key", "17").code == 0
    assert told() == [("a", 1.5), ("b", 2.5)]


def test_the_order_of_two_usual_columns(said, told, study):
    write("past.csv", value=[0.5], arm=["b"])
    said("import", "tides", "past.csv")
    write("other.csv", station=["c"], level=[0.25])
    said("import", "tides", "other.csv")
    assert told() == [("b", 0.5), ("c", 0.25)]


def test_arms_by_number_and_odd_names(said, url, odd):
    boclust.Study.create(url, "tides", odd, 2, 0.1).close()
    write("past.csv", arm=[*odd, " 1 ", "2"], value=[1, 2, 3, 4, 5])
    said("import", "tides", "past.csv")
    write("past.parquet", arm=[0, 2], value=[6.0, 7.0])
    said("import", "tides", "past.parquet")
    with boclust.Study.open(url, "tides") as study:
        found = [(e["arm"], e["value"]) for e in study.history(1)]
    arms = [*odd, odd[1], odd[2], odd[0], odd[2]]
    assert found == list(zip(arms, [1, 2, 3, 4, 5, 6, 7], strict=True))


def test_vectors(said, refused, url):
    boclust.Study.create(url, "tides", ["a", "b", "c"], 2, 0.1, dim=2).close()
    write("past.csv", arm=["a", "b"], value_0=[1, 2], value_1=[3, 4], note=["x", "y"])
    assert said("import", "tides", "past.csv")["recorded"] == 2
    with boclust.Study.open(url, "tides") as study:
        assert [e["value"] for e in study.history(1)] == [[1, 3], [2, 4]]
    write("past.csv", arm=["a"], value=[1])
    refused("past.csv, line 2: value", "study", "import", "tides", "past.csv")


@pytest.mark.parametrize("name", ["v.csv", "v.parquet"])
def test_what_export_wrote(said, told, study, url, name):
    with study() as one:
        one.tell_many([("a", 0.1, 'k "1"\n'), ("b", 0.2), ("c", 0.3)])
        one.void(3, "unplugged")
        one.correct(4, 9.0, "typo")
    said("export", "tides", name)
    boclust.Study.create(url, "copy", ["a", "b", "c"], 2, 0.1).close()
    found = said("import", "copy", name)
    assert (found["recorded"], found["voided"]) == (2, 1)
    assert told("copy") == [("a", 0.1), ("c", 9.0)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a,x\n", "past.csv, line 5, column 'value' must be a number, got 'x'"),
        ("a,1_0\n", "past.csv, line 5, column 'value' must be a number, got '1_0'"),
        ("a,nan\n", "past.csv, line 5: value"),
        ("a,inf\n", "past.csv, line 5: value"),
        ("a,9007199254740993\n", "got 9007199254740993, which a float rounds"),
        ("a,\n", "past.csv, line 5, column 'value' must be a number, got nothing"),
        (",1\n", "past.csv, line 5, column 'arm' must be the name of an arm"),
        ("z,1\n", "past.csv, line 5: arm must be the name ('a', 'b', 'c')"),
        ("3,1\n", "past.csv, line 5: arm"),
        ('"a\n\nb",1\n', "got 'a\\n\\nb'"),
        ('a,"2\n"\nz,1\n', "past.csv, line 7: arm must be"),
        ("a,1,2\n", "past.csv, line 5 must be 2 cells, as in the header line, got 3"),
        ("a\n", "past.csv, line 5 must be 2 cells, as in the header line, got 1"),
        ('a,"1\n', "file must be a CSV file with a header line, or a Parquet file, got past.csv ("),
        (
            "a,\udcff\n",
            "file must be a CSV file with a header line, or a Parquet file, got past.csv (",
        ),
    ],
)
def test_all_or_nothing_with_line_numbers(refused, told, study, text, problem):
    good = "arm,value\na,1\n\nb,2\n"
    Path("past.csv").write_text(good + text, encoding="utf-8", errors="surrogateescape")
    refused(problem, "study", "import", "tides", "past.csv")
    assert told() == []


def test_keys_that_contradict(refused, told, study):
    with study() as one:
        one.tell("a", 1.0, key="k")
    write("past.csv", arm=["b", "a"], value=[2, 3], key=["m", "k"])
    refused(
        "past.csv, line 3: the key 'k' was used by event 2", "study", "import", "tides", "past.csv"
    )
    write("past.csv", arm=["b", "a"], value=[2, 3], key=["m", "m"])
    refused("past.csv, line 3: the key 'm' was used", "study", "import", "tides", "past.csv")
    assert told() == [("a", 1.0)]


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        (dict(arm=["a", "z"], value=[1.0, 2.0]), "p.parquet, row 2: arm must be"),
        (
            dict(arm=["a", None], value=[1.0, 2.0]),
            "p.parquet, row 2, column 'arm' must be the name",
        ),
        (
            dict(arm=["a", "b"], value=[1.0, None]),
            "p.parquet, row 2, column 'value' must be a number",
        ),
        (dict(arm=["a", "b"], value=[1.0, float("nan")]), "p.parquet, row 2: value"),
        (dict(arm=["a", "b"], value=[True, False]), "p.parquet, row 1: value"),
        (
            dict(arm=["a", "b"], value=["1", "x"]),
            "p.parquet, row 2, column 'value' must be a number, got 'x'",
        ),
        (dict(arm=[0.0, 1.0], value=[1.0, 2.0]), "p.parquet, row 1: arm"),
        (dict(arm=["a", "b"], value=[2**53, 2**53 + 1]), "got 9007199254740993, which a float"),
        (dict(arm=pyarrow.array([], "string"), value=pyarrow.array([], "double")), "without rows"),
    ],
)
def test_bad_parquet(refused, told, study, columns, problem):
    write("p.parquet", **columns)
    refused(problem, "study", "import", "tides", "p.parquet")
    assert told() == []


def test_files_that_cannot_be_read(refused, study):
    refused("got none.csv (No such file", "study", "import", "tides", "none.csv")
    refused("got . (Is a directory", "study", "import", "tides", ".")
    Path("p.parquet").write_text("not Parquet")
    refused("got p.parquet (", "study", "import", "tides", "p.parquet")
    Path("empty.csv").touch()
    refused("got empty.csv without rows", "study", "import", "tides", "empty.csv")


@pytest.mark.slow
@pytest.mark.compiled
def test_more_keys_than_a_statement_takes(said, told, study):
    n = 40_000
    write("big.parquet", arm=["abc"[i % 3] for i in range(n)], value=[0.0] * n)
    assert said("import", "tides", "big.parquet")["recorded"] == n
    assert said("import", "tides", "big.parquet")["known"] == n
    assert len(told()) == n
