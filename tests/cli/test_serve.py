"""``boclust serve``: what it prints, what it refuses, how it ends."""

import json
import os
import signal
import socket

import httpx
import pytest

import boclust
from boclust.server import tokens
from boclust.study.storage.store import store
from support.server_process import served


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path / 'studies.db'}"


@pytest.mark.compiled
def test_the_first_minute_of_a_newcomer(tmp_path, monkeypatch):
    """Without options: a file in this folder, an address to open, Ctrl-C."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BOCLUST_URL", raising=False)
    with served(None, folder=tmp_path) as server:
        assert "<title>boclust" in httpx.get(server.address).text
        new = {"name": "tides", "arms": ["a", "b", "c"], "n_clusters": 2, "delta": 0.1}
        with server.http() as http:
            assert http.post("studies", json=new).status_code == 201
        server.signal(signal.SIGINT)
        code, out, err = server.ended()
    assert (code, err) == (0, "")
    first, *rest = out.splitlines()
    assert first.startswith("Studies of sqlite:///boclust.db at http://127.0.0.1:")
    assert rest == [
        "No tokens: anyone who can reach it may do everything (see boclust token).",
        "Press Ctrl-C to stop.",
        "Stopped.",
    ]
    assert boclust.Study.list("sqlite:///boclust.db")[0]["name"] == "tides"


@pytest.mark.slow
def test_tokens_are_said_and_wanted(url, tmp_path):
    _, text = tokens.create(store(url, False), "ann", "read", None)
    with served(url, "--host", "0.0.0.0", "--root-path", "/lab", folder=tmp_path) as server:
        port = server.address.rpartition(":")[2].removesuffix("/lab")
        assert server.address == f"http://0.0.0.0:{port}/lab"
        local = f"http://127.0.0.1:{port}"
        assert httpx.get(f"{local}/api/v1/studies").status_code == 401
        sent = {"authorization": f"Bearer {text}"}
        assert httpx.get(f"{local}/api/v1/studies", headers=sent).is_success
        assert '<base href="/lab/">' in httpx.get(local).text
        assert httpx.get(local, headers={"host": "evil.example"}).status_code == 421
        server.signal(signal.SIGTERM)
        assert "Requests need a token" in server.ended()[1]


def test_others_can_reach_it_only_if_that_is_said(url, refused):
    for host in ("0.0.0.0", "::"):
        refused("host must be 127.0.0.1 while there are no tokens", "serve", "--url", url,
                "--host", host, "--port", 0)  # fmt: skip


@pytest.mark.slow
def test_hosts_that_others_can_reach_or_not(url, tmp_path):
    with served(url, "--host", "0.0.0.0", "--without-tokens", folder=tmp_path) as server:
        assert httpx.get(server.address.replace("0.0.0.0", "127.0.0.1")).is_success
    with served(url, "--host", "::1", folder=tmp_path) as server:
        assert server.address.startswith("http://[::1]:")
        assert httpx.get(server.address).is_success


@pytest.mark.slow
def test_other_names_and_smaller_limits(url, tmp_path):
    options = ("--allow-host", "lab.example", "--rate", 1, "--max-body", 1000)
    with served(url, *options, folder=tmp_path) as server, server.http() as http:
        assert http.get("health", headers={"host": "lab.example"}).is_success
        assert http.post("login", json={"token": "x" * 1000}).status_code == 413
        assert 429 in {http.get("health").status_code for _ in range(20)}


def test_what_cannot_be_served(url, refused, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused(f"got 127.0.0.1 and port {port} (", "serve", "--url", url, "--port", port)
    refused(
        "host must be a known address or host name, got 'no such host'",
        "serve",
        "--url",
        url,
        "--host",
        "no such host",
    )
    refused("which ends with the command", "serve", "--url", "sqlite://")
    refused("got 'x.db'", "serve", "--url", "x.db")
    refused("0<=x<=65535", "serve", "--url", url, "--port", 70000)
    (tmp_path / "other.db").write_bytes(b"no database" * 1000)
    refused(
        "it is damaged or not a database", "serve", "--url", f"sqlite:///{tmp_path / 'other.db'}"
    )


def test_help_says_where_the_database_is(call):
    assert "sqlite:///boclust.db" in call("serve", "--help").out


# --- boclust token ----------------------------------------------------------------------------


@pytest.fixture
def token(call, url):
    return lambda *arguments: call("token", *arguments, "--url", url)


def test_tokens_from_making_to_revoking(token, url):
    made = token("create", "ann", "--role", "tell", "--study", "tides", "--study", "[b]x[/b]")
    assert made.code == 0
    text = made.out.strip()
    assert text.startswith("boc_")
    id = text.split("_")[1]
    assert f"boclust token revoke {id}" in made.err
    listed = token("list")
    assert id in listed.out
    assert "[b]x[/b]" in listed.out
    assert text.split("_", 2)[2] not in listed.out + listed.err
    (row,) = json.loads(token("list", "--json").out)
    assert (row["name"], row["role"], row["studies"]) == ("ann", "tell", ["tides", "[b]x[/b]"])
    assert set(row) == {"id", "name", "role", "studies", "created", "revoked"}
    for _ in range(2):
        assert token("revoke", id).out == f"Revoked: {id}, ann.\n"
    (again,) = json.loads(token("list", "--json").out)
    assert again["revoked"] == json.loads(token("revoke", id, "--json").out)["revoked"]
    said = json.loads(token("create", "bob", "--json").out)
    assert (said["role"], said["studies"]) == ("read", None)
    assert said["token"].startswith(f"boc_{said['id']}_")


def test_tokens_that_cannot_be(token, refused, url, tmp_path):
    def bad(problem, *arguments):
        refused(problem, "token", *arguments, "--url", url)

    refused("there is no database", "token", "list", "--url", f"sqlite:///{tmp_path / 'none.db'}")
    bad("Invalid value for '--role'", "create", "ann", "--role", "king")
    bad("name must be text of 1 to 2000 bytes", "create", "")
    assert token("create", "ann").code == 0
    bad("there is no token 'deadbeef'", "revoke", "deadbeef")
    assert not os.path.exists("boclust.db")
