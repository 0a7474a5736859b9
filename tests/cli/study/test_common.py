"""The database, errors in one line, and commands to go on with."""

import json
import shlex
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import boclust
from boclust._data import as_data
from boclust.cli.study.common import quoted
from boclust.study.status import Estimate

ALL = [
    ("create", "x", "--n-arms", "3", "-k", "2"),
    ("list",),
    ("ask", "tides"),
    ("tell", "tides", "--arm", "a", "1"),
    ("status", "tides"),
    ("explain", "tides"),
    ("history", "tides"),
    ("void", "tides", "2", "--reason", "x"),
    ("correct", "tides", "2", "1", "--reason", "x"),
    ("pause", "tides"),
    ("resume", "tides"),
    ("budget", "tides", "--none"),
    ("stop", "tides", "--reason", "x"),
    ("import", "tides", "past.csv"),
    ("export", "tides", "values.csv"),
    ("verify", "tides"),
    ("fork", "tides", "y"),
    ("db", "upgrade"),
]
OF_STUDY = [one for one in ALL if "tides" in one]


@pytest.fixture(autouse=True)
def _past():
    Path("past.csv").write_text("arm,value\na,1\n")


def test_help_lists_and_imports_nothing(call):
    result = call("study", "--help")
    assert all(f"  {one[0]} " in result.out for one in ALL)
    assert max(map(len, result.out.splitlines())) <= 80
    assert call("study").err == result.out
    code = "import sys; sys.argv = ['boclust', 'study', '--help']\nfrom boclust.cli import main\n"
    code += "try:\n    main()\nexcept SystemExit: print(sorted({'sqlalchemy', 'numba', 'numpy'} & "
    code += "set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("arguments", ALL, ids=lambda one: one[0])
def test_every_command_has_help_and_needs_a_database(call, refused, monkeypatch, arguments):
    words = arguments[:2] if arguments[0] == "db" else arguments[:1]
    assert "Usage: boclust study" in call("study", *words, "--help").out
    monkeypatch.delenv("BOCLUST_URL")
    refused("url must be given as --url or BOCLUST_URL: sqlite:///", "study", *arguments)
    refused("for this file: sqlite:///x.db", "study", *arguments, "--url", "x.db")
    refused("which ends with the command", "study", *arguments, "--url", "sqlite://")
    refused("got the database 'mysql'", "study", *arguments, "--url", "mysql://u@h/x")
    if arguments[0] != "create":
        refused("there is no database no.db", "study", *arguments, "--url", "sqlite:///no.db")
    assert [path.name for path in Path().iterdir()] == ["past.csv"]


@pytest.mark.parametrize("arguments", OF_STUDY, ids=lambda one: one[0])
def test_an_unknown_study(refused, study, odd, arguments):
    for name in ("nothing", *odd):
        words = [name if word == "tides" else word for word in arguments]
        refused(f"sqlite:///studies.db has no study {name!r}", "study", *words)


@pytest.mark.parametrize("arguments", ALL, ids=lambda one: one[0])
def test_databases_that_are_something_else(refused, study, arguments):
    Path("text.db").write_text("no database at all, though it is as long as one" * 100)
    refused("is damaged or not a database", "study", *arguments, "--url", "sqlite:///text.db")
    with sqlite3.connect("studies.db") as other:
        other.execute("UPDATE boclust_version SET version_num = '0999'")
    other.close()
    refused("schema 999, made by a newer boclust", "study", *arguments)


@pytest.mark.parametrize(
    "arguments",
    [one for one in ALL if one[0] in ("create", "ask", "tell", "import", "pause", "fork", "stop")],
    ids=lambda one: one[0],
)
def test_a_read_only_file(refused, study, arguments):
    refused(
        "the database is read-only", "study", *arguments,
        "--url", "sqlite:///file:studies.db?mode=ro&uri=true",
    )  # fmt: skip


def test_a_server_that_is_not_there(refused, monkeypatch):
    monkeypatch.setattr("boclust.study.storage.store.RECONNECT", 0.0)
    url = "postgresql+psycopg://ann:secret@127.0.0.1:1/x"
    refused("ann:***@127.0.0.1:1/x: cannot reach the server", "study", "list", "--url", url)


def test_a_name_with_half_a_character(refused, study):
    refused("name must be text of 1 to 2000 bytes", "study", "status", "tid\udce9s")
    tell = ["study", "tell", "tides", "--arm", "a", "1", "--key", "\udce9"]
    refused("key must be text of 1 to 2000 bytes", *tell)


@pytest.mark.filterwarnings("default")
def test_warnings_are_one_line(call, study):
    with study() as one:
        one.tell_many([("a", float(i)) for i in range(1500)])
    with sqlite3.connect("studies.db") as other:
        other.execute("UPDATE boclust_snapshots SET checksum = 'x'")
    other.close()
    result = call("study", "status", "tides", "--json")
    assert json.loads(result.out)["samples"] == 1500
    assert result.err.startswith("Warning: the snapshot of the study is damaged")
    assert result.err.count("\n") == 1


def test_what_comes_next_is_for_a_shell(call, odd, monkeypatch):
    monkeypatch.delenv("BOCLUST_URL")
    for i, name in enumerate([*odd, "plain", "$(rm x)", "back\\slash"]):
        arguments = ["study", "create", name, "--n-arms", 3, "-k", 2, "--url", f"sqlite:///{i}.db"]
        (line,) = [x for x in call(*arguments).out.splitlines() if x.startswith("Next: ")]
        heard = subprocess.run(
            ["bash", "-c", f"printf '%s\\0' {line.removeprefix('Next: ')}"],
            capture_output=True, check=True, env={"LC_ALL": "C.UTF-8"},
        )  # fmt: skip
        words = heard.stdout.decode().split("\0")[:-1]
        assert words == ["boclust", "study", "ask", name, "--url", f"sqlite:///{i}.db"]
    assert quoted("a b") == shlex.quote("a b")


def test_json_says_none_of_infinite_numbers():
    assert as_data({"x": Estimate(1.0, float("-inf"), float("nan"))}) == {
        "x": {"value": 1.0, "low": None, "high": None}
    }
    assert as_data((1, [boclust.Gaussian(2.0)])) == [1, [{"sigma": 2.0}]]
