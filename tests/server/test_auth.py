"""Who may do what: every route with every role, and what a token is not for does not exist."""

import hashlib
import sqlite3

import pytest
from fastapi.routing import APIRoute

import boclust
from boclust.server import auth, tokens
from boclust.server.gate import API, OPEN
from boclust.study.storage.store import store

#: What each route needs. A route that is not here fails the test below: say what it needs.
NEEDS = {
    "GET /health": "open",
    "POST /login": "open",
    "POST /logout": "open",
    "GET /whoami": "any",
    "GET /metrics": "read",
    "GET /studies": "read",
    "GET /studies/{study}": "read",
    "GET /studies/{study}/explain": "read",
    "GET /studies/{study}/history": "read",
    "GET /studies/{study}/trace": "read",
    "GET /studies/{study}/picture": "read",
    "GET /studies/{study}/proportions": "read",
    "GET /studies/{study}/export": "read",
    "GET /studies/{study}/events": "read",
    "POST /studies/{study}/asks": "tell",
    "POST /studies/{study}/observations": "tell",
    "POST /studies": "admin",
    "POST /studies/{study}/void": "admin",
    "POST /studies/{study}/correct": "admin",
    "POST /studies/{study}/pause": "admin",
    "POST /studies/{study}/resume": "admin",
    "POST /studies/{study}/stop": "admin",
    "POST /studies/{study}/budget": "admin",
}
#: A body that is accepted, where an empty one is not.
BODIES = {
    "/studies": {"name": "new", "arms": 3, "n_clusters": 2, "delta": 0.1},
    "/studies/{study}/observations": {"observations": [{"arm": "a", "value": 1.0, "key": "k"}]},
    "/studies/{study}/void": {"event": 2, "reason": "r"},
    "/studies/{study}/correct": {"event": 3, "value": 2.0, "reason": "r"},
    "/studies/{study}/stop": {"reason": "r"},
}
CALLERS = ("nobody", "wrong", "revoked", "read", "tell", "admin")


def routes_of(app):
    """Every route, also of routers that FastAPI keeps as they were included."""
    for route in app.routes:
        included = getattr(route, "original_router", None)
        yield from [route] if included is None else routes_of(included)


def test_every_route_is_in_the_table(make_app):
    routes = list(routes_of(make_app().app))
    calls = {
        f"{method} {route.path.removeprefix(API)}"
        for route in routes
        if route.path.startswith(API) and isinstance(route, APIRoute)
        for method in route.methods
    }
    assert calls == set(NEEDS)
    others = {route.path for route in routes if f"GET {route.path.removeprefix(API)}" not in calls}
    others -= {API + call.partition(" ")[2] for call in calls}
    assert others == {f"{API}/openapi.json", "/assets", "/"}  # none of them holds data
    assert {f"{API}/openapi.json"} | {
        API + call.partition(" ")[2] for call, need in NEEDS.items() if need == "open"
    } == OPEN


@pytest.fixture
def callers(api, study, token, url):
    """The token of each kind of caller."""
    study.tell_many([("a", 1.0), ("b", 2.0)])
    gone = token("admin")
    tokens.revoke(store(url, True), gone.split("_")[1])
    known = {"nobody": None, "wrong": "boc_00000000_x", "revoked": gone}
    return known | {role: token(role) for role in ("read", "tell", "admin")}


def allowed(caller, need):
    if need == "open":
        return True
    if caller in ("nobody", "wrong", "revoked"):
        return False
    return need == "any" or tokens.ROLES.index(caller) >= tokens.ROLES.index(need)


@pytest.mark.parametrize("call", [call for call in NEEDS if not call.endswith("/events")])
def test_roles(call, api, callers, study):
    """The whole table: who may is answered, all others change and learn nothing."""
    method, _, path = call.partition(" ")
    body = {"token": callers["read"]} if path == "/login" else BODIES.get(path)
    for caller in CALLERS:
        before = list(study.history())
        headers = {} if callers[caller] is None else {"authorization": f"Bearer {callers[caller]}"}
        answer = api.client.request(
            method, API + path.replace("{study}", "tides"), headers=headers,
            **({"json": body or {}} if method == "POST" else {}),
        )  # fmt: skip
        if allowed(caller, NEEDS[call]):
            assert answer.is_success, (caller, answer.text)
            continue
        expected = 401 if caller in ("nobody", "wrong", "revoked") else 403
        assert answer.status_code == expected, (caller, answer.text)
        assert answer.headers["content-type"] == "application/problem+json"
        assert "tides" not in answer.text
        assert list(study.history()) == before
        api.client.cookies.clear()


