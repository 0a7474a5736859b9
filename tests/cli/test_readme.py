"""The commands of the README that read files or standard input."""

import re
import shlex
from pathlib import Path

import pytest
from pyarrow import parquet

import boclust

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
LINES = re.findall(r"^boclust (?:run|simulate) .*$", README, re.MULTILINE)


@pytest.mark.compiled
def test_the_commands_run(call, tmp_path, monkeypatch, rng):
    monkeypatch.chdir(tmp_path)
    (config,) = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    Path("config.toml").write_text(config)
    means = {"a": 0, "b": 1, "c": 9, "d": 9}
    rows = [f"{name},{rng.normal(means[name], 2)}" for name in 200 * list(means)]
    Path("sensors.csv").write_text("sensor,temperature\n" + "\n".join(rows))
    assert len(LINES) == 5
    for line in LINES:
        result = call(*shlex.split(line)[1:], stdin="1\n2\n3\n4\n")
        assert result.code == (3 if "--ask" in line else 0), result.err
        assert ("at most 0.0" in result.out) != ("--ask" in line)
    table = parquet.read_table("trials.parquet")
    assert table.num_rows == 3 * 2 * 20
    assert boclust.Results.read("sweep").table.equals(table)
