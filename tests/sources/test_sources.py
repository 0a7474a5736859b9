"""The sources as Python objects: what they count, refuse and run out of."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

import boclust
from boclust.sources import Beta, Replay, Simulated, SourceExhausted, arm_keys

LINE = boclust.Instance([0.2, 0.5, 0.9], 2)
CITY = {"north": [1.0, 2.0, 3.0], "south": [7.0], "west": [4, 5]}


def test_importing_and_building_compiles_nothing():
    code = (
        "import sys, boclust\n"
        "from boclust.sources import Beta, Replay, Simulated\n"
        "Simulated(boclust.Instance([0.1, 0.2, 0.9], 2), noise=Beta(sd=0.1))\n"
        "Replay([[1, 2], [3]], replace=False)\n"
        "print(sorted({'numba', 'scipy'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_keys_of_the_arms():
    expected = np.random.SeedSequence(7).generate_state(5, np.uint64)
    np.testing.assert_array_equal(arm_keys(5, 7), expected)
    expected = np.random.SeedSequence(7, spawn_key=(0, 3)).generate_state(5, np.uint64)
    np.testing.assert_array_equal(arm_keys(5, 7, (0, 3)), expected)
    assert arm_keys(5, 7).dtype == np.uint64


@pytest.mark.parametrize(
    "make", [lambda seed: Simulated(LINE, seed), lambda seed: Replay(CITY, seed=seed)]
)
def test_seeds_and_resets(make):
    source = make(4)
    assert (source.n_arms, source.dim) == (3, 1)
    assert source.given.dtype == np.int64
    first = [source(0) for _ in range(8)]
    assert source.given.tolist() == [8, 0, 0]
    source.given[:] = 99
    assert source.given.tolist() == [8, 0, 0]
    ways = [
        dict(),
        dict(seed=4),
        dict(keys=arm_keys(3, 4)),
    ]
    for way in ways:
        source.reset(**way)
        assert source.given.tolist() == [0, 0, 0]
        assert [source(0) for _ in range(8)] == first
    source.reset(5)
    assert [source(0) for _ in range(8)] != first
    assert [make(5)(0)] == [make(5)(np.int64(0))]


def test_sources_can_be_sent_to_other_processes():
    for source in (Simulated(LINE, 3), Replay(CITY, replace=False, seed=3)):
        first = source(0)
        copy = pickle.loads(pickle.dumps(source))
        assert copy.given.tolist() == [1, 0, 0]
        assert copy(0) == source(0)
        copy.reset()
        assert copy(0) == first


@pytest.mark.parametrize(
    ("family", "means", "noise", "support"),
    [
        (boclust.Bernoulli(), [0.1, 0.5, 0.9], None, {0.0, 1.0}),
        (boclust.SubGaussian(0.5), [0.0, 0.5, 1.0], "bernoulli", {0.0, 1.0}),
        (boclust.Bounded(1, 5), [1.0, 2.5, 5.0], None, {1.0, 5.0}),
        (boclust.Bounded(-1, 2), [0.0, 0.5, 1.0], "bernoulli", {0.0, 1.0}),
    ],
)
def test_supports(family, means, noise, support):
    source = Simulated(boclust.Instance(means, 2, family), noise=noise)
    seen = {source(arm) for arm in range(3) for _ in range(60)}
    assert seen == support


def test_vectors_are_the_callers_own():
    for source in (
        Simulated(boclust.Instance([[0, 0], [0, 1], [5, 5]], 2)),
        Replay([[[0.0, 1.0]], [[2.0, 3.0]]]),
    ):
        value = source(0)
        assert value.shape == (2,)
        kept = value.copy()
        source(0)
        np.testing.assert_array_equal(value, kept)
        value[:] = 99
        source.reset()
        np.testing.assert_array_equal(source(0), kept)


# --- records ----------------------------------------------------------------------------------


def test_names_and_counts():
    named = Replay(CITY)
    assert named.names == ("north", "south", "west")
    assert named.counts.tolist() == [3, 1, 2]
    plain = Replay(list(CITY.values()))
    assert plain.names == ("0", "1", "2")
    table = Replay(np.arange(24).reshape(2, 4, 3))
    assert (table.n_arms, table.dim, table.counts.tolist()) == (2, 3, [4, 4])
    assert Replay({1: [0.0], 2: [1.0]}).names == ("1", "2")


def test_changing_the_arrays_later_changes_nothing():
    north = np.array([1.0, 2.0])
    source = Replay([north, [5.0]], replace=False, shuffle=False)
    north[:] = 99
    assert [source(0), source(0)] == [1.0, 2.0]


@pytest.mark.parametrize("shuffle", [True, False])
def test_running_out_names_the_arm_and_its_records(shuffle):
    source = Replay(CITY, replace=False, shuffle=shuffle)
    given = [source(0) for _ in range(3)]
    assert sorted(given) == CITY["north"]
    for _ in range(2):
        with pytest.raises(SourceExhausted, match=r"^arm 0 \('north'\) .* all of its 3 records$"):
            source(0)
    assert source.given.tolist() == [3, 0, 0]
    assert source(1) == 7.0
    source.reset()
    assert [source(0) for _ in range(3)] == given
    unnamed = Replay(list(CITY.values()), replace=False)
    unnamed(1)
    with pytest.raises(SourceExhausted, match=r"^arm 1 has given all of its 1 records$"):
        unnamed(1)


def test_a_clustering_that_runs_out_says_so():
    with pytest.raises(boclust.SourceError, match=r"arm 1 \('south'\) has given") as caught:
        boclust.cluster(Replay(CITY, replace=False), 3, 2, 0.01)
    assert isinstance(caught.value.__cause__, SourceExhausted)
    assert issubclass(SourceExhausted, RuntimeError)


def test_the_instance_of_the_records():
    instance = Replay(CITY).instance(2, boclust.Gaussian(sigma=0.5))
    np.testing.assert_array_equal(instance.means, [[2.0], [7.0], [4.5]])
    assert instance.family == boclust.Gaussian(sigma=0.5)
    assert instance.n_clusters == 2
    plane = Replay([[[0, 1], [2, 3]], [[4, 4]]]).instance(1)
    np.testing.assert_array_equal(plane.means, [[1, 2], [4, 4]])
    assert plane.family == boclust.Gaussian()


# --- bad input --------------------------------------------------------------------------------

WIDE = boclust.Instance([-0.5, 0.5, 2.0], 2)
HALF = boclust.Instance([0.0, 0.5, 1.0], 2, boclust.Bounded())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Simulated([0, 1, 5]), r"^instance must be a boclust.Instance, got \[0, 1, 5\]$"),
        (lambda: Simulated(LINE, seed=-1), r"^seed must be .* got -1$"),
        (lambda: Simulated(LINE, seed=None, noise=3), r"^noise must be None, 'gaussian'.*, got 3$"),
        (lambda: Simulated(LINE, noise="beta"), r"^noise must be .* or Beta\(sd=.*'beta'$"),
        (lambda: Simulated(LINE, noise=["gaussian"]), r"^noise must be .* \['gaussian'\]$"),
        (lambda: Simulated(LINE, noise=Beta), r"^noise must be .* <class"),
        (
            lambda: Simulated(WIDE, noise="bernoulli"),
            r"^noise must be .*0 to 1, got mean -0.5 of arm 0$",
        ),
        (
            lambda: Simulated(WIDE, noise="poisson"),
            r"^noise must be 'poisson' only .* from 0 to .*arm 0$",
        ),
        (lambda: Simulated(WIDE, noise="exponential"), r"^noise must be .* mean -0.5 of arm 0$"),
        (
            lambda: Simulated(boclust.Instance([[1, 1], [1, 2], [3, 0]], 2), noise="exponential"),
            r"^noise must be 'exponential' only .*, got mean 0 of arm 2$",
        ),
        (
            lambda: Simulated(WIDE, noise=Beta(0.1)),
            r"^noise must be Beta\(sd=0.1\) only .*-0.5 of arm 0$",
        ),
        (
            lambda: Simulated(LINE, noise=Beta(0.4)),
            r"^noise must be .* sd\^2 < .* mean 0.2 of arm 0$",
        ),
        (lambda: Simulated(LINE, noise=Beta(0.3)), r"^noise must be .* mean 0.9 of arm 2$"),
        (lambda: Simulated(HALF, noise=Beta(0.1)), r"^noise must be .* mean 0 of arm 0$"),
        (
            lambda: Simulated(HALF, noise="gaussian"),
            r"^noise must be possible .* Bounded\(.*, got 'gaussian'$",
        ),
        (
            lambda: Simulated(boclust.Instance([1, 2, 5], 2, boclust.Bounded(1, 5)), 0, "poisson"),
            r"^noise must be possible .*, got 'poisson'$",
        ),
        (lambda: Beta(sd=0.0), r"^sd must be .* got 0.0$"),
        (lambda: Beta(sd=float("nan")), r"^sd must be .* got nan$"),
        (lambda: Beta(sd="wide"), r"^sd must be .* got 'wide'$"),
        (lambda: Simulated(LINE).reset(-1), r"^seed must be .* got -1$"),
        (lambda: Simulated(LINE).reset("x"), r"^seed must be .* got 'x'$"),
        (
            lambda: Simulated(LINE).reset(1, keys=arm_keys(3, 1)),
            r"^keys must be None if a seed is given, got both$",
        ),
        (lambda: Simulated(LINE).reset(keys=arm_keys(2, 1)), r"^keys must be .* got shape \(2,\)"),
        (lambda: Simulated(LINE).reset(keys=[1, 2, 3]), r"^keys must be .* uint64, .* type int64$"),
        (
            lambda: Simulated(LINE).kernel_arguments(arm_keys(4, 1)),
            r"^keys must be .* got shape \(4,\)",
        ),
        (lambda: Simulated(LINE)(3), r"^arm must be an integer from 0 to 2, got 3$"),
        (lambda: Simulated(LINE)(-1), r"^arm must be .* got -1$"),
        (lambda: Simulated(LINE)(1.0), r"^arm must be .* got 1.0$"),
        (lambda: Replay(5), r"^records must be a mapping .*, got 5$"),
        (lambda: Replay(np.arange(5.0)), r"^records must be .* got array"),
        (lambda: Replay(np.array(5.0)), r"^records must be .* got array"),
        (lambda: Replay({(1.0, 2.0)}), r"^records must be .* got \{\(1.0, 2.0\)\}$"),
        (lambda: Replay({}), r"^records must be .* got 0 arms$"),
        (lambda: Replay([[1.0, 2.0]]), r"^records must be .*at least 2 arms, got 1 arm$"),
        (lambda: Replay("ab"), r"^records of arm 0 must be .* got 'a'$"),
        (lambda: Replay([1.0, 2.0]), r"^records of arm 0 must be .* got shape \(\)$"),
        (lambda: Replay({"a": [1.0], "b": []}), r"^records of arm 1 \('b'\) must be .*\(0,\)$"),
        (
            lambda: Replay([[1.0], np.zeros((3, 0))]),
            r"^records of arm 1 must be .* got shape \(3, 0\)$",
        ),
        (
            lambda: Replay({"a": [1], "b": [1, np.nan]}),
            r"arm 1 \('b'\) must be .* got nan at index 1$",
        ),
        (
            lambda: Replay([[[1, 2]], [[1, 2], [3, np.inf]]]),
            r"arm 1 must be .* got inf at index \(1, 1\)$",
        ),
        (lambda: Replay([[1], ["x"]]), r"^records of arm 1 must be .* got values of type <U1$"),
        (lambda: Replay([[1], [[1], [1, 2]]]), r"^records of arm 1 must be .* different lengths"),
        (
            lambda: Replay([[1, 2], [3, 1e61]]),
            r"^records of arm 1 must be .* got 1e\+61 at index 1$",
        ),
        (lambda: Replay([[1], np.zeros((1, 1, 1))]), r"^records of arm 1 must be .* \(1, 1, 1\)$"),
        (
            lambda: Replay({"a": [1], "b": [[1, 2]]}),
            r"^records must be .* d = 1 for arm 0 \('a'\) and d = 2 for arm 1 \('b'\)$",
        ),
        (lambda: Replay(CITY, replace=1), r"^replace must be True or False, got 1$"),
        (lambda: Replay(CITY, False, "no"), r"^shuffle must be .* got 'no'$"),
        (
            lambda: Replay(CITY, shuffle=False),
            r"^shuffle must be True if replace is True, got False$",
        ),
        (lambda: Replay(CITY, seed=0.5), r"^seed must be .* got 0.5$"),
        (lambda: Replay(CITY)("north"), r"^arm must be .* got 'north'$"),
        (
            lambda: Replay(CITY, False).kernel_arguments(arm_keys(2, 0)),
            r"^keys must be .* got shape",
        ),
        (lambda: Replay(CITY).instance(4), r"^n_clusters must be .* got 4$"),
        (lambda: Replay(CITY).instance(2, "gaussian"), r"^family must be .* got 'gaussian'$"),
        (
            lambda: Replay(CITY).instance(2, boclust.Bernoulli()),
            r"^records must be 0 or 1.* got 2$",
        ),
        (
            lambda: Replay(CITY).instance(2, boclust.Bounded(0, 6)),
            r"^records must be from 0 to 6, got 7$",
        ),
    ],
)
def test_bad_input_names_the_argument(call, message):
    with pytest.raises(boclust.InvalidInputError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_a_refused_reset_changes_nothing():
    source = Simulated(LINE)
    first = source(0)
    with pytest.raises(boclust.InvalidInputError):
        source.reset(keys=[1, 2])
    assert source.given.tolist() == [1, 0, 0]
    source.reset()
    assert source(0) == first


@pytest.mark.parametrize(
    ("family", "admitted"),
    [
        (boclust.Gaussian(), {"gaussian", "bernoulli", "poisson", "exponential", "beta"}),
        (boclust.Bounded(), {"bernoulli", "beta"}),
        (boclust.Bernoulli(), {"bernoulli"}),
        (boclust.Poisson(), {"poisson", "bernoulli"}),
        (boclust.Exponential(), {"exponential"}),
    ],
)
def test_noise_that_a_family_admits(family, admitted):
    """What is admitted gives samples that the family accepts."""
    noises = {name: name for name in ("gaussian", "bernoulli", "poisson", "exponential")}
    noises["beta"] = Beta(sd=0.2)
    instance = boclust.Instance([0.2, 0.5, 0.8], 2, family)
    for name, noise in noises.items():
        if name in admitted:
            source = Simulated(instance, noise=noise)
            family.check_samples([source(arm) for arm in (0, 1, 2) * 20])
        else:
            with pytest.raises(boclust.InvalidInputError, match=r"^noise must be "):
                Simulated(instance, noise=noise)
