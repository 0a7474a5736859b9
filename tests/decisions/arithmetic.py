"""A fingerprint of the arithmetic of this machine.

Logarithms, matrix products and linear programs may differ in their last bits between processors
and versions of libraries, and all that follows from them.
"""

import hashlib
import math
from functools import cache
from importlib.metadata import version

import numpy as np


@cache
def arithmetic() -> dict[str, str]:
    """By kind of operation: what results depend on."""
    return {"numbers": _numbers(), "linear programs": version("highspy")}


def _numbers() -> str:
    digest = hashlib.sha256()
    numbers = np.exp(np.linspace(-30.0, 30.0, 10_007))
    for function in (np.log, np.log1p, np.sqrt, np.tanh, np.sin):
        digest.update(function(numbers).tobytes())
    functions = (math.log, math.log1p, math.lgamma, math.sqrt)
    digest.update(np.array([[f(x) for x in numbers[::7]] for f in functions]).tobytes())
    for n in (2, 3, 7, 12, 50):
        square = np.log(numbers[: n * n]).reshape(n, n)
        symmetric = square @ square.T
        digest.update(symmetric.tobytes())
        digest.update((square @ numbers[:n]).tobytes())
        digest.update(np.linalg.eigvalsh(symmetric).tobytes())
    digest.update(np.random.default_rng(1).standard_normal(1000).tobytes())
    return digest.hexdigest()[:16]
