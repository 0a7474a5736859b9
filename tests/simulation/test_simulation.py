"""Simulations: reproducible, honest about what was not reached, and the guarantee as such."""

import warnings

import numpy as np
import pytest

import boclust
from boclust.problem.families import OneParameter
from boclust.sources import Beta, Replay, Simulated, SourceExhausted
from support.instances import YANG

SEVEN = boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], 3)
PLANE = boclust.Instance([[-1, -1], [-1, -2], [1, 1], [2, 2], [3, -3], [3.5, -3]], 3)
SIX = boclust.Instance([0, 1, 2, 3, 5, 6], 2)


def chain(steps):
    """Arms one step after the other, each along an axis of its own."""
    points = np.zeros((len(steps) + 1, 2 * len(steps)))
    for i, step in enumerate(steps):
        points[i + 1] = points[i]
        points[i + 1, i] += step
    return points


FAR = boclust.Instance(chain([2, 3, 2, 3, 2]), 3)


@pytest.mark.compiled
def test_results_do_not_depend_on_the_number_of_threads():
    one, two = (boclust.simulate(SEVEN, ["span", "rr"], [0.1, 0.3], 20, 3, jobs) for jobs in (1, 2))
    assert one.table.equals(two.table)
    again = boclust.simulate(SEVEN, ["rr", "span"], [0.3, 0.1], 20, 3)
    assert again.summary() == one.summary()
    assert not boclust.simulate(SEVEN, ["span", "rr"], [0.1, 0.3], 20, 4).table.equals(one.table)


@pytest.mark.compiled
def test_processes_give_the_same_table():
    """Bit for bit, by another kind of worker."""
    threads = boclust.simulate(SEVEN, ["span", "boc-elim"], [0.1], 6, 3)
    processes = boclust.simulate(SEVEN, ["span", "boc-elim"], [0.1], 6, 3, 2, engine="processes")
    assert processes.table.equals(threads.table)


@pytest.mark.compiled
def test_blocks_of_trials_make_up_the_whole():
    whole = boclust.simulate(SIX, ["span", "rr"], [0.5, 0.1], 5, seed=5)
    blocks = [
        boclust.simulate(SIX, ["span", "rr"], [0.5, 0.1], numbers, seed=5).table.to_pylist()
        for numbers in (range(2), range(2, 5))
    ]
    both = sorted(blocks[0] + blocks[1], key=lambda row: (row["algorithm"], row["trial"]))
    assert both == sorted(whole.table.to_pylist(), key=lambda row: (row["algorithm"], row["trial"]))


def test_algorithms_see_the_same_samples():
    """Round robin under two rules: the longer run begins with the shorter one's samples."""
    pair = [boclust.Algorithm("rr", "paper"), boclust.Algorithm("fss", per_arm=30)]
    rows = boclust.simulate(SEVEN, pair, [0.9], 3).table.to_pylist()
    assert {tuple(row["pulls"]) for row in rows if "fss" in row["algorithm"]} == {(30,) * 7}
    records = [np.arange(40.0) + shift for shift in (0, 30, 300)]
    replay = Replay(records, replace=False, shuffle=False)
    arms = replay.instance(2, boclust.Gaussian(10.0))
    found = boclust.simulate(arms, ["span", "rr"], [0.1], 2, source=replay)
    assert all(row["correct"] for row in found.table.to_pylist())


def test_running_out_of_records_names_the_arm():
    records = [[0.0, 0.1], [0.2, 0.3], [1.0, 0.9]]
    replay = Replay(records, replace=False)
    arms = replay.instance(2, boclust.Gaussian(10.0))
    with pytest.raises(SourceExhausted, match=r"records of arm \d ran out in trial 0"):
        boclust.simulate(arms, ["rr"], [0.1], 1, source=replay)


@pytest.mark.compiled
def test_the_family_says_what_is_sampled():
    clicks = boclust.Instance([0.1, 0.2, 0.9], 2, boclust.Bernoulli())
    (row,) = boclust.simulate(clicks, ["span"], [0.1], 20).summary()
    assert row["errors"] == row["censored"] == 0
    assert "family 'bernoulli'" in row["guarantee"]
    assert "none" in boclust.simulate(clicks, ["fss"], [0.1], 1).summary()[0]["guarantee"]


