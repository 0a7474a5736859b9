"""The paper's method in NumPy agrees with the library: psi, proportions, arms, stopping."""

import numpy as np
import pytest

import boclust
from benchmarks import paper_method, paper_qcqp, paper_search
from benchmarks.paper_elim import BocElim
from benchmarks.samples import setup_1, setup_2
from boclust.sources import Simulated, arm_keys
from support.instances import few, thorough

#: ADMM as far as the library takes it.
FAR = {"tolerance": 1e-8, "max_steps": 2000}
SEVEN = boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], 3)
SPACE = boclust.Instance([[0, 0], [0.5, 0.2], [1, 0], [3, 3], [3.6, 3], [0, 4], [0.2, 4.6]], 3)


def cloud(rng, n_arms, dim):
    return 2 * rng.normal(size=(n_arms, dim)), rng.dirichlet(np.full(n_arms, 3.0))


@pytest.mark.compiled
@pytest.mark.parametrize(("n_arms", "n_clusters", "dim"), [(6, 4, 1), (6, 4, 2), (7, 5, 5)])
def test_psi_is_that_of_the_admm_method(rng, n_arms, n_clusters, dim):
    for _ in range(2):
        means, weights = cloud(rng, n_arms, dim)
        got = paper_search.psi(means, weights, n_clusters, **FAR)
        theirs = boclust.infimum(means, weights, n_clusters, method="admm").upper
        assert got == pytest.approx(theirs, rel=1e-6)
        assert got >= boclust.infimum(means, weights, n_clusters).lower * (1 - 1e-9)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("size", "dim"), [(3, 1), (4, 2), (3, 5), *(thorough(4, dim) for dim in (1, 5))]
)
def test_psi_of_larger_clusters(rng, size, dim):
    means = np.concatenate([rng.normal(size=(size, dim)), 9 + rng.normal(size=(2, dim))])
    weights = rng.dirichlet(np.full(size + 2, 3.0))
    got = paper_search.psi(means, weights, 2, **FAR)
    assert got == pytest.approx(boclust.infimum(means, weights, 2, method="admm").upper, rel=1e-6)
    short = paper_search.psi(means, weights, 2)
    exact = boclust.infimum(means, weights, 2).lower
    assert exact * (1 - 1e-9) <= short <= 1.01 * exact


def test_every_program_once():
    """K = 3 of sizes 3, 2, 2: (3 + 1 + 1) cuts times 16 rival pairs."""
    batches = paper_search.all_programs(np.array([0, 0, 0, 1, 1, 2, 2]))
    assert sum(batch.arms.shape[1] for batch in batches) == 5 * 16
    seen = set()
    for batch in batches:
        shape = batch.shape
        for arms in batch.arms.T:
            bonds = {frozenset(arms[list(row[:2])]) for row in (*shape.four, *shape.three)}
            seen.add((frozenset(bonds), frozenset(arms[list(shape.rival)])))
    assert len(seen) == 5 * 16


@pytest.mark.parametrize("dim", [1, 2, 5])
def test_closed_forms_are_feasible_and_cost_what_a_bond_does(rng, dim):
    from boclust.psi.bond import bond_value

    for _ in range(20):
        mu, w = rng.normal(size=(4, dim)), rng.uniform(0.1, 2, 4)
        lam = paper_qcqp.four_arms(mu[..., None], 1 / w[:, None])[..., 0]
        cost = 0.5 * (w * ((mu - lam) ** 2).sum(1)).sum()
        bond, rival = np.linalg.norm(lam[0] - lam[1]), np.linalg.norm(lam[2] - lam[3])
        assert bond >= rival * (1 - 1e-12)
        assert cost == pytest.approx(bond_value(mu, w, 0, 1, 2, 3), abs=1e-12)
        mu, w = mu[:3], w[:3]
        lam = paper_qcqp.three_arms(mu[..., None], w[:, None])[..., 0]
        cost = 0.5 * (w * ((mu - lam) ** 2).sum(1)).sum()
        bond, rival = np.linalg.norm(lam[0] - lam[1]), np.linalg.norm(lam[1] - lam[2])
        assert bond >= rival * (1 - 1e-9)
        assert cost == pytest.approx(bond_value(mu, w, 0, 1, 1, 2), rel=1e-9, abs=1e-12)
        equal = paper_qcqp.three_arms(mu[..., None], np.ones((3, 1)))
        np.testing.assert_allclose(paper_qcqp.nearest_three(mu[..., None]), equal, atol=1e-9)


def test_bonds_of_length_zero_open():
    mu = np.array([[0.0], [0.0], [1.0], [3.0]])[..., None]
    lam = paper_qcqp.four_arms(mu)[:, 0, 0]
    assert abs(lam[0] - lam[1]) == pytest.approx(abs(lam[2] - lam[3]))
    lam = paper_qcqp.nearest_three(np.array([[0.0], [0.0], [2.0]])[..., None])[:, 0, 0]
    assert abs(lam[0] - lam[1]) == pytest.approx(abs(lam[1] - lam[2]))


