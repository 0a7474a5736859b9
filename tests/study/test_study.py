"""Studies: what they record and what they refuse."""

import json
import time

import numpy as np
import pytest
import sqlalchemy as sa

import boclust
from boclust.study import (
    ConflictError,
    NothingToAskError,
    StudyExistsError,
    StudyNotFoundError,
    StudyPausedError,
    StudyStoppedError,
)
from boclust.study.spec import Budget, Spec, arm_list
from support.instances import thorough

#: For checks before any use of the database: one store, and all of them with ``-m slow``.
BEFORE = pytest.mark.parametrize(
    "url", ["memory", thorough("sqlite"), thorough("postgresql")], indirect=True
)


def kinds(study):
    return [event["kind"] for event in study.history()]


def values(study):
    return [(e["arm"], e["value"]) for e in study.history() if e["kind"] == "told"]


# --- creating and opening ---------------------------------------------------------------------


def test_create_open_list(create, reopen, url):
    study = create(arms=["a", {"name": "b", "cost": 2.5, "tags": ["x"]}, "c"], budget=9)
    other = reopen(study)
    assert other.arms == study.arms
    assert other.arms[1].cost == 2.5
    assert other.status() == study.status()
    assert [one["name"] for one in boclust.Study.list(url)] == ["tides"]
    with pytest.raises(StudyExistsError, match="already"):
        create()
    with pytest.raises(StudyNotFoundError, match="no study 'nothing'"):
        boclust.Study.open(url, "nothing")


def test_created_again_with_a_key(create, reopen, url, monkeypatch):
    same = dict(budget={"cost": 9}, family=boclust.Bounded(0, 5), lease=60)
    study = create(key="k", **same)
    study.tell("a", 1.0)
    ask = study.ask()
    again = create(key="k", **same)
    assert again.status() == study.status()
    assert again.tell(ask, 2.0) == 4
    monkeypatch.setattr("boclust.__version__", "99.0")
    assert create(key="k", **same).parameters == study.parameters
    assert create(key="k", **same).status().events == 4
    for other in (
        dict(same, key="l"),
        same,
        dict(same, key="k", delta=0.2),
        dict(same, key="k", arms=("a", "b", "d")),
        dict(same, key="k", lease=61),
        dict(same, key="k", family=None),
    ):
        with pytest.raises(StudyExistsError, match="already"):
            create(**other)
    other = create("other", key="k", **same)
    with pytest.raises(StudyNotFoundError, match="has no ask"):
        other.tell(ask, 2.0)  # the same key, and yet another study
    with pytest.raises(boclust.InvalidInputError, match=r"^key must be "):
        create("third", key="")


def test_parameters(create, reopen):
    arms = ["a", {"name": "b", "cost": 2.5, "tags": ["x"]}, "c"]
    algorithm = boclust.Algorithm("lucb", "paper", radius_delta=np.float64(0.01))
    study = create(arms=arms, budget={"cost": 9}, dim=2, algorithm=algorithm)
    found = study.parameters
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert reopen(study).parameters == found
    assert found == {
        "id": 1,
        "name": "tides",
        "arms": [
            {"name": "a", "cost": 1.0, "tags": []},
            {"name": "b", "cost": 2.5, "tags": ["x"]},
            {"name": "c", "cost": 1.0, "tags": []},
        ],
        "n_clusters": 2,
        "delta": 0.1,
        "dim": 2,
        "family": {"name": "gaussian", "sigma": 1.0},
        "algorithm": {
            "name": None, "sampling": "lucb", "stopping": "paper",
            "options": {"radius_delta": 0.01},
        },
        "lease": 3600.0,
        "budget": {"samples": None, "cost": 9.0},
        "parent": None,
        "version": boclust.__version__,
    }  # fmt: skip
    assert study.fork("other").parameters["parent"]["name"] == "tides"
    third = create("third").parameters
    assert (third["id"], third["algorithm"]["name"]) == (3, "span")
    assert create("fourth", algorithm="lucbboc").parameters["algorithm"]["name"] == "lucbboc"