@pytest.mark.compiled
def test_one_trajectory_answers_every_delta():
    together = boclust.simulate(SEVEN, ["span"], [1e-9, 0.5, 0.01], 5).summary()
    for row in together:
        alone = boclust.simulate(SEVEN, ["span"], [row["delta"]], 5).summary()
        assert alone == [row]
    means = [row["mean_samples"] for row in together]
    assert means == sorted(means)


def test_trials_that_run_out_are_kept():
    results = boclust.simulate(SEVEN, ["span"], [0.01], 4, max_samples=50)
    rows = results.table.to_pylist()
    assert [row["stopped"] for row in rows] == ["budget"] * 4
    assert [row["n_samples"] for row in rows] == [50] * 4
    assert [sum(row["pulls"]) for row in rows] == [50] * 4
    (summary,) = results.summary()
    assert summary["censored"] == 4
    assert summary["errors"] == 0
    assert summary["error_rate_high"] == 1.0


def test_the_table_and_the_file(tmp_path):
    from pyarrow import parquet

    results = boclust.simulate(boclust.Instance([0, 0.5, 6], 2), deltas=[0.2], trials=3)
    columns = ["algorithm", "delta", "trial", "n_samples", "correct", "stopped", "pulls"]
    assert results.table.column_names == columns
    for row in results.table.to_pylist():
        assert sum(row["pulls"]) == row["n_samples"]
        assert row["correct"]
    results.write(tmp_path / "trials.parquet")
    assert parquet.read_table(tmp_path / "trials.parquet").equals(results.table)


@pytest.mark.parametrize("k", [1, 3])
def test_nothing_to_decide(k):
    (row,) = boclust.simulate(boclust.Instance([0, 1, 5], k), trials=1).table.to_pylist()
    assert row["n_samples"] == 3
    assert row["correct"]


@pytest.mark.parametrize(
    ("changes", "argument"),
    [
        (dict(instance=[0, 1, 5]), "instance"),
        (dict(algorithms=["boc-elim"], instance=PLANE), "sampling"),
        (dict(algorithms="span"), "algorithms"),
        (dict(engine="cluster"), "engine"),
        (dict(source=[1, 2]), "source"),
        (dict(source=Simulated(PLANE)), "source"),
        (dict(algorithms=["fast"]), "algorithm"),
        (dict(algorithms=[]), "algorithms"),
        (dict(deltas=[]), "deltas"),
        (dict(deltas=[0.1, 2.0]), "deltas"),
        (dict(trials=0), "trials"),
        (dict(trials=range(0)), "trials"),
        (dict(trials=range(-1, 2)), "trials"),
        (dict(seed=-1), "seed"),
        (dict(jobs=0), "jobs"),
        (dict(max_samples=1), "max_samples"),
    ],
)
def test_bad_input_names_the_argument(changes, argument):
    with pytest.raises(boclust.InvalidInputError, match=rf"^{argument}( '.*')? must be "):
        boclust.simulate(**{"instance": SEVEN, "trials": 1, **changes})


@pytest.mark.compiled
def test_mixture_never_stops_after_paper_on_the_same_path():
    for instance, sampling in [(SEVEN, "rr"), (SEVEN, "challenger"), (PLANE, "rr")]:
        pair = [boclust.Algorithm(sampling, rule) for rule in ("mixture", "paper")]
        rows = boclust.simulate(instance, pair, [0.5, 0.01, 1e-9], 20).table.to_pylist()
        half = len(rows) // 2
        for ours, papers in zip(rows[:half], rows[half:], strict=True):
            assert (ours["delta"], ours["trial"]) == (papers["delta"], papers["trial"])
            assert ours["n_samples"] <= papers["n_samples"]


