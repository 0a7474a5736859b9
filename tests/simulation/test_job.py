"""Trials of one algorithm: some in one call of a kernel are the same as each alone."""

from itertools import pairwise

import numpy as np
import pytest

import boclust
from boclust._reference import leaves
from boclust.run.engine import Engine
from boclust.run.algorithm import algorithm
from boclust.run.state import new_desk
from boclust.simulation.job import SECONDS, Job
from boclust.sources import Replay, Simulated, SourceExhausted
from instances import thorough

SIX = [0, 0.5, 1, 6, 6.5, 8]
LINE = boclust.Instance(SIX, 2)
CASES = [
    *((name, LINE) for name in boclust.algorithms()),
    ("span", boclust.Instance(np.outer(SIX, [1.0, 0.5]), 3)),
    ("atboc", boclust.Instance(np.outer(SIX, [1.0, 0.5]), 3)),
    ("span", boclust.Instance([0.1, 0.15, 0.8, 0.9], 2, boclust.Bernoulli())),
    ("boc-elim", boclust.Instance([1.0, 2.0, 9.0], 2, boclust.Poisson())),
    ("span", boclust.Instance([0.1, 0.2, 0.8, 0.9], 2, boclust.Bounded(0, 1))),
    ("span", boclust.Instance([[0.1, 0.2], [0.2, 0.2], [0.9, 0.9]], 2, boclust.Bounded(0, 1))),
    ("span", boclust.Instance(np.repeat([0.0, 30.0], 30), 2)),
    ("span", boclust.Instance(SIX, 1)),
    ("span", boclust.Instance(SIX, 6)),
]


def job_of(name, instance, source=None, max_samples=300):
    drawn = source or Simulated(instance)
    return Job(name, algorithm(name), instance, drawn, [0.5, 0.1], 3, max_samples)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "instance"), [case if case[1].n_arms < 50 else thorough(*case) for case in CASES]
)
def test_some_trials_in_one_call_are_the_same_as_each_alone(name, instance):
    alone = [job_of(name, instance)([number])[0] for number in (4, 0, 7)]
    together = job_of(name, instance)
    together.fitting = 3
    assert together([4, 0, 7]) == alone
    assert [[row["trial"] for row in rows] for rows in alone] == [[4, 4], [0, 0], [7, 7]]


@pytest.mark.parametrize(("name", "instance"), CASES)
def test_a_desk_holds_a_run_in_one_block(name, instance):
    shape = (instance.n_arms, instance.dim, instance.n_clusters)
    engine = Engine(algorithm(name), *shape, instance.family)
    run = engine.new_run()
    desk = new_desk(run)
    own = list(leaves(desk.run))
    for array, begun in zip(own, leaves(run), strict=True):
        assert array.dtype == begun.dtype
        assert array.shape == begun.shape
        assert (array == begun).all()
        assert array.size == 0 or np.shares_memory(array, desk.block)
    for i, array in enumerate(own):
        before = [other.copy() for other in own]
        array[...] = 1 - array  # nothing else changes
        changed = [not (a == b).all() for a, b in zip(own, before, strict=True)]
        assert changed == [j == i and array.size > 0 for j in range(len(own))]
    desk.block[:] = desk.blank
    assert all((a == b).all() for a, b in zip(leaves(desk.run), leaves(run), strict=True))


@pytest.mark.compiled
def test_calls_take_about_as_long_as_they_should():
    """They begin with one trial and become longer by two at most."""
    job = job_of("span", LINE, max_samples=10_000)
    seen = []
    run = job._run
    job._run = lambda numbers, *rest: seen.append(len(numbers)) or run(numbers, *rest)
    assert len(job(range(200))) == 200
    assert sum(seen) == 200
    assert seen[0] == 1
    assert max(seen) > 4
    assert all(after <= 2 * before for before, after in pairwise(seen))
    assert SECONDS <= 0.1  # what Ctrl-C waits for


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
    assert found == [job_of("span", instance, source, 100)([number])[0] for number in range(5)]
    rows = [rows[-1] | {"trial": 0} for rows in found]
    assert all(row == rows[0] for row in rows) == (not shuffle)
    short = Replay([own[:3] for own in records[:2] * 2], replace=False, shuffle=shuffle)
    endless = job_of("rr", short.instance(3), short, 100)
    endless.fitting = 1 if shuffle else 2
    with pytest.raises(SourceExhausted, match=r"the records of arm 0 ran out in trial 5"):
        endless([5, 6])
