"""The learner: ask and tell, in any order, saved and restored, equal to the simulator."""

import json

import numpy as np
import pytest

import boclust
from boclust.sources import Simulated, arm_keys

MEANS = np.array([0, 0.5, 1, 2.5, 3, 4.5, 5.0])
SEVEN = boclust.Instance(MEANS, 3)
PLANE = boclust.Instance([[-1, -1], [-1, -2], [1, 1], [2, 2], [3, -3], [3.5, -3]], 3)
TWO = boclust.Instance([0, 0.5, 3, 3.5], 2)
CLICKS = boclust.Instance([0.1, 0.2, 0.8], 2, boclust.Bernoulli())
COUNTS = boclust.Instance([1.0, 1.3, 9.0], 2, boclust.Poisson("mean"))
WAITS = boclust.Instance([1.0, 1.1, 9.0], 2, boclust.Exponential())
RATINGS = boclust.Instance([1.5, 2.0, 4.5], 2, boclust.Bounded(1, 5))
STARS = boclust.Instance([[1.5, 2.0], [1.5, 2.5], [4.5, 4.0]], 2, boclust.Bounded(1, 5))
PROBLEMS = [
    *((name, TWO if name.startswith("maxgap") else SEVEN) for name in boclust.algorithms()),
    *((name, PLANE) for name in ("span", "atboc", "lucbboc-ucb", "rr", "boc", "boc-slink")),
    *((name, CLICKS) for name in ("span", "atboc", "lucbboc-ucb", "boc-elim", "rr")),
    ("span", COUNTS),
    ("span", WAITS),
    ("span", RATINGS),
    ("span", STARS),
]


def source(seed, instance=SEVEN):
    """Samples exactly as the simulator draws them in its first trial."""
    made = Simulated(instance)
    made.reset(keys=arm_keys(instance.n_arms, seed, (0, 0)))
    return made


def learner_for(instance, delta, algorithm="span"):
    shape = instance.n_arms, instance.n_clusters, delta, instance.dim
    return boclust.Learner(*shape, algorithm, instance.family)


def run(learner, sample, steps=10**6):
    while not learner.done and steps:
        arm = learner.ask()
        learner.tell(arm, sample(arm))
        steps -= 1
    return learner


@pytest.mark.compiled
@pytest.mark.parametrize(("name", "instance"), PROBLEMS)
def test_the_learner_and_the_simulator_are_one_algorithm(name, instance):
    found = boclust.simulate(instance, [name], [0.2], 1, 4, max_samples=600)
    row = found.table.to_pylist()[0]
    learner = run(learner_for(instance, 0.2, name), source(4, instance), steps=row["n_samples"])
    assert learner.n_samples == row["n_samples"]
    assert learner.pulls.tolist() == row["pulls"]
    assert learner.done == (row["stopped"] == "certified")
    if learner.done:
        assert (learner.labels.tolist() == instance.labels.tolist()) == row["correct"]


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "instance"),
    [(n, i) for n, i in PROBLEMS if n in ("span", "atboc", "boc-elim", "boc", "maxgap-top2ucb")],
)
def test_a_saved_run_continues_exactly(name, instance):
    """k steps, saved as text, restored elsewhere, then the rest: as if nothing had happened."""
    whole = run(learner_for(instance, 0.2, name), source(5, instance), steps=300)
    sample = source(5, instance)
    first = run(learner_for(instance, 0.2, name), sample, steps=20)
    first.ask(3)
    saved = json.loads(json.dumps(first.state()))
    second = learner_for(instance, 0.2, name)
    second.restore(saved)
    assert second.pending.tolist() == first.pending.tolist()
    third = learner_for(instance, 0.2, name)
    third.restore(saved)
    assert third.explain().text == first.explain().text
    second._pending[:] = 0
    run(second, sample, steps=280)
    assert second.state() == whole.state() | {"pending": second.pending.tolist()}
    third.restore(json.loads(json.dumps(second.state())))
    assert third.done == whole.done
    assert third.labels.tolist() == whole.labels.tolist()


def test_states_of_other_learners_are_refused():
    saved = boclust.Learner(7, 3, 0.2).state()
    before = boclust.Learner(6, 3, 0.2)
    with pytest.raises(boclust.InvalidInputError, match=r"^state\b.* must be "):
        before.restore(saved)
    assert before.state() == boclust.Learner(6, 3, 0.2).state()
    with pytest.raises(
        boclust.InvalidInputError, match=r"^state must be .*, got one without 'pending'$"
    ):
        boclust.Learner(7, 3, 0.2).restore({k: v for k, v in saved.items() if k != "pending"})


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


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["atboc", "dtboc", "watboc", "boc", "lucbboc-ucb", "rr"])
def test_batches_before_any_sample(name):
    """Nothing is known of the arms: all alike."""
    assert sorted(boclust.Learner(5, 2, 0.1, algorithm=name).ask(10)) == sorted(2 * [*range(5)])


