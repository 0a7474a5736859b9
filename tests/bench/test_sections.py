"""What the sections measure, from made up times and from a few real ones."""

import json
import math
import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest

import boclust
from boclust.bench import NAMES, children, memory, scale, section, setup1, start, threads
from boclust.bench.base import Setting, interleaved, measured
from boclust.bench.baseline import PLACES, STRETCH, Baseline, _until_power_of_two
from boclust.bench.samples import applicable, printed_seconds, timer
from boclust.problem.instance import Instance
from boclust.paper.figures.runtime_setup2 import FULL_SHARE
from boclust.paper.timing import setup_1, setup_2


def test_every_section_says_what_it_is():
    for name in NAMES:
        one = section(name)
        assert one.TITLE
        assert one.NOTE.endswith(".")
    with pytest.raises(ValueError, match="only: is 'setup3'"):
        section("setup3")


def test_setup_1_has_every_algorithm_where_it_applies(made_up):
    rows = list(section("setup1").rows(made_up()))
    cells = {(r.name, r.parameters["M"], r.parameters["d"]) for r in rows}
    assert {name for name, *_ in cells} >= set(boclust.algorithms())
    for name, m, d in cells:
        assert m in (4, 8, 14, 20)
        assert d in (1, 5, 10)
        assert name.startswith("boc-elim") <= (d == 1)
        assert name.startswith("maxgap") <= (d == 1 and m == 4)
    assert len([c for c in cells if c[0] == "span"]) == 12
    marks = {r.name: (r.least_ratio, r.held, r.parameters) for r in rows if r.required}
    assert marks == {
        "lucbboc": (300, True, {"d": 10, "M": 20}),
        "atboc": (1000, False, {"d": 10, "M": 20}),
        "boc-elim": (50, None, {"d": 1, "M": 20}),
    }
    whole = {r.name: r for r in rows if "stops" in r.name}
    assert whole["lucbboc until it stops"].ratio == pytest.approx(1000 / 2 / math.sqrt(10))


def test_setup_1_quick_has_the_marks(made_up):
    rows = list(section("setup1").rows(made_up(quick=True)))
    assert len([r for r in rows if r.required]) == 3
    assert {r.parameters["M"] for r in rows} == {20}


def test_setup_2_partial_search_is_full_at_powers_of_two(made_up):
    rows = list(section("setup2").rows(made_up()))
    found = {(r.name, r.parameters["search"], r.parameters["M"]): r for r in rows}
    full, partial = found["atboc", "full", 10], found["atboc", "partial", 10]
    assert full.baseline == pytest.approx(0.1)
    assert partial.baseline == pytest.approx((1 - FULL_SHARE) * 0.05 + FULL_SHARE * 0.1)
    assert full.median == partial.median
    assert full.required == "ratio >= 10000"
    assert full.held is False
    assert partial.required is None
    assert found["span", "", 6].baseline is None
    assert full.paper == pytest.approx(math.exp(4.501))
    assert partial.paper == pytest.approx(math.exp(2.485))
    alone = list(section("setup2").rows(made_up(quick=True, baseline=False)))
    (mark,) = [r for r in alone if r.required]
    assert mark.held is None
    quick = list(section("setup2").rows(made_up(quick=True)))
    (mark,) = [r for r in quick if r.required]
    assert mark.ratio == pytest.approx(1000 / math.sqrt(5))


def test_growth_is_fitted(made_up):
    rows = list(section("growth").rows(made_up()))
    exponents = {(r.name, r.parameters["grows"]): r.median for r in rows}
    assert exponents["span", "M"] == pytest.approx(2)
    assert exponents["atboc", "d"] == pytest.approx(0.5)
    assert exponents["boc-elim", "K"] == pytest.approx(0)
    assert ("boc-elim", "d") not in exponents
    assert all(len(r.curve) == 4 for r in rows)


@pytest.fixture
def made_up_runs(monkeypatch):
    """A run takes sqrt(M) times 3 us a sample, in rounds 4; the largest prints what it took."""

    def whole_run(instance, algorithm, seed=0):
        return scale.Whole((3 + bool(algorithm.options)) * instance.n_arms**0.5, 40 + seed)

    monkeypatch.setattr(scale, "whole_run", whole_run)
    monkeypatch.setattr(scale, "asked_run", lambda *_: scale.Whole(200.0, 40))
    monkeypatch.setattr(scale, "output_of", lambda code: "601.0 50.0\n300.0")


