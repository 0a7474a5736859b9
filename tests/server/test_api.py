"""Every call of the API, on a server in this process, beside what ``Study`` itself says."""

import csv
import io
import json

import pyarrow.parquet
import pytest

import boclust
from boclust._data import as_data
from boclust.server import studies
from boclust.server.studies import segment

TOLD = [("a", 0.1), ("b", 0.2), ("c", 7.0)]


def tell(api, rows=TOLD, path="tides", **more):
    body = {"observations": [{"arm": arm, "value": value} for arm, value in rows]}
    return api("POST", f"studies/{path}/observations", body, **more)["events"]


def test_health_says_version_and_whether_tokens_are_wanted(api, token):
    assert api("GET", "health") == {"status": "ok", "version": boclust.__version__, "tokens": False}


def test_a_study_from_beginning_to_end(api, study):
    asks = api("POST", "studies/tides/asks", {"n": 2, "client": "ann"})["asks"]
    assert [(ask["name"], ask["client"]) for ask in asks] == [("a", "ann"), ("b", "ann")]
    assert api("POST", "studies/tides/asks", {"n": 2, "client": "ann"})["asks"] == asks
    told = {"observations": [{"ask": asks[0]["id"], "value": 0.5, "metadata": {"by": "hand"}}]}
    (first,) = api("POST", "studies/tides/observations", told)["events"]
    assert api("POST", "studies/tides/observations", told)["events"] == [first]
    status = api("GET", "studies/tides")["status"]
    assert (status["samples"], status["events"], status["state"]) == (1, 4, "open")
    voided = api("POST", "studies/tides/void", {"event": first, "reason": "unplugged"})
    assert voided == {"event": 5}
    (second,) = tell(api, [("a", 77)])
    corrected = {"event": second, "value": 7.7, "reason": "decimal point", "client": "ann"}
    assert api("POST", "studies/tides/correct", corrected)["event"] == second + 1
    assert study.status().arms[0].estimate == [7.7]
    assert api("POST", "studies/tides/pause")["state"] == "paused"
    assert api("POST", "studies/tides/asks", status=409)["type"] == "urn:boclust:study-paused"
    assert api("POST", "studies/tides/resume", {"client": "ann"})["state"] == "open"
    assert api("POST", "studies/tides/budget", {"samples": 1})["state"] == "budget"
    ended = api("POST", "studies/tides/asks", status=409)
    assert (ended["type"], ended["how"]) == ("urn:boclust:study-stopped", "budget")
    assert api("POST", "studies/tides/budget")["state"] == "open"
    assert api("POST", "studies/tides/stop", {"reason": "no funds"})["state"] == "stopped"
    assert study.verify().ok


def test_what_is_seen_is_what_the_study_says(api, study):
    tell(api)
    whole = api("GET", "studies/tides")
    assert whole["status"] == as_data(study.status())
    assert whole["parameters"] == json.loads(json.dumps(study.parameters))
    assert whole["path"] == "tides"
    said, named = study.explain(), api("GET", "studies/tides/explain")
    assert (named["arm"], named["text"]) == (said.arm, said.text)
    assert named["name"] == study.arms[said.arm].name
    assert api("GET", "studies/tides/history")["events"] == list(study.history())
    assert api("GET", "studies/tides/trace") == as_data(study.trace())
    assert api("GET", "studies/tides/picture") == as_data(study.picture())
    assert api("GET", "studies/tides/proportions") == as_data(study.proportions())


def test_history_goes_on_from_a_cursor(api, study):
    tell(api, TOLD * 3)
    seen, after = [], 0
    while after is not None:
        page = api("GET", "studies/tides/history", params={"after": after, "limit": 4})
        seen += page["events"]
        after = page["next"]
    assert seen == list(study.history())
    assert api("GET", "studies/tides/history?limit=1001", status=422)["argument"] == "limit"
    assert api("GET", "studies/tides/history?after=-1", status=422)["argument"] == "after"


def test_exports_are_those_of_the_study(api, study, tmp_path):
    tell(api)
    for format in ("csv", "parquet"):
        answer = api.client.get(f"/api/v1/studies/tides/export?format={format}")
        study.export(path := tmp_path / f"values.{format}")
        assert answer.headers["content-disposition"].startswith(
            f'attachment; filename="tides.{format}"'
        )
        if format == "csv":
            assert answer.content == path.read_bytes()
            assert len(list(csv.DictReader(io.StringIO(answer.text)))) == 3
        else:
            theirs = pyarrow.parquet.read_table(io.BytesIO(answer.content))
            assert theirs.equals(pyarrow.parquet.read_table(path))
    assert api("GET", "studies/tides/export?format=xls", status=422)["argument"] == "format"


