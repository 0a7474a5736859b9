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


PLANE = np.array([[0.0, 0], [0.5, 0], [5, 5]])


def vectors(seed=0):
    rng = np.random.default_rng(seed)
    return lambda arm: rng.normal(PLANE[arm])


@pytest.mark.parametrize("algorithm", ["span", "atboc", "lucbboc", "rr", "boc"])
def test_the_first_sample_says_the_dimension(algorithm):
    """It is used like every other one: nothing differs from a call that says ``dim``."""
    found = boclust.cluster(vectors(), 3, 2, 0.05, algorithm)
    said = boclust.cluster(vectors(), 3, 2, 0.05, algorithm, dim=2)
    assert found.labels.tolist() == said.labels.tolist() == [0, 0, 1]
    assert found.estimates.shape == (3, 2)
    np.testing.assert_array_equal(found.estimates, said.estimates)
    np.testing.assert_array_equal(found.pulls, said.pulls)


def test_a_source_says_the_dimension():
    plane = boclust.sources.Simulated(boclust.Instance(PLANE, 2))
    assert boclust.cluster(plane, 3, 2, 0.05).labels.tolist() == [0, 0, 1]
    with pytest.raises(boclust.InvalidInputError, match=r"dim must be 2, the dimension .*, got 3"):
        boclust.cluster(plane, 3, 2, 0.05, dim=3)


def test_vectors_may_be_iterators():
    draw = vectors()
    result = boclust.cluster(lambda arm: map(float, draw(arm)), 3, 2, 0.05)
    assert result.estimates.shape == (3, 2)


@pytest.mark.parametrize(
    ("sizes", "options", "reason"),
    [
        ([2, 3], {}, r"sample 1 of arm 1: value\b.*3 numbers"),
        ([2], {"dim": 1}, r"sample 1 of arm 0: value\b.*2 numbers"),
        ([0], {}, r"sample 1 of arm 0: value\b.*0 numbers"),
        ([2], {"family": boclust.Poisson()}, r"sample 1 of arm 0: dim\b.* 2\b"),
    ],
)
def test_a_wrong_size_names_dim(sizes, options, reason):
    given = iter(sizes)
    with pytest.raises(boclust.SourceError, match=reason) as caught:
        boclust.cluster(lambda _: np.zeros(next(given)), 3, 2, 0.05, **options)
    assert caught.value.result.n_samples == len(sizes) - 1


@pytest.mark.parametrize("n_clusters", [1, 3])
def test_one_possible_clustering_draws_nothing(n_clusters):
    result = boclust.cluster(lambda _: pytest.fail("drawn"), 3, n_clusters, 0.05)
    assert (result.n_samples, result.stopped) == (0, "certified")


def test_a_first_sample_that_fails():
    with pytest.raises(boclust.SourceError, match="sample 1 of arm 0: sensor is gone"):
        boclust.cluster(source(fail_at=0, failure=OSError("sensor is gone")), 4, 2, 0.1)
    result = boclust.cluster(source(fail_at=0, failure=KeyboardInterrupt()), 4, 2, 0.1)
    assert (result.n_samples, result.stopped) == (0, "interrupted")
    assert boclust.cluster(vectors(), 3, 2, 0.1, max_samples=1).n_samples == 1


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
        (float("nan"), "value must be finite numbers in the family 'gaussian', got nan"),
        ([1.0, 2.0], "2 numbers"),
        ("x", "got 'x'"),
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
    assert "(certified, but doubtful)" in str(result)
    assert "scatter with standard deviation" in result.doubt
    good = boclust.cluster(lambda arm: rng.normal(hidden[arm]), 3, 2, 0.01)
    assert good.doubt == ""


def test_bad_input_names_the_argument():
    with pytest.raises(boclust.InvalidInputError, match=r"^sample must be "):
        boclust.cluster(None, 4, 2, 0.1)
    with pytest.raises(boclust.InvalidInputError, match=r"^max_samples must be "):
        boclust.cluster(source(), 4, 2, 0.1, max_samples=0)
    with pytest.raises(boclust.InvalidInputError, match=r"^max_samples must be "):
        boclust.cluster(source(), 4, 2, 0.1, max_samples=10**21)
    with pytest.raises(
        boclust.InvalidInputError, match=r"^n_clusters must be an integer from 1 to 4, got 5$"
    ):
        boclust.cluster(source(), 4, 5, 0.1)
    records = boclust.sources.Replay([[0.0], [0.1], [9.0]])
    with pytest.raises(boclust.InvalidInputError, match=r"n_arms must be 3, the number .*, got 2"):
        boclust.cluster(records, 2, 2, 0.1)
