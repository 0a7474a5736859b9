"""The MaxGap rules against all extreme worlds within the limits, and in whole runs."""

import numpy as np
import pytest
from scipy.stats import binomtest

from boclust.sampling.boc_elim import ACTIVE, RULED_OUT
from boclust.sampling.gap_bounds import ascending, gap_floors
from boclust.sampling.maxgap import elim_round, top2_round, ucb_round
from support.instances import few
from support.intervals import (
    boxes,
    clusters_of,
    covering_rounds,
    first_round,
    gaussian_run,
    instances,
    is_clustering,
    ranked_gaps,
    right_gaps,
    worlds,
)

RULES = [elim_round, ucb_round, top2_round]


def widest_gaps(low, high):
    """UD right and left, by all extreme worlds."""
    every = worlds(low, high)
    return right_gaps(every).max(axis=0), right_gaps(-every).max(axis=0)


@pytest.mark.parametrize("rule", RULES)
def test_one_round_by_definition(rule, rng):
    ends = set()
    for means, low, high in boxes(rng, 300):
        m = len(means)
        right, left = widest_gaps(low, high)
        widest = np.maximum(right, left)
        order = ascending(means)
        floors = gap_floors(low, high, order)
        best = int(floors.argmax())
        floor = floors[best]
        lower, upper = order[: best + 1], order[best + 1 :]
        # the split that attains LD: no right gap inside the upper, no left gap inside the lower
        early = floor > 0 and right[upper].max() <= floor and left[lower].max() <= floor
        original = floor > 0 and (widest >= floor).sum() == 2
        finished, status, wanted, labels = first_round(rule, means, low, high)
        assert finished == (early or m == 2)
        assert finished or not original
        ends |= {finished}
        assert labels[0] == 0
        assert is_clustering(labels, means[None]).all()
        if finished:
            assert not wanted.any()
            assert is_clustering(labels, worlds(low, high)).all()
            continue
        values = np.unique(widest)
        expected = {
            elim_round: widest >= floor,
            ucb_round: widest == values[-1],
            top2_round: widest >= values[max(len(values) - 2, 0)],
        }[rule]
        np.testing.assert_array_equal(wanted, expected)
        assert wanted.any()
        dropped = (status == RULED_OUT).all(axis=1)
        np.testing.assert_array_equal(dropped, (widest < floor) & (rule is elim_round))
    assert ends == {False, True}


def test_the_two_arms_of_the_widest_possible_gap_are_both_sampled(rng):
    for means, low, high in boxes(rng, 200, most=7):
        finished, _, wanted, _ = first_round(ucb_round, means, low, high)
        if not finished:
            assert wanted.sum() >= 2


@pytest.mark.parametrize("rule", [elim_round, top2_round])
def test_runs_end_with_the_true_clusters_while_limits_move(rule, rng):
    for truth, _ in instances(rng, 150):
        gaps = ranked_gaps(truth[None])[0]
        if gaps[0] == gaps[1]:
            continue
        widest = np.maximum(right_gaps(truth[None])[0], right_gaps(-truth[None])[0])
        history = covering_rounds(rng, rule, truth)
        for _, status, _, wanted in history:
            assert np.all(status[widest == gaps[0]] == ACTIVE)
            assert not wanted[(status != ACTIVE).any(axis=1)].any()
        finished, _, labels, _ = history[-1]
        assert finished
        assert labels.tolist() == clusters_of(truth, 2)


@pytest.mark.parametrize("rule", RULES)
def test_two_arms_need_no_proof(rule):
    means = np.array([0.0, 0.0])
    finished, _, _, labels = first_round(rule, means, means - np.inf, means + np.inf)
    assert finished
    assert labels.tolist() == [0, 1]


@pytest.mark.parametrize("rule", RULES)
def test_infinite_limits_are_like_huge_ones(rule, rng):
    for means, low, high in boxes(rng, 100, most=6):
        unlimited = rng.random(len(means)) < 0.3
        huge, infinite = (
            first_round(
                rule,
                means,
                np.where(unlimited, -far, low),
                np.where(unlimited, far, high),
            )
            for far in (1e9, np.inf)
        )
        for k in (0, 1, 3):  # which of two huge gaps is larger does decide what is wanted
            np.testing.assert_array_equal(infinite[k], huge[k])
        assert infinite[2].any() != infinite[0]


@pytest.mark.parametrize("rule", RULES)
def test_equal_arms_are_all_sampled(rule):
    for radius in (0.0, 1.0, np.inf):
        finished, _, wanted, labels = first_round(
            rule, np.ones(4), np.full(4, 1 - radius), np.full(4, 1 + radius)
        )
        assert not finished
        assert wanted.all()
        assert sorted(set(labels.tolist())) == [0, 1]


@pytest.mark.parametrize("rule", [elim_round, top2_round])
@pytest.mark.parametrize(("means", "batch"), [([0, 1, 2, 3, 5, 6], 25), ([0, 1, 2, 3.2, 4.2], 500)])
def test_whole_runs_are_right(rule, means, batch, rng):
    truth, delta = np.array(means, float), 0.1
    wrong = 0
    runs = few(200)
    for _ in runs:
        finished, covered, labels, _, _ = gaussian_run(rng, rule, truth, delta, batch, 1e6)
        assert finished
        right = labels.tolist() == clusters_of(truth, 2)
        assert right or not covered
        wrong += not right
    if len(runs) == 200:
        test = binomtest(wrong, len(runs), delta)
        assert test.proportion_ci(0.98, "exact").high < delta


def test_ucb_spends_nearly_all_samples_on_two_arms_and_hardly_ends(rng):
    """Other arms are left alone once their UD is below the largest, still above LD."""
    truth = np.array([0.0, 1, 2, 3, 5, 6])
    for _ in few(5):
        finished, covered, labels, _, counts = gaussian_run(rng, ucb_round, truth, 0.1, 10, 40_000)
        assert not finished
        assert covered
        assert labels.tolist() == [0, 0, 0, 0, 1, 1]
        assert counts[[3, 4]].sum() > 0.8 * counts.sum()
