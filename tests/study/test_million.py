"""A million values in one study."""

import pytest

import boclust
from benchmarks import studies

VALUES = 1_000_000


@pytest.mark.slow
@pytest.mark.compiled
def test_a_million_values(tmp_path):
    """As fast as the first values, without more memory; the snapshot agrees with the log."""
    found = studies.long_log(tmp_path, VALUES)
    assert found.slower < studies.SLOWER_MARK
    assert found.memory < studies.MEMORY_MARK
    with boclust.Study.open(f"sqlite:///{tmp_path}/long.db", "bench") as study:
        assert study.status().samples == VALUES + 1000
        checked = study.verify()
        assert (checked.problems, checked.snapshot) == ((), "equal")
        assert checked.samples == VALUES + 1000
    (tmp_path / "long.db").unlink()
