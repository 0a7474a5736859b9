"""``simulate``: whole trials inside a kernel, threads over trials."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from boclust._validate import FloatArray, IntArray, fail, integer, real
from boclust.instance import Instance
from boclust.registry import Algorithm, algorithm, check_family
from boclust.simulation.results import Results


def simulate(
    instance: Instance,
    algorithms: Sequence[str | Algorithm] = ("span",),
    deltas: Sequence[float] = (0.01,),
    trials: int = 100,
    seed: int = 0,
    jobs: int | None = None,
    max_samples: int = 10_000_000,
) -> Results:
    """Run every algorithm on Gaussian arms with the instance's means, ``trials`` times.

    Sample i of an arm in trial j is the same for every algorithm and delta: it is a function of
    ``SeedSequence(seed, spawn_key=(0, j))``, the arm and i, so results do not depend on ``jobs``.
    One trajectory answers every delta, since no rule here samples differently for another delta.
    A trial that reaches ``max_samples`` is reported with ``stopped = "budget"``, never dropped.

    >>> results = simulate(Instance([0, 0.5, 5.0], n_clusters=2), deltas=[0.1], trials=20)
    >>> results.summary()[0]["errors"]
    0
    """
    if not isinstance(instance, Instance):
        raise fail("instance", f"is {instance!r}", "a boclust.Instance")
    family = check_family(instance.family)
    n_trials = integer("trials", trials, 1)
    integer("seed", seed, 0)
    integer("max_samples", max_samples, instance.n_arms)
    workers = integer("jobs", jobs, 1) if jobs is not None else os.cpu_count() or 1
    levels = [real("deltas", d, 0.0, 1.0) for d in deltas]
    if not levels or not algorithms:
        raise fail("deltas" if not levels else "algorithms", "is empty", "at least one")
    order = sorted(range(len(levels)), key=lambda i: -levels[i])
    truth = np.ascontiguousarray(instance.means / family.sigma)
    rows: list[dict[str, Any]] = []
    for chosen in algorithms:
        named = chosen if isinstance(chosen, str) else str(chosen)
        sampling, stopping = algorithm(chosen).rules(instance.dim)
        needs = np.array(
            [stopping.need(instance.n_arms, instance.n_clusters, levels[i]) for i in order]
        )
        job = _Job(sampling.code, stopping.code, stopping.precision, needs, truth, instance, seed)
        with ThreadPoolExecutor(workers) as pool:
            outcomes = pool.map(lambda j, run=job: run(j, max_samples), range(n_trials))
            for j, (stops, pulls, answers) in enumerate(outcomes):
                for place, i in enumerate(order):
                    certified = bool(stops[place] > 0)
                    correct = certified and bool((answers[place] == instance.labels).all())
                    rows.append(
                        {
                            "algorithm": named,
                            "delta": levels[i],
                            "trial": j,
                            "n_samples": int(stops[place]) if certified else max_samples,
                            "correct": correct,
                            "stopped": "certified" if certified else "budget",
                            "pulls": pulls[place].tolist(),
                        }
                    )
    return Results(rows)


class _Job:
    """One algorithm on one instance: call it with the number of a trial."""

    def __init__(
        self,
        sampling: int,
        rule: int,
        precision: float,
        needs: FloatArray,
        truth: FloatArray,
        instance: Instance,
        seed: int,
    ) -> None:
        self.arguments = (sampling, rule, precision, needs, truth, instance.n_clusters)
        self.shape = (len(needs), instance.n_arms)
        self.seed = seed

    def __call__(self, number: int, max_samples: int) -> tuple[IntArray, IntArray, IntArray]:
        from boclust.engine_kernels import trial

        n_needs, n_arms = self.shape
        sequence = np.random.SeedSequence(self.seed, spawn_key=(0, number))
        keys = sequence.generate_state(n_arms, np.uint64)
        stops = np.zeros(n_needs, dtype=np.int64)
        pulls, answers = np.zeros(self.shape, dtype=np.int64), np.zeros(self.shape, dtype=np.int64)
        trial(*self.arguments, keys, max_samples, stops, pulls, answers)
        return stops, pulls, answers