def test_the_answer_stays_when_late_samples_come():
    learner = run(boclust.Learner(3, 2, 0.1), source(1, boclust.Instance([0, 0.5, 6], 2)))
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
    assert said.reason in (
        "it has far fewer samples than others",
        "the clusters are least certain here",
    )
    assert said.arm == learner.ask()
    m, n = said.nearest.rival
    assert learner.labels[m] != learner.labels[n]
    assert len({learner.labels[a] for part in said.nearest.cut for a in part}) == 1
    moved = boclust.Instance(said.nearest.alternative, 3)
    tied = moved.d_inter <= moved.d_intra * (1 + 1e-9)
    assert tied or moved.labels.tolist() != learner.labels.tolist()
    assert "Hardest to rule out are clusters that split" in said.text
    assert 0 < said.evidence < said.threshold
    assert 10 < said.remaining < 10_000
    assert 0 < learner.progress < 1
    assert learner.guarantee.startswith("none")
    run(learner, sample)
    assert "Stopped after" in str(learner.explain())
    assert "at most 0.05" in learner.guarantee


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("rr", "its turn"),
        ("atboc", "farthest behind its best share of the samples"),
        ("lucbboc-ucb", "it may be joined or split off wrongly"),
        ("boc-elim", "still undecided in this round"),
        ("boc", "farthest behind its best share of the samples"),
    ],
)
def test_reasons(name, reason):
    learner = run(boclust.Learner(7, 3, 0.05, algorithm=name), source(2), steps=50)
    said = {learner.explain().reason}
    for arm in learner.ask(20):
        learner.tell(arm, MEANS[arm])
        said.add(learner.explain().reason)
    assert reason in said
    assert said <= {reason, "it has far fewer samples than others"}


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
        (dict(n_arms=10**11), "n_arms"),
        (dict(dim=10**9), "dim"),
        (dict(n_clusters=8), "n_clusters"),
        (dict(delta=0.0), "delta"),
        (dict(delta=1.0), "delta"),
        (dict(dim=0), "dim"),
        (dict(algorithm="fast"), "algorithm"),
        (dict(algorithm=None), "algorithm"),
        (dict(family=boclust.Bernoulli(), dim=2), "dim"),
        (dict(family="gaussian"), "family"),
        (dict(algorithm="boc-elim", dim=2), "sampling"),
        (dict(algorithm="maxgap-elim"), "sampling"),
        (dict(algorithm="boc", family=boclust.Poisson()), "sampling"),
        (dict(algorithm="atboc-1pexp", dim=2), "stopping"),
        (dict(algorithm="atboc-1pexp", family=boclust.SubGaussian(1.0)), "stopping"),
        (dict(algorithm=boclust.Algorithm(stopping="local-bounded")), "stopping"),
        (
            dict(algorithm=boclust.Algorithm(stopping="local-semi"), family=boclust.Bernoulli()),
            "stopping",
        ),
        (dict(dim=2, algorithm=boclust.Algorithm(stopping="local-directional")), "stopping"),
    ],
)
def test_bad_parameters_name_the_argument(changes, argument):
    with pytest.raises(
        boclust.InvalidInputError, match=rf"^(the problem for )?{argument}\b.* must be .*, got "
    ):
        boclust.Learner(**{"n_arms": 7, "n_clusters": 3, "delta": 0.1, **changes})


@pytest.mark.parametrize(
    ("bad", "argument"),
    [
        (dict(sampling="best"), "sampling"),
        (dict(stopping="soon"), "stopping"),
        (dict(precision=0.0), "precision"),
        (dict(zeta=0.1), "zeta"),
        (dict(stopping="paper-1pexp", zeta=-1.0), "zeta"),
        (dict(stopping="paper", precision=1.0), "precision"),
        (dict(sampling="fss", per_arm=0), "per_arm"),
        (dict(sampling="lucb", stopping="paper", radius_delta=1.0), "radius_delta"),
        (dict(sampling="rr", stopping="paper", radius_delta=0.1), "radius_delta"),
        (dict(sampling="elimination", stopping="paper"), "stopping"),
        (dict(sampling="rr", stopping="decided"), "sampling"),
        (dict(sampling="maxgap-ucb", stopping="boc-statistic"), "stopping"),
    ],
)
def test_bad_algorithms_name_the_argument(bad, argument):
    message = rf"^({argument} must be .*, got |the options of .* must be .*, got {argument}$)"
    with pytest.raises(boclust.InvalidInputError, match=message):
        boclust.Algorithm(**bad)


def test_algorithms_are_values():
    one = boclust.Algorithm("rr", "local", precision=3.0)
    assert one == boclust.Algorithm("rr", "local", precision=3.0)
    assert one != boclust.Algorithm("rr", "local")
    assert len({one, boclust.Algorithm("rr", "local", precision=3.0)}) == 1
    assert repr(boclust.Algorithm("fss", per_arm=7)) == "Algorithm('fss', 'fixed-size', per_arm=7)"