@pytest.mark.compiled
def test_partial_search_between_powers_of_two(rng):
    instance, seen = setup_2(3), []
    partial, full = paper_search.Search(2, full=False, top=5), paper_search.Search(2)
    for t in range(32, 36):
        means = instance.means + 0.02 * rng.normal(size=instance.means.shape)
        weights = rng.dirichlet(np.full(6, 9.0))
        seen.append(partial.update(t, means, weights) / full.update(t, means, weights))
    assert seen[0] == 1.0
    assert min(seen) >= 1 - 1e-6  # programs leave a batch together: the last digits differ
    assert sum(batch.arms.shape[1] for batch in partial._kept) == 5


@pytest.mark.compiled
@pytest.mark.parametrize(
    "exact", [setup_1(3, 2), boclust.Instance([0, 1, 2, 5, 6], 2), thorough(setup_2(3))]
)
def test_proportions_come_close_to_the_best(rng, exact):
    """At estimates: on equal shares of a symmetric instance, a kink, SLSQP does not move."""
    means, n = exact.means + 0.1 * rng.normal(size=exact.means.shape), exact.n_arms
    instance = boclust.Instance(means, exact.n_clusters)
    found = paper_search.Search(instance.n_clusters)
    uniform = np.full(n, 1 / n)
    found.update(1, means, uniform)
    shares = paper_search.proportions(found, means, iterations=12)
    assert shares.sum() == pytest.approx(1)
    value = boclust.infimum(means, shares, instance.n_clusters).lower
    best = boclust.lower_bound(instance)
    assert value <= 1 / best.t_star_low * (1 + 1e-9)
    assert value > boclust.infimum(means, uniform, instance.n_clusters).lower
    assert value >= 0.95 / best.t_star


def follow(instance, learner, run, samples):
    """Ask both, tell both the same samples, until one of them stops; the samples told."""
    source = Simulated(instance)
    source.reset(keys=arm_keys(instance.n_arms, 1, (0, 0)))
    for told in range(samples):
        arm = learner.ask()
        assert arm in run.candidates()
        value = source(arm)
        learner.tell(arm, value)
        over = run.tell(arm, value)
        assert over == learner.done
        if over:
            np.testing.assert_array_equal(
                run.labels[:, None] == run.labels, learner.labels[:, None] == learner.labels
            )
            return told + 1
    return samples


@pytest.mark.compiled
@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("instance", [setup_1(3, 1), setup_1(4, 5), SPACE, thorough(SEVEN)])
def test_lucbboc_samples_the_same_arms(instance, upper):
    m, k, d, delta = instance.n_arms, instance.n_clusters, instance.dim, 0.1
    name = "lucbboc-ucb" if upper else "lucbboc"
    learner = boclust.Learner(m, k, delta, dim=d, algorithm=name)
    large = instance in (SEVEN, SPACE)  # ADMM takes its time there
    run = paper_method.Lucbboc(m, k, d, delta, upper=upper)
    follow(instance, learner, run, 40 if large else 400)


@pytest.mark.parametrize(
    "instance",
    [setup_1(3, 1), SEVEN, boclust.Instance([0, 1, 2, 5], 2), boclust.Instance([0, 1, 9], 2)],
)
def test_boc_elim_samples_and_stops_alike(instance):
    m, k, delta = instance.n_arms, instance.n_clusters, 0.1
    learner = boclust.Learner(m, k, delta, algorithm="boc-elim")
    most = (1 if instance is SEVEN else 4) * len(few(1000))
    told = follow(instance, learner, BocElim(m, k, 1, delta), most)
    assert told < 4000 or instance is SEVEN
    with pytest.raises(ValueError, match="dim must be 1"):
        BocElim(m, k, 2, delta)


@pytest.mark.slow
@pytest.mark.compiled
def test_atboc_ends_where_the_librarys_does_within_reason():
    """Not the same arms: the library's proportions are within 1 % of optimal, and so are these."""
    instance = setup_1(2, 2)
    lengths = []
    for chosen in ("baseline", "library"):
        source = Simulated(instance)
        source.reset(keys=arm_keys(4, 1, (0, 0)))
        run = paper_method.Atboc(4, 2, 2, 0.1)
        learner = boclust.Learner(4, 2, 0.1, dim=2, algorithm="atboc")
        over, told = False, 0
        while not over and told < 300:
            arm = run.ask() if chosen == "baseline" else learner.ask()
            value = source(arm)
            if chosen == "baseline":
                over = run.tell(arm, value)
            else:
                learner.tell(arm, value)
                over = learner.done
            told += 1
        lengths.append(told)
    assert lengths[0] == pytest.approx(lengths[1], rel=0.3)
    assert lengths[0] < 300
