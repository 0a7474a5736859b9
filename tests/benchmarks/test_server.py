"""The load on the server: a real run of a second, and the errors that it must notice."""

import pytest

from benchmarks import server
from benchmarks.studies import new_study

pytestmark = [pytest.mark.slow, pytest.mark.compiled]


@pytest.fixture
def url(tmp_path):
    url = f"sqlite:///{tmp_path}/bench.db"
    new_study(url).close()
    return url


def test_a_real_run(url):
    calls = server.load(url, 3, 1.0)
    assert {call.kind for call in calls} == set(server._CALLS)
    names = [row.name for row in server._figures(calls, {"clients": 3})]
    assert names[-1] == "calls answered"


def test_a_lost_value_is_an_error(url, monkeypatch):
    run = server.Client.run

    def forgetful(self):
        run(self)
        self.told.popitem()

    monkeypatch.setattr(server.Client, "run", forgetful)
    with pytest.raises(RuntimeError, match="values were acknowledged, the log has"):
        server.load(url, 1, 0.2)


def test_a_failing_call_is_an_error(url):
    from boclust import Study

    with Study.open(url, "bench") as study:
        study.pause()
    with pytest.raises(RuntimeError, match="ask: 409"):
        server.load(url, 1, 0.2)
