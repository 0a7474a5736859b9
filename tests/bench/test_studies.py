"""The section on studies: its rows and marks, a real run of small size, and servers."""

from contextlib import contextmanager

import pytest

from boclust.bench import postgres, studies
from boclust.bench.base import Setting
from boclust.bench.postgres import NoServerError


@pytest.fixture
def made_up(monkeypatch):
    """A second for each value, of which a tenth is CPU time; a long log that is slow."""
    now = [0.0]

    class Bare:
        def __init__(self, folder):
            pass

        def write(self, count, together):
            now[0] += 0.5 * count

    class Study:
        def __enter__(self):
            return self

        def __exit__(self, *error):
            pass

    def tell(study, count, together):
        now[0] += count / together / 1100

    def seconds(work, clock):
        began = now[0]
        work()
        return (now[0] - began) / (10 if clock is studies.time.process_time else 1)

    said = "100.0\n115.0\n1.6\n9.0 2.0 1.0 4.0\n"
    for name, value in dict(
        Bare=Bare, tell=tell, seconds=seconds, new_study=lambda url: Study(),
        output_of=lambda code: said,
    ).items():  # fmt: skip
        monkeypatch.setattr(studies, name, value)
    return monkeypatch


def without_server():
    raise NoServerError("none")


@contextmanager
def with_server():
    class Known:
        def admin(self, statement):
            pass

        def url(self, database):
            return f"postgresql://{database}"

    yield Known()


def test_rows_of_both_stores(made_up):
    made_up.setattr(studies, "server", with_server)
    rows = list(studies.rows(Setting()))
    marks = {(r.name, *r.parameters.values()): (r.median, r.held) for r in rows if r.required}
    assert marks == {
        ("a value", 1, "SQLite"): (pytest.approx(1 / 1100), True),
        ("a value", 100, "SQLite"): (pytest.approx(1 / 110_000), True),
        ("open", 1_000_000, "SQLite"): (2.0, True),
        ("slower than new", 1_000_000, "SQLite"): (1.6, False),
        ("memory", 1_000_000, "SQLite"): (15.0, True),
    }
    (single,) = [r for r in rows if (r.name, *r.parameters.values()) == ("a value", 1, "SQLite")]
    assert (single.baseline, single.ratio) == (0.5, pytest.approx(550))
    theirs = [r for r in rows if r.parameters["store"] == "PostgreSQL"]
    assert len(theirs) == 4
    assert all(r.required is None and r.baseline is None for r in theirs)
    cpu = [r.median for r in rows if r.name == "a value: CPU" and r in theirs]
    assert cpu[0] == pytest.approx(1 / 11_000)


def test_rows_without_a_server(made_up):
    made_up.setattr(studies, "server", without_server)
    rows = list(studies.rows(Setting(quick=True)))
    assert {r.parameters["store"] for r in rows} == {"SQLite"}
    assert {r.parameters.get("values", 100_000) for r in rows} == {100_000}


@pytest.mark.slow
@pytest.mark.compiled
def test_real_measurements(tmp_path):
    bare = studies.Bare(tmp_path)
    bare.write(20, 10)
    assert bare._connection.execute("SELECT COUNT(*) FROM bare").fetchone() == (20,)
    log = studies.LongLog(tmp_path)
    log.grow(10_000)
    assert log.study.status().samples == 10_000
    assert log.opened() > 0
    assert log.slower() > 0
    assert log.study.status().samples == 11_000
    log.study.close()


def test_where_a_server_comes_from(monkeypatch, tmp_path):
    monkeypatch.setenv(postgres.VARIABLE, "skip")
    with pytest.raises(NoServerError, match="says so"), postgres.server():
        pass
    monkeypatch.setenv(postgres.VARIABLE, "postgresql://me:secret@host/x")
    with postgres.server() as found:
        assert found.url("y") == "postgresql+psycopg://me:secret@host/y"
    monkeypatch.delenv(postgres.VARIABLE)
    monkeypatch.setattr(postgres.shutil, "which", lambda name: None)
    monkeypatch.setattr(postgres, "Path", lambda path: tmp_path)
    with pytest.raises(NoServerError, match="not installed"), postgres.server():
        pass
