"""``boclust paper``: the figures from the command line."""

import json
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from boclust.cli.terminal import interrupted
from boclust.paper import NAMES, reproduce
from boclust.paper.tasks import TaskStore
from support.figures import made_up
from support.processes import PATIENCE, command_line
from support.realdata import real_data


def test_list(call):
    shown = call("paper", "list")
    assert all(name in shown.out for name in NAMES)
    told = json.loads(call("paper", "list", "--json").out)
    assert [entry["name"] for entry in told] == list(NAMES)
    assert {entry["data"] for entry in told if entry["data"]} == {
        "mnist", "movielens-latest-small", "nyc-tlc-yellow",
    }  # fmt: skip


def test_bad_names_and_places(refused, tmp_path, monkeypatch):
    monkeypatch.delenv("BOCLUST_DATA", raising=False)
    refused("no_such_figure", "paper", "fig", "no_such_figure", "--out", tmp_path)
    refused("--data", "paper", "fig", "movielens_means", "--out", tmp_path)
    (tmp_path / "file").write_text("")
    refused("file", "paper", "fig", "sd1_error", "--out", tmp_path / "file")
    refused(
        "grouplens", "paper", "fig", "movielens_means", "--data", tmp_path, "--out", tmp_path / "o"
    )


def test_figure_of_real_data(call, tmp_path):
    data = real_data("movielens-latest-small").parent
    result = call("paper", "fig", "movielens_means", "--data", data, "--out", tmp_path)
    assert result.code == 0
    assert "Held (our check): Six users form four clusters" in result.out
    assert "[1, 1, 2, 2] here" in result.out
    assert (tmp_path / "movielens_means.svg").exists()


def test_all_without_data_says_what_is_missing(call, tmp_path, monkeypatch):
    monkeypatch.delenv("BOCLUST_DATA", raising=False)
    monkeypatch.setattr(TaskStore, "rows", lambda self, task: made_up(task))
    monkeypatch.setattr(reproduce, "_write_picture", lambda *_: "<svg></svg>")
    result = call("paper", "all", "--quick", "--out", tmp_path)
    assert result.code == 1
    assert result.err.count("Not made: ") == 4
    page = (tmp_path / "report.html").read_text()
    assert "Not made: mnist_asymptotic" in page
    assert "11 figures and tables" in result.out


def test_ctrl_c_inside_a_kernel_is_recognised():
    def nested(*errors):
        try:
            raise errors[0]
        except BaseException as inner:
            if len(errors) == 1:
                return inner
            try:
                raise errors[1] from inner
            except BaseException as outer:
                return outer

    assert interrupted(nested(KeyboardInterrupt()))
    assert interrupted(nested(KeyboardInterrupt(), SystemError()))
    assert not interrupted(nested(ValueError(), SystemError()))
    assert not interrupted(None)


def test_commands(call, tmp_path, monkeypatch):
    monkeypatch.delenv("BOCLUST_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(TaskStore, "rows", lambda self, task: made_up(task))
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    for line in ("paper list", "paper fig sd1_error slopes --quick --out report"):
        assert call(*line.split()).code == 0
    assert (tmp_path / "report" / "slopes.png").exists()
    (every,) = re.findall(r"^boclust (paper all .*?) *#", readme, re.MULTILINE)
    assert call(*every.replace("--data DIR ", "").split(), "--help").code == 0


@pytest.mark.slow
def test_interrupted_run_goes_on_where_it_was(tmp_path):
    command = command_line("paper", "fig", "sd1_error", "--quick", "--out", tmp_path)
    began = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    tasks = tmp_path / "tasks"
    deadline = time.monotonic() + PATIENCE
    while not (tasks.exists() and any(tasks.glob("*.parquet"))):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    began.send_signal(signal.SIGINT)
    _, told = began.communicate(timeout=PATIENCE)
    assert began.returncode == 130
    assert "the same command continues it" in told
    kept = {path: path.stat().st_mtime_ns for path in tasks.glob("*.parquet")}
    assert kept
    subprocess.run(command, check=True, capture_output=True)
    assert all(path.stat().st_mtime_ns == when for path, when in kept.items())
    assert (tmp_path / "sd1_error.png").exists()
