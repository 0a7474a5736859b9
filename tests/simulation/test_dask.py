"""Sweeps on a real Dask cluster: a scheduler and workers in processes of their own, some killed."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress

import pytest

import boclust
from boclust.simulation import WorkersLost, dask_engine, engines
from boclust.simulation.versions import versions
from support.processes import PATIENCE, command_line

SEVEN = boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], 3)
#: Dozens of tasks of a tenth of a second: a kill finds most of them undone.
SETTINGS = dict(instance=SEVEN, algorithms=["span", "rr"], deltas=[0.1], trials=1500, seed=3)
SCRIPT = """
import sys, boclust
from boclust.simulation import engines
engines.TASK_SECONDS = 0.1
seven = boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], 3)
boclust.simulate(
    seven, ["span", "rr"], [0.1], 1500, 3, engine="dask", scheduler=sys.argv[1], out=sys.argv[2]
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

    def __init__(self, folder):
        self.folder = folder
        self.workers = []
        self.scheduler = self._start("scheduler", "--port", "0", "--scheduler-file", "address.json")
        file = folder / "address.json"
        wait_until(lambda: file.exists() and file.read_text().strip(), self.scheduler)
        self.address = json.loads(file.read_text())["address"]
        for i in range(2):
            options = ("--name", f"worker-{i}", "--nthreads", "1", "--no-nanny")
            self.workers.append(self._start("worker", self.address, *options))

    def _start(self, what, *options):
        with open(self.folder / f"{what}.log", "a") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", what, *options, "--no-dashboard"],
                stdout=log, stderr=log, cwd=self.folder,
            )  # fmt: skip

    def kill_while_busy(self, watching, number):
        """SIGKILL for a worker that has tasks."""
        known = watching.scheduler_info()["workers"]
        (address,) = (a for a, told in known.items() if told["name"] == f"worker-{number}")
        wait_until(lambda: watching.processing([address])[address], self.workers[number])
        os.kill(self.workers[number].pid, signal.SIGKILL)
        assert self.workers[number].wait() == -signal.SIGKILL

    def stop(self):
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()


def wait_until(condition, process):
    """While a process lives."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.fixture
def cluster(dask, tmp_path):
    (tmp_path / "dask").mkdir()
    made = Cluster(tmp_path / "dask")
    yield made
    made.stop()


@pytest.fixture
def watching(cluster):
    """Another client, that sees what the workers do."""
    from distributed import Client

    with Client(cluster.address, set_as_default=False) as made:
        made.wait_for_workers(2, timeout=PATIENCE)
        yield made


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


@pytest.fixture(scope="module")
def serial():
    return boclust.simulate(**SETTINGS, jobs=1).table


@pytest.mark.slow
def test_a_killed_worker_and_a_killed_client(cluster, watching, tmp_path, serial):
    """No shard is lost or doubled, finished ones stay, and the results are those of one thread."""
    folder = tmp_path / "sweep"
    with client(cluster, folder) as process:
        wait_until(lambda: len(shards(folder)) >= 3, process)
        cluster.kill_while_busy(watching, 0)
        enough = len(shards(folder)) + 5
        wait_until(lambda: len(shards(folder)) >= enough, process)
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    before = shards(folder)
    finished, everything = boclust.Results.read(folder).tasks
    assert 8 <= finished == len(before) < everything
    again = boclust.simulate(
        **SETTINGS, engine="dask", scheduler=cluster.address, out=folder, resume=True
    )
    assert again.tasks == (everything, everything)
    assert again.table.equals(serial)
    after = shards(folder)
    assert len(after) == everything
    assert before.items() <= after.items()


def interrupting(monkeypatch, what):
    """Do something to the cluster once three tasks are finished; the numbers of all that were."""
    original, done = dask_engine._completed, []
    monkeypatch.setattr(engines, "TASK_SECONDS", 0.1)

    def completed(*arguments):
        for one in original(*arguments):
            done.append(one[0])
            if len(done) == 3:
                what()
            yield one

    monkeypatch.setattr(dask_engine, "_completed", completed)
    return done


@pytest.mark.slow
def test_a_killed_worker_in_memory(cluster, watching, monkeypatch, serial):
    """The tasks of a lost worker are done by the others, in the same call."""
    done = interrupting(monkeypatch, lambda: cluster.kill_while_busy(watching, 0))
    found = boclust.simulate(**SETTINGS, engine="dask", scheduler=cluster.address)
    assert sorted(done) == list(range(len(done)))
    assert found.table.equals(serial)


@pytest.mark.slow
def test_a_killed_scheduler_is_said(cluster, tmp_path, monkeypatch, serial):
    """In one line; the sweep can go on elsewhere."""
    interrupting(monkeypatch, cluster.scheduler.kill)
    folder = tmp_path / "sweep"
    with pytest.raises(WorkersLost, match=r"^the Dask cluster gave up: .*$"):
        boclust.simulate(**SETTINGS, engine="dask", scheduler=cluster.address, out=folder)
    before = shards(folder)
    assert len(before) >= 3
    found = boclust.simulate(**SETTINGS, out=folder, resume=True)
    assert before.items() <= shards(folder).items()
    assert found.table.equals(serial)


@pytest.mark.slow
def test_a_cluster_started_here(dask):
    """Worker processes that are there for one call."""
    settings = {**SETTINGS, "trials": 10}
    found = boclust.simulate(**settings, engine="dask", jobs=2)
    assert found.table.equals(boclust.simulate(**settings).table)


def living(group):
    """The processes of a group that have not ended."""
    import psutil  # comes with distributed

    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, ProcessLookupError):
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


@pytest.mark.slow
def test_ctrl_c_is_one_line(dask, tmp_path):
    """It reaches the workers as well, as at a terminal; none of them stays."""
    config, folder = tmp_path / "config.toml", tmp_path / "sweep"
    config.write_text("means = [0, 0.5, 1, 2.5, 3, 4.5, 5]\nn_clusters = 3\ntrials = 20000\n")
    options = ["--out", folder, "--resume", "--engine", "dask", "--jobs", 2]
    with subprocess.Popen(
        command_line("simulate", config, *options), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, start_new_session=True,
    ) as process:  # fmt: skip
        wait_until(lambda: shards(folder), process)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    lines = [line for line in err.splitlines() if not line.startswith("Compiling")]
    assert (process.returncode, out, len(lines)) == (130, "", 1)
    assert lines[0].startswith("Interrupted. Finished work is kept")
    end = time.monotonic() + PATIENCE
    while living(process.pid):
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize("address", ["nowhere", "http://localhost:8786", "tcp://"])
def test_no_address(dask, address):
    with pytest.raises(boclust.InvalidInputError, match=r"^scheduler must be .*does not answer"):
        boclust.simulate(SEVEN, trials=1, engine="dask", scheduler=address)


def test_nobody_answers(dask, monkeypatch):
    monkeypatch.setattr(dask_engine, "PATIENCE", 0.5)
    with pytest.raises(boclust.InvalidInputError, match=r"got 'tcp://127\.0\.0\.1:1', which does"):
        boclust.simulate(SEVEN, trials=1, engine="dask", scheduler="tcp://127.0.0.1:1")


def test_dask_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(boclust.InvalidInputError, match=r"pip install 'boclust\[dask\]'"):
        boclust.simulate(SEVEN, trials=1, engine="dask")


def test_a_worker_with_another_version_is_refused():
    expected = versions() | {"numpy": "1.0"}
    with pytest.raises(
        boclust.InvalidInputError, match=r"^scheduler must .* numpy is '1\.0' at the"
    ):
        dask_engine._trials(None, range(1), expected)
