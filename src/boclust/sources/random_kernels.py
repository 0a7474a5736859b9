"""Random numbers by counting: sample i of an arm is a function of the arm's key and i alone.

So the same arm shows the same samples to every algorithm, in whatever order it is asked.
"""

import numpy as np

from boclust._jit import kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


@kernel
def uniform(key: np.uint64, index: int) -> float:
    """A number strictly between 0 and 1: SplitMix64 of a key and a counter, 53 bits."""
    z = key + np.uint64(index + 1) * _GOLDEN
    z = (z ^ (z >> np.uint64(30))) * _MIX_1
    z = (z ^ (z >> np.uint64(27))) * _MIX_2
    z = z ^ (z >> np.uint64(31))
    return (np.float64(z >> np.uint64(11)) + 0.5) * 1.1102230246251565e-16


@kernel
def normal(key: np.uint64, index: int) -> float:
    """A standard normal number (Box-Muller, one of each pair)."""
    radius = np.sqrt(-2.0 * np.log(uniform(key, 2 * index)))
    return radius * np.cos(6.283185307179586 * uniform(key, 2 * index + 1))
