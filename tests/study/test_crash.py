"""Kill processes and servers at any moment: nothing is lost, doubled or different."""

import signal
import time

import numpy as np
import pytest

import boclust
from boclust.study.storage import store
from support.processes import PATIENCE
from support.workers import PROBLEM, forking, work, work_with_snapshots

pytestmark = [pytest.mark.slow, pytest.mark.compiled]

KILLS = 300
SERVER_KILLS = 10


def log(study):
    """Everything that a replay depends on, except times."""
    return [tuple(e[k] for k in ("seq", "kind", "arm", "value", "key")) for e in study.history()]


def outcome(study):
    status = study.status()
    pulls = [arm.samples for arm in status.arms]
    return status.state, status.clusters, pulls, status.samples, status.guarantee


@pytest.fixture(scope="module")
def uninterrupted():
    """The log and the outcome of a study that one process ran from beginning to end."""
    store.memory.cache_clear()
    study = boclust.Study.create("sqlite://", "tides", **PROBLEM)
    work("sqlite://", "tides", lambda told: None)
    yield log(study), outcome(study)
    store.memory.cache_clear()


class Life:
    """A process that works on a study, and its acknowledgements."""

    def __init__(self, url):
        context = forking()
        self._end, theirs = context.Pipe(duplex=False)
        self.process = context.Process(target=work_with_snapshots, args=(url, "tides", theirs.send))
        self.process.start()
        theirs.close()
        self.told = []

    def hear(self, seconds=0.0):
        """Read the next acknowledgement; returns whether there was one."""
        try:
            if self._end.poll(seconds):
                self.told += self._end.recv()
                return True
        except EOFError:
            pass
        return False

    def kill(self):
        """Kill the process; returns all its acknowledgements."""
        self.process.kill()
        self.process.join(PATIENCE)
        while self.hear():
            pass
        self._end.close()
        return self.told


def check(url, acknowledged, uninterrupted):
    """Each acknowledged value is there once; the study continues to the expected end."""
    study = boclust.Study.open(url, "tides")
    history = log(study)
    expected, ending = uninterrupted
    assert history == expected[: len(history)]
    told = {seq: (arm, value) for seq, _, arm, value, _ in history}
    assert len({seq for seq, *_ in acknowledged}) == len(acknowledged)
    for seq, arm, value in acknowledged:
        assert told[seq] == (PROBLEM["arms"][arm], value)
    found = study.verify()
    assert (found.problems, found.snapshot) == ((), "equal")
    assert study.status().state == "open"
    work(url, "tides", lambda told: None)
    assert log(study) == expected
    assert outcome(study) == ending
    assert study.verify().ok
    study.close()


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
def test_processes_that_are_killed(url, create, uninterrupted):
    """Kill it while it starts, or up to 5 ms after a few steps; about 3 steps each."""
    create(**PROBLEM).close()
    rng = np.random.default_rng(1)
    acknowledged = []
    for _ in range(KILLS):
        life = Life(url)
        if steps := int(rng.integers(6)):
            assert all(life.hear(PATIENCE) for _ in range(steps))
            time.sleep(rng.uniform(0, 0.005))
        else:
            time.sleep(rng.uniform(0, 0.1))
        acknowledged += life.kill()
        assert life.process.exitcode == -signal.SIGKILL
    assert len(acknowledged) > 2 * KILLS
    check(url, acknowledged, uninterrupted)


def test_servers_that_are_killed(mortal, uninterrupted):
    """During the work, by an immediate stop and by SIGKILL; the process continues."""
    url = mortal.url("postgres")
    boclust.Study.create(url, "tides", **PROBLEM).close()
    rng = np.random.default_rng(2)
    life = Life(url)
    for i in range(SERVER_KILLS):
        assert all(life.hear(PATIENCE) for _ in range(int(rng.integers(10, 40))))
        time.sleep(rng.uniform(0, 0.01))
        mortal.kill() if i % 2 else mortal.stop("immediate")
        mortal.start()
    assert all(life.hear(PATIENCE) for _ in range(20))
    assert life.process.is_alive()  # it has survived all of them by itself
    check(url, life.kill(), uninterrupted)
