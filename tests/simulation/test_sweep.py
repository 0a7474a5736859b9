"""A sweep in a folder: the same results, whatever ended it and however it was divided."""

import errno
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time

import pyarrow
import pytest
from pyarrow import parquet

import boclust
from boclust.simulation import WorkersLost, engines
from boclust.simulation.sweep import MANIFEST, Sweep
from boclust.sources import Replay, Simulated

THREE = boclust.Instance([0, 0.5, 5], 2)
SETTINGS = dict(instance=THREE, algorithms=["span", "rr"], deltas=[0.2, 0.1], trials=6, seed=3)


@pytest.fixture(scope="module")
def serial():
    return boclust.simulate(**SETTINGS, jobs=1)


@pytest.fixture
def small(monkeypatch):
    """Tasks of two trials."""
    monkeypatch.setattr(engines, "_seconds_per_trial", lambda *_: engines.TASK_SECONDS / 2)


def shards(folder):
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("*.parquet")}


def test_the_folder_holds_the_results(tmp_path, serial, small):
    found = boclust.simulate(**SETTINGS, out=tmp_path / "a" / "sweep")
    assert found.table.equals(serial.table)
    assert found.summary() == serial.summary()
    assert found.tasks == (6, 6)
    again = boclust.Results.read(tmp_path / "a" / "sweep")
    assert again.table.equals(serial.table)
    assert again.guarantees == serial.guarantees
    manifest = json.loads((tmp_path / "a" / "sweep" / MANIFEST).read_text())
    names = [entry["shard"] for entry in manifest["tasks"]]
    assert sorted([*names, MANIFEST]) == sorted(os.listdir(tmp_path / "a" / "sweep"))
    assert manifest["versions"]["boclust"] == boclust.__version__
    first = parquet.ParquetFile(tmp_path / "a" / "sweep" / names[0])
    assert json.loads(first.schema_arrow.metadata[b"what"])["hash"] == manifest["hash"]
    first.close()


def test_resume_does_what_is_missing_and_nothing_else(tmp_path, serial, small):
    boclust.simulate(**SETTINGS, out=tmp_path)
    before = shards(tmp_path)
    lost, damaged, other = sorted(before)[:3]
    (tmp_path / lost).unlink()
    (tmp_path / damaged).write_bytes(b"PAR1 and nothing more")
    parquet.write_table(pyarrow.table({"x": [1]}), tmp_path / other)
    part = boclust.Results.read(tmp_path)
    assert part.tasks == (3, 6)
    assert part.table.num_rows == 3 * 2 * 2
    assert boclust.simulate(**SETTINGS, out=tmp_path, resume=True).table.equals(serial.table)
    after = shards(tmp_path)
    assert {name for name in after if after[name] != before[name]} == {lost, damaged, other}
    boclust.simulate(**SETTINGS, out=tmp_path, resume=True)
    assert shards(tmp_path) == after


def test_resume_begins_where_there_is_nothing(tmp_path, serial):
    assert boclust.simulate(**SETTINGS, out=tmp_path, resume=True).table.equals(serial.table)


def test_shards_in_any_order_make_up_the_whole(tmp_path, serial, small):
    for i in (3, 1, 4, 2):
        found = boclust.simulate(**SETTINGS, out=tmp_path, shard=(i, 4))
    assert found.tasks == (6, 6)
    assert found.table.equals(serial.table)
    none = boclust.simulate(**SETTINGS, out=tmp_path / "other", shard=(9, 9))
    assert none.tasks == (0, 6)
    assert none.summary() == []
    assert none.table.schema.equals(serial.table.schema)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (dict(seed=4), "seed is 3 there and 4 here"),
        (dict(trials=7), r"trials is \[0, 6, 1\] there and \[0, 7, 1\] here"),
        (dict(algorithms=["span"]), "algorithms is"),
        (dict(deltas=[0.1]), "deltas is"),
        (dict(max_samples=1000), "max_samples is 10000000 there and 1000 here"),
        (dict(instance=boclust.Instance([0, 0.6, 5], 2)), "means is"),
        (dict(instance=boclust.Instance([0, 0.5, 5], 2, boclust.Gaussian(2.0))), "family is"),
        (dict(source=Simulated(boclust.Instance([0, 0.5, 6], 2))), "samples is"),
        (dict(source=Replay([[0.0], [0.5], [5.0]])), "samples is"),
    ],
)
def test_another_configuration_is_refused(tmp_path, changes, told):
    boclust.simulate(**SETTINGS, out=tmp_path)
    with pytest.raises(boclust.InvalidInputError, match=f"of the same sweep, got .*: {told}"):
        boclust.simulate(**{**SETTINGS, **changes}, out=tmp_path, resume=True)


