"""The folder of the publishers' files, which are not part of the project."""

import os
from pathlib import Path

import pytest


def real_data(*parts: str) -> Path:
    """Return a file or folder of real data; skip the test if it is missing (fail if CI is set).

    Looked for in the folder named by ``BOCLUST_DATA``, else in ``../shared/data``.
    """
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    path = Path(os.environ.get("BOCLUST_DATA") or beside).joinpath(*parts)
    if not path.exists():
        missing = f"real data not found: {path} (set BOCLUST_DATA to its folder)"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    return path