def test_many_arms(made_up_runs):
    rows = list(scale.rows(Setting()))
    marks = {(r.name, *r.parameters.values()): r.held for r in rows if r.required}
    assert marks == {
        **{("one by one", "blobs", d, 1000): True for d in (2, 10)},
        **{("rounds", "blobs", d, 1000): False for d in (2, 10)},
        **{("one by one, from Python", "blobs", d, 1000): True for d in (2, 10)},
        **{("rounds, from Python", "blobs", d, 1000): False for d in (2, 10)},
        **{("one by one: growth", "blobs", d, "100 to 2000"): True for d in (2, 10)},
        **{("rounds: growth", "blobs", d, "100 to 2000"): True for d in (2, 10)},
        ("rounds", "blobs", 2, 10_000): False,
        ("rounds: peak memory", "blobs", 2, 10_000): True,
    }
    for row in rows:
        if row.curve:
            assert row.median == pytest.approx(0.5)
            assert row.curve[0][1] == pytest.approx(1e-5 * (4 if "rounds" in row.name else 3))
        if row.name.endswith("an arm") and row.parameters["M"] != 10_000:
            assert (row.median, row.low, row.high) == (41, 40, 42)
    assert {r.parameters["shape"] for r in rows} == {"blobs", "chains"}
    quick = list(scale.rows(Setting(quick=True)))
    assert {r.parameters["M"] for r in quick} == {100, 1000, "100 to 1000"}


