"""The comparison of two checkouts: here one with itself."""

import subprocess
import sys

import pytest

from benchmarks import compare


def test_a_line_has_the_range_of_single_turns():
    shown = compare.line("rr", [1e-6, 2e-6, 4e-6], [2e-6, 2e-6, 2e-6], "us", "same samples")
    assert shown.split() == ["rr", "2", "us", "2", "us", "1.00", "0.50", "to", "2.00",
                             "same", "samples"]  # fmt: skip


def test_turns_alternate():
    seen = []
    one, two = (lambda name=name: seen.append(name) or len(seen) for name in "ab")
    assert compare.alternating(one, two, 2) == ([1, 4], [2, 3])
    assert seen == ["a", "b", "b", "a"]


@pytest.mark.slow
@pytest.mark.compiled
def test_a_checkout_against_itself():
    shown = compare.compare_case((compare.ROOT, compare.ROOT), "rr, M = 7", 1)
    assert shown.endswith("same samples")


def test_a_worker_that_fails_is_reported(tmp_path):
    (tmp_path / "src" / "boclust").mkdir(parents=True)
    (tmp_path / "src" / "boclust" / "__init__.py").write_text("raise SystemExit(3)\n")
    with pytest.raises(RuntimeError, match="exit code 3"):
        compare.compare_case((tmp_path, compare.ROOT), "rr, M = 7", 1)


def test_a_folder_without_sources_is_refused(tmp_path):
    command = [sys.executable, "-m", "benchmarks.compare", str(tmp_path)]
    done = subprocess.run(command, cwd=compare.ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert "must be a folder that holds src/boclust" in done.stderr
