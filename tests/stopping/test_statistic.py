"""Z(t) of the global rules against ``boclust.infimum``, and how their thresholds grow."""

import numpy as np
import pytest
from boclust._jit import pointer
from runs import ready, tell

import boclust
from boclust import Algorithm
from boclust.evidence.conjugate import penalty
from boclust.problem.trees import group
from boclust.stopping.glr import lift, standing_in_space, standing_on_line
from instances import JIT_OFF, few

EXPONENTIALS = [
    family(space=space)
    for family in (boclust.Bernoulli, boclust.Poisson, boclust.Exponential)
    for space in ("natural", "mean")
]
RULES = [
    (Algorithm("rr", "paper"), boclust.Gaussian()),
    (Algorithm("rr", "mixture"), boclust.Gaussian()),
    (Algorithm("rr", "mixture", precision=7.0), boclust.Gaussian()),
    (Algorithm("rr", "heuristic"), boclust.Gaussian()),
    (Algorithm("rr", "constant"), boclust.Gaussian()),
    (Algorithm("rr", "paper-1pexp"), boclust.Gaussian()),
    *((Algorithm("rr", "mixture"), family) for family in EXPONENTIALS),
    *((Algorithm("rr", "paper-1pexp"), family) for family in EXPONENTIALS[:4]),
]


def name(value):
    return f"{value.stopping}{value.options or ''}" if isinstance(value, Algorithm) else str(value)


def expected_lift(algorithm, family, counts, sums):
    """What the threshold grows by, from the statements of the rules."""
    counts, dim = np.asarray(counts), np.ndim(sums)
    if dim == 2:
        dim = sums.shape[1]
    if algorithm.stopping == "paper":  # 2 log prod (N + 1)^(d/2)
        return dim * np.log(np.prod(counts + 1))
    if algorithm.stopping == "heuristic":
        return np.log(1 + np.log(counts.sum()))
    if algorithm.stopping == "paper-1pexp":
        return 3 * np.sum(np.log(1 + np.log(counts)))
    if algorithm.stopping == "constant":
        return 0.0
    if isinstance(family, boclust.Gaussian):
        return dim / 2 * np.sum(np.log(1 + counts / algorithm.options.get("precision", 1.0)))
    return sum(penalty(family.code, s, n) for s, n in zip(sums, counts, strict=True))


def weights_of(algorithm, family, counts):
    """N, or n_c = N^2 / (N + c) for ``mixture`` of Gaussian samples."""
    if algorithm.stopping == "mixture" and isinstance(family, boclust.Gaussian):
        return counts**2 / (counts + algorithm.options.get("precision", 1.0))
    return counts


def exact(algorithm, family, run, sums, method="exact"):
    """(Z less its lift, whether an arm is on the boundary of the parameter space)."""
    counts, k = run.counts, len(run.start) - 1
    raw = sums / (counts if sums.ndim == 1 else counts[:, None])
    means = family.estimate(sums, counts)
    weights = weights_of(algorithm, family, counts)
    found = boclust.infimum(means, weights, k, family, method=method)
    waits = algorithm.stopping == "mixture" and bool((raw != means).any())
    return found.lower - expected_lift(algorithm, family, counts, sums), waits


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


def claim_of(rules, run):
    return pointer(None, 0.0, rules, run, 0, 0, 0, 0)


@pytest.mark.parametrize(("algorithm", "family"), RULES, ids=name)
def test_z_on_a_line(algorithm, family, rng):
    for _ in few(25):
        m = int(rng.integers(3, 8))
        counts, sums = samples(family, rng, m)
        if rng.random() < 0.2:  # arms that coincide
            counts[1], sums[1] = counts[0], sums[0]
        _, rules, run = ready(algorithm, family, int(rng.integers(2, m)), counts, sums)
        assert lift(rules, run) == pytest.approx(expected_lift(algorithm, family, counts, sums))
        z, waits = exact(algorithm, family, run, sums)
        got = standing_on_line(rules, run, claim_of(rules, run), -np.inf)
        if waits:
            assert got == -np.inf
            continue
        assert got == pytest.approx(z, rel=1e-7, abs=1e-7)
        # again, from the alternative that is now known
        raised = expected_lift(algorithm, family, counts, sums)
        scale = 1e-6 * (1 + abs(z) + raised)
        assert standing_on_line(rules, run, claim_of(rules, run), z - scale) == got
        assert standing_on_line(rules, run, claim_of(rules, run), z + scale) < z + scale


