"""Confidence regions of the means, valid for all arms at all times."""

import numpy as np

from boclust._validate import FloatArray
from boclust.problem.families import Bounded, Family
from boclust.problem.families.gaussian import Quadratic

#: c below: the weight of the prior in samples. Regions are narrowest after a few times as many.
PRECISION = 1.0


def regions(
    family: Family, means: FloatArray, counts: FloatArray, n_arms: int, delta: float
) -> FloatArray:
    """Confidence regions of the true means, from n sample means (n x d) and their ``counts``.

    Returns the ends of intervals (n x 2) for d = 1, and the radii of balls around the sample means
    (n) for d > 1. With probability 1 - delta, the true means of all ``n_arms`` arms are inside at
    all times, for any order of sampling.

    Proof. Take one arm, and S = (sum of its N samples - N mean) / sigma. For every vector u,
    ``exp(u . S - N |u|^2 / 2)`` is a supermartingale in N that starts at 1, because the samples are
    sub-Gaussian in every direction (for ``Bounded``, by Hoeffding's lemma with sigma half the range
    and independent coordinates). So is its average over u ~ N(0, I / c), which is
    ``(1 + N/c)^(-d/2) exp(|S|^2 / (2 (N + c)))``. By Ville's inequality, the probability that it
    ever reaches n_arms / delta is at most delta / n_arms. Until then, the distance between sample
    mean and true mean, sigma |S| / N, is less than

        sigma sqrt(2 (N + c) / N^2 (log(n_arms / delta) + d/2 log(1 + N/c))),

    and the probabilities of the arms add up to delta. One-parameter families: the same with the
    likelihood ratio in place of the exponential and a conjugate prior, see ``intervals``.
    """
    if not isinstance(family, Quadratic):
        return _limits(family, means[:, 0], counts, n_arms, delta)
    dim, c = means.shape[1], PRECISION
    needed = np.log(n_arms) - np.log(delta) + dim / 2 * np.log1p(counts / c)
    radii = family.sigma * np.sqrt(2 * (counts + c) * needed) / counts
    if dim > 1:
        return np.asarray(radii)
    ends = np.stack([means[:, 0] - radii, means[:, 0] + radii], axis=1)
    return ends.clip(family.low, family.high) if isinstance(family, Bounded) else ends


def _limits(
    family: Family, means: FloatArray, counts: FloatArray, n_arms: int, delta: float
) -> FloatArray:
    from boclust.problem.intervals import interval

    ends = np.empty((len(means), 2))
    for i, (mean, count) in enumerate(zip(means, counts, strict=True)):
        ends[i] = interval(family.law, mean, count, np.log(n_arms) - np.log(delta))
    return ends
