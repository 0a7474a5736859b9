"""``python -m benchmarks`` with its cheapest section, and its options."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import threads
from benchmarks.__main__ import SECTIONS, main
from benchmarks.measure import measured


@pytest.fixture
def command(tmp_path, monkeypatch):
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(name, "1")  # restored at the end
    return lambda *more: main(["--quick", "--only", "threads", "--out", str(tmp_path), *more])


@pytest.mark.compiled
def test_a_section_is_measured(command, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(threads, "TRIALS", 4)
    assert command() == 0
    assert "## Threads" in capsys.readouterr().out
    saved = json.loads((tmp_path / "bench.json").read_text())
    assert {row["parameters"]["by"] for row in saved["rows"]} >= {"2 threads", "2 processes"}
    assert all(row["median"] > 0 and row["ratio"] > 0 for row in saved["rows"])


@pytest.mark.parametrize(("seconds", "code"), [(1.0, 0), (2.0, 1)])
def test_check(command, monkeypatch, seconds, code):
    row = measured("span", {}, [seconds], most=1.5)
    monkeypatch.setattr(threads, "rows", lambda quick: iter([row]))
    assert command() == 0
    assert command("--check") == code


def test_an_interrupt_ends_with_130(command, monkeypatch, capsys):
    def interrupted(quick):
        raise KeyboardInterrupt

    monkeypatch.setattr(threads, "rows", interrupted)
    assert command() == 130
    assert "the same command continues" in capsys.readouterr().err


def test_help_names_the_sections(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    assert all(name in text for name in SECTIONS)


def test_numpy_is_imported_after_the_threads_are_limited():
    code = "import sys, benchmarks.__main__; sys.exit('numpy' in sys.modules)"
    root = Path(threads.__file__).parents[1]
    assert subprocess.run([sys.executable, "-c", code], cwd=root).returncode == 0
