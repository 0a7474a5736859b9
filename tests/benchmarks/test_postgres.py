"""Where a PostgreSQL server comes from."""

import pytest

from benchmarks import postgres


def test_a_server_by_the_variable(monkeypatch, tmp_path):
    monkeypatch.setenv(postgres.VARIABLE, "skip")
    with pytest.raises(postgres.NoServerError, match="is 'skip'"), postgres.server():
        pass
    monkeypatch.setenv(postgres.VARIABLE, "postgresql://me:secret@host/x")
    with postgres.server() as found:
        assert found.url("y") == "postgresql+psycopg://me:secret@host/y"
    monkeypatch.delenv(postgres.VARIABLE)
    monkeypatch.setattr(postgres.shutil, "which", lambda name: None)
    monkeypatch.setattr(postgres, "Path", lambda path: tmp_path)
    with pytest.raises(postgres.NoServerError, match="not installed"), postgres.server():
        pass
