"""Round robin: the least sampled arm, ties by number."""

import numpy as np

import boclust
from boclust.problem.linkage import single_linkage
from support.rules import ready


def test_all_arms_in_turn(rng):
    for name in ("rr", "fss"):
        means = rng.standard_normal(7)
        driven = ready(name, boclust.Gaussian(), 3, np.ones(7), means)
        for t in range(28):
            driven.update()
            assert driven.run.labels.tolist() == single_linkage(driven.run.means, 3).labels.tolist()
            assert driven.select() == t % 7
            driven.tell(t % 7, means[t % 7])


def test_what_is_pending_counts():
    driven = ready("rr", boclust.Gaussian(), 2, [3.0, 3, 2, 2], [0.0, 0, 9, 9])
    assert driven.select() == 2
    driven.run.asked[2] += 1
    assert driven.select() == 3
    driven.run.asked[3] += 2
    assert driven.select() == 0