@pytest.mark.slow
def test_round_robin_with_the_papers_rule_reproduces_its_curve():
    """Mean samples at log(1/delta) = 1, 45 and 200 in the paper's 2-d Gaussian figure."""
    plotted = {1: 2705.364, 45: 6303.794, 200: 17951.523}
    deltas = [np.exp(-x) for x in plotted]
    rows = boclust.simulate(PLANE, ["rr"], deltas, 1000).summary()
    for row, papers in zip(rows, plotted.values(), strict=True):
        assert row["mean_samples"] == pytest.approx(papers, rel=0.03)


HARD = {
    "equal gaps nearly": boclust.Instance([0.0, 1.0, 2.05], 2),
    "four": boclust.Instance([0.0, 1.0, 1.9, 3.0], 2),
    "coincident": boclust.Instance([0, 0, 0, 0.4], 2),
    "plane": boclust.Instance([[0, 0], [1, 0], [0, 1.1]], 2),
    "triangle": boclust.Instance([[0, 0], [1, 0], [0.5, 1.1], [3, 3]], 3),
    "five": boclust.Instance([[0, 0, 0], [1, 0, 0], [1, 1.15, 0], [1, 1.15, 1], [4, 4, 4]], 3),
    "clicks": boclust.Instance([0.2, 0.5, 0.85], 2, boclust.Bernoulli("mean")),
    "rare clicks": boclust.Instance([0.05, 0.1, 0.25, 0.6], 2, boclust.Bernoulli()),
    "counts": boclust.Instance([1.0, 1.6, 2.7], 2, boclust.Poisson()),
    "waits": boclust.Instance([1.0, 1.5, 2.4], 2, boclust.Exponential()),
    "mean waits": boclust.Instance([1.0, 2.0, 3.4], 2, boclust.Exponential("mean")),
    "ratings": boclust.Instance([0.3, 0.5, 0.72], 2, boclust.Bounded(0, 1)),
    "plane ratings": boclust.Instance([[0.2, 0.3], [0.6, 0.3], [0.2, 0.74]], 2, boclust.Bounded()),
}


def rules_for(instance):
    """Every rule that claims a guarantee for these samples."""
    family = instance.family
    if isinstance(family, boclust.Bounded):
        gaussian = "local-directional" if instance.dim == 1 else "local-semi"
        return ["local-bounded", gaussian, "mixture"]
    if isinstance(family, OneParameter):
        return ["local", "mixture", "paper-1pexp"]
    if instance.dim == 1:
        return ["local", "local-directional", "local-semi", "mixture", "paper", "paper-1pexp"]
    return ["local", "local-semi", "mixture", "paper"]


@pytest.mark.slow
@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("sampling", ["challenger", "rr", "average"])
def test_the_guarantee_on_hard_instances(name, sampling):
    """delta = 0.1: the exact 99 % upper bound on the error rate is below 0.1.

    Runs are cut (errors come early, and an uncertified run is no error), so the bound is on errors
    among all trials. A rule with an error rate of exactly 0.1 passes with probability at most 0.01.
    """
    from scipy.stats import beta

    instance = HARD[name]
    pairs = [boclust.Algorithm(sampling, rule) for rule in rules_for(instance)]
    trials, budget = (100, 700) if sampling == "average" else (300, 1500)
    results = boclust.simulate(instance, pairs, [0.1], trials, seed=11, max_samples=budget)
    for row in results.summary():
        high = beta.ppf(0.99, row["errors"] + 1, row["trials"] - row["errors"])
        assert high < 0.1, row


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "instance"),
    [
        *((name, HARD["clicks"]) for name in ("lucbboc-ucb", "boc-elim", "maxgap-elim")),
        *((name, HARD["waits"]) for name in ("lucbboc-ucb", "boc-elim", "maxgap-top2ucb")),
        *((name, boclust.Instance([0.0, 1.0, 2.3], 2)) for name in ("boc-elim", "maxgap-elim")),
        ("boc", boclust.Instance([0.0, 0.0, 0.6], 2)),
        ("boc-slink", boclust.Instance([0.0, 0.0, 0.6], 2)),
    ],
)
def test_the_guarantee_of_the_peers(name, instance):
    """As above, for algorithms with a sampling rule of their own."""
    from scipy.stats import beta

    results = boclust.simulate(instance, [name], [0.1], 300, seed=12, max_samples=3000)
    (row,) = results.summary()
    assert beta.ppf(0.99, row["errors"] + 1, row["trials"] - row["errors"]) < 0.1, row
    assert "at most 0.1" in row["guarantee"]


