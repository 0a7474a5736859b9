"""Arms on a line in order."""

import numpy as np

from boclust.problem.linkage import single_linkage
from boclust.psi.line import line_order
from support.instances import few


def test_the_order_on_a_line(rng):
    ties = 0
    for _ in few(300):
        m = int(rng.integers(2, 9))
        places = rng.standard_normal(m)
        if rng.random() < 0.4:
            places = np.rint(2 * places)
        k = int(rng.integers(1, m + 1))
        linkage = single_linkage(places[:, None], k)
        labels = linkage.labels
        order, start = np.zeros(m, np.int64), np.zeros(k + 1, np.int64)
        separated = line_order(places, labels, order, start)
        assert sorted(order) == list(range(m))
        assert (np.diff(places[order]) >= 0).all()
        if 1 < k < m:
            assert separated == (linkage.d_intra < linkage.d_inter)
        if separated:
            assert start[0] == 0
            assert start[-1] == m
            blocks = np.split(labels[order], start[1:-1])
            assert all(len(block) and len(set(block)) == 1 for block in blocks)
            assert len({int(block[0]) for block in blocks}) == k
        ties += not separated
    assert ties
