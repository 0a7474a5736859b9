"""Runs with many arms: the learner, the simulator, and how they compare with few arms."""

import json
from time import process_time

import numpy as np
import pytest

import boclust
import boclust.run.engine
from boclust import Algorithm
from boclust.many_arms.certificate import ManyArmsStopping
from boclust.problem.linkage import single_linkage
from boclust.run.engine import Engine
from boclust.run.state import Problem
from boclust.sources import Simulated, arm_keys
from support.instances import CHECKED

SPAN = Algorithm("challenger", "local-semi")
RULES = [
    SPAN,
    Algorithm("challenger", "local-semi", batch=7),
    Algorithm("challenger", "local"),
    Algorithm("challenger", "mixture"),
    Algorithm("rr", "paper"),
    Algorithm("rr", "local-semi"),
]


def blobs(m, k, dim, apart=6.0, seed=0):
    """k round clusters of equal size, about one wide, on a line or a grid of ``apart``."""
    rng = np.random.default_rng(seed)
    means = rng.uniform(-0.5, 0.5, (m, dim))
    cluster = np.arange(m) % k
    wide = k if dim == 1 else int(np.ceil(np.sqrt(k)))
    means[:, 0] += apart * (cluster % wide)
    if dim > 1:
        means[:, 1] += apart * (cluster // wide)
    return boclust.Instance(means, k)


def chain(m, step=0.5, apart=2.5):
    """Two long rows of arms side by side."""
    row = np.arange(m) % 2
    return boclust.Instance(np.stack([step * (np.arange(m) // 2), apart * row], axis=1), 2)


def source(seed, instance):
    """Samples exactly as the simulator draws them in its first trial."""
    made = Simulated(instance)
    made.reset(keys=arm_keys(instance.n_arms, seed, (0, 0)))
    return made


def learner_for(instance, delta=0.1, algorithm=SPAN):
    shape = instance.n_arms, instance.n_clusters, delta, instance.dim
    return boclust.Learner(*shape, algorithm, instance.family)


def go_on(learner, sample, steps=10**6, n=None):
    """Ask, one by one or n together, and tell."""
    while not learner.done and steps > 0:
        for arm in [learner.ask()] if n is None else learner.ask(n):
            learner.tell(arm, sample(arm))
            steps -= 1
    return learner


@pytest.fixture
def many_from_two_on(monkeypatch):
    monkeypatch.setattr(boclust.run.engine, "FEW", 0)


def is_lean(algorithm, m, dim, family=None):
    """Whether a run goes without a matrix of distances."""
    engine = Engine(algorithm, Problem(m, dim, 3, family or boclust.Gaussian(), 0.1))
    lean = isinstance(engine.stopping, ManyArmsStopping)
    assert (engine.new().run.gaps.size == 0) == lean == engine.plans
    return lean


def test_which_runs_have_no_matrix():
    for rule in ("local-semi", "local", "paper", "mixture", "heuristic", "constant"):
        for sampling in ("challenger", "rr"):
            assert is_lean(Algorithm(sampling, rule), 51, 2)
            assert not is_lean(Algorithm(sampling, rule), 50, 2)
            assert is_lean(Algorithm(sampling, rule), 51, 1) == rule.startswith("local")
        assert is_lean(Algorithm("challenger", rule), 51, 2, boclust.SubGaussian(3.0))
        assert not is_lean(Algorithm("average", rule), 51, 2)
    assert not is_lean(Algorithm("challenger", "local-directional"), 51, 1)
    assert is_lean(Algorithm("challenger"), 51, 1)
    assert not is_lean(Algorithm("challenger"), 50, 1)
    assert not is_lean(Algorithm("challenger"), 51, 2, boclust.Bounded())
    for family in (boclust.Bernoulli(), boclust.Poisson(), boclust.Exponential()):
        assert not is_lean(Algorithm("challenger", "local"), 51, 1, family)
        assert not is_lean(Algorithm("challenger", "mixture"), 51, 1, family)


# --- the learner --------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", RULES, ids=repr)
def test_a_few_arms_one_by_one_and_in_rounds(algorithm, many_from_two_on):
    """The learner, the simulator, and a learner that is saved and restored are one algorithm."""
    instance = boclust.Instance([[0, 0], [1, 0], [0, 1], [9, 0], [9, 1], [0, 9]], 3)
    (row,) = boclust.simulate(instance, [algorithm], [0.1], 1, seed=3).table.to_pylist()
    assert row["correct"]
    learner = go_on(learner_for(instance, 0.1, algorithm), source(3, instance))
    assert learner.pulls.tolist() == row["pulls"]
    sample = source(3, instance)
    first = go_on(learner_for(instance, 0.1, algorithm), sample, steps=row["n_samples"] // 2)
    second = learner_for(instance, 0.1, algorithm)
    second.restore(json.loads(json.dumps(first.state())))
    go_on(second, sample)
    assert second.state() == learner.state()
    rounds = go_on(learner_for(instance, 0.1, algorithm), source(3, instance), n=4)
    assert rounds.labels.tolist() == instance.labels.tolist()


@pytest.mark.compiled
@pytest.mark.parametrize("algorithm", RULES, ids=repr)
@pytest.mark.parametrize("instance", [blobs(60, 4, 2, 7.0), chain(80), blobs(61, 50, 3, 30.0)])
def test_the_learner_and_the_simulator_are_one_algorithm(algorithm, instance):
    """Up to the end on the first and the last instance, where rules other than global ones stop."""
    found = boclust.simulate(instance, [algorithm], [0.2], 1, 4, max_samples=600)
    (row,) = found.table.to_pylist()
    sample = source(4, instance)
    learner = go_on(learner_for(instance, 0.2, algorithm), sample, row["n_samples"])
    assert learner.n_samples == row["n_samples"]
    assert learner.pulls.tolist() == row["pulls"]
    assert learner.done == (row["stopped"] == "certified")


@pytest.mark.compiled
@pytest.mark.parametrize("algorithm", RULES, ids=repr)
def test_a_saved_run_continues_exactly(algorithm):
    """Saved after 40, 70, ... samples, and beside the original from there: no difference."""
    instance = blobs(70, 3, 2, 8.0)
    sample = source(5, instance)
    learner = learner_for(instance, 0.1, algorithm)
    other = learner_for(instance, 0.1, algorithm)
    for steps in range(450):
        if learner.done:
            break
        if steps in (40, 70, 171, 300, 380):
            assert other.state() == learner.state()
            other = learner_for(instance, 0.1, algorithm)
            other.restore(json.loads(json.dumps(learner.state())))
        arm = learner.ask()
        assert other.ask() == arm
        value = sample(arm)
        learner.tell(arm, value)
        other.tell(arm, value)
    assert steps > 380
    assert other.state() == learner.state()
    assert other.labels.tolist() == learner.labels.tolist()


@pytest.mark.compiled
def test_a_run_in_rounds_is_saved_between_asks_and_tells():
    instance = blobs(70, 3, 2, 3.0)
    learner, other = learner_for(instance), learner_for(instance)
    sample = source(6, instance)
    for _ in range(20):
        arms = learner.ask(30)
        other.restore(json.loads(json.dumps(learner.state())))
        assert other.pending.tolist() == learner.pending.tolist()
        for i, arm in enumerate(arms):
            value = sample(arm)
            learner.tell(arm, value)
            other.tell(arm, value)
            if i == 12:
                assert other.explain() == learner.explain()
                assert other.ask(3) == learner.ask(3)
        assert other.state() == learner.state()


@pytest.mark.compiled
def test_any_order_of_asks_and_tells(rng):
    """Rounds of all sizes, told late, in any order, some never, some twice, some unasked for."""
    instance = blobs(64, 4, 2, 5.0)
    learner = learner_for(instance, 0.05)
    waiting = []
    while not learner.done:
        count = int(rng.choice([1, 2, 50, 200]))
        pulls, before = learner.pulls, learner.pending
        arms = learner.ask(count)
        assert len(arms) == count
        assert (learner.pending - before).tolist() == np.bincount(arms, minlength=64).tolist()
        assert (learner.pulls == pulls).all()
        waiting += arms
        rng.shuffle(waiting)
        for _ in range(int(rng.integers(0, len(waiting) + 1))):
            arm = waiting.pop()
            learner.tell(arm, rng.normal(instance.means[arm]))
        extra = int(rng.integers(64))
        learner.tell(extra, rng.normal(instance.means[extra]))
        assert learner.n_samples < 100_000
    assert learner.labels.tolist() == instance.labels.tolist()
    for arm in waiting:
        learner.tell(arm, rng.normal(instance.means[arm]))
    assert learner.labels.tolist() == instance.labels.tolist()
    with pytest.raises(RuntimeError, match="has stopped"):
        learner.ask(50)


@pytest.mark.compiled
def test_one_by_one_again_after_a_round():
    """The next look comes no later than it would have: at once for 64 arms."""
    instance = blobs(64, 4, 2, 4.0)
    sample = source(7, instance)
    learner = go_on(learner_for(instance, 1e-6), sample, steps=640)
    for arm in learner.ask(50):
        learner.tell(arm, sample(arm))
    for _ in range(200):
        arm = learner.ask(1)[0]
        learner.tell(arm, sample(arm))
        assert learner.labels.tolist() == single_linkage(learner.estimates, 4).labels.tolist()


@pytest.mark.compiled
def test_a_round_is_spread_over_the_weak_places():
    """Fifty samples of one ask go to many arms, not to the weakest quadruple alone."""
    instance = blobs(64, 4, 2, 4.0)
    learner = go_on(learner_for(instance, 1e-6), source(8, instance), steps=1280)
    arms = learner.ask(50)
    assert len(set(arms)) > 20


@pytest.mark.compiled
def test_zeros_ones_and_twos(rng):
    """At first all arms are in two places, and there are three clusters to find: 0, 1 and 2."""
    level = np.repeat([0, 1, 2], 20)
    family = boclust.SubGaussian(0.5)
    learner = boclust.Learner(60, 3, 0.1, 1, SPAN, family)
    for arm in range(60):
        learner.tell(arm, float(arm >= 30))
    assert len(set(learner.labels.tolist())) == 3
    go_on(learner, lambda arm: float(level[arm] + (rng.random() < 0.02)), n=60)
    assert learner.labels.tolist() == level.tolist()


@pytest.mark.compiled
def test_the_scale_of_the_samples_does_not_matter():
    instance = blobs(60, 3, 2, 5.0)
    plain = go_on(learner_for(instance), source(9, instance))
    scaled = boclust.Learner(60, 3, 0.1, 2, SPAN, boclust.SubGaussian(4.0))
    sample = source(9, instance)
    go_on(scaled, lambda arm: 4.0 * np.asarray(sample(arm)))
    assert scaled.pulls.tolist() == plain.pulls.tolist()


@pytest.mark.compiled
@pytest.mark.parametrize("k", [1, 60])
def test_nothing_to_decide(k):
    learner = boclust.Learner(60, k, 0.1, 2, SPAN)
    assert learner.done
    learner.tell(3, [1.0, 2.0])
    assert learner.labels.tolist() == (np.arange(60) % k).tolist()
    instance = boclust.Instance(np.arange(60.0)[:, None] * [1.0, 2.0], k)
    (row,) = boclust.simulate(instance, [SPAN], [0.1], 1).table.to_pylist()
    assert row["stopped"] == "certified"


@pytest.mark.compiled
def test_questions_are_answered_at_once():
    """500 arms: explain, progress and labels together within 50 ms of CPU time."""
    instance = blobs(500, 5, 2, 8.0)
    sample = source(10, instance)
    learner = learner_for(instance, 1e-9)
    assert learner.labels is None
    assert "every arm needs one sample" in learner.explain().text
    for arm in learner.ask(1000):
        learner.tell(arm, sample(arm))
    said = learner.explain()
    shares = []
    began = process_time()
    for _ in range(10):
        said = learner.explain()
        shares.append(learner.progress)
        assert len(learner.labels) == 500
    assert process_time() - began < 0.5
    assert said.arm == learner.ask()
    assert said.nearest is None
    assert said.reason in (
        "the clusters are least certain here",
        "it has far fewer samples than others",
    )
    assert said.threshold == pytest.approx(np.log(495 * 100_000 / 1e-9))
    assert said.evidence < said.threshold
    assert 0 <= shares[0] < 1


@pytest.mark.compiled
def test_what_is_said_at_the_end():
    instance = blobs(60, 3, 2, 8.0)
    learner = go_on(learner_for(instance, 1e-9), source(10, instance), n=60)
    assert learner.progress == 1
    assert "Stopped after" in learner.explain().text
    assert "at most 1e-09" in learner.guarantee


@pytest.mark.parametrize("batch", [-1, 1.5, "many", True, None, np.nan])
def test_a_bad_batch_is_refused(batch):
    with pytest.raises(boclust.InvalidInputError, match=r"^batch must be "):
        Algorithm("challenger", "local-semi", batch=batch)


def test_only_the_challenger_has_a_batch():
    with pytest.raises(
        boclust.InvalidInputError, match=r"^the options of .* must be .*, got batch$"
    ):
        Algorithm("rr", "local-semi", batch=5)


# --- the simulator ------------------------------------------------------------------------------


@pytest.mark.compiled
def test_one_trajectory_answers_every_delta():
    """Also where one look is enough for several of them."""
    instance = blobs(60, 3, 2, 5.0)
    deltas = [0.1, 0.0999, 0.01]
    batch = Algorithm("challenger", "local-semi", batch=30)
    together = boclust.simulate(instance, [SPAN, batch], deltas, 2).table.to_pylist()
    for delta in deltas:
        alone = boclust.simulate(instance, [SPAN, batch], [delta], 2).table.to_pylist()
        assert alone == [row for row in together if row["delta"] == delta]


@pytest.mark.slow
def test_the_guarantee_among_many_arms():
    """delta = 0.1: the exact 99 % upper bound on the error rate is below 0.1.

    60 arms, bonds 1 and rivals 1.2 long. Runs are cut; an uncertified run is no error. A rule with
    an error rate of exactly 0.1 passes with probability at most 0.01.
    """
    from scipy.stats import beta

    instance = chain(60, step=1.0, apart=1.2)
    rules = [SPAN, Algorithm("rr", "local"), Algorithm("challenger", "mixture")]
    found = boclust.simulate(instance, rules, [0.1], 100, seed=11, max_samples=1500).summary()
    for row in found:
        assert beta.ppf(0.99, row["errors"] + 1, row["trials"] - row["errors"]) < 0.1, row


@pytest.mark.slow
@pytest.mark.parametrize("instance", [blobs(300, 6, 2, 8.0), chain(300)], ids=["blobs", "chain"])
def test_three_hundred_arms(instance):
    """The right clusters, also in rounds, without an M x M array (wrong with probability 0.01)."""
    (row,) = boclust.simulate(instance, [SPAN], [0.01], 1, seed=1).table.to_pylist()
    assert row["correct"]
    learner = learner_for(instance, 0.01)
    structs = learner._live.structs.values()
    sizes = [v.size for part in structs for v in vars(part).values() if isinstance(v, np.ndarray)]
    assert max(sizes) <= 300 * 2 * 2
    go_on(learner, source(2, instance), n=75)
    assert learner.labels.tolist() == instance.labels.tolist()


@pytest.mark.slow
def test_few_arms_stop_hardly_later_without_a_matrix(monkeypatch):
    """Stopping times without a matrix over those with one: under 1.02, on average over instances.

    The geometric mean of paired trials (the same samples of each arm), each of five instances with
    equal weight. Were it 1.02 or more, this would pass with probability at most 0.001 (means taken
    as normal).
    """
    from scipy.stats import norm

    problems = [
        (CHECKED["A"][0], 100),
        (CHECKED["B"][0], 100),
        (blobs(20, 4, 2, 3.0), 100),
        (blobs(40, 8, 10, 6.0), 20),
        (blobs(50, 5, 2, 8.0), 20),
    ]
    means, variances = [], []
    for instance, trials in problems:
        times = {}
        for few in (50, 0):
            monkeypatch.setattr(boclust.run.engine, "FEW", few)
            found = boclust.simulate(instance, [SPAN], [0.05], trials, seed=21).table
            assert set(found["stopped"].to_pylist()) == {"certified"}
            times[few] = found["n_samples"].to_numpy()
        later = np.log(times[0] / times[50])
        means.append(later.mean())
        variances.append(later.var(ddof=1) / trials)
    error = np.sqrt(np.sum(variances)) / len(problems)
    assert np.mean(means) + norm.isf(0.001) * error < np.log(1.02), np.exp(means)
