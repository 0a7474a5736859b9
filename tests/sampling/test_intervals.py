"""Confidence intervals: by root finding, by simulation, and as LUCBBOC uses them."""

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom

import boclust
from boclust.run.engine import Engine
from boclust.problem.families.laws import BERNOULLI, EXPONENTIAL, POISSON
from boclust.problem.linkage import single_linkage
from boclust.problem.intervals import limits, radius
from boclust.sampling.lucbboc import look_for_suspects, suspicious_pairs
from boclust.stopping import STOPPING
from boclust.evidence.conjugate import penalty
from instances import few
from runs import ready, tell

FAMILIES = [
    family(space=space)
    for family in (boclust.Bernoulli, boclust.Poisson, boclust.Exponential)
    for space in ("natural", "mean")
]


def divergence(family, mean, log_ratio):
    """d(mean, mean exp(log_ratio)), 0 < mean < 1 for Bernoulli."""
    change = np.expm1(log_ratio)
    if family.name == "exponential":
        return np.expm1(-log_ratio) + log_ratio
    here = mean * (change - log_ratio)
    if family.name == "poisson":
        return here
    with np.errstate(divide="ignore"):  # all ones: infinitely far
        return here - mean * change - (1 - mean) * np.log1p(-mean * change / (1 - mean))


def root(family, mean, most, side):
    """The root of d(mean, .) = most below (side = -1) or above (+1) a mean > 0."""

    def reach(log_ratio):
        return divergence(family, mean, log_ratio) - most

    far = side * 1.0
    while reach(far) < 0:
        far *= 2
    return mean * np.exp(brentq(reach, *sorted((far, 0.0)), xtol=1e-15, rtol=1e-14))


def slow_limits(family, mean, most):
    """The two roots of d(mean, .) = most; the end of the space where the mean lies on it."""
    if family.name == "bernoulli":
        if mean == 0:
            return 0.0, -np.expm1(-most)
        if mean == 1:
            return np.exp(-most), 1.0
        return root(family, mean, most, -1), 1 - root(family, 1 - mean, most, -1)
    if mean == 0:
        return 0.0, most
    return root(family, mean, most, -1), root(family, mean, most, 1)


@pytest.mark.parametrize("family", FAMILIES[::2], ids=lambda f: f.name)
def test_limits_are_roots_of_the_divergence(family, rng):
    for _ in few(200):
        most = 10 ** rng.uniform(-6, 1.5)
        if family.name == "bernoulli":
            mean = rng.choice([rng.uniform(0.001, 0.999), 1e-6])
        else:
            mean = 10 ** rng.uniform(-6, 6)
        low, high = limits(family.code, mean, most)
        slow_low, slow_high = slow_limits(family, mean, most)
        assert low < mean < high
        assert low == pytest.approx(slow_low, rel=1e-8, abs=1e-300)
        assert high == pytest.approx(slow_high, rel=1e-8)


@pytest.mark.parametrize("most", [1e-6, 0.01, 0.3, 2.0, 30.0])
def test_limits_on_the_boundary(most):
    low, high = limits(BERNOULLI, 0.0, most)
    assert (low, high) == (0, pytest.approx(-np.expm1(-most), rel=1e-10))
    low, high = limits(BERNOULLI, 1.0, most)
    assert (low, high) == (pytest.approx(np.exp(-most), rel=1e-10), 1)
    low, high = limits(POISSON, 0.0, most)
    assert (low, high) == (0, pytest.approx(most, rel=1e-10))


def test_the_radius_of_section_v():
    for count, m, d, delta in [(1, 2, 1, 0.1), (7, 6, 3, 1e-3), (1e6, 50, 10, 1e-300)]:
        logs = np.log(2.0) * (d + 1) + np.log(m) + 2 * np.log(count) - np.log(delta)
        assert radius(float(count), m, d, delta) == pytest.approx(np.sqrt(2 / count * logs))


@pytest.mark.parametrize("code", [BERNOULLI, POISSON, EXPONENTIAL])
def test_limits_cover_at_all_times(code, rng):
    """Two arms, delta = 0.3: how often an interval ever misses its mean, by an exact bound."""
    trials, steps, delta = 120, 200, 0.3
    missed = 0
    for _ in few(trials):
        miss = False
        for mean in (0.1, 0.7):
            sample = {
                BERNOULLI: lambda mean=mean: rng.random(steps) < mean,
                POISSON: lambda mean=mean: rng.poisson(mean, steps),
                EXPONENTIAL: lambda mean=mean: rng.exponential(mean, steps),
            }[code]()
            totals = np.cumsum(sample).astype(float)
            for n in range(1, steps + 1):
                most = (np.log(2 / delta) + penalty(code, totals[n - 1], float(n))) / n
                low, high = limits(code, totals[n - 1] / n, most)
                miss = miss or not low <= mean <= high
        missed += miss
    n_trials = len(few(trials))
    assert missed <= binom.ppf(1 - 1e-6, n_trials, delta)
    if n_trials == trials:
        assert missed > 0  # wide, but not for nothing


