"""Rows, tables and the files of a report."""

import json
from dataclasses import replace

import pytest

from benchmarks import memory, setup1, threads
from benchmarks.measure import Row, interleaved, measured
from benchmarks.report import Report, amount, marks_table, section_table

ROW = Row("span", {"d": 1, "M": 4}, 2e-6, 1e-6, 3e-6, "s")


def test_repetitions_take_turns():
    seen = []
    work = {name: lambda name=name: seen.append(name) or len(seen) for name in "ab"}
    assert interleaved(work, 2) == {"a": [1, 3], "b": [2, 4]}


def test_a_row_of_repeated_measurements():
    made = measured("a", {}, [2.0, 4.0, 3.0], baseline=[30.0, 20.0, 60.0])
    assert (made.median, made.low, made.high) == (3.0, 2.0, 4.0)
    assert (made.baseline, made.ratio, made.ratio_low, made.ratio_high) == (30.0, 10.0, 5.0, 20.0)
    assert measured("a", {}, [1.0]).ratio is None


@pytest.mark.parametrize(
    ("more", "required", "held"),
    [
        ({}, None, None),
        ({"least_ratio": 3.0, "ratio": 3.0}, "ratio >= 3", True),
        ({"least_ratio": 3.0, "ratio": 2.9}, "ratio >= 3", False),
        ({"most": 2e-6}, "<= 2e-06 s", True),
        ({"most": 1e-6}, "<= 1e-06 s", False),
    ],
)
def test_pass_marks(more, required, held):
    row = replace(ROW, **more)
    assert (row.required, row.held) == (required, held)
    saved = json.loads(json.dumps(row.to_dict("setup1")))
    assert (saved["section"], saved["required"], saved["held"]) == ("setup1", required, held)
    assert Row.from_dict(saved) == row
    assert (required or "section") in marks_table([("start", row)])


def test_amounts():
    shown = [amount(s, "s") for s in (1.234e-7, 9.996e-4, 0.0123, 12.34, 123.4)]
    assert shown == ["0.123 us", "1 ms", "12.3 ms", "12.3 s", "123 s"]


def cells(table):
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]


def test_a_table_with_sizes_across():
    rows = [
        measured("a", {"d": 1, "M": 4}, [1e-6], baseline=[1e-3], paper=0.5),
        measured("b", {"d": 1, "M": 4}, [1e-6]),
        measured("a", {"d": 1, "M": 8}, [2e-6]),
        measured("a", {"d": 5, "M": 8}, [3e-6]),
    ]
    head, _, *lines = cells(section_table(rows, "M"))
    assert head == ["", "d", "", "M = 4", "M = 8"]
    assert [line[:3] for line in lines] == [
        ["a", "1", "ours"], ["", "", "baseline"], ["", "", "ratio"], ["", "", "the paper"],
        ["a", "5", "ours"], ["b", "1", "ours"],
    ]  # fmt: skip
    assert lines[2][3:] == ["1,000 (1,000 to 1,000)", "–"]
    assert cells(section_table(rows[1:2], None))[0] == ["", "d", "M", "measured"]


@pytest.fixture
def begin(tmp_path):
    sections = {"threads": threads, "memory": memory, "setup1": setup1}
    return lambda *names, quick=True: Report(tmp_path, {n: sections[n] for n in names}, quick)


def test_the_files_of_a_report(begin, tmp_path):
    report = begin("threads", "memory")
    report.add("threads", [replace(ROW, most=1e-6)])
    assert json.loads((tmp_path / "bench.json").read_text())["complete"] is False
    report.add("memory", [ROW])
    saved = json.loads((tmp_path / "bench.json").read_text())
    assert saved["complete"] is True
    assert [row["section"] for row in saved["rows"]] == ["threads", "memory"]
    page = (tmp_path / "bench.md").read_text()
    assert "not held" in page
    assert "## Memory" in page
    assert len(report.failed) == 1
    assert {path.name for path in tmp_path.iterdir()} == {"bench.json", "bench.md"}


def test_an_interrupted_report_continues_and_a_finished_one_starts_again(begin, tmp_path):
    begin("threads", "memory").add("threads", [ROW])
    assert begin("threads", "memory", quick=False).found == {}
    assert begin("memory").found == {}
    again = begin("threads", "memory")
    assert again.found == {"threads": [ROW]}
    again.add("memory", [ROW])
    assert begin("threads", "memory").found == {}
    (tmp_path / "bench.json").write_text('{"complete": false, "rows": 3}')
    assert begin("threads", "memory").found == {}


def test_other_sources_start_a_report_again(begin, monkeypatch):
    begin("threads", "memory").add("threads", [ROW])
    here = begin("threads", "memory").machine
    monkeypatch.setattr("benchmarks.report.machine", lambda: here | {"sources": "others"})
    assert begin("threads", "memory").found == {}


def test_pictures(begin, tmp_path):
    from benchmarks.plots import draw

    begin("setup1").add("setup1", [replace(ROW, baseline=1e-3, paper=0.5), ROW])
    assert (tmp_path / "setup1.png").read_bytes().startswith(b"\x89PNG")
    curve = [[100, 2e-6, 1e-6, 3e-6], [1000, 4e-6, 3e-6, 5e-6]]
    where = {"shape": "blobs", "d": 2, "M": "100 to 1000"}
    rows = [measured(f"{way}: growth", where, [0.3], "exponent", curve=curve) for way in "ab"]
    draw("scale", "Many arms", [ROW, *rows], tmp_path)
    assert "shape blobs, d 2, M 100 to 1000" in (tmp_path / "scale.svg").read_text()
