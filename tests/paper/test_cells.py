"""A finished cell is never worked out twice, and never half there."""

import errno
import os
import signal
import subprocess
import sys
import time

import pytest
from pyarrow import parquet

from boclust.paper.cells import Cell, Store
from instances import thorough


def test_work_is_done_once(tmp_path):
    done = []

    def work():
        done.append(1)
        return [{"x": 1.5, "pulls": [1, 2]}]

    store, cell = Store(tmp_path / "cells"), Cell({"a": (1, 2)}, work)
    assert store.rows(cell) == store.rows(cell) == [{"x": 1.5, "pulls": [1, 2]}]
    assert len(done) == 1
    assert Store(tmp_path / "cells").rows(Cell({"a": (1, 2)}, work)) == store.rows(cell)
    assert len(done) == 1


def test_another_description_is_another_cell():
    assert Cell({"a": 1}, list).key != Cell({"a": 2}, list).key
    assert Cell({"a": 1, "b": 2}, list).key == Cell({"b": 2, "a": 1}, list).key


def test_damaged_file_is_worked_out_anew(tmp_path):
    store, cell = Store(tmp_path), Cell({}, lambda: [{"x": 1}])
    store.rows(cell)
    whole = store.path(cell).read_bytes()
    flipped = [whole[:i] + bytes([whole[i] ^ 255]) + whole[i + 1 :] for i in range(len(whole))]
    for damage in (b"", b"PAR1 and nothing more", *flipped[::7]):
        store.path(cell).write_bytes(damage)
        assert store.rows(cell) == [{"x": 1}]


def test_what_a_killed_process_left_is_in_nobodys_way(tmp_path):
    cell = Cell({}, lambda: [{"x": 1}])
    path = Store(tmp_path).path(cell)
    (tmp_path / f".{path.name}.{os.getpid()}.part").write_bytes(b"half")
    assert Store(tmp_path).rows(cell) == [{"x": 1}]


def test_full_disk_leaves_nothing(tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(parquet, "write_table", full)
    store, cell = Store(tmp_path), Cell({}, lambda: [{"x": 1}])
    with pytest.raises(OSError, match="No space left"):
        store.rows(cell)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("moment", [0.0, thorough(0.3)])
def test_kill_loses_at_most_the_cell_in_progress(tmp_path, moment):
    script = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from boclust.paper.cells import Cell, Store\n"
        "store = Store(Path(sys.argv[1]))\n"
        "for i in range(10_000):\n"
        "    store.rows(Cell({'i': i}, lambda: [{'x': i}] * 1000))\n"
        "    print(i, flush=True)\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as ran:
        assert ran.stdout is not None
        assert ran.stdout.readline() == "0\n"
        time.sleep(moment)
        os.kill(ran.pid, signal.SIGKILL)
        told = [0, *(int(line) for line in ran.stdout.read().split())]
    store = Store(tmp_path)
    for i in told:
        assert store.rows(Cell({"i": i}, list)) == [{"x": i}] * 1000
    whole = [path for path in tmp_path.iterdir() if path.suffix == ".parquet"]
    assert len(told) <= len(whole) <= len(told) + 1
