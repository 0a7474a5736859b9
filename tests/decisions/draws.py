"""Cases of ``boclust.sources``: what is drawn."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from boclust import Bounded, Instance, SubGaussian
from boclust.sources import Beta, Replay, Simulated
from decisions.encoding import reals
from decisions.problems import FAMILIES, GAUSSIAN, instance

#: How many samples of each arm are drawn.
COUNT = 40

Maker = Callable[..., Any]


def sources() -> dict[str, tuple[Instance, Maker]]:
    """Problems with other sources than those of their family; made when they are used."""
    found: dict[str, tuple[Instance, Maker]] = {}
    for where in ("shuffled", "B"):
        problem = GAUSSIAN[where]
        few, many = records(problem, 60), records(problem, 400)
        found[f"{where},again"] = problem, partial(Replay, records=few, replace=True)
        found[f"{where},once"] = problem, partial(Replay, records=many, replace=False, shuffle=True)
        ordered = partial(Replay, records=many, replace=False, shuffle=False)
        found[f"{where},in-order"] = problem, ordered
    line = instance([0.1, 0.2, 0.5, 0.6, 0.9], 3, Bounded(low=0.0, high=1.0))
    plane, stars = FAMILIES["bounded-plane"], FAMILIES["bounded"]
    for where, problem, sd in (("line", line, 0.05), ("plane", plane, 0.1), ("stars", stars, 0.3)):
        found[f"beta-{where}"] = problem, partial(Simulated, instance=problem, noise=Beta(sd=sd))
    flips = instance([0.05, 0.1, 0.5, 0.6, 0.92], 3, SubGaussian(sigma=0.5))
    found["flips"] = flips, partial(Simulated, instance=flips, noise="bernoulli")
    return found


def records(problem: Instance, count: int) -> list[Any]:
    """Records of each arm that scatter around its mean, without random numbers."""
    steps = np.sqrt(np.array([2.0, 3.0, 5.0][: problem.dim]))
    offsets = 3.0 * ((np.arange(1, count + 1)[:, np.newaxis] * steps) % 1.0 - 0.5)
    return [mean + offsets[: count - 5 * arm] for arm, mean in enumerate(problem.means)]


def drawn(source: Maker, seed: int) -> dict[str, Any]:
    """Samples of all arms in turn, then again from the beginning of another seed."""
    arms = source(seed=seed)
    first = [[arms(arm) for arm in range(arms.n_arms)] for _ in range(COUNT // 2)]
    arms.reset(seed=seed + 1)
    second = [[arms(arm) for arm in reversed(range(arms.n_arms))] for _ in range(COUNT // 2)]
    return {"samples": reals(first), "of another seed": reals(second)}


def cases() -> Iterator[tuple[str, Any]]:
    for where, problem in (GAUSSIAN | FAMILIES).items():
        yield f"draws/{where}", partial(drawn, partial(Simulated, instance=problem), 3)
    for where, (_, source) in sources().items():
        yield f"draws/{where}", partial(drawn, source, 4)
