"""BOC-ELIM against all extreme worlds within the limits, and in whole runs."""

import numpy as np
import pytest
from scipy.stats import binomtest

import boclust
from boclust.run.state import Problem
from boclust.sampling.boc_elim import (
    ACTIVE,
    IDENTIFIED,
    LEFT,
    RIGHT,
    RULED_OUT,
    certified,
    elimination_round,
)
from boclust.sampling.gap_bounds import (
    ascending,
    gap_floors,
    kth_largest,
    narrowest_right_gaps,
    widest_right_gaps,
)
from support.instances import few
from support.intervals import (
    boxes,
    clusters_of,
    covering_rounds,
    first_round,
    gaussian_run,
    instances,
    is_clustering,
    printed_ceilings,
    ranked_gaps,
    right_gaps,
    worlds,
)
from support.rules import started


def rounds_of(n_clusters):
    def step(means, low, high, status, wanted, labels):
        return elimination_round(means, low, high, n_clusters, status, wanted, labels)

    return step


def papers_end(status, n_clusters):
    """Line 8 of the algorithm, F and S read as sets of (arm, side), outer sides included."""
    ruled_out = (status == RULED_OUT).sum() == 2 * (len(status) - n_clusters) + 2
    return ruled_out or (status == IDENTIFIED).sum() == 2 * (n_clusters - 1)


def top_sides(truth, n_clusters):
    """Which (arm, side) has one of the K - 1 widest gaps."""
    gaps = np.column_stack([right_gaps(-truth[None])[0], right_gaps(truth[None])[0]])
    return gaps >= ranked_gaps(truth[None])[0, n_clusters - 2]


def test_printed_ceilings_are_no_bounds_for_unequal_widths():
    """Arm 2 may lie at 6: then the widest gap is not the left one of arm 0, narrower than 5."""
    means = np.array([10.05, 1.0, 0.95, 0.8])
    low, high = np.array([10.0, 0.9, -4.0, 0.7]), np.array([10.1, 1.1, 6.0, 0.9])
    least_left_gap_of_arm_0 = narrowest_right_gaps(-high, -low, ascending(-high))[0]
    assert least_left_gap_of_arm_0 == 4.0
    assert kth_largest(printed_ceilings(means, low, high), 2) < 0.5
    _, status, _, _ = first_round(rounds_of(2), means, low, high)
    assert status[0, LEFT] == ACTIVE


def test_the_outer_sides_do_not_count_among_the_ruled_out():
    """2 (M - K) sides are ruled out, but only the outer ones: either gap may be the widest."""
    means = np.array([0.0, 3.0, 6.5])
    finished, status, _, _ = first_round(rounds_of(2), means, means - 0.5, means + 0.5)
    assert status.tolist() == [[RULED_OUT, ACTIVE], [ACTIVE, ACTIVE], [ACTIVE, RULED_OUT]]
    assert not finished
    every = worlds(means - 0.5, means + 0.5)
    assert {bool(x) for x in is_clustering(np.array([0, 0, 1]), every)} == {False, True}


def test_one_round_by_definition(rng):
    seen = set()
    for means, low, high in boxes(rng, 300, most=5):
        m = len(means)
        if m < 3:
            continue
        k = int(rng.integers(2, m))
        order = np.argsort(means, kind="stable")
        floor = np.sort(gap_floors(low, high, order))[-(k - 1)]
        ceiling = np.sort(np.sort(high)[1:] - np.sort(low)[:-1])[-k]
        expected = np.zeros((m, 2), int)
        for side, (a, b) in enumerate([(-high, -low), (low, high)]):
            widest = widest_right_gaps(a, b, ascending(a), np.zeros(m, np.int64))
            narrowest = narrowest_right_gaps(a, b, ascending(a))
            assert not np.any((widest < floor) & (narrowest > ceiling))
            expected[:, side] = np.where(widest < floor, 1, np.where(narrowest > ceiling, 2, 0))
        finished, status, wanted, _ = first_round(rounds_of(k), means, low, high)
        np.testing.assert_array_equal(status, expected)
        active = (status == ACTIVE).any(axis=1)
        if finished:
            assert not wanted.any()
        else:
            np.testing.assert_array_equal(wanted, active if active.any() else np.ones(m))
            assert not papers_end(status, k)
        seen |= {finished, *status.ravel().tolist()}
    assert seen == {False, True, ACTIVE, RULED_OUT, IDENTIFIED}