def test_algorithms_know_their_names():
    for name in boclust.algorithms():
        assert boclust.Learner(4, 2, 0.1, algorithm=name).algorithm.name == name
    assert boclust.Algorithm("average", "paper").name == "atboc"
    assert boclust.Algorithm("challenger", "local").name is None
    assert boclust.Algorithm("fss", per_arm=7).name is None


@pytest.mark.parametrize(
    ("arm", "value", "argument"),
    [
        (7, 0.0, "arm"),
        (-1, 0.0, "arm"),
        ("0", 0.0, "arm"),
        (0, np.nan, "value"),
        (0, np.inf, "value"),
        (0, 1e300, "value"),
        (0, [1.0, 2.0], "value"),
        (0, "1.0", "value"),
        (0, None, "value"),
    ],
)
def test_bad_samples_change_nothing(arm, value, argument):
    learner = run(boclust.Learner(7, 3, 0.1), source(4), steps=20)
    before = learner.state()
    with pytest.raises(boclust.InvalidInputError, match=rf"^{argument} must be "):
        learner.tell(arm, value)
    assert learner.state() == before
    with pytest.raises(boclust.InvalidInputError, match=r"^value must be from 0 to 1, got 1.5$"):
        boclust.Learner(3, 2, 0.1, family=boclust.Bounded(0, 1)).tell(0, 1.5)


# --- replays -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "samples", "message"),
    [
        (
            [0, 1, 2],
            [1.0, 2.0, 3.0],
            r"^samples must be of shape \(3, 1\), one row .*, got shape \(3,\)",
        ),
        (
            [0, 1],
            [[1.0], [2.0], [3.0]],
            r"^samples must be of shape \(2, 1\), .*, got shape \(3, 1\)",
        ),
        ([0, -5], [[1.0, 2.0]], r"^samples must be of shape \(1, 1\), .*, got shape \(1, 2\)"),
        ([0], [[np.nan]], r"^value must be .*, got nan at index"),
        ([0], np.array([["x"]], dtype=object), r"^value must be .*, got rows of different"),
        ([0, 3], [[1.0], [2.0]], "^steps must be arms up to 2, got arm 3$"),
        (
            [0.5],
            [[1.0]],
            r"^steps must be .* array of integers, got 1 dimensions and type float64$",
        ),
        ([[0]], [[1.0]], r"^steps must be .*, got 2 dimensions"),
    ],
)
def test_replays_that_kernels_could_not_read_are_refused(steps, samples, message):
    learner = boclust.Learner(3, 2, 0.1)
    before = learner.state()
    with pytest.raises(ValueError, match=message):
        learner.replay(np.array(steps), np.asarray(samples))
    with pytest.raises(
        ValueError, match=r"^marks must be .* array of integers, got .* type float64$"
    ):
        learner.replay(np.array([0]), np.array([[1.0]]), np.array([0.5]))
    assert learner.state() == before


def test_replays_of_any_layout_are_the_same():
    one, other = (boclust.Learner(3, 2, 0.1, dim=2) for _ in range(2))
    steps, samples = np.arange(12) % 3, np.arange(24).reshape(12, 2)
    one.replay(steps, samples.astype(float))
    other.replay(np.repeat(steps, 2).astype(np.int32)[::2], np.asfortranarray(samples, np.float32))
    assert one.state() == other.state()


@pytest.mark.compiled
@pytest.mark.parametrize("value", [1e-31, 1e-170])
def test_a_run_with_a_tiny_mean_is_restored(value):
    """In the natural parameter its variance is beyond all limits."""
    learner = boclust.Learner(3, 2, 0.1, family=boclust.Exponential())
    learner.tell(0, value)
    assert learner.copy().state() == learner.state()


def test_the_limit_of_samples_is_in_their_unit():
    learner = boclust.Learner(3, 2, 0.1, family=boclust.Gaussian(sigma=1e-55))
    message = r"^value must be numbers up to 100000 in size, got 1000000\.0$"
    with pytest.raises(ValueError, match=message):
        learner.tell(0, 1e6)


def test_kernels_see_no_state_before_it_is_checked(monkeypatch):
    """A damaged number of alternatives would let ``observe`` write beyond their memory."""
    learner = boclust.Learner(3, 2, 0.1, algorithm="atboc")
    for arm in range(3):
        learner.tell(arm, float(arm**2))
    damaged = learner.state() | {"sampling.n_cuts": [10**6]}
    engine = learner._engine
    monkeypatch.setattr(type(engine), "_loop", property(lambda self: pytest.fail("a kernel ran")))
    with pytest.raises(ValueError, match=r"^state\['sampling.n_cuts'\] must be numbers from 0 to"):
        learner.restore(damaged)
