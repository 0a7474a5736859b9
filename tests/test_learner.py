"""The learner: ask and tell, in any order, saved and restored, equal to the simulator."""

import json

import numpy as np
import pytest

import boclust
from boclust.linkage import single_linkage
from boclust.sampling.challenger_kernels import least_pulled
from boclust.sources.random_kernels import normal, uniform
from instances import few
from runs import ready

MEANS = np.array([0, 0.5, 1, 2.5, 3, 4.5, 5.0])


def source(seed, means=MEANS):
    """Samples by key and count, exactly as the simulator draws them."""
    points = np.reshape(means, (len(means), -1))
    keys = np.random.SeedSequence(seed, spawn_key=(0, 0)).generate_state(len(points), np.uint64)
    taken = np.zeros(len(points), dtype=int)

    def sample(arm):
        i, d = taken[arm], points.shape[1]
        taken[arm] += 1
        return points[arm] + [normal(keys[arm], i * d + c) for c in range(d)]

    return sample


def run(learner, sample, steps=10**6):
    while not learner.done and steps:
        arm = learner.ask()
        learner.tell(arm, sample(arm))
        steps -= 1
    return learner


@pytest.mark.compiled
@pytest.mark.parametrize("name", boclust.algorithms())
@pytest.mark.parametrize(
    ("means", "k"), [(MEANS, 3), ([[-1, -1], [-1, -2], [1, 1], [2, 2], [3, -3], [3.5, -3]], 3)]
)
def test_the_learner_and_the_simulator_are_one_algorithm(name, means, k):
    instance = boclust.Instance(means, k)
    for seed in range(2):
        found = boclust.simulate(instance, [name], [0.2], 1, seed, max_samples=20_000)
        row = found.table.to_pylist()[0]
        learner = boclust.Learner(instance.n_arms, k, 0.2, instance.dim, name)
        run(learner, source(seed, means), steps=row["n_samples"])
        assert learner.n_samples == row["n_samples"]
        assert learner.pulls.tolist() == row["pulls"]
        assert learner.done == (row["stopped"] == "certified")


def test_a_saved_run_continues_exactly():
    whole = run(boclust.Learner(7, 3, 0.2), source(5))
    sample = source(5)
    first = run(boclust.Learner(7, 3, 0.2), sample, steps=100)
    first.ask(3)
    saved = json.loads(json.dumps(first.state()))
    second = boclust.Learner(7, 3, 0.2)
    second.restore(saved)
    assert second.pending.tolist() == first.pending.tolist()
    assert second.explain().text == first.explain().text
    second._pending[:] = 0
    run(second, sample)
    assert second.n_samples == whole.n_samples
    np.testing.assert_array_equal(second.estimates, whole.estimates)
    third = boclust.Learner(7, 3, 0.2)
    third.restore(json.loads(json.dumps(second.state())))
    assert third.done
    assert third.labels.tolist() == whole.labels.tolist()
    with pytest.raises(boclust.InvalidInputError, match=r"^state: "):
        boclust.Learner(6, 3, 0.2).restore(saved)


def test_the_order_of_telling_does_not_matter_to_the_answer(rng):
    learner, other = boclust.Learner(4, 2, 0.1), boclust.Learner(4, 2, 0.1)
    samples = [(a, float(rng.normal([0, 0.3, 5, 6][a]))) for a in range(4) for _ in range(30)]
    for a, value in samples:
        learner.tell(a, value)
    for a, value in [samples[i] for i in rng.permutation(len(samples))]:
        other.tell(a, value)
    assert learner.done
    assert other.done
    np.testing.assert_allclose(learner.estimates, other.estimates)


def test_batches_count_what_is_pending():
    learner = boclust.Learner(5, 2, 0.1)
    assert sorted(learner.ask(5)) == [0, 1, 2, 3, 4]
    assert sorted(learner.ask(5)) == [0, 1, 2, 3, 4]
    for arm in range(5):
        learner.tell(arm, float(arm))
    assert learner.pending.tolist() == [1] * 5
    learner.tell(0, 0.1)
    learner.tell(0, 0.1)  # told without having been asked for
    assert learner.pending.tolist() == [0, 1, 1, 1, 1]


def test_the_answer_stays_when_late_samples_come():
    learner = run(boclust.Learner(3, 2, 0.1), source(1, [0, 0.5, 6]))
    before = learner.labels.tolist()
    for _ in range(50):
        learner.tell(2, 0.2)
    assert learner.done
    assert learner.labels.tolist() == before
    with pytest.raises(RuntimeError, match="has stopped"):
        learner.ask()


@pytest.mark.parametrize("k", [1, 3])
def test_nothing_to_decide(k):
    learner = boclust.Learner(3, k, 0.1)
    assert learner.done
    assert learner.labels.tolist() == ([0, 0, 0] if k == 1 else [0, 1, 2])
    assert learner.guarantee.startswith("certain")
    assert learner.progress == 1


