"""Data sets: means, spread, assumptions, other units and the printed summary."""

import subprocess
import sys
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

import boclust
from boclust.datasets import Dataset, Scale
from support.realdata import real_data


def make(**changes):
    rng = np.random.default_rng(3)
    centers = np.array([[0, 0], [0.1, 0], [3, 0], [0, 4]])
    spread = np.array([[1, 0.5], [2, 1], [0.5, 3], [1, 1]])
    fields = dict(
        name="Points",
        arms=("n", "e", "s", "w"),
        records=[c + rng.uniform(-1, 1, (50 + i, 2)) * s
                 for i, (c, s) in enumerate(zip(centers, spread, strict=True))],
        n_clusters=3,
        family=boclust.SubGaussian(3.0),
        reason="they were made so",
        bounds=(-10.0, 10.0),
        source="nowhere",
        caveats=("Nothing else is known.",),
    )  # fmt: skip
    return Dataset(**{**fields, **changes})


def test_importing_and_building_stays_light():
    code = (
        "import sys, boclust\n"
        "boclust.datasets.Dataset('x', ('a', 'b'), ([1.0], [2.0]), 2, boclust.Bounded(0, 5), 'y')\n"
        "print(sorted({'numba', 'scipy', 'pyarrow', 'sklearn'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_facts_of_the_records():
    data = make()
    assert (data.dim, data.counts.tolist()) == (2, [50, 51, 52, 53])
    assert data.labels.tolist() == [0, 0, 1, 2]
    for i, array in enumerate(data.records):
        assert array.dtype == np.float64
        np.testing.assert_allclose(data.means[i], array.mean(axis=0))
        np.testing.assert_allclose(data.deviations[i], array.std(axis=0))
    variances = [np.linalg.svd(a - a.mean(axis=0))[1][0] ** 2 / len(a) for a in data.records]
    mean = np.mean([array.var(axis=0) for array in data.records])
    assert data.scale.largest_eigenvalue == pytest.approx(max(variances))
    assert data.scale == Scale(data.scale.largest_eigenvalue, pytest.approx(mean), (-10, 10))


def test_nothing_can_be_changed():
    data = make()
    with pytest.raises(FrozenInstanceError):
        data.name = "other"
    with pytest.raises(ValueError, match="read-only"):
        data.records[0][0] = 7


def test_instances_use_the_family_of_the_records_by_default():
    data = make()
    instance = data.instance()
    np.testing.assert_array_equal(instance.means, data.means)
    assert (instance.family, instance.n_clusters) == (boclust.SubGaussian(3.0), 3)
    np.testing.assert_array_equal(instance.labels, data.labels)
    assert data.instance(boclust.Gaussian(2)).family == boclust.Gaussian(2)
    with pytest.raises(boclust.InvalidInputError, match=r"^records\b"):
        data.instance(boclust.Bounded(0, 1))


def test_replay():
    data = make()
    source = data.replay(seed=5)
    assert source.names == data.arms
    assert source.replace
    again = [data.replay(seed=5)(0) for _ in range(2)]
    np.testing.assert_array_equal(again[0], again[1])
    np.testing.assert_array_equal(source(0), again[0])
    once = data.replay(replacement=False, shuffle=False)
    np.testing.assert_array_equal([once(1) for _ in range(51)], data.records[1])
    with pytest.raises(boclust.sources.SourceExhausted):
        once(1)


@pytest.mark.parametrize("by", ["pooled", "largest", 4.0])
def test_other_units(by):
    data = make()
    other = data.standardised(by)
    roots = {"pooled": data.scale.mean_variance**0.5, "largest": data.scale.largest_eigenvalue**0.5}
    unit = roots.get(by, by)
    np.testing.assert_allclose(other.means, data.means / unit)
    np.testing.assert_array_equal(other.labels, data.labels)
    assert other.family.sigma == pytest.approx(3 / unit)
    assert other.bounds == pytest.approx((-10 / unit, 10 / unit))
    assert f"divided by {unit:.6g}" in other.assumptions[-1]
    assert "no Gaussian guarantee apply" in other.assumptions[-1]
    if by == "pooled":
        assert other.scale.mean_variance == pytest.approx(1)
    if by == "largest":
        assert other.scale.largest_eigenvalue == pytest.approx(1)


def test_other_units_of_bounded_samples_and_of_none():
    data = make(family=boclust.Bounded(-10, 10), bounds=None).standardised(4)
    assert data.family == boclust.Bounded(-2.5, 2.5)
    assert data.bounds is None
    still = make(records=[np.ones((2, 1)) * i for i in range(4)], bounds=None)
    with pytest.raises(
        boclust.InvalidInputError, match=r"by must be .* the records do not vary, got 'pooled'"
    ):
        still.standardised()
    counts = make(records=[[1.0, 2]] * 4, family=boclust.Poisson())
    with pytest.raises(boclust.InvalidInputError, match=r"family must be .* got Poisson"):
        counts.standardised()


@pytest.mark.parametrize("by", ["largest ", 0, -1, np.nan, None, True])
def test_units_that_are_none(by):
    with pytest.raises(boclust.InvalidInputError, match=r"^by\b"):
        make().standardised(by)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (dict(arms=("a", "b", "c")), "arms must be 4 different names"),
        (dict(arms=("a", "b", "c", "a")), "arms must be 4 different names"),
        (dict(records=[[1.0], [2.0], [3.0], [np.nan]]), r"arm 3 \('w'\).*nan"),
        (dict(records=[[1.0], [2.0], [3.0], [[1.0, 2.0]]]), "arm 3"),
        (dict(n_clusters=5), r"^n_clusters\b.* 5"),
        (dict(family="gaussian"), r"^family\b.*'gaussian'"),
    ],
)
def test_what_is_no_dataset(changes, message):
    with pytest.raises(boclust.InvalidInputError, match=message):
        make(**changes)


