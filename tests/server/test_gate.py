"""Refusals before the route: hosts, origins, bodies, rates, paths."""

import asyncio
import json

import pytest
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.routing import Mount

from boclust.server import create_app, limits
from boclust.server.gate import API
from boclust.server.problems import Problem
from support.in_process import InProcess

JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    ("host", "answered"),
    [
        ("127.0.0.1:8000", True), ("localhost", True), ("LOCALHOST:1", True), ("[::1]:8000", True),
        ("192.168.1.7", True), ("lab.example", True), ("evil.example", False), ("", False),
        ("lab.example.evil.example", False), ("127.0.0.1.evil.example", False),
        ("lab.example@evil.example", False), ("lab.example:80:80", False), ("127.0.0.1/x", False),
    ],
)  # fmt: skip
def test_hosts(make_app, host, answered):
    client = make_app(hosts=["Lab.example"])
    for path in ("/", f"{API}/health", f"{API}/studies"):
        answer = client.get(path, headers={"host": host})
        assert (answer.status_code == 421) != answered
        assert answer.is_success == answered


def test_any_host_where_another_application_checks_it(make_app):
    assert make_app(hosts=["*"]).get(f"{API}/health", headers={"host": "evil.example"}).is_success


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (JSON, 200),
        ({"content-type": "Application/JSON; charset=utf-8"}, 200),
        ({**JSON, "origin": "http://127.0.0.1"}, 200),
        ({**JSON, "sec-fetch-site": "same-origin"}, 200),
        ({**JSON, "origin": "http://127.0.0.1:81"}, 403),
        ({**JSON, "origin": "http://evil.example"}, 403),
        ({**JSON, "origin": "null"}, 403),
        ({**JSON, "sec-fetch-site": "cross-site"}, 403),
        ({**JSON, "sec-fetch-site": "same-site"}, 403),
        ({}, 415),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
        ({"content-type": "multipart/form-data; boundary=x"}, 415),
        ({"content-type": "application/jsonx"}, 415),
    ],
)
def test_other_sites_cannot_make_a_browser_change_anything(api, study, headers, status):
    answer = api.client.post(f"{API}/studies/tides/pause", content=b"{}", headers=headers)
    assert answer.status_code == status, answer.text
    assert study.status().state == ("paused" if status == 200 else "open")


def test_every_answer_has_the_headers(api, study):
    for path in ("/", f"{API}/studies", f"{API}/nothing", f"{API}/studies/none", "/assets/none",
                 f"{API}/openapi.json", "/assets/index.html"):  # fmt: skip
        answer = api.client.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == (
            "no-store" if path.startswith("/api") else "no-cache"
        )
        assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"nul", b"[]", b"[1]", b'"x"', b"1", b"null", b"\xff\xfe", b"{}{}",
        b'{"observations": NaN}', b'{"observations": [{"arm": "a", "value": NaN}]}',
        b'{"observations": [{"arm": "a", "value": -Infinity}]}',
        b'{"observations": [{"arm": "a", "value": 1e999}]}',
        b'{"observations": [{"arm": "a", "value": 1, "metadata": {"x": [{"y": NaN}]}}]}',
        b'{"observations": [{"arm": "a", "value": 1, "metadata": {"x": 1e999}}]}',
        b'{"observations": [{"arm": "a", "value": 1}], "client": Infinity}',
        b'{"observations": []}', b'{"observations": {}}', b'{"observations": [[]]}',
        b'{"observations": [{"arm": "a", "value": 1, "more": 2}]}', b'{"observation": []}',
        b'{"observations": [{"arm": true, "value": 1}]}',
        b'{"observations": [{"arm": "a", "ask": "x", "value": 1}]}',
        b'{"observations": [{"value": 1}]}', b'{"observations": [{"arm": 3, "value": 1}]}',
        b'{"observations": [{"arm": "a", "value": 1, "key": 5}]}',
        b'{"observations": [{"arm": "a", "value": 1, "key": "\\u0000"}]}',
        b'{"observations": [{"arm": "a", "value": 1, "key": "\\ud800"}]}',
        b'{"observations": [{"arm": "a", "value": ' + b"1" * 5000 + b"}]}",
        b'{"observations": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"observations": [{"arm": "a", "value": 1, "metadata": ' + b'{"a":' * 5000
        + b"1" + b"}" * 5000 + b"}]}",
    ],
)  # fmt: skip
def test_bodies_that_are_refused(api, study, body):
    answer = api.client.post(f"{API}/studies/tides/observations", content=body, headers=JSON)
    assert answer.status_code in (400, 404, 422), answer.text
    said = answer.json()
    assert said["status"] == answer.status_code
    assert answer.headers["content-type"] == "application/problem+json"
    assert study.status().samples == 0


def test_large_bodies_are_refused_whether_they_say_so_or_not(make_app, study):
    client = make_app(max_body=2000)
    big = json.dumps({"observations": [{"arm": "a", "value": 1, "key": "k" * 2000}]}).encode()
    path = f"{API}/studies/tides/observations"
    assert client.post(path, content=big, headers=JSON).status_code == 413
    pieces = (big[i : i + 100] for i in range(0, len(big), 100))
    assert client.post(path, content=pieces, headers=JSON).status_code == 413
    assert client.get(f"{API}/studies").is_success
    assert study.status().samples == 0