def test_explanations():
    learner = boclust.Learner(7, 3, 0.05)
    assert learner.labels is None
    assert learner.progress == 0
    assert "every arm needs one sample" in learner.explain().text
    sample = source(2)
    run(learner, sample, steps=300)
    said = learner.explain()
    assert said.reason in ("forced exploration", "the weakest quadruple")
    assert said.arm == learner.ask()
    a, b, m, n = said.quadruple
    assert learner.labels[a] == learner.labels[b]
    assert learner.labels[m] != learner.labels[n]
    assert 0 < said.evidence < said.threshold
    turn = run(boclust.Learner(7, 3, 0.05, algorithm="rr"), source(2), steps=50).explain()
    assert turn.reason == "its turn"
    assert turn.quadruple is None
    assert 10 < said.remaining < 10_000
    assert 0 < learner.progress < 1
    assert learner.guarantee.startswith("none")
    run(learner, sample)
    assert "Stopped after" in str(learner.explain())
    assert "at most 0.05" in learner.guarantee


def test_the_scale_of_the_samples_does_not_matter():
    plain = run(boclust.Learner(7, 3, 0.2), source(3))
    sample = source(3)
    scaled = boclust.Learner(7, 3, 0.2, family=boclust.SubGaussian(4.0))
    while not scaled.done:
        arm = scaled.ask()
        scaled.tell(arm, 4.0 * sample(arm))
    assert scaled.n_samples == plain.n_samples
    np.testing.assert_allclose(scaled.estimates, 4 * plain.estimates)


@pytest.mark.parametrize(
    ("changes", "argument"),
    [
        (dict(n_arms=1), "n_arms"),
        (dict(n_clusters=8), "n_clusters"),
        (dict(delta=0.0), "delta"),
        (dict(delta=1.0), "delta"),
        (dict(dim=0), "dim"),
        (dict(algorithm="fast"), "algorithm"),
        (dict(algorithm=None), "algorithm"),
        (dict(family=boclust.Bernoulli()), "family"),
        (dict(family="gaussian"), "family"),
        (dict(seed=-1), "seed"),
        (dict(dim=2, algorithm=boclust.Algorithm(stopping="local-directional")), "stopping"),
    ],
)
def test_bad_parameters_name_the_argument(changes, argument):
    with pytest.raises(boclust.InvalidInputError, match=rf"^{argument}: .*accepted: "):
        boclust.Learner(**{"n_arms": 7, "n_clusters": 3, "delta": 0.1, **changes})


@pytest.mark.parametrize("bad", [("sampling", "best"), ("stopping", "soon"), ("precision", 0.0)])
def test_bad_algorithms_name_the_argument(bad):
    with pytest.raises(boclust.InvalidInputError, match=rf"^{bad[0]}: "):
        boclust.Algorithm(**dict([bad]))


@pytest.mark.parametrize(
    ("arm", "value", "argument"),
    [
        (7, 0.0, "arm"),
        (-1, 0.0, "arm"),
        ("0", 0.0, "arm"),
        (0, np.nan, "value"),
        (0, np.inf, "value"),
        (0, [1.0, 2.0], "value"),
        (0, "1.0", "value"),
        (0, None, "value"),
    ],
)
def test_bad_samples_change_nothing(arm, value, argument):
    learner = run(boclust.Learner(7, 3, 0.1), source(4), steps=20)
    before = learner.state()
    with pytest.raises(boclust.InvalidInputError, match=rf"^{argument}: "):
        learner.tell(arm, value)
    assert learner.state() == before
    with pytest.raises(boclust.InvalidInputError, match=r"^value: "):
        boclust.Learner(3, 2, 0.1, family=boclust.Bounded(0, 1)).tell(0, 1.5)


# --- kernels ------------------------------------------------------------------------------------


def test_grouping_is_single_linkage(rng):
    for _ in few(60):
        m, d = int(rng.integers(2, 12)), int(rng.integers(1, 4))
        points = rng.standard_normal((m, d))
        for k in range(1, m + 1):
            _, _, grouped = ready("rr", boclust.Gaussian(), k, np.ones(m), points)
            labels, arms, start = grouped.labels, grouped.arms, grouped.start
            np.testing.assert_array_equal(labels, single_linkage(points, k).labels)
            for c in range(k):
                members = arms[start[c] : start[c + 1]]
                np.testing.assert_array_equal(members, np.flatnonzero(labels == c))


def test_a_shared_arm_counts_half():
    pulls = np.array([10.0, 15.0, 9.0, 50.0])
    assert least_pulled(pulls, np.array([0, 1, 1, 3])) == 1
    assert least_pulled(pulls, np.array([0, 1, 2, 3])) == 2


def test_random_numbers_have_their_distributions():
    # Kolmogorov-Smirnov at level 1e-3 each, fixed key
    from scipy.stats import kstest

    key = np.uint64(12345678901234567)
    numbers = [uniform(key, i) for i in range(2000)]
    assert kstest(numbers, "uniform").pvalue > 1e-3
    assert kstest([normal(key, i) for i in range(2000)], "norm").pvalue > 1e-3
    assert abs(np.corrcoef(numbers[:-1], numbers[1:])[0, 1]) < 0.1
