"""Servers in this process, and in their own processes on loopback."""

from contextlib import ExitStack

import pytest

import boclust
from boclust.server import create_app, tokens
from boclust.study.storage.store import store
from support.in_process import ADDRESS, InProcess
from support.server_process import served


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path / 'studies.db'}"


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Servers in this process see a new or revoked token at once."""
    monkeypatch.setattr(tokens, "FRESH", 0.0)


@pytest.fixture(scope="session")
def routes():
    """The routes of one application without the OpenAPI document: they take long to build."""
    return create_app("sqlite://").router.routes[1:]


@pytest.fixture
def make_app(url, routes):
    """``make_app(**settings)``: a client of an application in this process."""
    made = []

    def make(base_url=ADDRESS, **settings):
        made.append(create_app(url, **{"rate": None, **settings}))
        made[-1].router.routes[1:] = routes
        return InProcess(made[-1], base_url)

    yield make
    for app in made:
        app.state.boclust.close()


@pytest.fixture
def api(make_app):
    """``api(method, path, body, status=200, **more)``: the JSON answer of the server."""
    client = make_app()

    def call(method, path, body=None, status=200, token=None, **more):
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        headers |= more.pop("headers", {})
        if method == "POST":
            more["json"] = {} if body is None else body
        answer = client.request(method, f"/api/v1/{path}", headers=headers, **more)
        assert answer.status_code == status, answer.text
        return answer.json()

    call.client = client
    return call


@pytest.fixture
def study(api, url):
    """The study "tides" with the arms a, b and c."""
    api(
        "POST",
        "studies",
        {"name": "tides", "arms": list("abc"), "n_clusters": 2, "delta": 0.1},
        201,
    )
    with boclust.Study.open(url, "tides") as one:
        yield one


@pytest.fixture
def token(url):
    """``token(role, studies=None)``: the text of a new token."""
    return lambda role="admin", studies=None: tokens.create(store(url, False), role, role, studies)[
        1
    ]


@pytest.fixture
def serve(tmp_path):
    """``serve(url, *options)``: a server process that ends with the test."""
    with ExitStack() as stack:
        yield lambda url, *options: stack.enter_context(served(url, *options, folder=tmp_path))
