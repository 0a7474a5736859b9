"""Shares of the samples: the optimal ones are those of the lower bound."""

import re

import numpy as np
import pytest

import boclust
from boclust.study.proportions import proportions_of
from problems import told

MEANS = np.array([[0.0], [0.5], [1.0], [2.5], [3.0], [4.5], [5.0]])


@pytest.mark.parametrize("family", [None, boclust.SubGaussian(3.0), boclust.Bounded(-20, 20)])
def test_the_optimal_shares_are_those_of_the_lower_bound(family):
    learner = told(MEANS, 3, family)
    learner.tell(0, -0.0)
    found = proportions_of(learner)
    assert found.pulls == pytest.approx([0.25] + [0.125] * 6)
    bound = boclust.lower_bound(boclust.Instance(MEANS, 3, family), rtol=0.01)
    assert found.optimal == pytest.approx(bound.weights.tolist(), abs=1e-6)
    assert sum(found.optimal) == pytest.approx(1)
    assert found.reason is None


@pytest.mark.parametrize(
    ("learner", "reason"),
    [
        (boclust.Learner(3, 2, 0.1), "not every arm has a sample yet"),
        (told(np.array([[0.0], [1.0], [2.0]]), 2), "estimates tie: the clusters are not unique"),
        (told(MEANS, 1), "there is only one possible clustering: no sample is needed"),
        (told(MEANS, 7), "there is only one possible clustering: no sample is needed"),
        (told(np.arange(51.0)[:, None] ** 2, 2), "not computed for more than 50 arms"),
        (told(np.array([[0.0], [1e70], [3e70]]), 2, boclust.SubGaussian(1e30)), "means: .*1e.60"),
    ],
)
def test_why_there_are_no_optimal_shares(learner, reason):
    found = proportions_of(learner)
    assert found.optimal is None
    assert re.match(reason, found.reason)
    assert sum(found.pulls) == pytest.approx(min(learner.n_samples, 1))


def test_means_on_the_boundary_are_taken_inside():
    learner = boclust.Learner(3, 2, 0.1, family=boclust.Bernoulli())
    for arm, value in enumerate([0, 0, 1]):
        for _ in range(arm + 1):
            learner.tell(arm, value)
    assert sum(proportions_of(learner).optimal) == pytest.approx(1)


def test_of_a_study(create, reopen):
    study = create()
    study.tell_many([("a", 0.0), ("b", 7.0), ("c", 1.0), ("c", 2.0)])
    found = study.proportions()
    assert found.pulls == [0.25, 0.25, 0.5]
    assert sum(found.optimal) == pytest.approx(1)
    assert reopen(study).proportions() == found
