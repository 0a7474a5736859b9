"""The versions of the software that results depend on."""

import platform
from importlib.metadata import version
from typing import Any

from boclust._validate import shown


def versions() -> dict[str, str]:
    """The versions of this package, its kernels, Numba, NumPy and Python."""
    import numpy as np

    from boclust import __version__
    from boclust.kernels import sources_hash

    return {
        "boclust": __version__,
        "kernels": sources_hash(),
        "numba": version("numba"),
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


def differences(one: dict[str, Any], two: dict[str, Any], there: str, here: str) -> str:
    """The differences between two descriptions in words, or an empty string.

    >>> differences({"seed": 3, "trials": 6}, {"seed": 4, "trials": 6}, "there", "here")
    'seed is 3 there and 4 here'
    """
    names = [name for name in one | two if one.get(name) != two.get(name)]
    return ", ".join(
        f"{name} is {shown(one.get(name))} {there} and {shown(two.get(name))} {here}"
        for name in names
    )