@pytest.mark.parametrize(
    "name", ["it's", 'a "b"', "né à 東京", "two\nlines", "%s; DROP TABLE studies", "x" * 500, "  "]
)
def test_names_are_kept_as_they_are(create, reopen, name):
    study = create(name, arms=[name, name + "2", "c"])
    study.tell(name, 1.0, key=name, client=name, metadata={name: name})
    (event,) = [e for e in reopen(study).history() if e["kind"] == "told"]
    assert (event["arm"], event["key"], event["client"]) == (name, name, name)
    assert event["payload"] == {name: name}


@pytest.mark.parametrize(
    ("changes", "argument"),
    [
        (dict(name=""), "name"),
        (dict(name="a\0b"), "name"),
        (dict(name="\ud800"), "name"),
        (dict(name="x" * 2001), "name"),
        (dict(name=3), "name"),
        (dict(arms=["a", "a", "b"]), "arms"),
        (dict(arms=["a"]), "arms"),
        (dict(arms="abc"), "arms"),
        (dict(arms=[{"cost": 1}, "b", "c"]), "arms"),
        (dict(arms=[{"name": "a", "cost": -1}, "b", "c"]), "cost"),
        (dict(arms=[{"name": "a", "cost": float("nan")}, "b", "c"]), "cost"),
        (dict(n_clusters=4), "n_clusters"),
        (dict(delta=0), "delta"),
        (dict(algorithm="fast"), "algorithm"),
        (dict(budget=0), "budget"),
        (dict(budget={"money": 3}), "budget"),
        (dict(budget={"cost": float("inf")}), "budget cost"),
        (dict(lease=0), "lease"),
        (dict(lease="long"), "lease"),
        (dict(url="nothing"), "url"),
        (dict(url="mysql://x"), "url"),
        (dict(url=7), "url"),
    ],
)
def test_bad_parameters_name_the_argument(memory, changes, argument):
    good = dict(url=memory, name="x", arms=["a", "b", "c"], n_clusters=2, delta=0.1)
    with pytest.raises(
        boclust.InvalidInputError, match=rf"^{argument}( must be .*, got |: .*accepted: )"
    ):
        boclust.Study.create(**{**good, **changes})


# --- asking -----------------------------------------------------------------------------------


def test_a_client_gets_what_it_holds(create, reopen):
    study = create()
    first = study.ask(client="ann")
    assert reopen(study).ask(client="ann") == first
    assert study.ask(client="bob") != first
    both = study.ask(3, client="ann")
    assert both[0] == first
    assert len(both) == 3
    assert kinds(study) == ["created"] + ["asked"] * 4
    study.tell(first, 1.0)
    assert study.ask(2, client="ann") == both[1:]
    assert study.find_ask(first.id) == first


def test_asks_without_a_client_are_new(create):
    study = create()
    assert sorted(study.ask().arm for _ in range(3)) == [0, 1, 2]


def test_pending_asks_count_in_the_choice(create):
    study = create(arms=[str(i) for i in range(5)])
    assert sorted(ask.arm for ask in study.ask(5)) == [0, 1, 2, 3, 4]
    assert sorted(ask.arm for ask in study.ask(5, client="b")) == [0, 1, 2, 3, 4]
    assert [arm.pending for arm in study.status().arms] == [2] * 5


def test_leases_expire_and_late_values_are_kept(create, reopen):
    study = create(lease=0.2)
    ask = study.ask(client="ann")
    time.sleep(0.25)
    again = study.ask(client="ann")
    assert again.id != ask.id
    assert again.arm == ask.arm
    assert [one.id for one in study.status().asks] == [again.id]
    study.tell(ask, 1.0)
    assert study.tell(ask, 1.0) == 4
    with pytest.raises(ConflictError, match="was answered"):
        study.tell(ask, 2.0)
    assert study.verify().ok
    assert reopen(study).status().samples == 1