def test_a_list_of_studies_by_pages(api):
    for name in ("b", "a", "c d", "é/..?", "~1", "."):
        body = {"name": name, "arms": 3, "n_clusters": 2, "delta": 0.1, "budget": {"cost": 5}}
        api("POST", "studies", body, 201)
    page = api("GET", "studies", params={"limit": 4})
    assert page["next"] == page["studies"][-1]["name"]
    rest = api("GET", "studies", params={"limit": 4, "after": page["next"]})
    assert rest["next"] is None
    paths = {one["name"]: one["path"] for one in page["studies"] + rest["studies"]}
    assert list(paths) == sorted(paths)
    assert paths["c d"] == "c%20d"
    for name, path in paths.items():
        one = api("GET", f"studies/{path}")
        assert (one["status"]["name"], one["path"]) == (name, path)
    summary = page["studies"][0]
    assert (summary["n_arms"], summary["n_clusters"], summary["events"]) == (3, 2, 1)


def test_a_summary_is_made_anew_when_something_happened(api, study):
    before = api("GET", "studies")["studies"][0]
    tell(api)
    after = api("GET", "studies")["studies"][0]
    assert (before["samples"], after["samples"], after["events"]) == (0, 3, 4)
    assert after["progress"] == study.status().progress


@pytest.mark.parametrize("name", ["..", ".", "~7", "a/b", "é", "a?b", "<b>", "a\nb"])
def test_names_that_are_not_plain_go_by_their_number(name):
    assert segment(name, 7) == "~7"


def test_a_key_makes_telling_and_creating_repeatable(api, study):
    keyed = {"headers": {"Idempotency-Key": "k"}}
    first = tell(api, **keyed)
    assert tell(api, **keyed) == first
    assert [event["key"] for event in study.history(1)] == ["k/0", "k/1", "k/2"]
    other = [("a", 0.1), ("b", 0.2), ("c", 8.0)]
    body = {"observations": [{"arm": arm, "value": value} for arm, value in other]}
    said = api("POST", "studies/tides/observations", body, 409, **keyed)
    assert said["type"] == "urn:boclust:conflict"
    new = {"name": "new", "arms": ["x", {"name": "y", "cost": 2, "tags": ["t"]}], "n_clusters": 1,
           "delta": 0.1, "family": {"name": "bernoulli"},
           "algorithm": {"sampling": "rr", "stopping": "local", "options": {}}}  # fmt: skip
    made = api.client.post("/api/v1/studies", json=new, **keyed)
    assert (made.status_code, made.headers["location"]) == (201, "studies/new")
    assert api("POST", "studies", new, 201, **keyed)["name"] == "new"
    assert api("POST", "studies", new, 409)["type"] == "urn:boclust:study-exists"
    assert api("POST", "studies", new | {"delta": 0.2}, 409, **keyed)


def test_unknown_fields_are_refused(api):
    """A seed, for example, which older versions accepted."""
    body = {"name": "new", "arms": 3, "n_clusters": 2, "delta": 0.1, "seed": 3}
    assert api("POST", "studies", body, 422)["argument"] == "seed"


def test_an_ask_is_answered_once_whatever_key_the_request_has(api, study):
    (ask,) = api("POST", "studies/tides/asks")["asks"]
    body = {"observations": [{"ask": ask["id"], "value": 1.0}]}
    for key in ("one", "two"):
        said = api("POST", "studies/tides/observations", body, headers={"Idempotency-Key": key})
        assert said == {"events": [3]}


def test_all_observations_or_none(api, study):
    said = {"observations": [{"arm": "a", "value": 1.0}, {"arm": "nobody", "value": 1.0}]}
    problem = api("POST", "studies/tides/observations", said, 422)
    assert problem["argument"] == "observations[1]"
    assert study.status().samples == 0


@pytest.mark.parametrize(
    ("value", "argument"),
    [(9007199254740993, "value"), ("1.5", "value"), (True, "value"), ([1, 2], "value"),
     (None, "value"), ({}, "value"), (10**400, "value")],
)  # fmt: skip
def test_values_that_are_not_exact_numbers_are_refused(api, study, value, argument):
    body = {"observations": [{"arm": "a", "value": value}]}
    problem = api("POST", "studies/tides/observations", body, 422)
    assert argument in problem["detail"]
    assert study.status().samples == 0