def test_a_certificate_holds_in_every_world(rng):
    outcomes = set()
    for means, low, high in boxes(rng, 400):
        m = len(means)
        if m < 3:
            continue
        k = int(rng.integers(2, m))
        finished, status, _, labels = first_round(rounds_of(k), means, low, high)
        every = worlds(low, high)
        sides = np.stack([right_gaps(-every), right_gaps(every)], axis=2)
        ranked = ranked_gaps(every)
        assert np.all(sides[:, status == RULED_OUT] < ranked[:, [k - 2]])
        assert np.all(sides[:, status == IDENTIFIED] > ranked[:, [k - 1]])
        assert labels[0] == 0
        assert is_clustering(labels, means[None]).all()
        outcomes |= {finished}
        if finished:
            assert is_clustering(labels, every).all()
        fresh = np.zeros_like(status)
        order = ascending(means)
        floors = gap_floors(low, high, order)
        cut = np.diff(labels[order]) != 0
        inner = max(
            right_gaps(every[:, labels == label]).max() if (labels == label).sum() > 1 else 0
            for label in range(k)
        )
        by_definition = floors[cut].min() > 0 and inner <= floors[cut].min()
        assert certified(low, high, order, floors, labels, fresh) == by_definition
        assert finished == by_definition
    assert outcomes == {False, True}


def test_claims_are_true_and_runs_end_while_limits_move(rng):
    for truth, k in instances(rng, 200):
        top = top_sides(truth, k)
        before = np.zeros((len(truth), 2), np.int64)
        history = covering_rounds(rng, rounds_of(k), truth)
        for _, status, _, _ in history:
            assert not np.any(top[status == RULED_OUT])
            assert np.all(top[status == IDENTIFIED])
            assert np.all(status[before != ACTIVE] == before[before != ACTIVE])
            before = status
        finished, _, labels, _ = history[-1]
        assert finished
        assert labels.tolist() == clusters_of(truth, k)


def test_arms_next_to_a_cut_may_share_their_mean(rng):
    """The paper's rule cannot end here: no arm of the widest gap ever stands alone."""
    truth = np.array([2.0, 0, 2, 0, 2])
    for _ in few(20):
        history = covering_rounds(rng, rounds_of(2), truth)
        assert not any(papers_end(status, 2) for _, status, _, _ in history)
        finished, _, labels, _ = history[-1]
        assert finished
        assert labels.tolist() == [0, 1, 0, 1, 0]


def test_all_arms_are_wanted_when_none_is_active_and_nothing_is_certain():
    means = np.array([0.0, 1.0, 5.0])
    status, wanted, labels = np.full((3, 2), IDENTIFIED), np.zeros(3), np.zeros(3, np.int64)
    assert not elimination_round(means, means - 4, means + 4, 2, status, wanted, labels)
    assert wanted.tolist() == [1, 1, 1]
    assert labels.tolist() == [0, 0, 1]


def test_a_decided_side_stays_decided():
    means = np.array([0.0, 1.0, 5.0])
    status, wanted, labels = np.full((3, 2), IDENTIFIED), np.zeros(3), np.zeros(3, np.int64)
    elimination_round(means, means, means, 2, status, wanted, labels)
    assert np.all(status == IDENTIFIED)


def test_what_is_ruled_out_stays_so_in_the_certificate():
    """The inner gap of arm 0 looks wide now, but was known to be narrow."""
    means, radius = np.array([0.0, 2.0, 6.0]), np.array([2.0, 0.2, 0.2])
    low, high = means - radius, means + radius
    order = ascending(means)
    floors = gap_floors(low, high, order)
    labels, status = np.array([0, 0, 1]), np.zeros((3, 2), np.int64)
    assert not certified(low, high, order, floors, labels, status)
    status[0, RIGHT] = RULED_OUT
    assert certified(low, high, order, floors, labels, status)


def test_infinite_limits_are_like_huge_ones(rng):
    for means, low, high in boxes(rng, 200, most=6):
        m = len(means)
        if m < 3:
            continue
        open_low, open_high = rng.random((2, m)) < 0.3
        k = int(rng.integers(2, m))
        huge, infinite = (
            first_round(
                rounds_of(k), means, np.where(open_low, -far, low), np.where(open_high, far, high)
            )
            for far in (1e9, np.inf)
        )
        for one, two in zip(huge, infinite, strict=True):
            np.testing.assert_array_equal(one, two)


def test_nothing_is_known_of_unlimited_arms():
    far = np.full(4, np.inf)
    for means in (np.zeros(4), np.array([-np.inf, -np.inf, 0.0, np.inf])):
        finished, status, wanted, labels = first_round(rounds_of(2), means, -far, far)
        assert not finished
        assert not status.any()
        assert wanted.all()
        assert sorted(set(labels.tolist())) == [0, 1]


def test_exact_means_are_certain_at_once(rng):
    for truth, k in instances(rng, 100):
        finished, status, _, labels = first_round(rounds_of(k), truth, truth, truth)
        assert finished
        assert labels.tolist() == clusters_of(truth, k)
        assert not np.any(top_sides(truth, k)[status == RULED_OUT])


