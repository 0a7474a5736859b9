"""The timers of the baseline and of boclust, on a small instance."""

import math

import pytest

import boclust
from benchmarks import baseline, setup1, setup2
from benchmarks.samples import STRETCH, applicable, published_seconds, setup_1, setup_2, timer


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["span", "atboc", "lucbboc", "lucbboc-ucb", "boc-elim"])
def test_boclust_is_faster(name):
    instance = setup_1(2, 1)
    theirs = baseline.timer(name, instance, 0.02)()
    assert theirs > 3 * timer(name, instance, 0.05)() > 0


@pytest.mark.compiled
def test_partial_search_and_whole_runs(monkeypatch):
    assert baseline.timer("lucbboc", setup_2(2), 0.01, full=False)() > 0
    monkeypatch.setattr(baseline, "budget", lambda quick: 0.005)
    row = baseline.until_it_stops("lucbboc", setup_1(2, 1), {"M": 4}, quick=True)
    assert row.name == "lucbboc until it stops"
    assert row.ratio > 0


def test_the_places_represent_the_stretch():
    assert sum(baseline.PLACES.values()) == pytest.approx(1)
    assert max(baseline.PLACES) < STRETCH
    for t in range(1, 70):
        more = baseline.until_power_of_two(t)
        passed = [s for s in range(t + 1, t + more + 1) if s & (s - 1) == 0]
        assert passed == ([t + 1] if (t + 1) & t == 0 else [])
        assert (t + more + 1) & (t + more) == 0 or more == 1


def test_applicable():
    assert "maxgap-ucb" in applicable(boclust.Instance([0, 1, 5, 6], 2))
    assert "maxgap-ucb" not in applicable(boclust.Instance([0, 1, 5, 9], 3))
    assert "boc-elim" not in applicable(setup_2(2))


def test_the_paper_s_times():
    assert published_seconds("runtime_setup1", "LUCBBOC d=10", 20) == pytest.approx(
        math.exp(-5.571)
    )
    assert published_seconds("runtime_setup1", "LUCBBOC d=10", 21) is None
    assert {*setup1._PAPER, *setup2._PAPER} <= set(boclust.algorithms())


@pytest.mark.parametrize("instance", [setup_1(2, 1), setup_2(2)])
def test_every_baseline_is_of_an_algorithm(instance):
    assert set(baseline.algorithms(instance.dim)) <= set(applicable(instance))
