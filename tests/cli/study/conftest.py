"""A small study in its own file."""

import json

import pytest

import boclust


@pytest.fixture
def odd():
    """Names that a terminal, a table or a shell might misread."""
    return ['it\'s "north"', "[red]south[/red] :smile:", "wést\n東京\x1b[31m"]


@pytest.fixture(autouse=True)
def url(tmp_path, monkeypatch):
    """An empty folder, and the URL of a database there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    address = "sqlite:///studies.db"
    monkeypatch.setenv("BOCLUST_URL", address)
    return address


@pytest.fixture
def study(url):
    """``study()`` opens the study "tides" with the arms a, b and c."""
    boclust.Study.create(url, "tides", ["a", "b", "c"], 2, 0.1).close()

    def opened(name="tides"):
        return boclust.Study.open(url, name)

    return opened


@pytest.fixture
def said(call):
    """Run ``boclust study ARGUMENTS --json``; returns its output."""

    def run(*arguments, **options):
        result = call("study", *arguments, "--json", **options)
        assert result.code == 0, result.err
        return json.loads(result.out)

    return run


@pytest.fixture
def told(study):
    """``told()``: the values in the log."""

    def values(name="tides"):
        with study(name) as one:
            return [(e["arm"], e["value"]) for e in one.history() if e["kind"] == "told"]

    return values
