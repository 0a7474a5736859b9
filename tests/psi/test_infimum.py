"""psi: all methods against the independent oracle, each other, and the laws psi obeys."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import boclust
from boclust.paper.timing import setup_2
from boclust.problem.families import family
from boclust.psi.admm import PartialSearch
from oracles.psi import is_alternative, psi_1d, psi_family, psi_nd
from support.instances import CHECKED, JIT_OFF, few, frozen, thorough


def family_of(record):
    options = {} if record["family"] == "gaussian" else {"space": record["space"]}
    return family(record["family"], **options)


def random_instance(rng, dims=(1, 2, 3, 5), light=False):
    m = int(rng.integers(3, 9))
    means = rng.standard_normal((m, int(rng.choice(dims))))
    weights = 10.0 ** rng.uniform(-6, 0, m) if light else rng.dirichlet(np.ones(m))
    return means, weights, int(rng.integers(2, m))


def check_alternative(result, means, weights, fam, n_clusters, rtol=1e-7):
    """It costs ``upper`` and has another clustering, or lies on the boundary of one."""
    means = np.asarray(means, dtype=float).reshape(len(weights), -1)
    cost = np.dot(weights, fam.divergence(means, result.alternative))
    assert cost == pytest.approx(result.upper, rel=1e-9)
    labels = boclust.Instance(means, n_clusters, fam).labels
    moved = fam.positions(result.alternative)
    assert is_alternative(labels, moved, rtol)
    one, two = result.cut
    m, n = result.rival
    assert min(len(one), len(two)) > 0
    assert len(set(labels[one]) | set(labels[two])) == 1
    assert sorted([*one, *two]) == np.flatnonzero(labels == labels[one[0]]).tolist()
    assert labels[m] != labels[n]
    across = min(np.linalg.norm(moved[a] - moved[b]) for a in one for b in two)
    assert across >= np.linalg.norm(moved[m] - moved[n]) * (1 - rtol)


@pytest.mark.parametrize("dim", [1, 2, 3, 5])
def test_exact_equals_the_frozen_oracle(dim):
    """500 instances, M from 3 to 8, weights from 1e-6 to 1, ties, chains, coincident means."""
    records = frozen("gaussian", (dim,))
    assert len(records) >= (100 if not JIT_OFF else 5)
    for record in records:
        result = boclust.infimum(
            record["means"], record["weights"], record["n_clusters"], method="exact"
        )
        assert result.value == pytest.approx(record["value"], rel=1e-6), record["id"]
        assert result.exact, record["id"]
        check_alternative(
            result, record["means"], record["weights"], boclust.Gaussian(), record["n_clusters"]
        )


def test_families_equal_the_frozen_oracle():
    for record in frozen("family", (1,)):
        fam = family_of(record)
        arguments = (record["means"], record["weights"], record["n_clusters"], fam)
        result = boclust.infimum(*arguments, method="exact")
        assert result.value == pytest.approx(record["value"], rel=1e-6), record["id"]
        assert result.lower <= record["value"] * (1 + 1e-6)
        assert result.exact or record["family"] == "exponential"
        check_alternative(result, record["means"], record["weights"], fam, record["n_clusters"])
        tree = boclust.infimum(*arguments, method="tree")
        assert tree.value <= record["value"] * (1 + 1e-9), record["id"]


@pytest.mark.slow
def test_the_oracle_itself_again(rng):
    """A part of the frozen answers, computed anew: the file has not been edited."""
    for record in frozen("gaussian", (1,))[::10]:
        labels = np.array(record["labels"])
        value, _ = psi_1d(np.array(record["means"])[:, 0], np.array(record["weights"]), labels)
        assert value == pytest.approx(record["value"], rel=1e-9)
    for record in frozen("gaussian", (2, 3, 5))[::30]:
        labels = np.array(record["labels"])
        value, _ = psi_nd(np.array(record["means"]), np.array(record["weights"]), labels)
        assert value == pytest.approx(record["value"], rel=1e-6)
    for record in frozen("family", (1,))[::10]:
        value, _ = psi_family(
            np.array(record["means"])[:, 0],
            np.array(record["weights"]),
            np.array(record["labels"]),
            record["family"],
            record["space"],
        )
        assert value == pytest.approx(record["value"], rel=1e-9)


def test_order_is_not_kept_when_a_light_arm_escapes():
    """The middle arm of a tight cluster, nearly unweighted, leaves it for another: {1} | {0, 2}.

    Only contiguous cuts of the sorted cluster would give a value 30 times as large.
    """
    means, weights = np.array([0.0, 0.1, 0.2, 5.2, 10.2]), np.array([1, 1e-3, 1, 1, 1])
    result = boclust.infimum(means, weights, 3, method="exact")
    truth, _ = psi_1d(means, weights, np.array([0, 0, 0, 1, 2]))
    assert result.value == pytest.approx(truth, rel=1e-9)
    assert sorted(part.tolist() for part in result.cut) == [[0, 2], [1]]
    assert 30 * result.value < 0.5 * 0.5 * 2.4**2  # any change that leaves arm 1 in its place


@pytest.mark.parametrize("middle", [0.05, 0.15])
def test_a_light_arm_escapes_by_the_shorter_way(middle):
    """Two far arms are 4 apart, so the light one goes 4 away from both others, down or up."""
    means, weights = np.array([-20, -16, 0, middle, 0.2]), np.array([1, 1, 1, 1e-3, 1])
    result = boclust.infimum(means, weights, 3, method="exact")
    truth, _ = psi_1d(means, weights, np.array([0, 1, 2, 2, 2]))
    assert result.value == pytest.approx(truth, rel=1e-9)
    assert sorted(part.tolist() for part in result.cut) == [[2, 4], [3]]
    assert result.rival in ((0, 1), (1, 0))
    assert result.alternative[3, 0] == pytest.approx(-4.0 if middle < 0.1 else 4.2, abs=0.02)


@pytest.mark.parametrize("count", [20, thorough(60)])
@pytest.mark.parametrize("light", [False, True])
def test_tree_below_exact_below_admm(light, count, rng):
    for _ in few(count):
        means, weights, k = random_instance(rng, light=light)
        if len(means) > (4 if JIT_OFF else 7):
            continue
        tree, exact, admm = (
            boclust.infimum(means, weights, k, method=m) for m in ("tree", "exact", "admm")
        )
        assert tree.value <= exact.value * (1 + 1e-9)
        assert exact.value <= admm.value * (1 + 1e-9)
        assert tree.value == tree.lower
        assert admm.value == admm.upper
        for result in (tree, admm):
            check_alternative(result, means, weights, boclust.Gaussian(), k)
        sizes = np.bincount(boclust.Instance(means, k).labels)
        if sizes.max() <= 2:
            assert tree.value == pytest.approx(exact.value, rel=1e-9)


@pytest.mark.compiled
def test_admm_is_good_where_nothing_is_degenerate(rng):
    ratios = []
    for _ in few(60):
        means, weights, k = random_instance(rng)
        if len(means) <= 7:
            exact = boclust.infimum(means, weights, k, method="exact").value
            ratios.append(boclust.infimum(means, weights, k, method="admm").value / exact)
    assert np.median(ratios) == pytest.approx(1, abs=1e-5)


@pytest.mark.compiled
def test_partial_search_repeats_the_full_one_at_powers_of_two(rng):
    means, weights, k = rng.standard_normal((6, 2)), np.full(6, 1 / 6), 2
    search = PartialSearch(k, top=4)
    full = boclust.infimum(means, weights, k, method="admm").value
    assert search.value(1, means, weights) == pytest.approx(full, rel=1e-6)
    moved = weights * rng.uniform(0.9, 1.1, 6)
    between = search.value(3, means, moved)
    assert between >= boclust.infimum(means, moved, k, method="exact").value * (1 - 1e-9)
    assert search.value(4, means, moved) <= between * (1 + 1e-9)
    other = means[::-1].copy()  # other clusters: searched in full again
    assert search.value(5, other, weights) == pytest.approx(
        boclust.infimum(other, weights, k, method="admm").value, rel=1e-6
    )
    assert search.value(6, other, [0, 1, 1, 1, 1, 1]) == 0
    for bad in (dict(top=0), dict(top=1, family=boclust.Bernoulli()), dict(top=1, n_clusters=0)):
        with pytest.raises(boclust.InvalidInputError):
            PartialSearch(**{"n_clusters": 2, **bad})


@pytest.mark.parametrize("name", CHECKED)
def test_uniform_weights_of_the_papers_instances(name):
    instance, _, uniform = CHECKED[name]
    weights = np.full(instance.n_arms, 1 / instance.n_arms)
    result = boclust.infimum(instance.means, weights, instance.n_clusters, instance.family)
    assert 1 / result.value == pytest.approx(uniform, rel=2e-3)


# --- laws -------------------------------------------------------------------------------------

SEEDS = st.integers(0, 10_000)


def psi(means, weights, k, fam=None):
    return boclust.infimum(means, weights, k, fam, method="exact").value


@given(SEEDS, st.floats(1e-3, 1e3))
def test_homogeneous_in_the_weights(seed, factor):
    means, weights, k = random_instance(np.random.default_rng(seed))
    assert psi(means, factor * weights, k) == pytest.approx(factor * psi(means, weights, k), 1e-9)


@given(SEEDS, st.floats(0, 1))
def test_concave_in_the_weights(seed, t):
    rng = np.random.default_rng(seed)
    means, one, k = random_instance(rng)
    two = rng.dirichlet(np.ones(len(one)))
    between = psi(means, t * one + (1 - t) * two, k)
    assert between >= t * psi(means, one, k) + (1 - t) * psi(means, two, k) - 1e-12


@given(SEEDS)
def test_continuous_in_weights_and_means(seed):
    rng = np.random.default_rng(seed)
    means, weights, k = random_instance(rng)
    assume(boclust.Instance(means, k).d_intra * 1.001 < boclust.Instance(means, k).d_inter)
    here = psi(means, weights, k)
    for size in (1e-5, 1e-7):
        near = psi(means, weights + size * rng.uniform(0, 1, len(weights)), k)
        # psi is monotone and bounded by w . D^2, so it moves by no more than M times D^2
        span = np.linalg.norm(means.max(axis=0) - means.min(axis=0))
        assert 0 <= near - here + 1e-12 <= size * len(weights) * 2 * span**2 + 1e-12
        shaken = psi(means + size * rng.standard_normal(means.shape), weights, k)
        assert abs(shaken - here) < 100 * size


@given(SEEDS)
def test_invariant_under_rotation_translation_and_renaming(seed):
    rng = np.random.default_rng(seed)
    means, weights, k = random_instance(rng, dims=(2, 3, 5))
    here = psi(means, weights, k)
    turn, _ = np.linalg.qr(rng.standard_normal((means.shape[1],) * 2))
    assert psi(means @ turn + 7.5, weights, k) == pytest.approx(here, rel=1e-7)
    order = rng.permutation(len(means))
    assert psi(means[order], weights[order], k) == pytest.approx(here, rel=1e-7)


@given(SEEDS, st.floats(1e-3, 1e3), st.floats(0.1, 10))
def test_scales_with_the_square_of_the_means_over_sigma(seed, stretch, sigma):
    means, weights, k = random_instance(np.random.default_rng(seed))
    scaled = psi(stretch * means, weights, k, boclust.Gaussian(sigma))
    assert scaled == pytest.approx(psi(means, weights, k) * (stretch / sigma) ** 2, rel=1e-7)


@given(SEEDS)
def test_more_weight_never_costs_less(seed):
    rng = np.random.default_rng(seed)
    means, weights, k = random_instance(rng)
    more = weights + rng.uniform(0, 0.2, len(weights)) * rng.integers(0, 2, len(weights))
    assert psi(means, more, k) >= psi(means, weights, k) * (1 - 1e-9)


def test_a_line_in_space_is_no_dearer_than_on_the_line(rng):
    """More dimensions give the alternative more room, and never less."""
    for _ in few(30):
        means, weights, k = random_instance(rng, dims=(1,))
        flat = np.hstack([means, np.zeros((len(means), 2))])
        assert psi(flat, weights, k) <= psi(means, weights, k) * (1 + 1e-9)


# --- degenerate instances ---------------------------------------------------------------------


@pytest.mark.parametrize("dim", [1, 2, pytest.param(20, marks=pytest.mark.compiled)])
@pytest.mark.parametrize("method", ["exact", "tree", "admm"])
def test_degenerate_shapes(dim, method, rng):
    ones = np.ones(dim)
    tied = np.outer([0.0, 1.0, 2.0], ones)  # d_intra = d_inter
    assert boclust.infimum(tied, [1, 1, 1], 2, method=method).value == pytest.approx(0, abs=1e-12)
    coincident = np.outer([0.0, 0.0, 0.0, 4.0, 4.0], ones)
    result = boclust.infimum(coincident, np.ones(5), 2, method=method)
    assert result.value > 0
    check_alternative(result, coincident, np.ones(5), boclust.Gaussian(), 2, rtol=1e-6)
    all_same = np.zeros((3, dim))
    assert boclust.infimum(all_same, np.ones(3), 2, method=method).value == 0
    nearly = np.outer([0.0, 1.0, 2.0 + 1e-9], ones)
    assert 0 <= boclust.infimum(nearly, np.ones(3), 2, method=method).value < 1e-15
    huge = np.outer([0.0, 1.0, 5.0, 7.0], ones)
    big = boclust.infimum(huge * 2.0**150, np.array([1e3, 1, 1e-3, 1]) * 1e50, 3, method=method)
    small = boclust.infimum(huge, [1e3, 1, 1e-3, 1], 3, method=method)
    assert big.value == pytest.approx(small.value * 1e50 * 4.0**150, rel=1e-9)
    spread = boclust.infimum(huge, [1e50, 1, 1e-50, 1], 3, method=method)
    assert 0 < spread.value < 1e-46


@pytest.mark.parametrize("far", [1e3, 1e9, 1e12, 1e13, 1e17])
@pytest.mark.parametrize("dim", [1, 2])
@pytest.mark.parametrize("method", ["exact", "tree", "admm"])
def test_an_arm_far_away_takes_no_digits_from_the_others(far, dim, method):
    """0, 1, 3 and a far arm in three clusters: 1/12 by hand (bond 0-1, rival 1-3)."""
    means = np.zeros((4, dim))
    means[:, 0] = [0, 1, 3, far]
    result = boclust.infimum(means, np.ones(4), 3, method=method)
    assert result.value == pytest.approx(1 / 12, rel=1e-7 if method == "admm" else 1e-8)
    assert result.lower <= 1 / 12 * (1 + 1e-12)
    assert result.upper >= 1 / 12 * (1 - 1e-12)
    bound = boclust.lower_bound(boclust.Instance(means, 3))
    assert bound.t_star_low <= 32 * (1 + 1e-9)
    assert bound.t_star_high >= 32 * (1 - 1e-9)
    assert bound.t_star_high <= 1.0011 * bound.t_star_low


def test_a_far_origin_takes_only_the_digits_that_the_means_have_lost(rng):
    means, weights = np.array([0.0, 1, 1.5, 4, 4.5, 9]), np.array([1.0, 2, 1, 3, 1, 1])
    for dim in (1, 2):
        points = np.outer(means, np.eye(dim)[0])
        here = boclust.infimum(points, weights, 3, method="exact").value
        there = boclust.infimum(points + 2.0**40, weights, 3, method="exact").value
        assert there == pytest.approx(here, rel=1e-9)


@pytest.mark.parametrize(("base", "gap"), [(1e8, 1.0), (1e12, 100.0), (1e15, 1e3)])
def test_small_relative_moves_keep_their_digits(base, gap):
    """Poisson arms b, b + g, b + 3 g: for g << b the cost tends to that of variance b."""
    fam = boclust.Poisson(space="mean")
    value = boclust.infimum([base, base + gap, base + 3 * gap], [1, 1, 1], 2, fam).value
    assert value == pytest.approx(gap**2 / 12 / base, rel=5 * gap / base + 1e-12)


@pytest.mark.parametrize("method", ["exact", "tree", "admm"])
@pytest.mark.parametrize("at", [0.0, -1.08e-50, 0.1, -7.3])
def test_a_tie_costs_nothing_wherever_it_lies(method, at):
    for means in ([at] * 3, [at - 1, at, at + 1] if at in (0.0, -7.3) else [at] * 4):
        instance = boclust.Instance(means, 2)
        if instance.is_separated:  # at - 1, at, at + 1 may round to unequal gaps
            continue
        weights = [7.1e-05, 3.8e-06, 2e-07, 1.0][: len(means)]
        result = boclust.infimum(means, weights, 2, method=method)
        assert (result.lower, result.value, result.upper) == (0, 0, 0)
        check_alternative(result, means, weights, boclust.Gaussian(), 2)


@pytest.mark.parametrize("fam", [boclust.Gaussian(), boclust.Bernoulli(), boclust.Exponential()])
def test_arms_without_weight_move_for_nothing(fam):
    means, k = [0.1, 0.2, 0.5, 0.55, 0.9], 3
    for arm in range(5):
        weights = np.ones(5)
        weights[arm] = 0
        result = boclust.infimum(means, weights, k, fam)
        assert result.value == 0
        assert result.exact
        check_alternative(result, means, weights, fam, k)


@pytest.mark.parametrize("k", [1, 4])
@pytest.mark.parametrize("method", ["auto", "exact", "tree", "admm", "printed"])
def test_one_cluster_or_all_singletons_have_no_alternative(k, method):
    result = boclust.infimum([0, 1, 3, 4], np.ones(4), k, method=method)
    assert result.value == result.lower == result.upper == np.inf
    assert result.exact
    assert result.alternative is None
    assert result.cut is None
    assert result.rival is None
    assert "no alternative exists" in result.note


def test_two_arms():
    assert boclust.infimum([0, 1], [1, 1], 1).alternative is None
    assert boclust.infimum([0, 1], [1, 1], 2).alternative is None


@pytest.mark.compiled
def test_a_budget_leaves_an_honest_bracket():
    instance = setup_2(5)
    weights = boclust.lower_bound(instance).weights
    exact = boclust.infimum(instance.means, weights, 2, method="exact")
    assert exact.exact
    short = boclust.infimum(instance.means, weights, 2, method="exact", max_cuts=1)
    assert short.lower <= exact.value * (1 + 1e-9)
    assert exact.value <= short.upper * (1 + 1e-9)
    assert not short.exact
    assert short.note


@pytest.mark.compiled
def test_a_gap_of_the_relaxation_is_reported_not_hidden():
    """A light arm inside a ring of heavy ones, in the plane: duality lifts it out of the plane.

    The other two arms are 1.8 apart, so the light arm must get 1.8 away from the whole ring.
    """
    angle = 2 * np.pi * np.arange(8) / 8
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    means = np.vstack([[0.01, 0.02], ring, [[30.0, 0.3], [31.0, 1.8]]])
    weights = np.ones(11)
    weights[0] = 1e-4
    result = boclust.infimum(means, weights, 3, method="exact")
    check_alternative(result, means, weights, boclust.Gaussian(), 3)
    assert sorted(map(len, result.cut)) == [1, 8]
    assert not result.exact
    assert "before the bracket closed" in result.note
    # by hand: out between two arms of the ring, where both are |rival| = 1.803 away
    rival = np.hypot(1.0, 1.5)
    way = np.cos(np.pi / 8) + np.sqrt(rival**2 - np.sin(np.pi / 8) ** 2)
    assert result.upper == pytest.approx(0.5 * 1e-4 * way**2, rel=0.03)
    assert 0.25 * result.upper < result.lower < result.upper


@pytest.mark.compiled
def test_auto_is_exact_for_few_arms_and_tree_for_many(rng):
    assert boclust.infimum([0, 1, 5], [1, 1, 1], 2).method == "exact"
    many = np.concatenate([rng.normal(0, 0.1, (25, 2)), rng.normal(5, 0.1, (25, 2))])
    result = boclust.infimum(many, np.ones(50), 2)
    assert result.method == "tree"
    assert 0 < result.lower <= result.upper


@pytest.mark.parametrize(
    ("changes", "argument"),
    [
        (dict(means=[0, np.nan, 5]), "means"),
        (dict(means=[0, np.inf, 5]), "means"),
        (dict(means=[[0, 1], [2], [3]]), "means"),
        (dict(means="0 1 5"), "means"),
        (dict(means=5), "means"),
        (dict(weights=[1, 1]), "weights"),
        (dict(weights=[1, -1, 1]), "weights"),
        (dict(weights=[0, 0, 0]), "weights"),
        (dict(weights=[1, np.nan, 1]), "weights"),
        (dict(weights=["a", 1, 1]), "weights"),
        (dict(weights=[[1, 1, 1]]), "weights"),
        (dict(weights=[1, 1, 1e200]), "weights"),
        (dict(means={0: 1, 1: 2, 2: 5}), "means"),
        (dict(means={0.0, 1.0, 5.0}), "means"),
        (dict(means=np.ma.array([0.0, 1, 5], mask=[0, 0, 1])), "means"),
        (dict(means=[0, 1, 10**400]), "means"),
        (dict(means=[0, 1, np.longdouble("1e400")]), "means"),
        (dict(means=[None, 1, 5]), "means"),
        (dict(n_clusters=10**400), "n_clusters"),
        (dict(method=np.array(["exact", "tree"])), "method"),
        (dict(n_clusters=0), "n_clusters"),
        (dict(n_clusters=4), "n_clusters"),
        (dict(n_clusters=2.0), "n_clusters"),
        (dict(family="gaussian"), "family"),
        (dict(family=boclust.Bernoulli()), "means"),
        (dict(method="fast"), "method"),
        (dict(max_cuts=0), "max_cuts"),
        (dict(means=[0.1, 0.2, 0.7], family=boclust.Bernoulli(), method="admm"), "method"),
        (dict(means=np.zeros((3, 2)), method="printed"), "method"),
        (dict(means=[1, 2, 7], family=boclust.Poisson(space="mean"), method="printed"), "method"),
        (dict(means=np.r_[np.arange(14), 30], weights=np.ones(15), method="printed"), "method"),
        (dict(means=np.r_[np.arange(24), 90], weights=np.ones(25), method="admm"), "method"),
    ],
)
def test_bad_input_names_the_argument(changes, argument):
    arguments = {"means": [0, 1, 5], "weights": [1, 1, 1], "n_clusters": 2} | changes
    with pytest.raises(boclust.InvalidInputError, match=rf"^{argument} must be .*, got ") as caught:
        boclust.infimum(**arguments)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300
