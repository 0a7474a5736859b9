"""Errors over HTTP: every kind has its own problem, and none says what it should not."""

import inspect
import logging

import pytest

from boclust._data import kind_of
from boclust._validate import InvalidInputError
from boclust.client import _ERRORS
from boclust.server import problems
from boclust.server.gate import API
from boclust.study import errors

ALL = [
    known for known in vars(errors).values()
    if inspect.isclass(known) and issubclass(known, errors.StudyError)
]  # fmt: skip
SECRET = "postgresql://ann:hunter2@db.internal/x"


def made(known):
    return known(SECRET, "budget") if known is errors.StudyStoppedError else known(SECRET)


@pytest.mark.parametrize("known", ALL)
def test_every_error_has_a_status_and_comes_back_as_itself(known):
    problem = problems.problem_of(made(known))
    expected = next(status for cls, status in problems._STATUS.items() if cls is known)
    assert problem.status_code == expected
    assert 400 <= expected < 600
    assert _ERRORS[problem.kind] is known


@pytest.mark.parametrize("known", [k for k in ALL if issubclass(k, errors.StorageError)])
def test_what_a_database_says_stays_in_the_log(known, caplog):
    with caplog.at_level(logging.ERROR):
        said = problems.problem_of(made(known)).response().body.decode()
    assert "hunter2" not in said
    assert "db.internal" not in said
    assert known.__name__ in caplog.text


def test_kinds_are_distinct():
    kinds = [kind_of(known) for known in [*ALL, InvalidInputError]]
    assert len(set(kinds)) == len(kinds)


def test_the_unexpected_is_answered_and_logged(api, study, monkeypatch, caplog):
    def broken(path):
        raise RuntimeError("wires crossed")

    monkeypatch.setattr(api.client.app.state.boclust.studies, "name_of", broken)
    answer = api.client.get(f"{API}/studies/tides")
    assert answer.status_code == 500
    assert answer.json()["type"] == "urn:boclust:internal"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "wires" not in answer.text
    assert "wires crossed" in caplog.text


def test_a_database_that_is_gone(api, study, tmp_path, monkeypatch):
    for file in tmp_path.glob("studies.db*"):
        file.unlink()
    api.client.app.state.boclust.studies.close()
    (tmp_path / "studies.db").write_bytes(b"no database" * 1000)
    answer = api.client.get(f"{API}/health")
    assert answer.status_code == 500
    assert str(tmp_path) not in answer.text


def test_how_a_problem_reads(api, study):
    said = api("GET", "studies/rivers", status=404)
    assert said == {
        "type": "urn:boclust:study-not-found",
        "title": "Study not found",
        "status": 404,
        "detail": "there is no study 'rivers'",
    }
    said = api("POST", "studies/tides/void", {"event": 0, "reason": ""}, 422)
    assert said["argument"] == "event"