@pytest.mark.parametrize(
    ("algorithm", "family", "means"),
    [
        (Algorithm("rr", "paper"), boclust.Gaussian(), [0.0, 0.2, 0.6, 3.0, 3.4]),
        (Algorithm("rr", "mixture"), boclust.Gaussian(), [0.0, 0.2, 0.6, 3.0, 3.4]),
        (Algorithm("rr", "mixture"), boclust.Bernoulli(), [0.1, 0.15, 0.5, 0.85, 0.9]),
        (Algorithm("rr", "paper-1pexp"), boclust.Poisson(), [0.5, 0.6, 3.0, 4.0, 5.0]),
    ],
    ids=name,
)
def test_the_shortcut_never_misleads(algorithm, family, means, rng):
    """Sample after sample: exact where it is enough, and never called too little where it is not.

    The alternative kept from earlier answers most of the time, across changes of the clusters.
    """
    means = np.array(means)
    m = len(means)

    def draw(arm):
        return float(family.sample(means[arm], rng, (1,)).ravel()[0])

    counts, sums = np.ones(m), [draw(arm) for arm in range(m)]
    _, rules, run = ready(algorithm, family, 2, counts, sums)
    claim = claim_of(rules, run)
    seen, answers, changes = [], {True: 0, False: 0}, 0
    for t in few(250):
        arm = t % m
        before = run.labels.copy()
        tell(rules, run, arm, draw(arm))
        group(run)
        changes += (before != run.labels).any()
        sums = run.sums[:, 0].copy()
        z, waits = exact(algorithm, family, run, sums)
        # mostly just out of reach, as in a run; now and then within reach
        enough = z + rng.choice([1e-3, 0.1, 2.0, -1e-3, -2.0], p=[0.2, 0.3, 0.2, 0.1, 0.2])
        known = (run.glr.labels == run.labels).all()
        got = standing_on_line(rules, run, claim, enough)
        if waits:
            assert got == -np.inf
        elif z >= enough:
            assert got == pytest.approx(z, rel=1e-7, abs=1e-7)
        else:
            assert got < enough
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
            algorithm = Algorithm("rr", "constant")
            _, rules, run = ready(algorithm, family, 2, counts, counts * values)
            assert standing_on_line(rules, run, claim_of(rules, run), -np.inf) == 0
            assert (run.glr.labels == -1).all()


@pytest.mark.parametrize("algorithm", [rule for rule, _ in RULES[:5]], ids=name)
def test_z_in_space_is_the_tree_bound(algorithm, rng):
    family = boclust.Gaussian()
    for _ in few(25):
        m, dim = int(rng.integers(3, 8)), int(rng.integers(2, 4))
        counts = rng.integers(1, rng.choice([8, 300]), m).astype(float)
        sums = counts[:, None] * rng.standard_normal((m, dim)) * 2
        _, rules, run = ready(algorithm, family, int(rng.integers(2, m)), counts, sums)
        claim = claim_of(rules, run)
        assert lift(rules, run) == pytest.approx(expected_lift(algorithm, family, counts, sums))
        z, _ = exact(algorithm, family, run, sums, method="tree")
        got = standing_in_space(rules, run, claim, -np.inf)
        assert got == pytest.approx(z, rel=1e-7, abs=1e-7)
        assert standing_in_space(rules, run, claim, z - 1e-5) == pytest.approx(got)
        assert standing_in_space(rules, run, claim, z + 1e-5) < z + 1e-5


def test_exponential_waiting_times_by_their_means_are_judged_from_below(rng):
    """There the search for the nearest alternative is no proof: Z is its lower bound."""
    family, algorithm = boclust.Exponential(space="mean"), Algorithm("rr", "mixture")
    apart = 0
    for _ in few(60):
        counts, sums = samples(family, rng, 5)
        _, rules, run = ready(algorithm, family, 3, counts, sums)
        found = boclust.infimum(family.estimate(sums, counts), counts, 3, family, method="exact")
        got = standing_on_line(rules, run, claim_of(rules, run), -np.inf)
        assert got + run.kin.penalties.sum() <= found.lower * (1 + 1e-9)
        apart += found.lower < 0.9 * found.upper
    assert apart > 0 or JIT_OFF
