"""Sweeps on a real Dask cluster: a scheduler and workers in processes of their own, some killed."""

import importlib.util
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

import boclust
from boclust.simulation import WorkersLost, dask_engine, tasks
from boclust.simulation.versions import versions

SEVEN = boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], 3)
SETTINGS = dict(instance=SEVEN, algorithms=["span", "rr"], deltas=[0.1], trials=300, seed=3)
SCRIPT = """
import sys, boclust
from boclust.simulation import tasks
tasks.SECONDS = 0.1
seven = boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], 3)
boclust.simulate(
    seven, ["span", "rr"], [0.1], 300, 3, engine="dask", scheduler=sys.argv[1], out=sys.argv[2]
)
"""


@pytest.fixture
def dask():
    """Skips where Dask is not installed; in continuous integration it must be."""
    if importlib.util.find_spec("distributed") is None:
        if os.environ.get("CI"):
            pytest.fail("distributed is not installed: pip install 'boclust[dask]'")
        pytest.skip("distributed is not installed")


class Cluster:
    """A scheduler and its workers, each a process."""

    def __init__(self, folder, workers):
        self.folder = folder
        file = folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "--port", "0", "--scheduler-file", file)
        while not file.exists() or not file.read_text().strip():
            assert self.scheduler.poll() is None
            time.sleep(0.02)
        import json

        self.address = json.loads(file.read_text())["address"]
        self.workers = [
            self._start("worker", self.address, "--nthreads", "1", "--no-nanny")
            for _ in range(workers)
        ]

    def _start(self, what, *options):
        with open(self.folder / f"{what}.log", "a") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", what, *map(str, options), "--no-dashboard"],
                stdout=log, stderr=log, cwd=self.folder,
            )  # fmt: skip

    def stop(self):
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(dask, tmp_path):
    (tmp_path / "dask").mkdir()
    made = Cluster(tmp_path / "dask", workers=2)
    yield made
    made.stop()


@contextmanager
def client(cluster, folder):
    """A process that sweeps; killed at the end."""
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, cluster.address, str(folder)])
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def shards(folder):
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("*.parquet")}


def wait_for(folder, enough, process):
    while len(shards(folder)) < enough:
        assert process.poll() is None
        time.sleep(0.005)


@pytest.mark.slow
def test_a_killed_worker_and_a_killed_client(cluster, tmp_path):
    """No shard is lost or doubled, finished ones stay, and the results are those of one thread."""
    serial = boclust.simulate(**SETTINGS, jobs=1)
    folder = tmp_path / "sweep"
    with client(cluster, folder) as process:
        wait_for(folder, 3, process)
        os.kill(cluster.workers[0].pid, signal.SIGKILL)
        wait_for(folder, len(shards(folder)) + 5, process)
        os.kill(process.pid, signal.SIGKILL)
    before = shards(folder)
    finished, everything = boclust.Results.read(folder).tasks
    assert 8 <= finished == len(before) < everything
    again = boclust.simulate(
        **SETTINGS, engine="dask", scheduler=cluster.address, out=folder, resume=True
    )
    assert cluster.workers[1].poll() is None
    assert again.tasks == (everything, everything)
    assert again.table.equals(serial.table)
    after = shards(folder)
    assert len(after) == everything
    assert before.items() <= after.items()


@pytest.mark.slow
def test_a_killed_worker_in_memory(cluster, monkeypatch):
    """The tasks of a lost worker are done by the others, in the same call."""
    import threading

    monkeypatch.setattr(tasks, "SECONDS", 0.1)
    killer = threading.Timer(0.0, cluster.workers[0].kill)
    done = []
    original = dask_engine._completed

    def completed(*arguments):
        for one in original(*arguments):
            done.append(one[0])
            if len(done) == 3:
                killer.start()
            yield one

    monkeypatch.setattr(dask_engine, "_completed", completed)
    found = boclust.simulate(**SETTINGS, engine="dask", scheduler=cluster.address)
    killer.join()
    assert cluster.workers[0].wait() == -signal.SIGKILL
    assert sorted(done) == list(range(len(done)))
    assert found.table.equals(boclust.simulate(**SETTINGS, jobs=1).table)


@pytest.mark.slow
def test_a_killed_scheduler_is_said_and_the_sweep_goes_on_elsewhere(cluster, tmp_path, monkeypatch):
    monkeypatch.setattr(tasks, "SECONDS", 0.1)
    folder = tmp_path / "sweep"
    original = dask_engine._completed

    def completed(*arguments):
        for done, one in enumerate(original(*arguments)):
            if done == 3:
                cluster.scheduler.kill()
            yield one

    monkeypatch.setattr(dask_engine, "_completed", completed)
    with pytest.raises(WorkersLost, match="Dask cluster"):
        boclust.simulate(**SETTINGS, engine="dask", scheduler=cluster.address, out=folder)
    before = shards(folder)
    found = boclust.simulate(**SETTINGS, out=folder, resume=True)
    assert before.items() <= shards(folder).items()
    assert found.table.equals(boclust.simulate(**SETTINGS, jobs=1).table)


@pytest.mark.slow
def test_a_cluster_started_here(dask):
    """Worker processes that are there for one call."""
    settings = {**SETTINGS, "trials": 10}
    found = boclust.simulate(**settings, engine="dask", jobs=2)
    assert found.table.equals(boclust.simulate(**settings).table)


@pytest.mark.parametrize("address", ["nowhere", "http://localhost:8786", "tcp://"])
def test_no_address(dask, address):
    with pytest.raises(boclust.InvalidInputError, match="^scheduler: .*does not answer"):
        boclust.simulate(SEVEN, trials=1, engine="dask", scheduler=address)


def test_nobody_answers(dask, monkeypatch):
    monkeypatch.setattr(dask_engine, "PATIENCE", 0.5)
    with pytest.raises(boclust.InvalidInputError, match=r"^scheduler: 'tcp://127\.0\.0\.1:1' does"):
        boclust.simulate(SEVEN, trials=1, engine="dask", scheduler="tcp://127.0.0.1:1")


def test_dask_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(boclust.InvalidInputError, match=r"pip install 'boclust\[dask\]'"):
        boclust.simulate(SEVEN, trials=1, engine="dask")


def test_a_worker_with_another_version_is_refused():
    expected = versions() | {"numpy": "1.0"}
    with pytest.raises(boclust.InvalidInputError, match=r"^scheduler: numpy is '1\.0' at the clie"):
        dask_engine._rows(None, range(1), expected)
