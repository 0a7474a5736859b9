"""The examples run, each in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

from support.realdata import real_data

EXAMPLES = Path(__file__).parent.parent / "examples"
#: What a script is given: files of real data.
GIVEN = {
    "customers_by_ratings.py": ["movielens-latest-small"],
    "districts_by_taxi_gaps.py": ["nyc-tlc-yellow", "yellow_manhattan_pickups_2024-01.parquet"],
}


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.py")))
def test_an_example_runs(name, tmp_path):
    data = [str(real_data(*GIVEN[name]))] if name in GIVEN else []
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, *data], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_all_are_listed():
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert all(f"`{path.name}" in text for path in EXAMPLES.glob("*.py"))
