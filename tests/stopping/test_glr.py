"""Z(t) of the global rules against ``boclust.infimum``, and how their thresholds grow."""

import numpy as np
import pytest

import boclust
from boclust.run.clusters import group
from boclust.stopping.glr import Constant, Heuristic, Mixture, Paper, Paper1pExp
from support.instances import JIT_OFF, few
from support.runs import ready

EXPONENTIALS = [
    family(space=space)
    for family in (boclust.Bernoulli, boclust.Poisson, boclust.Exponential)
    for space in ("natural", "mean")
]
RULES = [
    (Paper(), boclust.Gaussian()),
    (Mixture(), boclust.Gaussian()),
    (Mixture(precision=7.0), boclust.Gaussian()),
    (Heuristic(), boclust.Gaussian()),
    (Constant(), boclust.Gaussian()),
    (Paper1pExp(), boclust.Gaussian()),
    *((Mixture(), family) for family in EXPONENTIALS),
    *((Paper1pExp(), family) for family in EXPONENTIALS[:4]),
]


def expected_growth(rule, family, counts, sums):
    """What the threshold grows by, from the statements of the rules."""
    counts, dim = np.asarray(counts), np.ndim(sums)
    if dim == 2:
        dim = sums.shape[1]
    if rule.name == "paper":  # 2 log prod (N + 1)^(d/2)
        return dim * np.log(np.prod(counts + 1))
    if rule.name == "heuristic":
        return np.log(1 + np.log(counts.sum()))
    if rule.name == "paper-1pexp":
        return 3 * np.sum(np.log(1 + np.log(counts)))
    if rule.name == "constant":
        return 0.0
    if isinstance(family, boclust.Gaussian):
        return dim / 2 * np.sum(np.log(1 + counts / rule.precision))
    return sum(family.law.penalty(s, n) for s, n in zip(sums, counts, strict=True))


def weights_of(rule, family, counts):
    """N, or n_c = N^2 / (N + c) for ``mixture`` of Gaussian samples."""
    if rule.name == "mixture" and isinstance(family, boclust.Gaussian):
        return counts**2 / (counts + rule.precision)
    return counts


def exact(rule, family, run, sums, method="exact"):
    """(Z less the growth of its threshold, whether an arm is on the boundary)."""
    counts, k = run.counts, len(run.start) - 1
    raw = sums / (counts if sums.ndim == 1 else counts[:, None])
    means = family.estimate(sums, counts)
    weights = weights_of(rule, family, counts)
    found = boclust.infimum(means, weights, k, family, method=method)
    waits = rule.name == "mixture" and bool((raw != means).any())
    return found.lower - expected_growth(rule, family, counts, sums), waits


def samples(family, rng, m):
    counts = rng.integers(1, rng.choice([8, 300]), m).astype(float)
    if isinstance(family, boclust.Gaussian):
        return counts, counts * rng.standard_normal(m) * 3
    if family.name == "bernoulli":
        return counts, rng.binomial(counts.astype(int), rng.uniform(0.02, 0.98, m)).astype(float)
    means = 10 ** rng.uniform(-1, 1, m)
    if family.name == "poisson":
        return counts, rng.poisson(counts * means).astype(float)
    return counts, means * rng.gamma(counts)


def growth(judged):
    return judged.own.growth.total(judged.run, judged.own.lifts)


@pytest.mark.parametrize(("rule", "family"), RULES, ids=str)
def test_z_on_a_line(rule, family, rng):
    for _ in few(25):
        m = int(rng.integers(3, 8))
        counts, sums = samples(family, rng, m)
        if rng.random() < 0.2:  # arms that coincide
            counts[1], sums[1] = counts[0], sums[0]
        judged = ready(rule, family, int(rng.integers(2, m)), counts, sums)
        assert growth(judged) == pytest.approx(expected_growth(rule, family, counts, sums))
        z, waits = exact(rule, family, judged.run, sums)
        got = judged.statistic()
        if waits:
            assert got == -np.inf
            continue
        assert got == pytest.approx(z, rel=1e-7, abs=1e-7)
        # again, from the alternative that is now known
        raised = expected_growth(rule, family, counts, sums)
        scale = 1e-6 * (1 + abs(z) + raised)
        assert judged.statistic(z - scale) == got
        assert judged.statistic(z + scale) < z + scale


