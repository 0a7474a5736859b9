"""Trials of one algorithm: several in one call of the kernel equal each alone."""

from itertools import pairwise

import numpy as np
import pytest

from boclust.run.algorithm import algorithm
from boclust.simulation import trials
from boclust.simulation.trials import CALL_SECONDS, Job, Trials, schema
from boclust.sources import Replay, Simulated, SourceExhausted
from support.instances import LINE, RUNS, thorough


def job_of(name, instance, source=None, max_samples=300):
    drawn = source or Simulated(instance)
    return Job(name, algorithm(name), instance, drawn, [0.5, 0.1], 3, max_samples)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "instance"), [case if case[1].n_arms < 50 else thorough(*case) for case in RUNS]
)
def test_some_trials_in_one_call_are_the_same_as_each_alone(name, instance):
    alone = Trials.join([job_of(name, instance)([number]) for number in (4, 0, 7)]).table()
    together = job_of(name, instance)
    together.fitting = 3
    assert together([4, 0, 7]).table().equals(alone)
    assert alone["trial"].to_pylist() == [4, 4, 0, 0, 7, 7]
    assert alone["delta"].to_pylist() == [0.5, 0.1] * 3


def made_up(n_arms=3):
    """Four trials, two deltas."""
    shape = (4, 2)
    certified = np.arange(8).reshape(shape) % 3 > 0
    pulls = np.arange(8 * n_arms).reshape(*shape, n_arms)
    samples = pulls.sum(axis=2)
    return Trials("rr", np.array([0.5, 0.1]), np.arange(4), samples, certified, samples > 50, pulls)


def test_columns_become_the_rows_of_a_table():
    table = made_up().table()
    assert table.schema.equals(schema())
    assert table.to_pylist()[2] == {
        "algorithm": "rr",
        "delta": 0.5,
        "trial": 1,
        "n_samples": 21,
        "correct": False,
        "stopped": "certified",
        "pulls": [6, 7, 8],
    }
    assert [stopped == "certified" for stopped in table["stopped"].to_pylist()] == [
        i % 3 > 0 for i in range(8)
    ]


def test_parts_of_trials_make_up_the_whole():
    whole = made_up()
    parts = [whole[:1], whole[1:3], whole[3:]]
    assert [len(part) for part in parts] == [1, 2, 1]
    assert Trials.join(parts).table().equals(whole.table())


@pytest.mark.parametrize("most", [1, 6, 7, 13, 24])
def test_long_tables_have_several_batches(monkeypatch, most):
    """Arrow cannot count more entries of lists in one."""
    whole = made_up().table()
    monkeypatch.setattr(trials, "MOST_ENTRIES", most)
    table = made_up().table()
    assert table["pulls"].num_chunks == {1: 4, 6: 4, 7: 4, 13: 2, 24: 1}[most]
    assert table.equals(whole)


@pytest.mark.compiled
def test_calls_take_about_as_long_as_they_should():
    """They begin with one trial and become longer by two at most."""
    job = job_of("span", LINE, max_samples=10_000)
    seen = []
    run = job._run
    job._run = lambda numbers, *rest: seen.append(len(numbers)) or run(numbers, *rest)
    assert job(range(200)).numbers.tolist() == list(range(200))
    assert sum(seen) == 200
    assert seen[0] == 1
    assert max(seen) > 4
    assert all(after <= 2 * before for before, after in pairwise(seen))
    assert CALL_SECONDS <= 0.1  # what Ctrl-C waits for


@pytest.mark.parametrize("shuffle", [True, False])
def test_records_that_are_given_once(shuffle):
    """In random order each trial has an order of its own; the arm and the trial are named."""
    rng = np.random.default_rng(0)
    records = [rng.normal(mean, 1.0, 60) for mean in (0, 0.5, 9)]
    source = Replay(records, replace=False, shuffle=shuffle)
    instance = source.instance(2)
    job = job_of("span", instance, source, 100)
    job([9])  # compiles
    found = job(range(5))
    alone = [job_of("span", instance, source, 100)([number]) for number in range(5)]
    assert found.table().equals(Trials.join(alone).table())
    assert (found.pulls == found.pulls[0]).all() == (not shuffle)
    short = Replay([own[:3] for own in records[:2] * 2], replace=False, shuffle=shuffle)
    endless = job_of("rr", short.instance(3), short, 100)
    endless.fitting = 1 if shuffle else 2
    with pytest.raises(SourceExhausted, match=r"the records of arm 0 ran out in trial 5"):
        endless([5, 6])
