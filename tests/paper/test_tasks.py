"""A finished task is never done twice, and its file is never half written."""

import errno
import os
import signal
import subprocess
import sys
import time

import pytest
from pyarrow import parquet

from boclust.paper.tasks import Task, TaskStore
from support.instances import thorough


def test_work_is_done_once(tmp_path):
    done = []

    def work():
        done.append(1)
        return [{"x": 1.5, "pulls": [1, 2]}]

    store, task = TaskStore(tmp_path / "tasks"), Task({"a": (1, 2)}, work)
    assert store.rows(task) == store.rows(task) == [{"x": 1.5, "pulls": [1, 2]}]
    assert len(done) == 1
    assert TaskStore(tmp_path / "tasks").rows(Task({"a": (1, 2)}, work)) == store.rows(task)
    assert len(done) == 1


def test_another_description_is_another_task():
    assert Task({"a": 1}, list).key != Task({"a": 2}, list).key
    assert Task({"a": 1, "b": 2}, list).key == Task({"b": 2, "a": 1}, list).key


def test_damaged_file_is_worked_out_anew(tmp_path):
    store, task = TaskStore(tmp_path), Task({}, lambda: [{"x": 1}])
    store.rows(task)
    whole = store.path(task).read_bytes()
    flipped = [whole[:i] + bytes([whole[i] ^ 255]) + whole[i + 1 :] for i in range(len(whole))]
    for damage in (b"", b"PAR1 and nothing more", *flipped[::7]):
        store.path(task).write_bytes(damage)
        assert store.rows(task) == [{"x": 1}]


def test_what_a_killed_process_left_is_harmless(tmp_path):
    task = Task({}, lambda: [{"x": 1}])
    path = TaskStore(tmp_path).path(task)
    (tmp_path / f".{path.name}.{os.getpid()}.part").write_bytes(b"half")
    assert TaskStore(tmp_path).rows(task) == [{"x": 1}]


def test_full_disk_leaves_nothing(tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(parquet, "write_table", full)
    store, task = TaskStore(tmp_path), Task({}, lambda: [{"x": 1}])
    with pytest.raises(OSError, match="No space left"):
        store.rows(task)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("moment", [0.0, thorough(0.3)])
def test_kill_loses_at_most_the_task_in_progress(tmp_path, moment):
    script = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from boclust.paper.tasks import Task, TaskStore\n"
        "store = TaskStore(Path(sys.argv[1]))\n"
        "for i in range(10_000):\n"
        "    store.rows(Task({'i': i}, lambda: [{'x': i}] * 1000))\n"
        "    print(i, flush=True)\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as ran:
        assert ran.stdout is not None
        assert ran.stdout.readline() == "0\n"
        time.sleep(moment)
        os.kill(ran.pid, signal.SIGKILL)
        told = [0, *(int(line) for line in ran.stdout.read().split())]
    store = TaskStore(tmp_path)
    for i in told:
        assert store.rows(Task({"i": i}, list)) == [{"x": i}] * 1000
    whole = [path for path in tmp_path.iterdir() if path.suffix == ".parquet"]
    assert len(told) <= len(whole) <= len(told) + 1