def test_pause_and_resume(create, reopen):
    study = create()
    study.pause()
    study.pause()
    with pytest.raises(StudyPausedError):
        reopen(study).ask()
    study.tell("a", 1.0)
    study.resume()
    study.ask()
    assert kinds(study) == ["created", "paused", "told", "resumed", "asked"]


def test_stopped_by_hand(create):
    study = create()
    study.stop("no funds")
    with pytest.raises(StudyStoppedError, match="by hand") as caught:
        study.ask()
    assert caught.value.how == "stopped"
    study.tell("a", 1.0)
    assert study.status().samples == 1


def test_a_budget_of_samples(create, reopen):
    study = create(budget=4)
    asks = study.ask(10)
    assert len(asks) == 4
    with pytest.raises(NothingToAskError, match=r"pending asks \(4\)"):
        study.ask()
    for i, ask in enumerate(asks):
        study.tell(ask, float(i))
    with pytest.raises(StudyStoppedError, match="budget") as caught:
        reopen(study).ask()
    assert caught.value.how == "budget"
    assert kinds(study)[-1] == "stopped"
    study.change_budget({"samples": 10})
    assert study.status().state == "open"
    assert len(study.ask(10)) == 6


def test_a_budget_of_costs(create):
    study = create(
        arms=[{"name": "a", "cost": 2}, {"name": "b", "cost": 5}, "c"], budget={"cost": 7}
    )
    assert [ask.name for ask in study.ask(5)] == ["a", "b"]
    study.tell_many([("a", 0.0), ("b", 0.0)])
    status = study.status()
    assert (status.cost, status.state) == (7.0, "budget")


@pytest.mark.parametrize("algorithm", ["boc-elim", "maxgap-elim"])
def test_rounds_are_honoured(create, algorithm):
    study = create(arms=list("abcd"), algorithm=algorithm)
    asks = study.ask(100)
    assert sorted(ask.name for ask in asks) == list("abcd")
    with pytest.raises(NothingToAskError):
        study.ask()
    study.tell_many([(ask, float(ask.arm > 1)) for ask in asks])
    assert {ask.name for ask in study.ask(100)} <= set("abcd")
    assert study.verify().ok


# --- telling ----------------------------------------------------------------------------------


def test_keys_make_telling_harmless(create, reopen):
    study = create()
    assert study.tell("a", 0.1, key="k") == 2
    assert reopen(study).tell(0, 0.1, key="k", client="other") == 2
    for changes in (dict(value=0.2), dict(ask_or_arm="b"), dict(metadata={"x": 1})):
        with pytest.raises(ConflictError, match="key 'k' was used by event 2"):
            study.tell(**{"ask_or_arm": "a", "value": 0.1, "key": "k", **changes})
    assert values(study) == [("a", 0.1)]


def test_an_ask_is_answered_once(create):
    study = create()
    ask = study.ask()
    seq = study.tell(ask, 0.5)
    assert study.tell(ask, 0.5) == seq
    for more in (dict(value=0.6), dict(value=0.5, key="k")):
        with pytest.raises(ConflictError, match="was answered"):
            study.tell(ask, **more)
    assert study.tell("a", 0.5) == seq + 1  # without an ask: another value
    told = [e for e in study.history() if e["kind"] == "told"]
    assert [e["ask"] for e in told] == [ask.id, None]


def test_asks_of_other_studies_are_refused(create):
    one, two = create("one"), create("two")
    ask = one.ask()
    two.ask()
    with pytest.raises(StudyNotFoundError, match="has no ask"):
        two.tell(ask, 1.0)
    with pytest.raises(StudyNotFoundError, match="has no ask"):
        one.find_ask("nonsense")
    assert values(one) == values(two) == []


