"""The evidence made of Gaussian mixtures against slow versions of matrices and searches."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_ndtr

from boclust.evidence.directional import ROWS, directional_evidence
from boclust.evidence.local import mixture_evidence
from boclust.evidence.semi import PRECISIONS, semi_evidence
from boclust.problem.families import Gaussian
from boclust.psi.bond import bond_value, claim_cost
from boclust.stopping import STOPPING
from support.instances import few
from support.runs import ready

CLAIMS = [(0, 1, 2, 3), (0, 1, 1, 2), (1, 0, 2, 1), (0, 1, 2, 0)]


def states(rng, dims, count):
    for _ in few(count):
        dim = int(rng.choice(dims))
        means = rng.standard_normal((4, dim)) * 2
        counts = rng.integers(1, 400, 4).astype(float)
        gaps = np.linalg.norm(means[:, None] - means[None], axis=2)
        yield counts, means, gaps, dim


def test_local_is_the_closed_form_at_shrunk_counts_less_its_cost(rng):
    for counts, means, gaps, dim in states(rng, (1, 2, 5), 200):
        for a, b, m, n in CLAIMS:
            value = mixture_evidence(counts, gaps, 10.0, dim, dim, a, b, m, n)
            if gaps[m, n] <= gaps[a, b]:
                assert value == -np.inf
                continue
            shrunk = counts**2 / (counts + 10)
            arms = sorted({a, b, m, n})
            cost = dim / 2 * np.log1p(counts[arms] / 10).sum()
            assert value == pytest.approx(bond_value(means, shrunk, a, b, m, n) - cost, abs=1e-9)


def test_semi_averages_over_precisions_with_the_cheaper_cost(rng):
    for counts, means, gaps, dim in states(rng, (2, 3, 10), 200):
        for a, b, m, n in CLAIMS:
            if gaps[m, n] <= gaps[a, b]:
                assert semi_evidence(counts, gaps, dim, a, b, m, n) == -np.inf
                continue
            rows = []
            for c in PRECISIONS:
                v = bond_value(means, counts**2 / (counts + c), a, b, m, n)
                only = [x for x in (a, b) if x not in (m, n)]
                cost = 0.5 * np.log1p(counts[only] / c).sum()
                cost += dim / 2 * np.log1p(counts[[m, n]] / c).sum()
                rows.append(v - cost - np.log(len(PRECISIONS)))
            got = semi_evidence(counts, gaps, dim, a, b, m, n)
            assert got == pytest.approx(np.logaddexp.reduce(rows), rel=1e-9, abs=1e-9)


def test_semi_holds_for_every_direction_of_the_true_bond(rng):
    """v(n) is at most the exponent with bond noise projected on the true bond."""
    checked = 0
    for counts, means, gaps, dim in states(rng, (2, 3, 5), 300):
        a, b, m, n = CLAIMS[int(rng.integers(3))]
        truth = means + rng.standard_normal((4, dim)) * rng.choice([0.1, 1.0])
        if np.linalg.norm(truth[a] - truth[b]) < np.linalg.norm(truth[m] - truth[n]):
            continue
        e = truth[a] - truth[b]
        e /= np.linalg.norm(e)
        error = means - truth
        exponent = 0.0
        for arm in {a, b, m, n}:
            if arm in (m, n):
                exponent += counts[arm] * (error[arm] @ error[arm]) / 2
            else:
                exponent += counts[arm] * (e @ error[arm]) ** 2 / 2
        assert bond_value(means, counts, a, b, m, n) <= exponent * (1 + 1e-9) + 1e-12
        checked += gaps[m, n] > gaps[a, b]
    assert checked


def log_mixture(counts, h):
    """log of the one-sided mixture supermartingale and its slope, as a function of the error x.

    ``2 share Phi(-h.m / tau) sqrt(det L / det Q) exp(z.m / 2)`` for each row, of precision L, with
    ``Q = L + diag(counts)``, ``z = counts x``, ``m = Q^-1 z`` and ``tau^2 = h.Q^-1 h``.
    """
    used = h != 0
    h, counts = h[used], counts[used]
    rows = []
    for c1, c2, share in ROWS:
        precision = c2 * np.eye(len(h)) + (c1 - c2) * np.outer(h, h) / (h @ h)
        posterior = precision + np.diag(counts)
        log_det = np.linalg.slogdet(precision)[1] - np.linalg.slogdet(posterior)[1]
        covariance = np.linalg.inv(posterior)
        along = covariance @ h
        rows.append((np.log(2 * share) + 0.5 * log_det, covariance, along / np.sqrt(h @ along)))

    def value_and_slope(x):
        z = counts * x[used]
        logs, slopes = [], []
        for constant, covariance, along in rows:
            mean, standing = covariance @ z, -(along @ z)
            half = log_ndtr(standing)
            logs.append(constant + half + 0.5 * z @ mean)
            hazard = np.exp(-0.5 * standing**2 - half) / np.sqrt(2 * np.pi)
            slopes.append(mean - hazard * along)
        total = np.logaddexp.reduce(logs)
        slope = np.zeros(len(x))
        slope[used] = counts * (np.exp(logs - total) @ slopes)
        return total, slope

    return value_and_slope


def least_log_mixture(estimate, counts, h, rng):
    """Its minimum over true means with h . mean >= 0, while h . estimate < 0, by search."""
    gap = -(h @ estimate)
    base = h * gap / (h @ h)
    null = np.linalg.svd(h[None])[2][1:]
    log_value = log_mixture(counts, h)

    def objective(y):  # error = estimate - mean, with h . error = -(gap + y0^2 h.h)
        value, slope = log_value(-base - h * y[0] ** 2 + y[1:] @ null)
        return value, np.concatenate([[-2 * y[0] * (h @ slope)], null @ slope])

    starts = 0.1 * rng.standard_normal((4, len(h)))
    return min(minimize(objective, start, jac=True, method="BFGS").fun for start in starts)


@pytest.mark.compiled
def test_directional_is_a_lower_bound_of_its_supermartingales(rng):
    """Against both directions of the true bond, for four arms and for three; and nearly tight."""
    slack = []
    for _ in range(40):
        means = np.sort(rng.uniform(0, 3, 4))[[0, 1, 2, 3]][:, None]
        counts = rng.integers(60, 300, 4).astype(float)
        for a, b, m, n in [(0, 1, 2, 3), (0, 1, 1, 3), (2, 1, 1, 0), (1, 2, 0, 3)]:
            got = directional_evidence(counts, means, a, b, m, n, -np.inf)
            if got == -np.inf:
                continue
            bounds = []
            for sign in (1, -1):
                h = np.zeros(4)
                h[a] += 1
                h[b] -= 1
                h[m] += sign
                h[n] -= sign
                h *= -np.sign(h @ means[:, 0])  # the null that the estimates contradict
                bounds.append(least_log_mixture(means[:, 0], counts, h, rng))
            assert got + np.log(2) <= min(bounds) + 1e-6
            slack.append(min(bounds) - got - np.log(2))
    assert len(slack) > 20
    assert np.median(slack) < 0.3


def test_directional_below_the_threshold_is_bounded_from_above(rng):
    """Exact from the threshold on, else some number between the evidence and the threshold."""
    replaced = 0
    for counts, means, _, _ in states(rng, (1,), 300):
        for claim in CLAIMS:
            exact = directional_evidence(counts, means, *claim, -np.inf)
            for threshold in (exact - 0.5, exact, exact + 0.01, exact + 3.0, 5.0):
                got = directional_evidence(counts, means, *claim, threshold)
                assert got == exact or exact < got < threshold
                replaced += got != exact
    assert replaced > 20


def test_a_claim_that_looks_true_is_never_refuted(rng):
    for counts, means, gaps, dim in states(rng, (1,), 100):
        for a, b, m, n in CLAIMS:
            if gaps[m, n] <= gaps[a, b]:
                assert directional_evidence(counts, means, a, b, m, n, -np.inf) == -np.inf
                assert mixture_evidence(counts, gaps, 1.0, dim, dim, a, b, m, n) == -np.inf


def test_gaussian_evidence_is_at_most_the_plain_cost(rng):
    """So the cost alone tells where the evidence cannot reach a threshold."""
    for counts, means, gaps, dim in states(rng, (1, 2, 5), 200):
        for name in ("local", "local-semi", "local-directional"):
            if name == "local-directional" and dim > 1:
                continue
            options = {"precision": 1.0} if name == "local" else {}
            judged = ready(
                STOPPING[name](**options), Gaussian(), 2, counts, means * counts[:, None]
            )
            for claim in CLAIMS:
                plain = claim_cost(counts, gaps, 0.0, *claim)
                assert judged.against(claim, np.inf) == pytest.approx(plain, rel=1e-9, abs=1e-9)
                assert judged.against(claim) <= plain + 1e-9