@pytest.mark.parametrize("dim", [1, 2, 10])
def test_radius_covers_at_all_times(dim, rng):
    trials, steps, delta = 300, 400, 0.5
    radii = np.array([radius(float(n), 1, dim, delta) for n in range(1, steps + 1)])
    noise = rng.standard_normal((trials, steps, dim)).cumsum(axis=1)
    errors = np.linalg.norm(noise, axis=2) / np.arange(1, steps + 1)
    missed = int((errors > radii).any(axis=1).sum())
    assert missed <= binom.ppf(1 - 1e-6, trials, delta)


def samples(family, rng, m):
    counts = rng.integers(1, rng.choice([6, 200]), m).astype(float)
    if family.name == "bernoulli":
        return counts, rng.binomial(counts.astype(int), rng.uniform(0.02, 0.98, m)).astype(float)
    means = 10 ** rng.uniform(-1, 1, m)
    if family.name == "poisson":
        return counts, rng.poisson(counts * means).astype(float)
    return counts, means * rng.gamma(counts)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f"{f.name}-{f.space}")
def test_the_band_around_the_places(family, rng):
    """[place - below, place + above] is the interval of the mean, in the space of the places."""
    delta = 0.05
    for _ in few(60):
        m = 4
        counts, sums = samples(family, rng, m)
        _, _, run = ready("lucbboc", family, 2, counts, sums, delta)
        for i in range(m):
            most = (np.log(m / delta) + penalty(family.code, sums[i], counts[i])) / counts[i]
            low, high = slow_limits(family, sums[i] / counts[i], most)
            with np.errstate(divide="ignore"):
                ends = family.positions(np.array([low, high]))
            place = family.positions(family.estimate(sums, counts))[i]
            got = place - run.band.below[i], place + run.band.above[i]
            assert got[0] == pytest.approx(ends[0], rel=1e-5, abs=1e-9)
            digits = 1e-16 / (1 - high) if family.name == "bernoulli" and high < 1 else 0.0
            assert got[1] == pytest.approx(ends[1], rel=1e-5, abs=1e-9 + 4 * digits)
            assert min(run.band.below[i], run.band.above[i]) >= 0


def test_the_band_of_gaussian_arms_is_the_radius(rng):
    counts = rng.integers(1, 100, 5).astype(float)
    _, _, run = ready("lucbboc", boclust.Gaussian(), 2, counts, rng.standard_normal((5, 3)), 0.02)
    alpha = [radius(n, 5, 3, 0.02) for n in counts]
    np.testing.assert_array_equal(run.band.below, alpha)
    np.testing.assert_array_equal(run.band.above, alpha)


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("lopsided", [False, True])
def test_suspicious_pairs_by_the_text_of_algorithm_2(upper, lopsided, rng):
    """On a line an interval may reach farther on one side than on the other."""
    for _ in few(100):
        m = int(rng.integers(3, 9))
        dim = 1 if lopsided else int(rng.integers(1, 4))
        counts = rng.integers(1, 200, m).astype(float)
        means = rng.standard_normal((m, dim))
        k = int(rng.integers(2, m))
        _, _, run = ready("lucbboc", boclust.Gaussian(), k, counts, means * counts[:, None], 0.05)
        means, labels = run.means, run.labels
        if lopsided:
            run.band.below[:], run.band.above[:] = rng.exponential(size=(2, m))
        gaps = np.linalg.norm(means[:, None] - means[None], axis=2)

        def shortest(i, j, run=run, gaps=gaps, means=means):
            i, j = (i, j) if means[i, 0] < means[j, 0] else (j, i)
            return gaps[i, j] - run.band.above[i] - run.band.below[j]

        def longest(i, j, run=run, gaps=gaps, means=means):
            i, j = (i, j) if means[i, 0] < means[j, 0] else (j, i)
            return gaps[i, j] + run.band.below[i] + run.band.above[j]

        closest = []
        for p, q in combinations(range(k), 2):
            pairs = [
                (i, j) for i in np.flatnonzero(labels == p) for j in np.flatnonzero(labels == q)
            ]
            i, j = min(pairs, key=lambda pair: gaps[pair])
            closest.append((shortest(i, j), i, j))
        farthest = []
        for c in range(k):
            members = np.flatnonzero(labels == c)
            if len(members) > 1:
                tree = single_linkage(means[members], 2)
                for edge in tree.edges if upper else tree.edges[-1:]:
                    i, j = members[edge]
                    farthest.append((longest(i, j), i, j))
        suspicious_pairs(run, upper)
        assert set(run.quad[2:]) == set(min(closest)[1:])
        assert set(run.quad[:2]) == set(max(farthest)[1:])