def test_batches_are_all_or_nothing(create):
    study = create()
    ask = study.ask()
    with pytest.raises(boclust.InvalidInputError, match=r"^observations\[2\]: value") as refused:
        study.tell_many([("a", 1.0), ("b", 2.0), ("c", float("nan"))])
    assert refused.value.observation == 2
    with pytest.raises(ConflictError, match=r"^observations\[1\]: the key 'k'") as refused:
        study.tell_many([("a", 1.0, "k"), ("b", 2.0, "k")])
    assert refused.value.observation == 1
    with pytest.raises(StudyNotFoundError, match=r"^observations\[1\]: .* no ask") as refused:
        study.tell_many([("a", 1.0), {"ask": "x-1", "value": 1.0}])
    assert refused.value.observation == 1
    with pytest.raises(boclust.InvalidInputError, match=r"^value") as refused:
        study.tell("a", "much")
    assert refused.value.observation is None
    assert values(study) == []
    rows = [
        (ask, 1.0),
        ("b", 2.0, "k"),
        ("b", 2.0, "k"),
        {"ask": ask.id, "value": 1.0},
        {"arm": 2, "value": 3, "key": "m", "client": "ann", "metadata": {"n": [1]}},
    ]
    assert study.tell_many(rows) == [3, 4, 4, 3, 5]
    assert study.tell_many(rows) == [3, 4, 4, 3, 5]
    assert values(study) == [("a", 1.0), ("b", 2.0), ("c", 3.0)]
    assert study.tell_many([]) == []


@BEFORE
@pytest.mark.parametrize(
    "value",
    [
        float("nan"), float("inf"), "1.0", b"1", True, np.bool_(1), None, {}, [1.0, 2.0], [], [[]],
        1 + 2j, 2**53 + 1, -(2**64) - 1, 10**400, 1e300, np.ma.masked, object(),
    ],
)  # fmt: skip
def test_impossible_values_are_refused_whole(create, value):
    study = create()
    with pytest.raises(boclust.InvalidInputError, match=r"^value( must be |: )"):
        study.tell("a", value)
    with pytest.raises(boclust.InvalidInputError, match=r"^observations\[1\]: value( must be |: )"):
        study.tell_many([("a", 1.0), ("a", value)])
    assert kinds(study) == ["created"]


@pytest.mark.parametrize(
    "value", [1, 2**53, -(2**60), np.int8(3), np.float32(0.1), np.float64(0.1), [0.5], 5e-324, -0.0]
)
def test_values_are_kept_bit_for_bit(create, reopen, value):
    study = create()
    study.tell("a", value)
    (kept,) = [e["value"] for e in reopen(study).history() if e["kind"] == "told"]
    assert np.float64(kept).tobytes() == np.asarray(value, dtype=float).tobytes()


def test_vectors_and_families(create):
    plane = create("plane", dim=2)
    plane.tell("a", [0.1, -0.2])
    with pytest.raises(boclust.InvalidInputError, match="2 finite numbers"):
        plane.tell("a", [0.1])
    assert values(plane) == [("a", [0.1, -0.2])]
    clicks = create("clicks", family=boclust.Bernoulli())
    clicks.tell("a", 1)
    with pytest.raises(boclust.InvalidInputError, match="0 or 1"):
        clicks.tell("a", 0.5)


@BEFORE
@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        (dict(ask_or_arm="z"), "arm"),
        (dict(ask_or_arm=3), "arm"),
        (dict(ask_or_arm=-1), "arm"),
        (dict(ask_or_arm=1.0), "arm"),
        (dict(ask_or_arm=None), "arm"),
        (dict(key=""), "key"),
        (dict(key="a\0"), "key"),
        (dict(client=7), "client"),
        (dict(metadata=[1]), "metadata"),
        (dict(metadata={"x": float("nan")}), "metadata"),
        (dict(metadata={"x": {1, 2}}), "metadata"),
        (dict(metadata={1: 2}), "metadata"),
        (dict(metadata={"x": "y" * 1_000_001}), "metadata"),
    ],
)
def test_bad_tells_name_the_argument(create, arguments, argument):
    study = create()
    with pytest.raises(boclust.InvalidInputError, match=rf"^{argument}.*( must be |: )"):
        study.tell(**{"ask_or_arm": "a", "value": 1.0, **arguments})
    assert kinds(study) == ["created"]


