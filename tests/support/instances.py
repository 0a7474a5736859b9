"""Instances that several test modules share."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boclust

#: Kernels run as plain Python, a thousand times slower: the same tests on fewer instances.
JIT_OFF = "NUMBA_DISABLE_JIT" in os.environ

FROZEN = json.loads((Path(__file__).parents[1] / "oracles" / "frozen.json").read_text())


def frozen(kind: str, dims: tuple[int, ...]) -> list[dict[str, Any]]:
    """Records of the independent oracle: means, labels, weights and the true psi."""
    found = [r for r in FROZEN if r["kind"] == kind and r["d"] in dims]
    step = 20 if kind == "gaussian" else 4
    return found[:: step if JIT_OFF else 1]


def few(count: int) -> range:
    """So many repetitions, or a few where kernels are not compiled."""
    return range(max(3, count // 20) if JIT_OFF else count)


def thorough(*values: Any) -> Any:
    """Values of a parametrised test for ``-m slow``: the same test on more instances."""
    return pytest.param(*values, marks=pytest.mark.slow)


#: The instance of Yang, Zhong and Tan, whose arms share one mean in each cluster.
YANG = boclust.Instance([[0, 0, 0]] * 2 + [[0, 10, 0]] * 4 + [[0, 0, 10]] * 3 + [[5, 0, 0]] * 2, 4)

#: Instances of the paper with T* and 1/psi at equal weights, computed by an independent program.
CHECKED = {
    "A": (boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], 3), 71.5, 84.0),
    "B": (
        boclust.Instance([[-1, -1], [-1, -2], [1, 1], [2, 2], [3, -3], [3.5, -3]], 3),
        19.06,
        36.0,
    ),
    "Bernoulli": (
        boclust.Instance(
            [[0.1, 0.45], [0.1, 0.5], [0.85, 0.9], [0.9, 0.9], [0.85, 0.15], [0.9, 0.1]],
            3,
            boclust.SubGaussian(sigma=0.5),
        ),
        30.8,
        37.4,
    ),
    "C": (boclust.Instance([0, 1, 2, 3, 5, 6], 2), 52.9, 72.0),
}

SIX = np.array([0, 0.5, 1, 6, 6.5, 8])
LINE = boclust.Instance(SIX, 2)
#: Every algorithm, and every kind of state that a run can have.
RUNS = [
    *((name, LINE) for name in boclust.algorithms()),
    ("span", boclust.Instance(np.outer(SIX, [1.0, 0.5]), 3)),
    ("atboc", boclust.Instance(np.outer(SIX, [1.0, 0.5]), 3)),
    ("span", boclust.Instance([0.1, 0.15, 0.8, 0.9], 2, boclust.Bernoulli())),
    ("boc-elim", boclust.Instance([1.0, 2.0, 9.0], 2, boclust.Poisson())),
    ("span", boclust.Instance([0.1, 0.2, 0.8, 0.9], 2, boclust.Bounded(0, 1))),
    ("span", boclust.Instance([[0.1, 0.2], [0.2, 0.2], [0.9, 0.9]], 2, boclust.Bounded(0, 1))),
    ("span", boclust.Instance(np.repeat([0.0, 30.0], 30), 2)),
    ("span", boclust.Instance(SIX, 1)),
    ("span", boclust.Instance(SIX, 6)),
]