@pytest.mark.parametrize(
    ("rule", "family", "means"),
    [
        (Paper(), boclust.Gaussian(), [0.0, 0.2, 0.6, 3.0, 3.4]),
        (Mixture(), boclust.Gaussian(), [0.0, 0.2, 0.6, 3.0, 3.4]),
        (Mixture(), boclust.Bernoulli(), [0.1, 0.15, 0.5, 0.85, 0.9]),
        (Paper1pExp(), boclust.Poisson(), [0.5, 0.6, 3.0, 4.0, 5.0]),
    ],
    ids=str,
)
def test_the_shortcut_never_misleads(rule, family, means, rng):
    """Sample after sample: exact from the threshold on, and below it only where Z is.

    The alternative kept from earlier answers most of the time, across changes of the clusters.
    """
    means = np.array(means)
    m = len(means)

    def draw(arm):
        return float(family.sample(means[arm], rng, (1,)).ravel()[0])

    counts, sums = np.ones(m), [draw(arm) for arm in range(m)]
    judged = ready(rule, family, 2, counts, sums)
    run = judged.run
    seen, answers, changes = [], {True: 0, False: 0}, 0
    for t in few(250):
        arm = t % m
        before = run.labels.copy()
        judged.tell(arm, draw(arm))
        group(run)
        changes += (before != run.labels).any()
        sums = run.sums[:, 0].copy()
        z, waits = exact(rule, family, run, sums)
        # mostly just out of reach, as in a run; now and then within reach
        threshold = z + rng.choice([1e-3, 0.1, 2.0, -1e-3, -2.0], p=[0.2, 0.3, 0.2, 0.1, 0.2])
        known = (judged.own.labels == run.labels).all()
        got = judged.statistic(threshold)
        if waits:
            assert got == -np.inf
        elif z >= threshold:
            assert got == pytest.approx(z, rel=1e-7, abs=1e-7)
        else:
            assert got < threshold
            assert got > z - 1e-7 * (1 + abs(z))
            answers[known and abs(got - z) > 1e-6] += 1
        seen.append(z)
    if len(seen) > 100:
        assert answers[True] > 10  # the shortcut was taken
        assert answers[False] > 10
        assert changes > 0


def test_a_tie_has_shown_nothing():
    """d_intra = d_inter, or all arms at one point: Z = 0, and no alternative is kept."""
    for family in (boclust.Gaussian(), boclust.Poisson(space="mean")):
        for values in ([1.0, 2, 3], [2.0, 2, 2], [4.0, 1, 2, 3]):
            counts = np.full(len(values), 5.0)
            judged = ready(Constant(), family, 2, counts, counts * values)
            assert judged.statistic() == 0
            assert judged.statistic(0.0) == 0
            assert (judged.own.labels == -1).all()


@pytest.mark.parametrize("rule", [rule for rule, _ in RULES[:5]], ids=str)
def test_z_in_space_is_the_tree_bound(rule, rng):
    family = boclust.Gaussian()
    for _ in few(25):
        m, dim = int(rng.integers(3, 8)), int(rng.integers(2, 4))
        counts = rng.integers(1, rng.choice([8, 300]), m).astype(float)
        sums = counts[:, None] * rng.standard_normal((m, dim)) * 2
        judged = ready(rule, family, int(rng.integers(2, m)), counts, sums)
        assert growth(judged) == pytest.approx(expected_growth(rule, family, counts, sums))
        z, _ = exact(rule, family, judged.run, sums, method="tree")
        got = judged.statistic()
        assert got == pytest.approx(z, rel=1e-7, abs=1e-7)
        assert judged.statistic(z - 1e-5) == pytest.approx(got)
        assert judged.statistic(z + 1e-5) < z + 1e-5


def test_exponential_waiting_times_by_their_means_are_judged_from_below(rng):
    """There the search for the nearest alternative is no proof: Z is its lower bound."""
    family, rule = boclust.Exponential(space="mean"), Mixture()
    apart = 0
    for _ in few(60):
        counts, sums = samples(family, rng, 5)
        judged = ready(rule, family, 3, counts, sums)
        found = boclust.infimum(family.estimate(sums, counts), counts, 3, family, method="exact")
        got = judged.statistic()
        assert got + judged.own.lifts.sum() <= found.lower * (1 + 1e-9)
        apart += found.lower < 0.9 * found.upper
    assert apart > 0 or JIT_OFF