@pytest.mark.parametrize("name", ["lucbboc", "lucbboc-ucb"])
@pytest.mark.parametrize("ties", [False, True])
def test_suspects_of_the_last_clusters_are_those_of_new_ones(name, ties, rng):
    """From sample to sample, also where clusters change, distances tie or intervals are open."""
    changes = 0
    for _ in few(20):
        m, k = 7, int(rng.integers(2, 6))
        truth = rng.standard_normal(m)
        truth = np.rint(2 * truth) if ties else truth
        _, rules, run = ready(name, boclust.Gaussian(), k, np.ones(m), truth)
        for _ in range(30):
            before = run.labels.copy()
            noise = rng.integers(-1, 2, 1) if ties else rng.standard_normal(1)
            arm = int(rng.integers(m))
            tell(rules, run, arm, truth[arm] + noise)
            if rng.random() < 0.1:
                run.band.below[arm] = np.inf
            look_for_suspects(rules, run)
            found = run.quad.copy(), run.labels.copy(), run.arms.copy(), run.start.copy()
            run.start[:] = 0  # nothing is known of any clusters
            look_for_suspects(rules, run)
            for one, other in zip(found, (run.quad, run.labels, run.arms, run.start), strict=True):
                np.testing.assert_array_equal(one, other)
            changes += (run.labels != before).any()
    assert changes > len(few(20))


@pytest.mark.parametrize("family", [boclust.Gaussian(), *FAMILIES], ids=str)
def test_constant_intervals(family):
    """With ``constant``: the means l with N d(mean, l) <= log(1/delta), and no guarantee."""
    chosen = boclust.Algorithm("elimination", constant=True)
    means = {"exponential": [1.0, 2.0, 7.0], "poisson": [1.0, 2.0, 7.0]}.get(
        family.name, [0.2, 0.4, 0.8]
    )
    engine = Engine(chosen, 3, 1, 2, family)
    delta = 0.3
    rules, run = engine.rules(delta), engine.new_run()
    rng = np.random.default_rng(1)
    for arm, mean in enumerate(means):
        for _ in range(40):
            value = rng.poisson(mean) if family.name == "poisson" else rng.exponential(mean)
            if family.name in ("bernoulli", "gaussian"):
                value = float(rng.random() < mean)
            tell(rules, run, arm, value)
    for arm in range(3):
        place = run.places[arm, 0]
        for end in (place - run.band.below[arm], place + run.band.above[arm]):
            if family.name == "gaussian":
                cost = 0.5 * (end - place) ** 2
            else:
                mean = np.array([run.kin.raw[arm]])
                there = end if family.space == "mean" else family.mean(np.array([end]))[0]
                cost = float(family.divergence(mean, np.array([there]))[0])
            assert 40 * cost == pytest.approx(np.log(1 / delta), rel=1e-6)
    assert engine.stopping.guarantee(family, delta, 1).startswith("none")


def test_constant_threshold_of_boc():
    """BOC's statistic is compared with log(1/delta) itself: many fewer samples, no guarantee."""
    instance = boclust.Instance([0.0, 0.0, 3.0, 3.0], 2)
    names = [boclust.Algorithm("boc", constant=True), boclust.Algorithm("boc")]
    rows = boclust.simulate(instance, names, [0.1], 3, max_samples=500).summary()
    swept, proven = sorted(rows, key=lambda row: row["mean_samples"])
    assert swept["guarantee"].startswith("none")
    assert "same mean" in proven["guarantee"]
    rule = STOPPING["boc-statistic"]()
    assert "for Gaussian samples" not in rule.guarantee(boclust.Gaussian(), 0.1, 1)
    assert "its proof is for Gaussian samples" in rule.guarantee(boclust.Bounded(), 0.1, 1)
    engine = Engine(names[0], 4, 1, 2, boclust.Gaussian())
    assert engine.threshold(0.1) == pytest.approx(np.log(10))