def test_means_of_several_records():
    whole, data = make(), make().averaged(10)
    assert data.counts.tolist() == [5, 5, 5, 5]  # a rest of up to three is left out
    assert np.allclose(data.records[1][2], whole.records[1][20:30].mean(axis=0))
    assert "the mean of 10 successive records" in data.caveats[-1]
    with pytest.raises(boclust.InvalidInputError, match=r"^size\b.*from 1 to 50"):
        whole.averaged(51)


def test_what_is_said_of_the_guarantee():
    said = make().assumptions
    assert said[0] == "SubGaussian(sigma=3) holds: they were made so."
    assert "Gaussian guarantee with a known sigma does not apply" in said[1]
    assert said[-1] == "Nothing else is known."
    trusted = make(family=boclust.Gaussian(2.0)).assumptions
    assert not any("does not apply" in sentence for sentence in trusted)


def test_the_printed_summary():
    text = str(make())
    assert text.startswith("Points: 4 arms, 50 to 53 records each of 2 numbers, 3 clusters\n")
    assert "values in [-10, 10]" in text
    assert text.endswith("- Source: nowhere.")
    assert max(map(len, text.splitlines())) <= 100
    many = make(arms=range(30), records=[np.eye(5) + i for i in range(30)], bounds=None, source="")
    text = str(many)
    assert "30 arms, 5 records each of 5 numbers" in text
    assert "  ... and 6 more\n" in text
    assert "0.200   0.200   0.200 ..." in text
    assert "Source" not in text
    assert repr(many) == "<Dataset 'Points': 30 arms, d=5, n_clusters=3>"


def test_a_run_on_replayed_records():
    data = make()
    found = boclust.cluster(data.replay(), 4, 3, delta=0.1, family=data.family, dim=2)
    np.testing.assert_array_equal(found.labels, data.labels)


def test_missing_real_data_skips_but_fails_where_ci_is_set(monkeypatch, tmp_path):
    monkeypatch.setenv("BOCLUST_DATA", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="set BOCLUST_DATA"):
        real_data("nothing")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="set BOCLUST_DATA"):
        real_data("nothing")
