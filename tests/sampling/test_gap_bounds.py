"""Bounds of gaps against all extreme worlds within the limits."""

import numpy as np

from boclust.sampling.gap_bounds import (
    ascending,
    gap_ceilings,
    gap_floors,
    kth_largest,
    narrowest_right_gaps,
    split,
    widest_right_gaps,
)
from support.intervals import (
    boxes,
    clusters_of,
    instances,
    printed_ceilings,
    ranked_gaps,
    right_gaps,
    worlds,
)


def one_part(low):
    return np.zeros(len(low), np.int64)


def ceilings_of(low, high):
    return gap_ceilings(low, high, ascending(low), ascending(high))


def test_the_widest_gap_of_an_arm_is_attained_and_never_exceeded(rng):
    for _, low, high in boxes(rng, 200):
        every = worlds(low, high)
        right = widest_right_gaps(low, high, ascending(low), one_part(low))
        left = widest_right_gaps(-high, -low, ascending(-high), one_part(low))
        np.testing.assert_array_equal(right, right_gaps(every).max(axis=0))
        np.testing.assert_array_equal(left, right_gaps(-every).max(axis=0))
        inside = rng.uniform(low, high, (500, len(low)))
        assert np.all(right_gaps(inside) <= right + 1e-12)


def test_the_widest_gap_within_a_part_sees_no_other_arm(rng):
    for _, low, high in boxes(rng, 60, most=6):
        part = rng.integers(0, 2, len(low))
        got = widest_right_gaps(low, high, ascending(low), part)
        for k in np.unique(part):
            of = part == k
            np.testing.assert_array_equal(
                got[of], widest_right_gaps(low[of], high[of], ascending(low[of]), one_part(low[of]))
            )


def test_the_narrowest_gap_of_an_arm_that_stands_alone(rng):
    positive = 0
    for _, low, high in boxes(rng, 200):
        gaps = right_gaps(worlds(low, high))
        got = narrowest_right_gaps(low, high, ascending(low))
        for m in range(len(low)):
            others = [j for j in range(len(low)) if j != m]
            alone = all(high[j] < low[m] or low[j] > high[m] for j in others)
            assert got[m] == (gaps[:, m].min() if alone else 0)
        positive += got.any()
    assert positive


def test_floors_and_ceilings_bound_the_kth_widest_gap_of_every_world(rng):
    for means, low, high in boxes(rng, 200):
        every = worlds(low, high)
        order = ascending(means)
        floors, ceilings = gap_floors(low, high, order), ceilings_of(low, high)
        ranked = ranked_gaps(every)
        for k in range(1, len(means)):
            assert kth_largest(floors, k) <= ranked[:, k - 1].min()
            assert kth_largest(ceilings, k) >= ranked[:, k - 1].max()
        for k, floor in enumerate(floors):  # and no larger floor would do
            across = every[:, order[k + 1 :]].min(axis=1) - every[:, order[: k + 1]].max(axis=1)
            assert floor == across.min()


def test_ceilings_are_the_printed_ones_for_equal_widths_and_then_tight(rng):
    for means, low, _ in boxes(rng, 100):
        width = 2 * (means - low).max() + 0.5
        low, high = means - width, means + width
        got = np.sort(ceilings_of(low, high))
        np.testing.assert_array_equal(got, np.sort(printed_ceilings(means, low, high)))
        every = np.diff(np.sort(worlds(low, high)))
        np.testing.assert_array_equal(ceilings_of(low, high), every.max(axis=0))


def test_split_is_single_linkage(rng):
    for truth, k in instances(rng, 100):
        labels = np.zeros(len(truth), np.int64)
        split(truth, ascending(truth), k, labels)
        assert labels.tolist() == clusters_of(truth, k)
