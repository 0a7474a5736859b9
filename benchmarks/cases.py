"""The cases of ``benchmarks.compare``, and the loop of its workers.

``python -m benchmarks.cases CASE`` does the work once, which compiles, prints where boclust comes
from and which samples it took, and then times one repetition for each line that it reads.
"""

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import boclust

#: A delta that no run below reaches.
DELTA = 1e-300
UNIT = boclust.Gaussian(sigma=1.0)

#: One repetition: its figure (seconds per sample, or a ratio) and the samples it took of each arm.
Work = Callable[[], tuple[float, list[Any]]]


def seven() -> boclust.Instance:
    """Instance A of the paper: M = 7, K = 3."""
    return boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], 3, family=UNIT)


def twenty(dim: int) -> boclust.Instance:
    """M = 20: like A, but five clusters of four arms; in the plane every other arm is higher."""
    arms = np.arange(20)
    means = np.column_stack([0.5 * arms + arms // 4, 0.3 * (arms % 2)])
    return boclust.Instance(means[:, :dim], 5, family=UNIT)


def thousand() -> boclust.Instance:
    """M = 1000 in the plane: ten blobs of radius 1 around the points of a grid of width 5."""
    rng, arms = np.random.default_rng(0), np.arange(1000)
    angle, radius = 2 * np.pi * rng.random(1000), np.sqrt(rng.random(1000))
    away = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    centres = 5.0 * np.column_stack(np.divmod(np.arange(10), 4))
    return boclust.Instance(centres[arms % 10] + away, 10, family=UNIT)


def simulated(
    make: Callable[[], boclust.Instance], algorithm: str, trials: int, samples: int
) -> Work:
    """CPU seconds per sample of ``simulate`` with one job."""
    instance = make()

    def work() -> tuple[float, list[Any]]:
        began = time.process_time()
        found = boclust.simulate(
            instance, [algorithm], [DELTA], trials, seed=0, jobs=1, max_samples=samples
        )
        spent = time.process_time() - began
        taken = sum(found.table["n_samples"].to_pylist())
        return spent / taken, found.table["pulls"].to_pylist()

    return work


def asked(make: Callable[[], boclust.Instance], together: int | None, samples: int) -> Work:
    """CPU seconds per sample of ``Learner.ask`` and ``tell``, called from Python."""
    instance = make()
    m, d = instance.n_arms, instance.dim
    noise = np.random.default_rng(0).standard_normal((samples, d))

    def work() -> tuple[float, list[Any]]:
        learner = boclust.Learner(
            m, instance.n_clusters, delta=DELTA, dim=d, algorithm="span", family=instance.family
        )
        counts, taken = [0] * m, 0
        began = time.process_time()
        while taken < samples:
            arms = [learner.ask()] if together is None else learner.ask(together)
            for arm in arms[: samples - taken]:
                value = instance.means[arm] + noise[taken]
                learner.tell(arm, float(value[0]) if d == 1 else value)
                counts[arm] += 1
                taken += 1
        return (time.process_time() - began) / samples, counts

    return work


def two_jobs(trials: int) -> Work:
    """How many times faster ``simulate`` is with two jobs than with one, by wall time."""
    instance = seven()

    def work() -> tuple[float, list[Any]]:
        seconds, pulls = [], []
        for jobs in (1, 2):
            began = time.perf_counter()
            found = boclust.simulate(instance, ["span"], [0.01], trials, seed=0, jobs=jobs)
            seconds.append(time.perf_counter() - began)
            pulls.append(found.table["pulls"].to_pylist())
        return seconds[0] / seconds[1], pulls

    return work


LINE, PLANE = partial(twenty, 1), partial(twenty, 2)
#: What a case is called, and what makes its work in a worker: a good half second each.
CASES: dict[str, Callable[[], Work]] = {
    "span, M = 7": partial(simulated, seven, "span", 40, 10_000),
    "lucbboc, M = 7": partial(simulated, seven, "lucbboc", 150, 10_000),
    "boc-elim, M = 7": partial(simulated, seven, "boc-elim", 300, 10_000),
    "rr, M = 7": partial(simulated, seven, "rr", 150, 10_000),
    "atboc, M = 7": partial(simulated, seven, "atboc", 4, 10_000),
    "span, M = 20, d = 1": partial(simulated, LINE, "span", 6, 5000),
    "lucbboc, M = 20, d = 1": partial(simulated, LINE, "lucbboc", 50, 5000),
    "boc-elim, M = 20, d = 1": partial(simulated, LINE, "boc-elim", 600, 5000),
    "rr, M = 20, d = 1": partial(simulated, LINE, "rr", 60, 5000),
    "atboc, M = 20, d = 1": partial(simulated, LINE, "atboc", 1, 500),
    "span, M = 20, d = 2": partial(simulated, PLANE, "span", 6, 5000),
    "lucbboc, M = 20, d = 2": partial(simulated, PLANE, "lucbboc", 90, 5000),
    "rr, M = 20, d = 2": partial(simulated, PLANE, "rr", 100, 5000),
    "atboc, M = 20, d = 2": partial(simulated, PLANE, "atboc", 1, 1000),
    "span, M = 1000": partial(simulated, thousand, "span", 1, 20_000),
    "span, M = 1000, Learner.ask(1)": partial(asked, thousand, 1, 10_000),
    "span, M = 1000, Learner.ask(250)": partial(asked, thousand, 250, 20_000),
    "span, M = 7, Learner.ask()": partial(asked, seven, None, 30_000),
    "jobs=1 over jobs=2, wall time": partial(two_jobs, 1000),
}


def main(case: str) -> None:
    """The loop of a worker."""
    work = CASES[case]()
    _, samples = work()  # compiles
    print(json.dumps([boclust.__file__, samples]), flush=True)
    for _ in sys.stdin:
        print(json.dumps(work()[0]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
