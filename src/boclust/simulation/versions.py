"""What results depend on beside the configuration."""

import platform
from typing import Any

from boclust._validate import shown


def versions() -> dict[str, str]:
    """Of this package, its kernels and what they are compiled and run with."""
    import numba
    import numpy as np

    from boclust import __version__
    from boclust._jit import sources_hash

    return {
        "boclust": __version__,
        "kernels": sources_hash(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


def differences(one: dict[str, Any], two: dict[str, Any], there: str, here: str) -> str:
    """Where two descriptions differ, in words; empty where they are the same."""
    names = [name for name in one | two if one.get(name) != two.get(name)]
    return ", ".join(
        f"{name} is {shown(one.get(name))} {there} and {shown(two.get(name))} {here}"
        for name in names
    )