@pytest.mark.parametrize("caller", CALLERS)
def test_streams_need_a_token_too(api, callers, caller):
    headers = {} if callers[caller] is None else {"authorization": f"Bearer {callers[caller]}"}
    api.client.app.state.boclust.notifier.closing = True  # else it has no end
    answer = api.client.get(f"{API}/studies/tides/events", headers=headers)
    assert answer.is_success == (caller in tokens.ROLES)


@pytest.mark.parametrize(
    "sent",
    [
        "", "boc", "boc_", "boc__", "boc_x_y", "Bearer", "é", "boc_" + 10_000 * "a",
        "boc_00000000_", "admin", "null", "' OR 1=1 --",
    ],
)  # fmt: skip
def test_wrong_tokens(api, callers, sent):
    for headers in ({"authorization": f"Bearer {sent}".encode()}, {"authorization": sent.encode()},
                    {"cookie": f"boclust_token={sent}".encode()}):  # fmt: skip
        said = api("GET", "studies", status=401, headers=headers)
        assert said["type"] in ("urn:boclust:wrong-token", "urn:boclust:no-token")


def test_a_token_with_the_secret_of_another(api, callers):
    one, two = callers["read"].split("_", 2), callers["admin"].split("_", 2)
    api("GET", "studies", status=401, token="_".join(["boc", one[1], two[2]]))
    api("GET", "studies", status=401, token=callers["admin"][:-1])
    api("GET", "studies", status=401, token=callers["admin"] + "A")


def test_a_token_for_some_studies_sees_no_other(api, study, token, url):
    boclust.Study.create(url, "hidden", ["a", "b", "c"], 2, 0.1).close()
    mine = token("admin", ["tides", "later"])
    everything = token("admin")
    number = api("GET", "studies/hidden", token=everything)["parameters"]["id"]
    assert [one["name"] for one in api("GET", "studies", token=mine)["studies"]] == ["tides"]
    for call in NEEDS:
        method, _, path = call.partition(" ")
        if "{study}" not in path:
            continue
        for called in ("hidden", f"~{number}"):
            where = path[1:].replace("{study}", called)
            hidden = api(method, where, BODIES.get(path), 404, token=mine)
            absent = where.replace("hidden", "absent").replace(f"~{number}", "~999")
            missing = api(method, absent, BODIES.get(path), 404, token=mine)
            assert hidden["type"] == missing["type"] == "urn:boclust:study-not-found"
            was = {"hidden": "absent", f"~{number}": "~999"}[called]
            assert hidden["detail"] == missing["detail"].replace(was, called)
    api("GET", "metrics", status=403, token=mine)
    new = {"name": "other", "arms": 3, "n_clusters": 2, "delta": 0.1}
    api("POST", "studies", new, 403, token=mine)
    assert api("POST", "studies", new | {"name": "later"}, 201, token=mine)["name"] == "later"
    # what exists but is not for the token looks like what may not be created
    assert api("POST", "studies", new | {"name": "hidden"}, 403, token=mine)["detail"] == (
        api("POST", "studies", new, 403, token=mine)["detail"].replace("other", "hidden")
    )
    who = api("GET", "whoami", token=mine)
    assert who == {"tokens": True, "name": "admin", "role": "admin", "studies": ["later", "tides"]}


def test_without_tokens_everybody_may_do_all(api, study):
    who = api("GET", "whoami")
    assert who == {"tokens": False, "name": None, "role": "admin", "studies": None}
    assert api("POST", "login", {"token": "boc_x_y"}) == who