RUBBISH = [
    None, True, -1, 0, 1, 1.5, 10**30, 1e308, "", "x", "x" * 3000, "\0", "\ud800", [], [[]], {},
    [None], {"": None}, {"name": 1}, {"name": "gaussian", "sigma": "x"}, {"sampling": "rr"},
    {"options": {"sampling": 1, "self": 2}}, {"samples": -1}, {"cost": {}}, [1, 2], ["a", "a"],
    {"name": "bounded", "low": 1, "high": 0}, {"options": {"precision": []}},
]  # fmt: skip
NEW = {
    "name": "new", "arms": 3, "n_clusters": 2, "delta": 0.1, "dim": 1, "algorithm": "span",
    "family": {"name": "gaussian"}, "budget": 5, "lease": 60,
}  # fmt: skip
ROW = {"arm": "a", "value": 1.0, "key": "k", "metadata": {}}
WHOLE = [
    ("studies", NEW),
    ("studies/tides/asks", {"n": 1, "client": "c"}),
    ("studies/tides/observations", {"observations": [ROW], "client": "c"}),
    ("studies/tides/void", {"event": 2, "reason": "r", "client": "c"}),
    ("studies/tides/correct", {"event": 3, "value": 1.0, "reason": "r", "client": "c"}),
    ("studies/tides/pause", {"client": "c"}),
    ("studies/tides/budget", {"samples": 100, "cost": 5.0, "client": "c"}),
    ("studies/tides/stop", {"reason": "r", "client": "c"}),
    ("login", {"token": "t"}),
]


@pytest.mark.parametrize(("path", "whole"), WHOLE)
def test_rubbish_in_any_field_is_refused_or_harmless(api, study, path, whole):
    """Each field in turn has each piece of rubbish; nothing unexpected happens, ever."""
    study.tell_many(TOLD)
    bodies = [{**whole, field: junk} for field in [*whole, "more"] for junk in RUBBISH]
    if "observations" in whole:
        rows = [{**ROW, field: junk} for field in [*ROW, "ask", "more"] for junk in RUBBISH]
        bodies += [{"observations": [row]} for row in rows]
    seen = set()
    for i, body in enumerate(bodies):
        if path == "studies" and body["name"] == "new":
            body = {**body, "name": f"new {i}"}
        answer = api.client.post(
            f"/api/v1/{path}", content=json.dumps(body),
            headers={"content-type": "application/json"},
        )  # fmt: skip
        assert answer.status_code in (200, 201, 400, 404, 409, 422), (body, answer.text)
        seen.add(answer.status_code)
    assert 422 in seen
    assert study.verify().ok


def test_words_of_others_come_back_as_they_were(api, study):
    odd = "<script>alert(1)</script>\ud800\u2028"
    body = {"observations": [{"arm": "a", "value": 1, "metadata": {"note": odd}}]}
    answer = api.client.post(
        "/api/v1/studies/tides/observations", content=json.dumps(body),
        headers={"content-type": "application/json"},
    )  # fmt: skip
    assert answer.status_code == 200, answer.text
    answer = api.client.get("/api/v1/studies/tides/history")
    assert answer.headers["content-type"] == "application/json"
    assert json.loads(answer.content)["events"][1]["payload"]["note"] == odd


def test_at_most_so_many_studies_are_kept_open(api, study, monkeypatch):
    monkeypatch.setattr(studies, "MOST", 2)
    for name in "vwxyz":
        api("POST", "studies", {"name": name, "arms": 3, "n_clusters": 2, "delta": 0.1}, 201)
    assert len(api.client.app.state.boclust.studies._open) == 2
    assert tell(api) == [2, 3, 4]
    assert len(api("GET", "studies")["studies"]) == 6


def test_metrics_count_requests_by_route(api, study):
    tell(api)
    api("GET", "studies/nobody", status=404)
    text = api.client.get("/api/v1/metrics").text
    told = 'boclust_requests_total{method="POST",route="/api/v1/studies/{study}/observations"'
    assert told + ',status="200"} 1.0' in text
    assert 'route="/api/v1/studies/{study}",status="404"} 1.0' in text
    assert "boclust_values_total 3.0" in text
    assert "nobody" not in text
    assert "tides" not in text