@pytest.mark.slow
def test_bounded_samples_need_no_variance():
    """Beta arms, 200 trials: a third of what was asked for, a ninth of sigma = 1/2."""
    arms = boclust.Instance([0.2, 0.25, 0.5, 0.55, 0.8, 0.85], 3, boclust.Bounded(0, 1))
    half_range = boclust.Algorithm("challenger", "local-directional")
    source = Simulated(arms, noise=Beta(sd=0.15))
    found = boclust.simulate(arms, ["span", half_range], [0.05], 200, source=source).summary()
    rows = {row["algorithm"]: row for row in found}
    assert rows["span"]["errors"] == rows["span"]["censored"] == 0
    assert rows["span"]["mean_samples"] <= 1600
    assert rows["span"]["q90_samples"] <= 1.6 * rows["span"]["mean_samples"]
    assert rows["span"]["mean_samples"] < 0.3 * rows[repr(half_range)]["mean_samples"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("noise", "at_most", "ratio"), [(Beta(sd=0.15), 400, 0.35), (None, 1700, 1.15)]
)
def test_bounded_vectors_need_no_variance(noise, at_most, ratio):
    """Beta arms in the plane, 200 trials, against sigma = 1/2; and the widest noise there is."""
    means = [[0.2, 0.2], [0.25, 0.2], [0.5, 0.7], [0.55, 0.7], [0.8, 0.3], [0.85, 0.3]]
    arms = boclust.Instance(means, 3, boclust.Bounded(0, 1))
    half_range = boclust.Algorithm("challenger", "local-semi")
    source = Simulated(arms, noise=noise)
    found = boclust.simulate(arms, ["span", half_range], [0.05], 200, source=source).summary()
    rows = {row["algorithm"]: row for row in found}
    assert rows["span"]["errors"] == rows["span"]["censored"] == 0
    assert rows["span"]["mean_samples"] <= at_most
    assert rows["span"]["mean_samples"] < ratio * rows[repr(half_range)]["mean_samples"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("instance", "log_delta", "at_most"),
    [
        (SEVEN, np.log(0.01), 1000),
        (SEVEN, -100.0, 8700),
        (PLANE, np.log(0.01), 370),
        (SIX, np.log(0.01), 730),
        (YANG, np.log(0.01), 120),
        (FAR, np.log(0.01), 1950),
    ],
    ids=["A", "A tiny delta", "B", "C", "D", "F"],
)
def test_few_samples(instance, log_delta, at_most):
    """``span``, 1,000 trials: the mean, no error, and no heavy tail."""
    (row,) = boclust.simulate(instance, ["span"], [np.exp(log_delta)], 1000).summary()
    assert row["errors"] == row["censored"] == 0
    assert row["mean_samples"] <= at_most
    assert row["q90_samples"] <= 1.6 * row["mean_samples"]
    assert row["max_samples"] <= 4 * row["mean_samples"]
    bound = boclust.lower_bound(instance).samples(np.exp(log_delta))
    assert row["mean_samples"] > bound


@pytest.mark.slow
def test_the_slope_is_that_of_the_lower_bound():
    rows = boclust.simulate(SEVEN, ["span"], [np.exp(-45), np.exp(-100)], 200).summary()
    slope = (rows[1]["mean_samples"] - rows[0]["mean_samples"]) / 55
    assert slope == pytest.approx(boclust.lower_bound(SEVEN).t_star, rel=0.1)


def test_a_hopeless_separation_is_warned_of():
    with warnings.catch_warnings(record=True) as told:  # other filters stay, unlike pytest.warns
        warnings.simplefilter("always", boclust.HopelessWarning)
        boclust.simulate(boclust.Instance([0, 1, 2.00001], 2), trials=1, max_samples=100)
    (one,) = told
    assert one.category is boclust.HopelessWarning
    assert "which differ by 1e-05 only" in str(one.message)