def test_large_metadata(create):
    study = create()
    metadata = {"text": "\0é\ud800" * 50_000, "number": 2**70, "deep": [[[None, True]]]}
    study.tell("a", 1.0, metadata=metadata)
    assert list(study.history())[-1]["payload"] == metadata


# --- the answer -------------------------------------------------------------------------------


def run(study, rng, means, client="ann", most=5000):
    for _ in range(most):
        try:
            ask = study.ask(client=client)
        except StudyStoppedError:
            return
        study.tell(ask, float(rng.normal(means[ask.arm])))


@pytest.mark.compiled
def test_a_study_gives_the_answer_of_a_learner(create, reopen, rng):
    means = [0.0, 0.3, 4.0]
    study = create()
    run(study, np.random.default_rng(3), means)
    learner = boclust.Learner(3, 2, 0.1)
    other = np.random.default_rng(3)
    while not learner.done:
        arm = learner.ask()
        learner.tell(arm, float(other.normal(means[arm])))
    status = reopen(study).status()
    assert status.state == "certified"
    assert status.clusters == [["a", "b"], ["c"]]
    assert status.samples == learner.n_samples
    assert status.guarantee == learner.guarantee
    assert status.progress == 1
    assert [arm.samples for arm in status.arms] == learner.pulls.tolist()
    assert kinds(study)[-1] == "stopped"
    with pytest.raises(StudyStoppedError, match="certified"):
        study.ask()
    study.tell("c", 0.0)  # late values are kept, the answer stays
    after = study.status()
    assert (after.state, after.clusters) == ("certified", status.clusters)
    assert after.samples == status.samples + 1
    assert study.verify().ok
    assert "Stopped" in study.explain().text


def test_what_is_still_needed(create, rng):
    study = create(arms=[{"name": "a", "cost": 3}, {"name": "b", "cost": 3}, "c"], delta=1e-9)
    assert study.status().remaining_samples is None
    rows = [(arm, float(rng.normal([0, 0.5, 3][arm]))) for _ in range(12) for arm in range(3)]
    study.tell_many(rows)
    status = study.status()
    samples, cost = status.remaining_samples, status.remaining_cost
    assert 0 <= samples.low < samples.value < samples.high
    assert cost.value == pytest.approx(samples.value * 7 / 3)
    assert 0 < status.progress < 1
    assert "arm 'a'" in study.explain().text


# --- voiding and correcting -------------------------------------------------------------------


def test_voids_and_corrections_recompute(create, reopen, rng):
    rows = [(arm, float(rng.normal([0, 0.5, 3][arm]))) for _ in range(5) for arm in range(3)]
    study = create(delta=1e-6)
    study.tell_many(rows)
    study.void(3, "mistyped")
    study.correct(5, 0.25, "decimal point")
    plain = create("plain", delta=1e-6)
    kept = [*rows[:1], rows[2], (rows[3][0], 0.25), *rows[4:]]
    plain.tell_many(kept)
    for one in (study, reopen(study)):
        status, other = one.status(), plain.status()
        assert [a.estimate for a in status.arms] == [a.estimate for a in other.arms]
        assert status.progress == other.progress
        assert (status.voided, status.corrected) == (1, 1)
        assert status.samples == 15  # they were taken, and paid for
        assert sum(arm.samples for arm in status.arms) == 14
        assert len(status.notes) == 2
        assert "if the reasons did not depend" in status.notes[0]
        assert one.verify().ok


