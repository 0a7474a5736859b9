"""T*: the checked values, the certificates, and speed as the number of programs solved."""

import numpy as np
import pytest

import boclust
from boclust.paper.timing import setup_1, setup_2
from boclust.psi import bound as bound_module
from support.instances import CHECKED, few


@pytest.mark.parametrize("name", CHECKED)
def test_the_papers_instances(name):
    instance, t_star, uniform = CHECKED[name]
    bound = boclust.lower_bound(instance)
    assert bound.t_star == pytest.approx(t_star, rel=2e-3)
    assert bound.t_star_low <= bound.t_star <= bound.t_star_high
    assert bound.t_star_high / bound.t_star_low <= 1.0011
    assert 1 / bound.psi_uniform == pytest.approx(uniform, rel=2e-3)
    assert bound.iterations < 60
    assert not bound.note


@pytest.mark.parametrize(
    "instance",
    [
        *(c[0] for c in CHECKED.values()),
        pytest.param(setup_1(10, 10), marks=pytest.mark.compiled),
        pytest.param(setup_2(5), marks=pytest.mark.compiled),
        boclust.Instance([0.1, 0.2, 0.5, 0.6, 0.9], 3, boclust.Bernoulli()),
        boclust.Instance([1, 1.5, 4, 9, 10], 2, boclust.Poisson()),
        boclust.Instance([1, 1.5, 4, 9, 10], 2, boclust.Exponential()),
    ],
    ids=repr,
)
def test_the_bracket_closes_and_its_high_end_is_attained(instance):
    bound = boclust.lower_bound(instance)
    assert not bound.note
    assert bound.t_star_high <= bound.t_star_low * (1 + 1.01e-3)
    assert bound.weights.sum() == pytest.approx(1)
    assert (bound.weights >= 0).all()
    at_weights = boclust.infimum(
        instance.means, bound.weights, instance.n_clusters, instance.family, method="exact"
    )
    assert 1 / at_weights.lower == pytest.approx(bound.t_star_high, rel=1e-9)


@pytest.mark.compiled
def test_exponential_in_the_mean_keeps_an_honest_bracket():
    """Costs that are not convex: psi is bracketed only, and so is T*."""
    bound = boclust.lower_bound(
        boclust.Instance([1, 1.2, 2, 2.2, 3.4], 2, boclust.Exponential(space="mean"))
    )
    assert "did not close" in bound.note
    assert bound.t_star_low < bound.t_star_high < 1.1 * bound.t_star_low
    assert bound.iterations < 200


@pytest.mark.compiled
def test_no_proportions_beat_the_low_end(rng):
    """1 / psi(w) >= t_star_low for whatever w: the low end is a bound."""
    for instance, _, _ in CHECKED.values():
        bound = boclust.lower_bound(instance, rtol=1e-6)
        for _ in few(300):
            near = rng.dirichlet(1 + 200 * rng.uniform() * bound.weights)
            value = boclust.infimum(
                instance.means, near, instance.n_clusters, instance.family
            ).value
            assert value * bound.t_star_low <= 1 + 1e-9


@pytest.mark.compiled
def test_a_tighter_bracket_lies_inside():
    instance = CHECKED["A"][0]
    wide, tight = (boclust.lower_bound(instance, rtol=r) for r in (1e-2, 1e-7))
    assert wide.t_star_low <= tight.t_star_low <= tight.t_star_high <= wide.t_star_high
    assert tight.t_star_high / tight.t_star_low - 1 <= 1.01e-7


def test_symmetric_pairs_by_hand():
    """Arms -x, x against a far singleton: equal shares in the pair, a closed form to compare."""
    instance = boclust.Instance([0.0, 1.0, 11.0], 2)
    bound = boclust.lower_bound(instance, rtol=1e-6)

    def psi(w):  # bond (0, 1) against rival (1, 2): the middle arm counts double
        return (9**2 / 2) / (1 / w[0] + 4 / w[1] + 1 / w[2])

    assert bound.weights == pytest.approx([0.25, 0.5, 0.25], abs=1e-3)
    assert 1 / bound.t_star == pytest.approx(psi([0.25, 0.5, 0.25]), rel=1e-5)


def test_samples():
    bound = boclust.lower_bound(CHECKED["A"][0])
    assert bound.samples(0.01) == pytest.approx(0.98 * np.log(99) * 71.5, rel=2e-3)
    assert bound.samples(1e-300) == pytest.approx(np.log(1e300) * bound.t_star, rel=2e-3)
    assert bound.samples(0.5) == bound.samples(0.9) == 0
    for bad in (0, 1, -0.1, 1.5, float("nan"), "0.1", None):
        with pytest.raises(boclust.InvalidInputError, match=r"^delta must be "):
            bound.samples(bad)


