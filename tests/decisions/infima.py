"""Cases of ``boclust.infimum`` and ``boclust.lower_bound``."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import boclust
from boclust import Bernoulli, Bounded, Exponential, Instance, Poisson, SubGaussian
from decisions.encoding import integers, real, reals
from decisions.problems import FAMILIES, GAUSSIAN, ONE_PARAMETER, instance, scattered

#: For more arms the lower bound takes too long here.
MOST_ARMS = 12
#: In larger clusters the number of cuts is too large for two of the methods.
LARGEST_CLUSTER = 6


def problems() -> dict[str, Instance]:
    """Those of the simulations, and others on which the methods do not all agree."""
    chosen = GAUSSIAN | FAMILIES
    chosen["gaussian-9"] = instance(scattered(9, 1, 3, 1.5, 3.0), 3)
    chosen["gaussian-12"] = instance(scattered(12, 1, 4, 1.2, 3.0), 4)
    chosen["plane-8"] = instance(scattered(8, 2, 3, 1.5, 3.0), 3)
    chosen["plane-10"] = instance(scattered(10, 2, 2, 2.0, 5.0), 2)
    chosen["space-9"] = instance(scattered(9, 3, 2, 2.0, 4.0), 2)
    chosen["subgaussian-9"] = instance(scattered(9, 2, 3, 1.0, 2.5), 3, SubGaussian(sigma=2.0))
    chosen["bounded-6"] = instance(
        1.0 + scattered(6, 1, 3, 0.5, 1.5), 3, Bounded(low=0.0, high=10.0)
    )
    chances = 0.12 + 0.16 * scattered(8, 1, 4, 0.4, 1.0)
    counts = 2.0 + 3.0 * scattered(8, 1, 3, 0.5, 1.5)
    for space in ("natural", "mean"):
        chosen[f"bernoulli-{space}-8"] = instance(chances, 4, Bernoulli(space=space))
        chosen[f"poisson-{space}-8"] = instance(counts, 3, Poisson(space=space))
        chosen[f"exponential-{space}-8"] = instance(counts, 3, Exponential(space=space))
    chosen["plane-45"] = instance(scattered(45, 2, 4, 1.0, 3.0), 4)
    return chosen


def psi(problem: Instance, weights: Any, method: str) -> dict[str, Any]:
    found = boclust.infimum(
        means=problem.means, weights=weights, n_clusters=problem.n_clusters,
        family=problem.family, method=method,
    )  # fmt: skip
    cut = None if found.cut is None else [integers(part) for part in found.cut]
    return {
        "value": real(found.value),
        "lower": real(found.lower),
        "upper": real(found.upper),
        "exact": bool(found.exact),
        "cut": cut,
        "rival": None if found.rival is None else integers(found.rival),
        "alternative": None if found.alternative is None else reals(found.alternative),
    }


def methods(problem: Instance) -> list[str]:
    """The methods that can be used for this problem, in reasonable time."""
    family, one = problem.family, problem.dim == 1
    quadratic = not isinstance(family, ONE_PARAMETER)
    large = np.bincount(problem.labels).max() > LARGEST_CLUSTER
    chosen = ["auto", "tree"]
    if one or problem.n_arms <= MOST_ARMS:
        chosen.append("exact")
    if quadratic and not large:
        chosen.append("admm")
    if one and (quadratic or family.space == "natural") and not large:
        chosen.append("printed")
    return chosen


def every_method(problem: Instance) -> dict[str, Any]:
    """At equal weights, at counts that grow with the arm, and with an arm without weight."""
    m = problem.n_arms
    weights = {"equal": np.full(m, 1.0 / m), "counts": 1.0 + np.arange(m) % 5 * 7.0}
    found = {
        f"{method}, {name}": psi(problem, weight, method)
        for name, weight in weights.items()
        for method in methods(problem)
    }
    found["auto, free arm"] = psi(problem, np.arange(m, dtype=float), "auto")
    return found


def bound(problem: Instance) -> dict[str, Any]:
    found = boclust.lower_bound(instance=problem, rtol=1e-3)
    return {
        "t_star": real(found.t_star),
        "t_star_low": real(found.t_star_low),
        "t_star_high": real(found.t_star_high),
        "weights": reals(found.weights),
        "samples": [real(found.samples(delta=delta)) for delta in (0.6, 0.1, 1e-6)],
    }


def cases() -> Iterator[tuple[str, Any]]:
    for where, problem in problems().items():
        yield f"infimum/{where}", partial(every_method, problem)
        if problem.n_arms <= MOST_ARMS:
            yield f"bound/{where}", partial(bound, problem)
