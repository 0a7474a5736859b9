"""Rows, tables and what is kept of a run."""

import csv
import json

import pytest

from boclust.bench.base import Row, measured
from boclust.bench.report import Report
from boclust.bench.tables import amount, marks_table, section_table


def row(**more):
    return Row("span", {"d": 1, "M": 4}, 2e-6, 1e-6, 3e-6, "s", **more)


def test_a_row_of_repeated_measurements():
    made = measured("a", {}, [2.0, 4.0, 3.0], baseline=[30.0, 20.0, 60.0])
    assert (made.median, made.low, made.high) == (3.0, 2.0, 4.0)
    assert (made.baseline, made.ratio, made.ratio_low, made.ratio_high) == (30.0, 10.0, 5.0, 20.0)
    assert measured("a", {}, [1.0]).ratio is None


def test_pass_marks():
    assert (row().required, row().held) == (None, None)
    assert row(least_ratio=3.0, ratio=3.0).held is True
    assert row(least_ratio=3.0, ratio=2.9).held is False
    assert row(least_ratio=3.0).held is None
    assert row(most=2e-6).held is True
    assert row(most=1e-6).held is False
    assert row(most=1e-6).required == "<= 1e-06 s"


def test_a_row_survives_json():
    made = row(least_ratio=3.0, ratio=2.0, curve=[[1.0, 2.0, 1.0, 3.0]])
    told = json.loads(json.dumps(made.to_dict("setup1")))
    assert (told["section"], told["required"], told["held"]) == ("setup1", "ratio >= 3", False)
    assert Row.from_dict(told) == made


def test_amounts():
    shown = [amount(s, "s") for s in (1.234e-7, 9.996e-4, 0.0123, 12.34, 123.4)]
    assert shown == ["0.123 us", "1 ms", "12.3 ms", "12.3 s", "123 s"]


def test_a_table_with_sizes_across():
    rows = [
        measured("a", {"d": 1, "M": 4}, [1e-6], baseline=[1e-3], paper=0.5),
        measured("b", {"d": 1, "M": 4}, [1e-6]),
        measured("a", {"d": 1, "M": 8}, [2e-6]),
        measured("a", {"d": 5, "M": 8}, [3e-6]),
    ]
    made = section_table(rows, "M")
    assert made.columns == ["", "d", "", "M = 4", "M = 8"]
    assert [line[:3] for line in made.lines] == [
        ["a", "1", "ours"], ["", "", "baseline"], ["", "", "ratio"], ["", "", "the paper"],
        ["a", "5", "ours"], ["b", "1", "ours"],
    ]  # fmt: skip
    assert made.lines[2][3:] == ["1,000 (1,000 to 1,000)", "–"]
    assert made.markdown().count("\n") == 7
    assert section_table(rows[1:2], None).columns == ["", "d", "M", "measured"]


def test_the_table_of_pass_marks():
    rows = [row(), row(least_ratio=3.0), row(most=1.0), row(most=1e-6)]
    lines = marks_table([("start", one) for one in rows]).lines
    assert [line[-1] for line in lines] == ["no ratio measured", "held", "not held"]


@pytest.fixture
def begin(tmp_path):
    return lambda *sections, **settings: Report(tmp_path, sections, settings)


def test_files_of_a_report(begin, tmp_path):
    report = begin("threads", "memory", quick=False)
    report.add("threads", [row(most=1.0)])
    told = json.loads((tmp_path / "bench.json").read_text())
    assert told["complete"] is False
    assert set(told["machine"]) >= {"cpu", "cores", "load", "date", "python", "numpy", "numba"}
    report.add("memory", [row()])
    assert json.loads((tmp_path / "bench.json").read_text())["complete"] is True
    lines = list(csv.DictReader((tmp_path / "bench.csv").read_text().splitlines()))
    assert [line["section"] for line in lines] == ["threads", "memory"]
    assert lines[0]["parameters"] == "d=1 M=4"
    page = (tmp_path / "bench.md").read_text()
    assert "## Pass marks" in page
    assert "## Memory" in page
    assert not list(tmp_path.glob("*.part"))


def test_an_interrupted_report_goes_on_and_a_finished_one_begins_anew(begin, tmp_path):
    begin("threads", "memory", quick=True).add("threads", [row()])
    assert begin("threads", "memory", quick=False).found == {}
    assert begin("memory", quick=True).found == {}
    again = begin("threads", "memory", quick=True)
    assert again.found == {"threads": [row()]}
    again.add("memory", [row()])
    assert begin("threads", "memory", quick=True).found == {}
    (tmp_path / "bench.json").write_text('{"complete": false, "rows": 3}')
    assert begin("threads", "memory", quick=True).found == {}


def test_pictures(begin, tmp_path, made_up):
    from boclust.bench import section

    report = begin("setup1", "setup2", "growth")
    for name in ("setup1", "setup2", "growth"):
        report.add(name, list(section(name).rows(made_up(quick=name == "growth"))))
        assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert "<svg" in (tmp_path / f"{name}.svg").read_text()
    assert len(report.failed) == 3  # a ratio that is too small, too, and one not measured


def test_a_picture_of_many_arms(begin, tmp_path):
    curve = [[100, 2e-6, 1e-6, 3e-6], [1000, 4e-6, 3e-6, 5e-6]]
    where = {"shape": "blobs", "d": 2, "M": "100 to 1000"}
    rows = [measured(f"{way}: growth", where, [0.3], "exponent", curve=curve) for way in "ab"]
    begin("scale").add("scale", [row(), *rows])
    drawn = (tmp_path / "scale.svg").read_text()
    assert "M, blobs, d = 2" in drawn


def test_pictures_without_a_baseline(begin, tmp_path, made_up):
    from boclust.bench import section

    report = begin("setup2")
    report.add("setup2", list(section("setup2").rows(made_up(baseline=False))))
    assert (tmp_path / "setup2.png").exists()