def test_another_version_and_a_damaged_manifest_are_refused(tmp_path):
    boclust.simulate(**SETTINGS, out=tmp_path)
    path = tmp_path / MANIFEST
    manifest = json.loads(path.read_text())
    manifest["versions"]["numpy"] = "1.0"
    path.write_text(json.dumps(manifest))
    with pytest.raises(boclust.InvalidInputError, match=r"numpy is '1\.0' there and '"):
        boclust.simulate(**SETTINGS, out=tmp_path, resume=True)
    for damage in ("{", "{}", "[]"):
        path.write_text(damage)
        with pytest.raises(boclust.InvalidInputError, match=r"cannot read .*manifest\.json"):
            boclust.simulate(**SETTINGS, out=tmp_path, resume=True)


def test_the_first_manifest_stays(tmp_path, small, monkeypatch):
    """Two that begin at once measure different times: the second does the tasks of the first."""
    boclust.simulate(**SETTINGS, out=tmp_path, shard=(1, 2))
    first = (tmp_path / MANIFEST).read_text()
    monkeypatch.setattr(engines, "_seconds_per_trial", lambda *_: engines.TASK_SECONDS)
    monkeypatch.setattr(Sweep, "find", lambda *_: None)
    boclust.simulate(**SETTINGS, out=tmp_path, shard=(2, 2))
    assert (tmp_path / MANIFEST).read_text() == first
    assert boclust.Results.read(tmp_path).tasks == (6, 6)
    assert not list(tmp_path.glob(".*"))


def test_full_disk_leaves_nothing_half(tmp_path, monkeypatch, serial):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(parquet, "write_table", full)
        with pytest.raises(OSError, match="No space left"):
            boclust.simulate(**SETTINGS, out=tmp_path)
    assert os.listdir(tmp_path) == [MANIFEST]
    assert boclust.simulate(**SETTINGS, out=tmp_path, resume=True).table.equals(serial.table)


@pytest.mark.parametrize(
    ("changes", "argument"),
    [
        (dict(resume=True), "out"),
        (dict(shard=(1, 2)), "out"),
        (dict(out=3), "out"),
        (dict(out="sweep", shard=(0, 4)), "shard"),
        (dict(out="sweep", shard=(5, 4)), "shard"),
        (dict(out="sweep", shard="1/4"), "shard"),
        (dict(out="sweep", shard=(1, 2, 3)), "shard"),
        (dict(out="file"), "out"),
        (dict(out="done"), "out"),
        (dict(scheduler="tcp://127.0.0.1:8786"), "scheduler"),
        (dict(scheduler=8786, engine="dask"), "scheduler"),
        (dict(algorithms=["span", "span"]), "algorithms"),
    ],
)
def test_bad_input_names_the_argument(tmp_path, monkeypatch, changes, argument):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    boclust.simulate(THREE, trials=1, out="done")
    with pytest.raises(boclust.InvalidInputError, match=rf"^{argument} must be .*, got "):
        boclust.simulate(**{"instance": THREE, "trials": 1, **changes})
    assert not (tmp_path / "sweep").exists()
    with pytest.raises(boclust.InvalidInputError, match=r"^folder must be .* no manifest"):
        boclust.Results.read(tmp_path)