@pytest.mark.parametrize("k", [1, 3])
def test_nothing_to_decide(k):
    bound = boclust.lower_bound(boclust.Instance([0, 1, 5], k))
    assert bound.t_star == bound.t_star_low == bound.t_star_high == 0
    assert bound.samples(0.01) == 0
    assert "no sample is needed" in bound.note


def test_a_tie_needs_infinitely_many():
    bound = boclust.lower_bound(boclust.Instance([0, 1, 2], 2))
    assert bound.t_star == np.inf
    assert bound.samples(0.01) == np.inf
    assert "not unique" in bound.note


@pytest.mark.parametrize(
    "instance",
    [
        boclust.Instance([0, 1, 2.0000000000000004], 2),
        boclust.Instance([1e-9, 0.5, 1 - 1e-9], 2, boclust.Bernoulli(space="mean")),
        boclust.Instance([1e15, 1e15 + 100, 1e15 + 300], 2, boclust.Poisson(space="mean")),
        boclust.Instance([0, 1e-50, 3e-50], 2),
        boclust.Instance([0, 1e50, 3e50], 2, boclust.Gaussian(1e-50)),
        boclust.Instance([0, 1e-50, 3e-50], 2, boclust.Gaussian(1e50)),
        boclust.Instance([1e-50, 0.3, 0.5], 2, boclust.Bernoulli()),
        boclust.Instance([0, 0, 0, 4, 4], 2),
        boclust.Instance([0, 1e-9, 1, 1e9], 3),
    ],
    ids=repr,
)
def test_the_ends_are_in_order_however_odd_the_instance(instance):
    bound = boclust.lower_bound(instance)
    assert 0 < bound.t_star_low <= bound.t_star <= bound.t_star_high
    assert bound.t_star_high / bound.t_star_low < 1.0011 or bound.note


def test_units_do_not_matter():
    here = boclust.Instance([0, 1, 3], 2)
    there = boclust.Instance([0, 1e-40, 3e-40], 2, boclust.Gaussian(1e-40))
    for instance in (here, there):
        assert boclust.lower_bound(instance, rtol=1e-7).t_star == pytest.approx(32, rel=1e-6)


def test_an_early_end_is_said():
    bound = boclust.lower_bound(CHECKED["A"][0], rtol=1e-9, max_iterations=3)
    assert "did not close" in bound.note
    assert bound.t_star_low < 71.47 < bound.t_star_high


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        (([0, 1, 5],), "instance"),
        ((boclust.Instance([0, 1, 5], 2), 0.0), "rtol"),
        ((boclust.Instance([0, 1, 5], 2), 1e-3, 0), "max_iterations"),
    ],
)
def test_bad_input_names_the_argument(arguments, argument):
    with pytest.raises(boclust.InvalidInputError, match=rf"^{argument} must be .*, got "):
        boclust.lower_bound(*arguments)


FAMILIES = [
    boclust.Gaussian(0.5), boclust.Bounded(), boclust.Bernoulli(), boclust.Bernoulli("mean"),
    boclust.Poisson(), boclust.Exponential(), boclust.Exponential("mean"),
]  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES, ids=str)
@pytest.mark.parametrize("third", [0.3 + 1e-6, 0.3001, 0.31, 0.9])
def test_what_is_hopeless_is_known_without_the_bound(family, third, monkeypatch):
    """At once as with the bound, and with another sentence only among many arms."""
    instance = boclust.Instance([0.1, 0.2, third], 2, family)
    told = boclust.lower_bound(instance).warning([0.01, 0.1])
    assert bound_module.hopeless(instance, [0.01, 0.1]) == told
    monkeypatch.setattr(bound_module, "_FEW", 2)
    crude = bound_module.hopeless(instance, [0.01, 0.1])
    assert not crude or told


def test_hopeless_for_every_number_of_arms():
    line = np.arange(60.0)
    line[-1] += 1e-7
    assert "differ by 1e-07 only" in bound_module.hopeless(boclust.Instance(line, 2), [0.1])
    for k in (1, 60):
        assert bound_module.hopeless(boclust.Instance(line, k), [0.1]) == ""
    assert "at least inf" in bound_module.hopeless(boclust.Instance([0, 1, 2], 2), [0.1])


def test_ordinary_instances_need_no_bound(monkeypatch):
    monkeypatch.setattr(bound_module, "lower_bound", None)
    seven = boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], 3)
    assert bound_module.hopeless(seven, [1e-9]) == ""


@pytest.mark.parametrize(
    ("k", "sentence"),
    [(1, "There is only one possible"), (3, "There is only one"), (2, "The clustering is not")],
)
def test_a_sentence_where_no_shares_are_best(k, sentence):
    axes = boclust.lower_bound(boclust.Instance([0, 1, 2], n_clusters=k)).plot().axes[0]
    assert axes.texts[0].get_text().startswith(sentence)
    assert len(axes.patches) == 0
