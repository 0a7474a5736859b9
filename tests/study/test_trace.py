"""The trace against a slow oracle: a plain learner that is told one value at a time."""

import numpy as np
import pytest

import boclust
from boclust.study import snapshot, trace
from boclust.study.events import Event, Kind, iso, pack
from boclust.study.spec import Spec, arm_list
from boclust.study.state import State
from support.instances import thorough
from support.problems import PROBLEMS, bits, sample, work

COSTLY = [{"name": "a", "cost": 0.1}, "b", {"name": "c", "cost": 2.5}]


def evidence_of(learner):
    """The evidence against the weakest claim; None if the rule has no such number."""
    if learner.pulls.min() == 0 or not np.isfinite(learner.threshold):
        return None
    twin = learner.copy()
    shown = twin._engine.statistic(twin._live, np.inf)
    return shown if np.isfinite(shown) else None


def slow_trace(study, most, stride):
    """All points, then the largest number of them."""
    history = list(study.history())
    stands = {e["seq"]: e["value"] for e in history if e["kind"] == "told"}
    for event in history:
        if event["kind"] in ("voided", "corrected"):
            stands[event["target"]] = event["value"]
    learner = study._session.spec.learner()
    numbers = {arm.name: i for i, arm in enumerate(study.arms)}
    taken = [0] * len(study.arms)
    points = []
    time = ""
    for event in history:
        time = max(time, event["time"])
        if event["kind"] == "asked" and (event["payload"] or {"batch": 1})["batch"]:
            batch = (event["payload"] or {"batch": 1})["batch"]
            learner.replay(np.array([-batch]), np.empty((0, learner.dim)))
        if event["kind"] == "told":
            arm = numbers[event["arm"]]
            taken[arm] += 1
            if stands[event["seq"]] is not None:
                learner.tell(arm, stands[event["seq"]])
            cost = sum(n * one.cost for n, one in zip(taken, study.arms, strict=True))
            points.append((sum(taken), cost, time, evidence_of(learner)))
    while len(points) // stride > most:
        stride *= 2
    return [point for point in points if point[0] % stride == 0]


@pytest.mark.compiled
@pytest.mark.parametrize("rounds", [2, thorough(4)])
@pytest.mark.parametrize(("algorithm", "problem"), PROBLEMS)
def test_against_a_slow_oracle(memory, monkeypatch, rng, algorithm, problem, rounds):
    """Exactly equal after snapshots, revisions, other processes and dropped points."""
    monkeypatch.setattr(snapshot, "interval", lambda state: 11)
    monkeypatch.setattr(trace, "MOST", 16)
    study = boclust.Study.create(
        memory, "x", **{"delta": 1e-3, "algorithm": algorithm, "lease": 1e6, **problem}
    )
    assert study.trace() == trace.Trace([], [], [], [], study.trace().threshold)
    first = 1 if problem["arms"] <= trace.SMALL else problem["arms"]
    for _ in range(rounds):
        work(study, rng, 12)
        found = study.trace()
        columns = zip(found.samples, found.cost, found.time, found.evidence, strict=True)
        assert list(columns) == slow_trace(study, 16, first)
        assert boclust.Study.open(memory, "x").trace() == found
    said = study.explain()
    finite = problem["n_clusters"] < problem["arms"]
    assert found.threshold == (said.threshold if finite else None)
    assert study.verify().snapshot == "equal"


@pytest.mark.compiled
@pytest.mark.parametrize("rounds", [3, thorough(10)])
@pytest.mark.parametrize(("algorithm", "problem"), PROBLEMS)
def test_to_look_changes_nothing(memory, rng, algorithm, problem, rounds):
    study = boclust.Study.create(
        memory, "x", **{"delta": 1e-3, "algorithm": algorithm, "lease": 1e6, **problem}
    )
    for _ in range(rounds):
        work(study, rng, 3)
        before = bits(study)
        study._session.read(lambda state: (state.learner.progress, state.learner.explain()))
        assert bits(study) == before


@pytest.mark.compiled
@pytest.mark.parametrize("samples", [150, thorough(400)])
@pytest.mark.parametrize(("algorithm", "problem"), PROBLEMS)
def test_at_least_what_all_alternatives_show(memory, rng, algorithm, problem, samples):
    """And at the threshold exactly when the rule stops, except with many arms."""
    study = boclust.Study.create(memory, "x", **{"delta": 0.2, "algorithm": algorithm, **problem})
    learner = study._session.spec.learner()
    few = learner.n_arms <= 50
    for _ in range(samples):
        before = learner.done
        arm = int(rng.integers(learner.n_arms)) if before or not few else learner.ask()
        value = np.atleast_1d(sample(rng, study, arm))
        (shown,) = learner.replay(np.array([arm]), value[np.newaxis], np.array([1]))
        learner.pending = np.zeros(learner.n_arms, dtype=np.int64)
        if np.isfinite(shown) and not before:
            exact = learner._statistic()
            assert shown >= exact - 1e-9 * max(abs(exact), 1)
            if few:
                assert (shown >= learner.threshold) == learner.done


@pytest.mark.compiled
@pytest.mark.parametrize(("most", "count"), [(1, 40), (2, 3), (5, 100), (16, 16), (16, 17)])
def test_in_whatever_pages_it_was_told(monkeypatch, rng, most, count):
    """Bit for bit the same, one value at a time, all at once, or in random pages."""
    monkeypatch.setattr(trace, "MOST", most)
    arms = arm_list(COSTLY)
    spec = Spec.new(arms, boclust.Learner(3, 2, 0.1), 3600, boclust.study.spec.Budget(None, None))
    events = [
        Event(i + 1, Kind.TOLD, 1000 * i, arm=int(rng.integers(3)), value=pack(rng.normal(size=1)))
        for i in range(count)
    ]
    revised = dict.fromkeys(rng.integers(1, count + 1, 3).tolist())
    dumps = []
    for size in (1, count, 7, None, None):
        state, rest = State(spec), list(events)
        while rest:
            taken = size or int(rng.integers(1, count + 1))
            state.apply(rest[:taken], revised)
            rest = rest[taken:]
        dumps.append(snapshot.dump(state))
        assert snapshot.dump(snapshot.load(spec, dumps[-1])) == dumps[-1]
    assert len(set(dumps)) == 1
    points = state.trace.points
    assert len(points) <= most
    stride = state.trace.stride
    assert [point.samples for point in points] == list(range(stride, count + 1, stride))
    assert [iso(point.time) for point in points] == [
        iso(events[point.samples - 1].time) for point in points
    ]


def test_at_most_two_thousand_points(memory):
    study = boclust.Study.create(memory, "x", ["a", "b", "c"], 2, 1e-300)
    study.tell_many([(i % 3, float(i % 3)) for i in range(trace.MOST)])
    assert study.trace().samples == list(range(1, 2001))
    study.tell("a", 0.0)
    assert study.trace().samples == list(range(2, 2001, 2))
    study.tell("a", 0.0)
    assert study.trace().samples[-1] == 2002
    assert study.verify().ok


def test_a_void_changes_the_past(create):
    study = create(arms=COSTLY)
    study.tell_many([("a", 0.0), ("b", 7.0), ("c", 1.0), ("c", 1.0)])
    before = study.trace()
    assert before.cost == pytest.approx([0.1, 1.1, 3.6, 6.1])
    assert before.evidence[:2] == [None, None]
    study.void(4, "mistyped")  # the first value of c
    after = study.trace()
    assert after.evidence[:3] == [None, None, None]
    assert (after.samples, after.cost, after.time) == (before.samples, before.cost, before.time)
    assert after.threshold == study.explain().threshold