def test_from_the_first_token_on_nothing_is_done_without_one(api, study, token, url):
    api("GET", "studies")
    made = token("read")
    api("GET", "studies", status=401)
    api("GET", "studies", token=made)
    tokens.revoke(store(url, True), made.split("_")[1])
    api("GET", "studies", status=401, token=made)
    api("GET", "studies", status=401)  # revoked ones count: it does not open again
    assert api("GET", "health")["tokens"] is True


def test_the_page_logs_in_and_out_by_a_cookie(api, make_app, token):
    made = token("tell")
    said = api.client.post(f"{API}/login", json={"token": made})
    assert (said.status_code, said.json()["role"]) == (200, "tell")
    cookie = said.headers["set-cookie"]
    for part in ("HttpOnly", "SameSite=strict", "Path=/", f"{auth.COOKIE}={made}"):
        assert part in cookie
    assert "Secure" not in cookie
    assert api("GET", "whoami")["name"] == "tell"
    crowded = {"cookie": f'a="x; b=[1]; {auth.COOKIE}={made}; c'}  # of others on the same host
    assert api("GET", "whoami", headers=crowded)["name"] == "tell"
    out = api.client.post(f"{API}/logout", json={})
    assert f'{auth.COOKIE}=""' in out.headers["set-cookie"]
    api("GET", "whoami", status=401)
    assert api("POST", "login", {"token": "boc_x_y"}, 401)["type"] == "urn:boclust:wrong-token"
    secure = make_app(base_url="https://127.0.0.1", root_path="/lab")
    cookie = secure.post("/lab/api/v1/login", json={"token": made}).headers["set-cookie"]
    assert "Secure" in cookie
    assert "Path=/lab" in cookie


def test_tokens_are_kept_hashed_and_compared_in_constant_time(url, tmp_path, monkeypatch):
    made, text = tokens.create(store(url, False), "ann", "tell", ["tides"])
    _, id, secret = text.split("_", 2)
    with sqlite3.connect(tmp_path / "studies.db") as file:
        (row,) = file.execute("SELECT * FROM boclust_tokens").fetchall()
    file.close()
    assert row[:5] == (id, "ann", "tell", '["tides"]', hashlib.sha256(secret.encode()).hexdigest())
    assert len(secret) == 43
    compared = []
    monkeypatch.setattr(
        tokens.hmac, "compare_digest", lambda one, two: compared.append(one) or one == two
    )
    keyring = tokens.Keyring(store(url, True))
    keyring.refresh()
    assert keyring.find(text) == made
    assert keyring.find(f"boc_{id}_wrong") is None
    assert keyring.find(f"boc_unknown0_{secret}") is None
    assert len(compared) == 3
    assert text not in repr(keyring.__dict__)


def test_what_is_known_of_tokens_is_read_again_after_a_second(url, token, monkeypatch):
    monkeypatch.setattr(tokens, "FRESH", 1.0)
    now = [1000.0]
    monkeypatch.setattr(tokens.time, "monotonic", lambda: now[0])
    made = token("read")
    keyring = tokens.Keyring(store(url, True))
    keyring.refresh()
    tokens.revoke(store(url, True), made.split("_")[1])
    keyring.refresh()
    assert keyring.find(made) is not None
    now[0] += 1.0
    assert not keyring.is_fresh
    keyring.refresh()
    assert keyring.find(made) is None


def test_a_database_that_is_lost_lets_nobody_in(api, study, token, monkeypatch):
    made = token("read")
    api("GET", "studies", token=made)
    keyring = api.client.app.state.boclust.keyring

    def lost(work):
        raise boclust.study.ServerLostError("postgresql://ann:secret@host/x is gone")

    monkeypatch.setattr(keyring._store, "read", lost)
    said = api("GET", "studies", status=503, token=made)
    assert said["type"] == "urn:boclust:server-lost"
    assert "secret" not in str(said)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("", "read", None), "name must be .*, got 0 bytes"),
        (("ann", "king", None), "role.*'king'"),
        (("ann", "read", []), "studies must be"),
        (("ann", "read", "tides"), "studies must be .*, got 'tides'"),
    ],
)
def test_tokens_that_cannot_be_made(url, arguments, problem):
    with pytest.raises(ValueError, match=problem):
        tokens.create(store(url, False), *arguments)
