"""How many samples a study will need."""

import pytest

import boclust
from boclust.psi.bound import HOPELESS


@pytest.fixture(scope="module")
def seven():
    return boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], n_clusters=3)


@pytest.mark.compiled
def test_simulated_studies_and_the_lower_bound(seven):
    found = boclust.plan(seven, [0.01, 0.1], trials=5)
    bound = boclust.lower_bound(seven)
    assert [need.delta for need in found.needs] == [0.1, 0.01]
    assert [need.at_least for need in found.needs] == [bound.samples(0.1), bound.samples(0.01)]
    rows = boclust.simulate(seven, ["span"], [0.1, 0.01], 5, seed=0).summary()
    assert {need.mean for need in found.needs} == {row["mean_samples"] for row in rows}
    assert found.warning == ""


def test_what_cannot_be_done_is_said_and_not_simulated():
    found = boclust.plan(boclust.Instance([0, 1, 2.00001], n_clusters=2), [0.01])
    assert found.needs[0].mean is None
    assert found.needs[0].at_least > HOPELESS
    assert found.needs[0].note.startswith("not simulated: a study of 1,000,000 samples or more")
    assert found.trials == 0
    assert "differ by 1e-05 only" in found.warning


@pytest.mark.parametrize("k", [1, 3])
def test_one_possible_clustering_needs_nothing(k):
    found = boclust.plan(boclust.Instance([0, 1, 5], n_clusters=k), [0.01])
    assert found.needs == ((0.01, 0.0, 0.0, 0.0, 0.0, found.bound.note),)
    assert "no sample is needed" in found.bound.note
    assert found.trials == 0


@pytest.mark.compiled
def test_studies_that_did_not_end_are_told(monkeypatch):
    from boclust import simulation

    whole = simulation.simulate
    monkeypatch.setattr(
        simulation, "simulate", lambda *a, **more: whole(*a, max_samples=50, **more)
    )
    found = boclust.plan(boclust.Instance([0, 1, 2.5], n_clusters=2), [0.01], trials=2)
    assert found.needs[0].mean is None
    assert found.needs[0].note == "2 of 2 simulated studies did not end within 50 samples"
    assert found.trials == 2


def test_ties_need_infinitely_many():
    found = boclust.plan(boclust.Instance([0, 1, 2], n_clusters=2), [0.01])
    assert found.needs[0].at_least == float("inf")


@pytest.mark.parametrize("deltas", [[0.0], [1.0], ["a"], [float("nan")]])
def test_bad_deltas(seven, deltas):
    with pytest.raises(ValueError, match="delta"):
        boclust.plan(seven, deltas)


def test_bad_trials(seven):
    with pytest.raises(ValueError, match="trials"):
        boclust.plan(seven, trials=1)


@pytest.mark.compiled
def test_many_arms_are_simulated_without_the_bound(monkeypatch):
    from boclust import planning
    from boclust.psi import bound

    monkeypatch.setattr(bound, "lower_bound", None)  # it would take minutes
    means = [10.0 * (arm % 3) + 0.001 * arm for arm in range(51)]
    (need,) = (found := boclust.plan(boclust.Instance(means, 3), [0.1], trials=2)).needs
    assert need.at_least != need.at_least
    assert 51 <= need.mean < 10_000
    assert "not computed for more than 50 arms" in found.bound.note
    for last, warned in ((50.01, False), (50.00001, True)):
        monkeypatch.setattr(planning, "LONG", 500)
        (need,) = (found := boclust.plan(boclust.Instance([*range(50), last], 2), [0.1])).needs
        assert need.mean is None
        assert need.note.startswith("not simulated: a study of 500 samples or more takes too long")
        assert (found.trials, bool(found.warning)) == (0, warned)