@pytest.mark.parametrize("seconds", [1e-9, 0.01, 1e6])
def test_tasks_are_sized_by_the_clock(tmp_path, monkeypatch, seconds):
    """Whatever the clock says, every trial is in one task, and tasks are in order."""
    monkeypatch.setattr(engines, "TASK_SECONDS", seconds)
    boclust.simulate(**SETTINGS, out=tmp_path)
    sweep = Sweep.read(tmp_path)
    found = [(e["algorithm"], n) for e in sweep.entries for n in range(*e["trials"])]
    assert found == [(name, n) for name in ("span", "rr") for n in range(6)]
    if seconds != 0.01:
        assert len(sweep.entries) == (2 if seconds > 1 else 12)


#: Tasks of two trials, and one of them that never ends.
SCRIPT = """
import signal, sys, boclust
from boclust.simulation import engines
from boclust.simulation.sweep import Sweep
def keep(sweep, number, trials, keep=Sweep.keep):
    if number == endless:
        signal.pause()
    keep(sweep, number, trials)
i, n, endless = map(int, sys.argv[2:])
engines._seconds_per_trial = lambda *_: engines.TASK_SECONDS / 2
Sweep.keep = keep
seven = boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], 3)
boclust.simulate(seven, ["span", "rr"], [0.1], 20, 3, out=sys.argv[1], shard=(i, n))
"""
SEVEN = boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], 3)


def start(folder, i, n, endless=-1):
    command = [sys.executable, "-c", SCRIPT, *(str(x) for x in (folder, i, n, endless))]
    return subprocess.Popen(command)


def whole(folder):
    """Every task has one shard, and every trial one row."""
    results = boclust.simulate(SEVEN, ["span", "rr"], [0.1], 20, 3, out=folder, resume=True)
    assert results.tasks[0] == results.tasks[1] == len(shards(folder)) == 20
    assert results.table.equals(boclust.simulate(SEVEN, ["span", "rr"], [0.1], 20, 3).table)


@pytest.mark.slow
@pytest.mark.compiled
def test_two_processes_at_once(tmp_path):
    boclust.simulate(SEVEN, ["span", "rr"], [0.1], 1)  # compiled once, not by both
    both = [start(tmp_path, i, 2) for i in (1, 2)]
    assert [process.wait() for process in both] == [0, 0]
    results = boclust.Results.read(tmp_path)
    assert results.tasks == (20, 20)
    whole(tmp_path)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("enough", [7, 1])
def test_kill_loses_at_most_what_is_in_progress(tmp_path, enough):
    with start(tmp_path, 1, 1, endless=13) as process:
        while len(shards(tmp_path)) < enough and process.poll() is None:
            time.sleep(0.002)
        os.kill(process.pid, signal.SIGKILL)
    before = shards(tmp_path)
    finished, everything = boclust.Results.read(tmp_path).tasks
    assert finished == len(before) >= enough
    assert finished < everything
    whole(tmp_path)
    assert before.items() <= shards(tmp_path).items()


@pytest.mark.compiled
def test_a_killed_process_of_the_pool(tmp_path, small, monkeypatch):
    """It is said, and what is finished is kept."""
    original = Sweep.keep

    def keep(*arguments):
        original(*arguments)
        for child in multiprocessing.active_children():
            child.kill()

    settings = dict(instance=SEVEN, algorithms=["span", "rr"], deltas=[0.1], trials=20, seed=3)
    with monkeypatch.context() as patch:
        patch.setattr(Sweep, "keep", keep)
        with pytest.raises(WorkersLost, match="a worker process ended"):
            boclust.simulate(**settings, engine="processes", jobs=2, out=tmp_path)
    finished, everything = boclust.Results.read(tmp_path).tasks
    assert 1 <= finished < everything
    whole(tmp_path)
