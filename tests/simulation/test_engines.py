"""Who does the tasks: threads that fetch them one after the other."""

import threading
import time

import pytest

import boclust
from boclust.engine import Engine
from boclust.registry import algorithm
from boclust.simulation.engines import running


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_every_task_is_done_once(workers):
    tasks = [lambda i=i: [{"trial": i}] for i in range(50)]
    with running("threads", workers, None) as run:
        found = list(run(tasks))
    assert sorted(number for number, _ in found) == list(range(50))
    assert all(rows == [{"trial": number}] for number, rows in found)


def test_more_threads_than_tasks():
    with running("threads", 8, None) as run:
        assert list(run([list])) == [(0, [])]
        assert list(run([])) == []


@pytest.mark.parametrize("workers", [1, 3])
def test_the_first_error_ends_all(workers):
    done = []

    def wrong():
        raise IndexError("a task's own error")

    def slow():
        time.sleep(0.01)
        done.append(1)
        return []

    with running("threads", workers, None) as run, pytest.raises(IndexError, match="task's own"):
        list(run([wrong] + [slow] * 500))
    before = len(done)
    assert before < 100
    time.sleep(0.05)
    assert len(done) == before


def test_who_stops_reading_stops_the_threads():
    alive = threading.active_count()
    with running("threads", 2, None) as run:
        found = run([list] * 1000)
        next(found)
        found.close()
    assert threading.active_count() == alive


def test_a_borrowed_run_comes_back_without_samples():
    engine = Engine(algorithm("span"), 3, 1, 2, boclust.Gaussian())
    with engine.borrowed_run() as first:
        first.counts[:] = 5
        first.labels[:] = 1
        with engine.borrowed_run() as second:
            assert second is not first
    with engine.borrowed_run() as again:
        assert again is first or again is second
        assert not again.counts.any()
        assert not again.labels.any()
