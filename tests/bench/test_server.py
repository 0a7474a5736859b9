"""The section on the server: its rows, and a real run of a second."""

from io import StringIO

import pytest

from boclust.bench import server
from boclust.bench.base import Setting
from boclust.bench.postgres import NoServerError
from boclust.bench.server import Call
from boclust.bench.studies import new_study


def without_server():
    raise NoServerError("none")


def made_up(url, clients, seconds):
    """Calls every hundredth of a second for three seconds: of 1, 2 and 4 ms in each of them."""
    return [
        Call(kind, i / 100, 1e-3 * 2 ** (i // 100)) for i in range(300) for kind in server._CALLS
    ]


def test_rows(monkeypatch):
    monkeypatch.setattr(server, "load", made_up)
    monkeypatch.setattr(server, "new_study", lambda url: StringIO())
    monkeypatch.setattr(server, "postgres", without_server)
    rows = list(server.rows(Setting()))
    assert {r.parameters["store"] for r in rows} == {"SQLite"}
    assert {r.parameters["clients"] for r in rows} == {1, 32}
    for row in rows:
        assert row.required is None  # figures, not marks
        if row.name == "tell: p99":
            assert (row.low, row.median, row.high) == pytest.approx((1e-3, 2e-3, 4e-3), rel=0.05)
    (rate,) = [r for r in rows if r.name == "calls answered" and r.parameters["clients"] == 1]
    assert rate.median == pytest.approx(300, rel=0.05)


@pytest.mark.slow
@pytest.mark.compiled
def test_a_real_run(tmp_path):
    url = f"sqlite:///{tmp_path}/bench.db"
    new_study(url).close()
    calls = server.load(url, 3, 1.0)
    assert {call.kind for call in calls} == set(server._CALLS)
    names = [row.name for row in server._figures(calls, {"clients": 3})]
    assert names[-1] == "calls answered"


@pytest.mark.slow
@pytest.mark.compiled
def test_a_value_that_is_lost_is_an_error(tmp_path, monkeypatch):
    url = f"sqlite:///{tmp_path}/bench.db"
    new_study(url).close()
    run = server.Client.run

    def forgetful(self):
        run(self)
        self.told.popitem()

    monkeypatch.setattr(server.Client, "run", forgetful)
    with pytest.raises(RuntimeError, match="values were acknowledged, the log has"):
        server.load(url, 1, 0.2)


@pytest.mark.slow
@pytest.mark.compiled
def test_a_call_that_fails_is_an_error(tmp_path):
    url = f"sqlite:///{tmp_path}/bench.db"
    study = new_study(url)
    study.pause()
    study.close()
    with pytest.raises(RuntimeError, match="ask: 409"):
        server.load(url, 1, 0.2)


def test_a_server_that_does_not_start(tmp_path):
    (tmp_path / "bench.db").write_bytes(b"no database" * 1000)
    with pytest.raises(RuntimeError, match="did not start"):
        server.load(f"sqlite:///{tmp_path}/bench.db", 1, 0.2)