def test_revisions_are_idempotent_and_checked(create, reopen):
    study = create()
    seq = study.tell("a", 1.0)
    other = reopen(study)
    first = study.correct(seq, 2.0, "typo")
    assert other.correct(seq, 2.0, "typo") == first
    second = study.correct(seq, 3.0, "again")
    assert study.status().arms[0].estimate == [3.0]
    assert study.tell_many([("b", 1.0)]) == [5]
    void = other.void(seq, "no")
    assert study.void(seq, "no") == void
    assert second < void
    for attempt in (lambda: study.void(seq, "other"), lambda: study.correct(seq, 1.0, "x")):
        with pytest.raises(ConflictError, match="voided by event 6"):
            attempt()
    for wrong in (1, first, 99):
        with pytest.raises(StudyNotFoundError, match="no value"):
            study.void(wrong, "x")
    with pytest.raises(boclust.InvalidInputError, match=r"^value( must be |: )"):
        study.correct(5, float("nan"), "x")
    with pytest.raises(boclust.InvalidInputError, match=r"^reason must be "):
        study.void(5, "")
    assert study.verify().ok


@pytest.mark.compiled
def test_a_certified_study_may_be_open_again(create, reopen):
    study = create()
    run(study, np.random.default_rng(3), [0.0, 0.3, 4.0])
    assert study.status().state == "certified"
    told = [e["seq"] for e in study.history() if e["kind"] == "told"]
    other = reopen(study)
    other.status()
    for seq in told[-4:]:
        study.void(seq, "broken sensor")
    assert other.status().state == "open"
    assert other.status().guarantee.startswith("none")
    run(other, np.random.default_rng(4), [0.0, 0.3, 4.0])
    assert study.status().state == "certified"
    assert "4 observations were voided" in study.status().notes[0]
    assert study.verify().ok


# --- forks, exports ---------------------------------------------------------------------------


def test_forks(create, url, rng):
    study = create(arms=list("abcd"))
    study.ask()
    rows = [(arm, float(rng.normal([0, 0.5, 3, 9][arm])), f"k{arm}") for arm in range(4)]
    study.tell_many(rows)
    study.void(4, "typo")
    study.correct(3, 7.5, "typo")
    fork = study.fork("other", n_clusters=3, delta=0.2)
    assert fork.status().n_clusters == 3
    assert values(fork) == [("a", 7.5), ("c", rows[2][1]), ("d", rows[3][1])]
    assert (
        "forked from 'tides' (n_clusters = 2, delta = 0.1) after 8 events"
        in (fork.status().notes[0])
    )
    assert fork.tell("c", rows[2][1], key="k2") == 3
    assert fork.verify().ok
    assert boclust.Study.open(url, "other").status() == fork.status()
    with pytest.raises(StudyExistsError):
        study.fork("other")
    with pytest.raises(
        boclust.InvalidInputError, match=r"^changes must be n_clusters, .* or lease, got arms"
    ):
        study.fork("x", arms=["a"])
    with pytest.raises(boclust.InvalidInputError, match="0 or 1"):
        study.fork("x", family=boclust.Bernoulli())
    assert len(boclust.Study.list(url)) == 2


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_exports(create, tmp_path, suffix):
    import pyarrow.csv
    from pyarrow import parquet

    study = create()
    ask = study.ask(client="ann")
    study.tell(ask, 0.1, client="ann", metadata={"x": 1})
    study.tell_many([("b", 2.0, 'k, "2"\n'), ("c", 1e-300)])
    study.void(4, "typo")
    study.correct(5, 0.3, "typo")
    path = tmp_path / f"values{suffix}"
    assert study.export(path) == 3
    read = pyarrow.csv.read_csv if suffix == ".csv" else parquet.read_table
    more = {}
    if suffix == ".csv":
        more["parse_options"] = pyarrow.csv.ParseOptions(newlines_in_values=True)
    rows = read(path, **more).to_pylist()
    assert [row["arm"] for row in rows] == ["a", "b", "c"]
    assert [row["value"] for row in rows] == [0.1, 2.0, 0.3]
    assert [row["status"] for row in rows] == ["kept", "voided", "corrected"]
    assert rows[0]["ask"] == ask.id
    assert rows[1]["key"] == 'k, "2"\n'
    assert json.loads(rows[0]["metadata"]) == {"x": 1}
    with pytest.raises(boclust.InvalidInputError, match=r"^path must be .*, got .*values.txt"):
        study.export(tmp_path / "values.txt")
    assert [p.name for p in tmp_path.glob("values*")] == [path.name]
    if suffix == ".csv":
        assert "".join(study.export_csv()) == path.read_bytes().decode()


