"""Threads that fetch several tasks at a time."""

import threading
import time

import pytest

from boclust.simulation.engines import Task, running


class Work:
    """A job of a test, whose trials are a list."""

    def __init__(self, fitting=1, trial=lambda number: number):
        self.fitting = fitting
        self.trial = trial
        self.calls = []

    def __call__(self, numbers):
        self.calls.append(len(numbers))
        return [self.trial(number) for number in numbers]

    def tasks(self, n, size=1):
        return [Task(self, range(i, i + size)) for i in range(0, n * size, size)]


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("fitting", [1, 4, 1000])
@pytest.mark.parametrize("size", [1, 3])
def test_every_task_is_done_once(workers, fitting, size):
    one, other = Work(fitting), Work(fitting)
    tasks = one.tasks(50, size) + other.tasks(30, size)
    with running("threads", workers, None) as run:
        found = list(run(tasks))
    assert sorted(number for number, _ in found) == list(range(80))
    for number, trials in found:
        assert trials == list(tasks[number].numbers)
    assert sum(one.calls) == 50 * size
    assert max(one.calls) < fitting + size


def test_what_is_left_is_shared():
    work = Work(fitting=1000)
    with running("threads", 1, None) as run:
        list(run(work.tasks(64)))
    assert work.calls[0] == 32
    assert work.calls == sorted(work.calls, reverse=True)
    assert work.calls[-1] == 1


def test_more_threads_than_tasks():
    with running("threads", 8, None) as run:
        assert list(run(Work().tasks(1))) == [(0, [0])]
        assert list(run([])) == []


@pytest.mark.parametrize("workers", [1, 3])
def test_the_first_error_ends_all(workers):
    done = []

    def wrong(_):
        raise IndexError("a task's own error")

    def slow(_):
        time.sleep(0.01)
        done.append(1)

    with running("threads", workers, None) as run, pytest.raises(IndexError, match="task's own"):
        list(run(Work(trial=wrong).tasks(1) + Work(trial=slow).tasks(500)))
    before = len(done)
    assert before < 100
    time.sleep(0.05)
    assert len(done) == before


def test_who_stops_reading_stops_the_threads():
    before = set(threading.enumerate())
    with running("threads", 2, None) as run:
        found = run(Work().tasks(1000))
        next(found)
        found.close()
    assert set(threading.enumerate()) <= before