def test_mirror_order_and_scale_do_not_matter(rng):
    for means, low, high in boxes(rng, 200, most=7):
        m = len(means)
        if m < 3 or len(np.unique(np.diff(np.sort(means)))) < m - 1:
            continue  # estimates with several clusterings are cut by their order
        k = int(rng.integers(2, m))
        finished, status, wanted, labels = first_round(rounds_of(k), means, low, high)
        for scale in (2.0**-150, 2.0**150):
            again = first_round(rounds_of(k), scale * means, scale * low, scale * high)
            for one, two in zip((finished, status, wanted, labels), again, strict=True):
                np.testing.assert_array_equal(one, two)
        done, mirrored, chosen, same = first_round(rounds_of(k), -means, -high, -low)
        assert done == finished
        np.testing.assert_array_equal(mirrored, status[:, ::-1])
        np.testing.assert_array_equal(chosen, wanted)
        np.testing.assert_array_equal(same, labels)
        order = rng.permutation(m)
        done, shuffled, chosen, other = first_round(
            rounds_of(k), means[order], low[order], high[order]
        )
        assert done == finished
        np.testing.assert_array_equal(shuffled, status[order])
        np.testing.assert_array_equal(chosen, wanted[order])
        one, two = labels[order], other
        np.testing.assert_array_equal(one[:, None] == one, two[:, None] == two)


@pytest.mark.parametrize(
    ("means", "n_clusters", "batch"),
    [
        ([0, 1, 2, 3, 5, 6], 2, 25),
        ([0, 0.5, 1, 2.5, 3, 4.5, 5], 3, 25),
        ([0, 1, 2, 3.2, 4.2], 2, 500),
    ],
)
def test_whole_runs_are_right(means, n_clusters, batch, rng):
    truth, delta = np.array(means, float), 0.1
    expected = clusters_of(truth, n_clusters)
    wrong = 0
    runs = few(300)
    for _ in runs:
        finished, covered, labels, status, _ = gaussian_run(
            rng, rounds_of(n_clusters), truth, delta, batch, 1e6
        )
        assert finished
        right = labels.tolist() == expected
        assert right or not covered
        assert not covered or not np.any(top_sides(truth, n_clusters)[status == RULED_OUT])
        wrong += not right
    if len(runs) == 300:
        test = binomtest(wrong, len(runs), delta)
        assert test.proportion_ci(0.98, "exact").high < delta


@pytest.mark.parametrize("n_clusters", [1, 4])
def test_there_is_only_one_such_clustering(n_clusters, rng):
    means = rng.standard_normal(4)
    far = np.full(4, np.inf)
    finished, _, wanted, labels = first_round(rounds_of(n_clusters), means, -far, far)
    assert finished
    assert not wanted.any()
    assert labels.tolist() == clusters_of(means, n_clusters)


# --- rounds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["elimination", "maxgap-elim", "maxgap-ucb", "maxgap-top2ucb"])
def test_a_round_owes_every_wanted_arm_one_sample(name, rng):
    """Unsolicited samples count; a round that owes nothing more leads to the next one."""
    truth = np.array([0.0, 1, 2, 3, 5, 6])
    driven = started(name, boclust.Gaussian(), 6, 1, 2)
    run, own = driven.run, driven.own
    owed, pending, rounds = np.ones(6), [], 0
    for _ in few(2000):
        if rng.random() < 0.7:
            arm = driven.select()
            left = owed - np.bincount(pending, minlength=6)
            assert arm == np.flatnonzero(left > 0)[0] if (left > 0).any() else owed[arm] > 0
            assert driven.rule.room(run, own, run.asked - run.counts) == np.maximum(left, 0).sum()
            run.asked[arm] += 1
            pending.append(arm)
        if rng.random() < 0.7:
            wished = pending and rng.random() < 0.8
            arm = pending.pop(int(rng.integers(len(pending)))) if wished else int(rng.integers(6))
            run.asked[arm] -= 1 if wished else 0
            driven.tell(arm, truth[arm] + rng.standard_normal())
            owed[arm] = max(owed[arm] - 1, 0)
            if run.counts.all():
                driven.update()
            if not owed.any():
                owed = own.target - run.counts
                assert set(owed.tolist()) <= {0.0, 1.0}
                rounds += 1
        driven.rule.check(Problem(6, 1, 2, boclust.Gaussian(), 0.1), run, own)
        if own.done[0]:
            break
        np.testing.assert_array_equal(np.maximum(own.target - run.counts, 0), owed)
    assert rounds > 3


@pytest.mark.parametrize(
    ("field", "value"), [("status", 3), ("done", 2), ("target", 9.0), ("target", 0.5)]
)
def test_restored_states_are_checked(field, value):
    driven = started("elimination", boclust.Gaussian(), 4, 1, 2)
    getattr(driven.own, field).flat[0] = value
    with pytest.raises(ValueError, match=f"sampling.{field}"):
        driven.rule.check(Problem(4, 1, 2, boclust.Gaussian(), 0.1), driven.run, driven.own)
