"""Where the publishers' files are: beside the project, never in it."""

import os
from pathlib import Path

import pytest


def real_data(*parts: str) -> Path:
    """A file or folder of real data; where it is missing, a test skips (and fails where CI is set).

    Looked for in the folder named by ``BOCLUST_DATA``, else in ``../shared/data``.
    """
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    path = Path(os.environ.get("BOCLUST_DATA") or beside).joinpath(*parts)
    if not path.exists():
        missing = f"real data not found: {path} (set BOCLUST_DATA to its folder)"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    return path
