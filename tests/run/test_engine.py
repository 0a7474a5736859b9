"""Engines: arenas of one block of memory, and engines in other processes."""

import pickle

import numpy as np
import pytest

from boclust.kernels import Struct
from boclust.run.algorithm import algorithm
from boclust.run.engine import Engine
from boclust.run.state import Problem
from boclust.sources import Simulated, arm_keys
from support.instances import LINE, RUNS


def engine_of(name, instance, delta=0.1):
    m, dim, k = instance.n_arms, instance.dim, instance.n_clusters
    return Engine(algorithm(name), Problem(m, dim, k, instance.family, delta))


def leaves(live):
    """All arrays of a run and of both states, those of structs inside them once each."""
    found = {}

    def collect(struct):
        for name, value in vars(struct).items():
            if isinstance(value, Struct):
                collect(value)
            elif isinstance(value, np.ndarray):
                found[id(struct), name] = value

    for struct in live.structs.values():
        collect(struct)
    return list(found.values())


def trials_of(engine, instance, seeds):
    keys = np.stack([arm_keys(instance.n_arms, 3, (0, seed)) for seed in seeds])
    thresholds = np.array([engine.threshold(delta) for delta in (0.5, 0.1)])
    with engine.borrowed_arena() as arena:
        return engine.trials(arena, thresholds, Simulated(instance), keys, 300)


@pytest.mark.parametrize(("name", "instance"), RUNS)
def test_an_arena_holds_a_run_in_one_block(name, instance):
    engine = engine_of(name, instance)
    begun = leaves(engine.new())
    with engine.borrowed_arena() as arena:
        own = leaves(arena.live)
        for array, before in zip(own, begun, strict=True):
            assert array.dtype == before.dtype
            assert array.shape == before.shape
            assert (array == before).all()
            assert array.size == 0 or np.shares_memory(array, arena.block)
        for i, array in enumerate(own):
            before = [other.copy() for other in own]
            array[...] = array == 0  # nothing else changes
            changed = [not (a == b).all() for a, b in zip(own, before, strict=True)]
            assert changed == [j == i and array.size > 0 for j in range(len(own))]
        arena.block[:] = arena.blank
        assert all((a == b).all() for a, b in zip(own, begun, strict=True))


@pytest.mark.compiled
def test_trials_in_the_same_block_are_those_of_a_fresh_one():
    """Nothing of a trial stays: not in the block, and not in the arena that serves again."""
    together = trials_of(engine_of("span", LINE), LINE, [4, 0, 7])
    engine = engine_of("span", LINE)
    for i, seed in enumerate([4, 0, 7]):
        alone = trials_of(engine, LINE, [seed])
        for all_of_them, one in zip(together, alone, strict=True):
            np.testing.assert_array_equal(all_of_them[i], one[0])


def test_an_arena_serves_again_and_only_one_trial_at_a_time():
    engine = engine_of("span", LINE)
    with engine.borrowed_arena() as first, engine.borrowed_arena() as second:
        assert second is not first
    with engine.borrowed_arena() as again:
        assert again is first or again is second


@pytest.mark.parametrize("name", ["span", "boc-elim"])
def test_engines_can_be_pickled(name):
    """Also those that have run: kernels and arenas are made anew where they are needed."""
    engine = engine_of(name, LINE)
    expected = trials_of(engine, LINE, [5])
    copy = pickle.loads(pickle.dumps(engine))
    assert copy.problem == engine.problem
    assert copy.threshold() == engine.threshold()
    for one, other in zip(trials_of(copy, LINE, [5]), expected, strict=True):
        np.testing.assert_array_equal(one, other)