def test_shapes_of_many_arms():
    for dim in (2, 10):
        one = scale.blobs(300, dim)
        assert (one.n_arms, one.dim, one.d_intra < one.d_inter) == (300, dim, True)
        assert one.labels.tolist() == [i % 25 for i in range(300)]
        chained = scale.chains(100, dim)
        assert chained.labels.tolist() == [i // 25 for i in range(100)]


@pytest.mark.slow
@pytest.mark.compiled
def test_a_whole_run_of_many_arms(monkeypatch):
    found = scale.whole_run(scale.blobs(60, 2, 4), scale.ways(60)["rounds"])
    assert 1 < found.samples < 200
    assert found.microseconds > 0
    for together in (1, 15):
        asked = scale.asked_run(scale.blobs(60, 2, 4), together)
        assert asked.samples == pytest.approx(found.samples, rel=0.3)
        assert asked.microseconds > 0
    monkeypatch.setattr(Instance, "labels", property(lambda _: np.zeros(60, dtype=np.int64)))
    for run, how in ((scale.whole_run, scale.ways(60)["rounds"]), (scale.asked_run, 15)):
        with pytest.raises(RuntimeError, match="60 arms ended with wrong clusters"):
            run(scale.blobs(60, 2, 4), how)


def test_threads(monkeypatch):
    slowed = {1: cycle([2.0, 2.0, 2.4]), 2: cycle([1.0, 1.0, 1.3]), 4: cycle([0.5])}
    monkeypatch.setattr(threads, "_seconds", lambda jobs: next(slowed[jobs]))
    monkeypatch.setattr(threads, "_seconds_of_processes", lambda pool: 1.25)
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    found = {row.parameters["by"]: (row.ratio, row.held) for row in threads.rows(Setting())}
    assert found == {"2 threads": (2.0, True), "4 threads": (4.0, None), "2 processes": (1.6, None)}
    slowed[2] = cycle([1.2, 1.2, 0.9])  # the median counts, not the fastest
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    rows = list(threads.rows(Setting(quick=True)))
    assert [r.parameters["by"] for r in rows] == ["2 threads", "2 processes"]
    assert [r.held for r in rows] == [False, None]


@pytest.mark.compiled
def test_two_processes_do_a_sweep(monkeypatch):
    """All its trials once, as threads do them; the time is that of the work."""
    monkeypatch.setattr(threads, "TRIALS", 4)
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        assert threads._seconds_of_processes(pool) > 0
    assert threads._seconds(2) > 0
    done = []

    def sweep(numbers, jobs=1):
        time.sleep(0.05)
        done.append((list(numbers), jobs))

    monkeypatch.setattr(threads, "_sweep", sweep)
    with ThreadPoolExecutor(1) as pool:
        assert threads._seconds_of_processes(pool) >= 0.1
    assert threads._seconds(2) >= 0.05
    assert done == [([0, 2], 1), ([1, 3], 1), ([0, 1, 2, 3], 2)]


def test_start_is_cold_in_a_new_cache_and_warm_after(monkeypatch):
    seen = []

    def seconds(code, cache, folder):
        seen.append(cache)
        return (20.0, 9.0) if seen.count(cache) == 1 else (4.0, 3.0)

    monkeypatch.setattr(start, "seconds_of", seconds)
    cold, cold_cpu, warm, warm_cpu = list(start.rows(Setting()))[:4]
    assert (cold_cpu.median, warm_cpu.median, warm_cpu.required) == (9.0, 3.0, None)
    assert (cold.median, cold.held, warm.median, warm.held) == (20.0, True, 4.0, False)
    assert len(set(seen)) == 6
    assert len(list(start.rows(Setting(quick=True)))) == 4


@pytest.mark.compiled
def test_memory_of_a_process():
    rows = memory.rows(Setting(quick=True, repeats=1))
    first = next(rows)
    assert 20 < first.median < 2000
    assert first.unit == "MB"


def test_a_child_that_fails_is_said(tmp_path):
    assert min(children.seconds_of("pass", tmp_path, tmp_path)) > 0
    with pytest.raises(RuntimeError, match="ended with 1: ValueError: no"):
        children.output_of("raise ValueError('no')")


def test_rows_are_told_as_json_whatever_was_measured():
    row = measured("a", {}, [np.float64(2), np.float64(1)], "us", most=3.0)
    assert json.loads(json.dumps(row.to_dict("scale")))["held"]


def test_measurements_take_turns():
    seen = []
    found = interleaved(
        {"a": lambda: seen.append("a") or 1.0, "b": lambda: seen.append("b") or 2.0}, 2
    )
    assert seen == ["a", "b", "a", "b"]
    assert found == {"a": [1.0, 1.0], "b": [2.0, 2.0]}


def test_the_papers_times():
    assert printed_seconds("runtime_setup1", "LUCBBOC d=10", 20) == pytest.approx(math.exp(-5.571))
    assert printed_seconds("runtime_setup1", "LUCBBOC d=10", 21) is None
    assert set(setup1._PAPER) <= set(boclust.algorithms())


def test_what_applies():
    assert "maxgap-ucb" in applicable(Instance([0, 1, 5, 6], 2))
    assert "maxgap-ucb" not in applicable(Instance([0, 1, 5, 9], 3))
    assert "boc-elim" not in applicable(setup_2(2))


def test_places_stand_for_the_stretch():
    assert sum(PLACES.values()) == pytest.approx(1)
    assert max(PLACES) < STRETCH
    for t in range(1, 70):
        more = _until_power_of_two(t)
        passed = [s for s in range(t + 1, t + more + 1) if s & (s - 1) == 0]
        assert more >= 1
        assert passed == ([t + 1] if (t + 1) & t == 0 else [])
        assert (t + more + 1) & (t + more) == 0 or more == 1


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["span", "atboc", "lucbboc", "lucbboc-ucb", "boc-elim"])
def test_a_real_cell(name):
    instance, baseline = setup_1(2, 1), Baseline()
    theirs = baseline.timer(name, instance, 0.02)()
    ours = timer(name, instance, 0.05)()
    assert theirs > 3 * ours > 0
    if name != "span":
        assert baseline.whole_timer(name, instance, 0.02, 0.1)() > 0
    if name in ("atboc", "lucbboc"):
        assert baseline.timer(name, setup_2(2), 0.01, full=False)() > 0


def test_no_baseline_for_the_others():
    baseline = Baseline()
    assert baseline.timer("rr", setup_1(2, 1), 0.1) is None
    assert baseline.timer("span", setup_1(2, 5), 0.1) is None


def test_a_folder_without_the_programs(tmp_path):
    with pytest.raises(ValueError, match=r"no paper_method.py; accepted: --baseline DIR"):
        Baseline(Path(tmp_path))


def test_times_lost_in_noise_are_said(monkeypatch):
    from boclust.bench import samples

    monkeypatch.setattr(samples, "seconds_per_sample", lambda *_, **__: [{"seconds": -1.0}])
    with pytest.raises(RuntimeError, match="lost in noise"):
        timer("rr", setup_1(2, 1), 0.1)
