"""``boclust bench`` with made up measurements."""

import json
import subprocess
import sys

import pytest

from boclust.bench import NAMES, memory, start, threads
from boclust.bench.base import measured


@pytest.fixture
def bench(call, tmp_path, monkeypatch):
    """The command with three short sections; the environment is as before at the end."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setattr(
        threads, "rows",
        lambda _: iter([measured("span", {"jobs": 2}, [1.0], baseline=[1.5], least_ratio=1.8)]),
    )  # fmt: skip
    warm = {"cache": "warm", "time": "wall"}
    monkeypatch.setattr(start, "rows", lambda _: iter([measured("demo", warm, [2.0], most=3.0)]))
    monkeypatch.setattr(memory, "rows", lambda _: iter([measured("imports", {}, [90.0], "MB")]))
    return lambda *arguments: call("bench", "--out", tmp_path / "out", *arguments)


SHORT = ("--only", "threads", "--only", "start", "--only", "memory")


def test_tables_and_files(bench, tmp_path):
    result = bench(*SHORT)
    assert result.code == 0
    for part in (
        "Threads",
        "ratio",
        "1.5",
        "Memory",
        "90 (90 to 90) MB",
        "not held",
        "ratio >= 1.8",
        "held",
    ):
        assert part in result.out
    assert "threads: 0 s" in result.err
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "bench.json", "bench.csv", "bench.md",
    }  # fmt: skip


def test_help_names_the_sections(call):
    text = call("bench", "--help").out
    assert all(name in text for name in NAMES)


def test_numpy_is_imported_after_the_environment_is_set():
    code = "import sys, boclust.cli.bench; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_json(bench, tmp_path):
    result = bench(*SHORT, "--json")
    told = json.loads(result.out)
    assert told == json.loads((tmp_path / "out" / "bench.json").read_text())
    assert set(told) == {"machine", "settings", "complete", "rows"}
    assert [row["section"] for row in told["rows"]] == ["threads", "start", "memory"]
    assert set(told["rows"][0]) >= {
        "section", "name", "parameters", "median", "low", "high", "unit", "baseline", "ratio",
        "paper", "required", "held",
    }  # fmt: skip
    assert [row["held"] for row in told["rows"]] == [False, True, None]


def test_check(bench):
    assert bench("--only", "start", "--check").code == 0
    assert bench("--only", "memory", "--check").code == 0
    assert bench("--only", "threads", "--check").code == 1


def test_ctrl_c_keeps_finished_sections(bench, tmp_path, monkeypatch):
    def interrupted(_):
        yield measured("half", {}, [1.0])
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(start, "rows", interrupted)
        result = bench(*SHORT)
    assert result.code == 130
    assert "the same command continues it" in result.err
    told = json.loads((tmp_path / "out" / "bench.json").read_text())
    assert [row["name"] for row in told["rows"]] == ["span"]
    assert told["complete"] is False
    monkeypatch.setattr(threads, "rows", lambda _: pytest.fail("measured again"))
    result = bench(*SHORT, "--json")
    assert result.code == 0
    assert [row["name"] for row in json.loads(result.out)["rows"]] == ["span", "demo", "imports"]


def test_bad_input(refused, tmp_path, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    refused("only: is 'nothing'", "bench", "--only", "nothing", "--out", tmp_path / "o")
    refused(
        "has no paper_method.py", "bench", "--only", "setup1", "--baseline", tmp_path,
        "--out", tmp_path / "o",
    )  # fmt: skip
    refused("one of the two", "bench", "--baseline", tmp_path, "--no-baseline")
    (tmp_path / "file").write_text("")
    refused("file", "bench", "--only", "memory", "--out", tmp_path / "file")
    assert not (tmp_path / "o").exists()


@pytest.mark.compiled
def test_sections_without_a_baseline_need_no_folder(bench, tmp_path):
    assert bench("--only", "memory", "--baseline", tmp_path).code == 0
