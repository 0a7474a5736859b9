"""``boclust study list | explain | history | export | verify``."""

import csv
import json
import sqlite3
from pathlib import Path

import pytest

import boclust


def test_list(call, said, study, url):
    boclust.Study.create(url, "other", ["a", "b", "c"], 2, 0.1).close()
    found = said("list")
    assert [(one["name"], one["events"]) for one in found] == [("other", 1), ("tides", 1)]
    text = call("study", "list").out
    assert "tides" in text
    assert "UTC" in text


def test_a_database_without_studies(refused):
    Path("studies.db").touch()
    refused("there are no studies in the database yet", "study", "list")


def test_explain(call, said, url):
    with boclust.Study.create(url, "far", ["a", "b", "c"], 2, 1e-9) as one:
        one.tell_many(12 * [("a", 0.1), ("b", 0.2), ("c", 3.0)])
        expected = one.explain()
    assert 0 < expected.evidence < expected.threshold
    text = call("study", "explain", "far").out
    assert " ".join(text.split()) == expected.text
    assert max(map(len, text.splitlines())) <= 80
    found = said("explain", "far")
    assert found["name"] == "abc"[expected.arm]
    assert (found["evidence"], found["threshold"]) == (expected.evidence, expected.threshold)


def test_explain_before_the_first_value(said, study):
    found = said("explain", "tides")
    assert (found["arm"], found["evidence"], found["remaining"]) == (0, None, None)


def test_history(call, study):
    with study() as one:
        ask = one.ask(client="ann")
        one.tell(ask, 0.5, key="row 1", metadata={"who": "é\n"})
        one.void(3, "typo")
        one.pause()
        events = list(one.history())
    result = call("study", "history", "tides")
    text = [line.split(maxsplit=3) for line in result.out.splitlines()]
    assert [int(line[0]) for line in text] == [1, 2, 3, 4, 5]
    assert text[1][3] == f"asked      'a'  ask {ask.id}  client 'ann'"
    assert text[2][3] == f"told       'a'  = 0.5  ask {ask.id}  key 'row 1'  {{\"who\": \"é\\n\"}}"
    assert text[3][3] == 'voided     \'a\'  for event 3  {"reason": "typo"}'
    lines = call("study", "history", "tides", "--json", "--after", "2").out.splitlines()
    assert [json.loads(line) for line in lines] == events[2:]


def test_bad_history(refused, study):
    refused("after", "study", "history", "tides", "--after", "-1")


def test_export(call, said, refused, study):
    with study() as one:
        one.tell_many([("a", 0.1), ("b", 0.2)])
    assert call("study", "export", "tides", "v.csv").out == "Wrote 2 values to v.csv.\n"
    with open("v.csv", newline="") as file:
        assert [row["value"] for row in csv.DictReader(file)] == ["0.1", "0.2"]
    refused(
        "file must be a new file (or use --force), got v.csv", "study", "export", "tides", "v.csv"
    )
    assert said("export", "tides", "v.csv", "--force") == {"values": 2, "file": "v.csv"}
    assert said("export", "tides", "v.parquet")["values"] == 2
    refused("got 'v.txt'", "study", "export", "tides", "v.txt")
    refused("got no/v.csv (No such", "study", "export", "tides", "no/v.csv")


def test_verify(call, said, study):
    with study() as one:
        one.tell_many([("a", float(i)) for i in range(1500)])
    result = call("study", "verify", "tides")
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines() == [
        "1,501 events, 1,500 samples: all agree with the log.", "Snapshot: equal."
    ]  # fmt: skip
    assert said("verify", "tides") == {
        "ok": True, "events": 1501, "samples": 1500, "snapshot": "equal", "problems": []
    }  # fmt: skip


_GAP = "DELETE FROM boclust_events WHERE seq = 700"


@pytest.mark.filterwarnings("ignore:the snapshot of the study")
@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE boclust_snapshots SET checksum = 'x'", "the snapshot after event 1501 is damaged"),
        (_GAP, "the log has a gap"),
        (f"DELETE FROM boclust_snapshots; {_GAP}", "the log has a gap"),
        ("UPDATE boclust_events SET value = zeroblob(8) WHERE seq = 9", "differs from the log"),
    ],
)
def test_verify_says_what_differs(call, study, statement, problem):
    with study() as one:
        one.tell_many([("a", float(i)) for i in range(1500)])
    with sqlite3.connect("studies.db") as other:
        other.executescript(statement)
    other.close()
    result = call("study", "verify", "tides")
    assert result.code == 1
    assert "there are PROBLEMS" in result.out
    assert "Problem: " in result.out
    assert problem in result.out
    found = call("study", "verify", "tides", "--json")
    assert found.code == 1
    assert not json.loads(found.out)["ok"]
    assert any(problem in one for one in json.loads(found.out)["problems"])
