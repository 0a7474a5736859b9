"""Many threads use one ``Study``, as in a server."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from boclust.study import queries
from support.processes import PATIENCE

THREADS, ROUNDS = 16, 12


@pytest.mark.slow
@pytest.mark.compiled
def test_sixteen_threads_on_one_study(create, reopen):
    """Every value is recorded once, and every query sees a consistent state."""
    study = create(arms=list("abcdef"), n_clusters=3, delta=1e-300, lease=1e6)
    together = threading.Barrier(THREADS)

    def work(number):
        rng = np.random.default_rng(number)
        kept = []
        together.wait(PATIENCE)
        for i in range(ROUNDS):
            ask = study.ask(client=str(number))
            value = float(rng.normal(ask.arm))
            kept.append((study.tell(ask, value), ask.name, value))
            rows = [(arm, float(rng.normal()), f"{number} {i} {arm}") for arm in range(3)]
            numbers = study.tell_many(rows)
            kept += [
                (seq, "abc"[arm], value) for seq, (arm, value, _) in zip(numbers, rows, strict=True)
            ]
            status, trace, picture = study.status(), study.trace(), study.picture()
            assert status.samples <= study.status().samples
            assert sum(arm.samples for arm in status.arms) == status.samples
            assert trace.samples == list(range(1, len(trace.samples) + 1))
            assert len(picture.points) == 6
            events = list(study.history(status.events - 5, 5))
            assert [event["seq"] for event in events] == list(
                range(status.events - 4, status.events + 1)
            )
            study.explain()
        return kept

    with ThreadPoolExecutor(THREADS) as pool:
        kept = [one for found in pool.map(work, range(THREADS)) for one in found]
    told = [(e["seq"], e["arm"], e["value"]) for e in study.history() if e["kind"] == "told"]
    assert told == sorted(kept)
    assert len(told) == THREADS * ROUNDS * 4
    assert study.verify().ok
    assert reopen(study).status() == study.status()


@pytest.mark.parametrize(
    ("function", "call"),
    [
        ("status_of", lambda study: study.status()),
        ("picture_of", lambda study: study.picture()),
        ("proportions_of", lambda study: study.proportions()),
        ("trace_of", lambda study: study.trace()),
    ],
)
def test_who_computes_keeps_nobody_waiting(create, monkeypatch, function, call):
    """Others tell and read during a query; this would hang if the query held the mutex."""
    study = create()
    study.tell_many([("a", 0.0), ("b", 1.0), ("c", 9.0)])
    compute = getattr(queries, function)

    def slow(*arguments):
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(study.tell, "a", 5.0).result(PATIENCE) == 5
        return compute(*arguments)

    expected = call(study)
    with monkeypatch.context() as patch:
        patch.setattr(queries, function, slow)
        found = call(study)
    assert study.status().samples == 4
    assert found == expected  # as it was when it was looked at


def test_explanations_keep_nobody_waiting(create, monkeypatch):
    study = create()
    study.tell_many([("a", 0.0), ("b", 1.0), ("c", 9.0)])
    explain = type(study._blank).explain

    def slow(learner, *arguments):
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(study.tell, "a", 5.0).result(PATIENCE) == 5
        return explain(learner, *arguments)

    expected = study.explain().text
    monkeypatch.setattr(type(study._blank), "explain", slow)
    assert study.explain().text == expected


def test_pages_of_a_long_history_keep_nobody_waiting(create):
    study = create()
    study.tell_many([("a", float(i)) for i in range(50)])
    reading = study.history()
    next(reading)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(study.tell, "a", 5.0).result(PATIENCE) == 52
    exporting = study.export_csv()
    next(exporting)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(study.tell, "a", 6.0).result(PATIENCE) == 53
    assert "".join(exporting).count("\n") == 51  # as many as there were when it began
