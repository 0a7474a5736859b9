"""The command line, called in this process."""

import io
import sys
from types import SimpleNamespace

import pytest

from boclust.cli import main


@pytest.fixture
def call(monkeypatch, capsys):
    """Run ``boclust ARGUMENTS``: its exit code and what it wrote."""

    def run(*arguments, stdin=""):
        monkeypatch.setattr(sys, "argv", ["boclust", *(str(a) for a in arguments)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        code = 0
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
        out, err = capsys.readouterr()
        return SimpleNamespace(code=code, out=out, err=err)

    return run


@pytest.fixture
def refused(call):
    """Run it with bad input: exit code 2, and one line that has the problem or all its parts."""

    def run(problem, *arguments, **options):
        result = call(*arguments, **options)
        lines = [line for line in result.err.splitlines() if not line.startswith("Compiling")]
        assert result.code == 2
        assert result.out == ""
        assert len(lines) == 1
        parts = (problem,) if isinstance(problem, str) else problem
        assert all(part in lines[0] for part in parts), lines[0]

    return run