def test_bodies_that_come_too_slowly_or_not_at_all(monkeypatch):
    monkeypatch.setattr(limits, "PATIENCE", 0.05)

    async def never():
        await asyncio.sleep(60)

    async def gone():
        return {"type": "http.disconnect"}

    for receive, status in ((never, 408), (gone, 400)):
        with pytest.raises(Problem) as refused:
            asyncio.run(limits.whole_body(Headers(), receive, 1000))
        assert refused.value.status_code == status


def test_rates(make_app, study, token, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(limits.time, "monotonic", lambda: now[0])
    client = make_app(rate=2.0)
    seen = [client.get(f"{API}/health").status_code for _ in range(6)]
    assert seen == [200, 200, 200, 200, 429, 429]
    refused = client.get(f"{API}/studies")
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    assert refused.json()["type"] == "urn:boclust:too-many"
    now[0] += 0.5
    assert client.get(f"{API}/health").status_code == 200
    assert client.get(f"{API}/health").status_code == 429


def test_rates_are_counted_by_token_and_wrong_tokens_by_address(make_app, token):
    one, two = token("read"), token("read")
    client = make_app(rate=1e-6)  # one request each, and no more for days

    def get(sent):
        return client.get(f"{API}/whoami", headers={"authorization": f"Bearer {sent}"}).status_code

    assert [get(one), get(one), get(two), get(two)] == [200, 429, 200, 429]
    assert [get("boc_a_b"), get("boc_c_d")] == [401, 429]  # another secret is no way around it


def test_callers_that_are_remembered_are_few(monkeypatch):
    monkeypatch.setattr(limits, "_MOST", 3)
    rate = limits.Rate(10.0)
    for i in range(10):
        rate.take(str(i))
    assert len(rate._buckets) == 3
    limits.Rate(None).take("x")


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../app.py", "/assets/%2e%2e/app.py", "/assets/..%2fapp.py", "/assets//etc/passwd",
        "/assets/%2fetc/passwd", "/assets/....//app.py", "/assets/..%5capp.py",
        "/assets/\\..\\app.py",
        "/assets/%00", "/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
        f"{API}/studies/..", f"{API}/studies/%2e%2e/", f"{API}/studies/tides/../../health/",
        f"{API}/studies/%00", f"{API}/studies/~0",
        f"{API}/studies/~-1", f"{API}/studies/~1e3", f"{API}/studies/~{'9' * 50}",
        f"{API}/studies/~", f"{API}/studies/%ff", f"{API}/studies/tides/", "/api/v2/studies",
        f"{API}/studies/" + "x" * 5000,
        f"{API}/", "/api", f"{API}/studies/'; DROP TABLE boclust_studies; --",
    ],
)  # fmt: skip
def test_paths_that_lead_nowhere(api, study, path):
    answer = api.client.get(path)
    assert answer.status_code in (404, 422), (answer.status_code, answer.text)
    assert "import" not in answer.text
    assert "root:" not in answer.text
    assert study.status().samples == 0


def test_methods_that_there_are_not(api, study):
    for method in ("PUT", "DELETE", "PATCH"):
        answer = api.client.request(method, f"{API}/studies/tides", headers=JSON)
        assert (answer.status_code, answer.json()["type"]) == (405, "urn:boclust:no-such-method")
    assert api.client.request("OPTIONS", f"{API}/studies/tides").status_code == 405


def test_a_closed_api_says_nothing_about_what_there_is(api, study, token):
    token("read")
    said = {
        api.client.get(f"{API}/{path}").text for path in ("studies/tides", "studies/x", "nothing")
    }
    assert len(said) == 1


def test_mounted_under_another_path(make_app):
    page = make_app(root_path="/lab/boclust").get("/")
    assert '<base href="/lab/boclust/">' in page.text
    assert '<base href="/">' in make_app().get("/").text
    inside = make_app(root_path="/lab")
    for path in ("/api/v1/health", "/assets/main.js", "/"):
        for cut in ("", "/lab"):  # proxies that cut it off or do not
            assert inside.get(cut + path).is_success
    assert inside.get("/lab/lab/api/v1/health").status_code == 404


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"root_path": "lab"}, "root_path must be .*, got 'lab'"), ({"root_path": "/lab/"}, "root"),
        ({"root_path": '/"><script>'}, "root_path"), ({"root_path": None}, "got None"),
        ({"rate": 0}, "rate must be"), ({"max_body": 10}, "max_body"),
        ({"url": 5}, "url must be .*, got 5"),
    ],
)  # fmt: skip
def test_settings_that_are_refused(url, settings, problem):
    with pytest.raises(ValueError, match=problem):
        create_app(**{"url": url, **settings})


def test_mounted_in_another_application(make_app, token):
    inner = make_app().app
    client = InProcess(Starlette(routes=[Mount("/inner", inner)]))
    assert client.get("/inner/api/v1/health").is_success
    assert '<base href="/inner/">' in client.get("/inner/").text
    token("read")
    assert client.get("/inner/api/v1/studies").status_code == 401
    assert client.get("/inner/api/v1/health").is_success