def test_history_pages(create, monkeypatch):
    from boclust.study import log

    study = create()
    study.tell_many([("a", float(i)) for i in range(25)])
    monkeypatch.setattr(log, "PAGE", 4)
    assert [e["value"] for e in study.history(1)] == list(range(25))
    assert study.verify().ok
    assert [e["seq"] for e in study.history(after=24)] == [25, 26]
    for limit in (1, 3, 4, 5, 8, 26, 1000):
        assert [e["seq"] for e in study.history(0, limit)] == list(range(1, min(limit, 26) + 1))
    for limit in (0, -1, 1.0, True, "1"):
        with pytest.raises(boclust.InvalidInputError, match=r"^limit( must be |: )"):
            next(study.history(0, limit))


def test_samples_that_scatter_too_much_are_said_from_early_on(create, reopen):
    study = create(family=boclust.Gaussian(sigma=0.5))
    for arm in ("a", "b", "c"):
        study.tell_many([(arm, value) for value in (0.0, 6.0, 0.0, 6.0)])
    said = "samples scatter with standard deviation 3.46, but sigma = 0.5 is assumed"
    assert study.status().guarantee == f"none: the certificate does not hold yet; {said}"
    assert reopen(study).status().guarantee == study.status().guarantee


def test_the_rule_of_a_study_stays_whatever_later_versions_prefer(create, reopen, monkeypatch):
    """Also for a study whose first event has no rule."""
    study = create(key="k")
    monkeypatch.setattr("boclust.run.algorithm._best", lambda dim, family, many: "mixture")
    assert reopen(study).parameters == study.parameters
    assert study.parameters["algorithm"]["stopping"] == "local-directional"
    assert create(key="k").parameters == study.parameters
    assert create(name="new").parameters["algorithm"]["stopping"] == "mixture"


def test_a_first_event_without_a_rule():
    spec = Spec.new(arm_list(60), boclust.Learner(60, 2, 0.1), 60, Budget(None, None))
    assert spec.rule == spec.learner().stopping == "local"
    assert Spec.from_json(spec.to_json()) == spec
    before = json.loads(spec.to_json())
    del before["rule"]
    assert Spec.from_json(json.dumps(before)).learner().stopping == "local-directional"


def test_a_first_event_with_a_seed(create, reopen, url):
    """Older versions recorded a seed, which no rule used."""
    with pytest.raises(TypeError, match="seed"):
        create(seed=7)
    if url == "sqlite://":
        pytest.skip("no other version can have made it")
    study = create(key="k")
    study.tell("a", 1.0)
    before = study.parameters
    study.close()
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        payload = "SELECT payload FROM boclust_events WHERE seq = 1"
        old = json.loads(connection.execute(sa.text(payload)).scalar_one()) | {"seed": 7}
        change = sa.text("UPDATE boclust_events SET payload = :new WHERE seq = 1")
        connection.execute(change, {"new": json.dumps(old)})
    engine.dispose()
    for one in (reopen(study), create(key="k")):
        assert one.parameters == before
        assert one.verify().ok
        one.tell("b", 2.0)
    assert study.fork("other").parameters.keys() == before.keys()
