"""One call for a source: results, budgets, failures, interruption."""

import numpy as np
import pytest

import boclust

MEANS = [0.0, 0.4, 5.0, 5.5]


def source(seed=0, fail_at=None, failure=None):
    rng = np.random.default_rng(seed)
    calls = iter(range(10**9))

    def sample(arm):
        if next(calls) == fail_at:
            if isinstance(failure, BaseException):
                raise failure
            return failure
        return rng.normal(MEANS[arm])

    return sample


def test_a_certified_result():
    result = boclust.cluster(source(), 4, 2, 0.05)
    assert result.labels.tolist() == [0, 0, 1, 1]
    assert result.stopped == "certified"
    assert "at most 0.05" in result.guarantee
    assert result.pulls.sum() == result.n_samples
    assert result.estimates.shape == (4, 1)
    np.testing.assert_allclose(result.estimates[:, 0], MEANS, atol=1)
    assert "certified" in str(result)


def test_vectors():
    rng = np.random.default_rng(0)
    means = np.array([[0.0, 0], [0.5, 0], [5, 5]])
    result = boclust.cluster(lambda arm: rng.normal(means[arm]), 3, 2, 0.05, dim=2)
    assert result.labels.tolist() == [0, 0, 1]


def test_a_budget_ends_without_a_guarantee():
    result = boclust.cluster(source(), 4, 2, 1e-9, max_samples=10)
    assert result.stopped == "budget"
    assert result.n_samples == 10
    assert result.guarantee.startswith("none")
    assert boclust.cluster(source(), 4, 2, 0.1, max_samples=2).labels is None


def test_a_tie_ends_with_its_budget():
    rng = np.random.default_rng(0)
    result = boclust.cluster(lambda arm: rng.normal(arm), 3, 2, 0.1, max_samples=3000)
    assert result.stopped == "budget"


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (OSError("sensor is gone"), "sensor is gone"),
        (StopIteration(), "StopIteration"),
        (float("nan"), "value: is nan"),
        ([1.0, 2.0], "value: has 2 numbers"),
        ("x", "value: is the str 'x'"),
    ],
)
def test_a_failing_source_names_the_arm_and_the_sample(failure, reason):
    with pytest.raises(boclust.SourceError, match=r"^sample \d+ of arm \d: ") as caught:
        boclust.cluster(source(fail_at=9, failure=failure), 4, 2, 1e-6)
    assert reason in str(caught.value)
    assert caught.value.result.n_samples == 9
    assert caught.value.sample == caught.value.result.pulls[caught.value.arm] + 1
    assert caught.value.result.stopped == "error"


def test_ctrl_c_returns_what_is_known():
    result = boclust.cluster(source(fail_at=9, failure=KeyboardInterrupt()), 4, 2, 1e-6)
    assert result.stopped == "interrupted"
    assert result.n_samples == 9
    assert result.labels is not None
    assert result.guarantee.startswith("none")


def test_samples_that_the_family_does_not_fit_are_doubted():
    rng = np.random.default_rng(1)
    hidden = [0.0, 0.2, 1.2]
    with pytest.warns(boclust.DoubtWarning, match="but sigma = 0.4 is assumed"):
        result = boclust.cluster(
            lambda arm: rng.normal(hidden[arm]), 3, 2, 0.01, family=boclust.Gaussian(sigma=0.4)
        )
    assert result.stopped == "certified"
    assert result.doubt in result.guarantee
    assert "scatter with standard deviation" in result.doubt
    good = boclust.cluster(lambda arm: rng.normal(hidden[arm]), 3, 2, 0.01)
    assert good.doubt == ""


def test_bad_input_names_the_argument():
    with pytest.raises(boclust.InvalidInputError, match=r"^sample: "):
        boclust.cluster(None, 4, 2, 0.1)
    with pytest.raises(boclust.InvalidInputError, match=r"^max_samples: "):
        boclust.cluster(source(), 4, 2, 0.1, max_samples=0)
    with pytest.raises(boclust.InvalidInputError, match="from 1 to 4, the number of arms"):
        boclust.cluster(source(), 4, 5, 0.1)
    records = boclust.sources.Replay([[0.0], [0.1], [9.0]])
    with pytest.raises(boclust.InvalidInputError, match="n_arms: is 2; accepted: 3, as many as"):
        boclust.cluster(records, 2, 2, 0.1)
