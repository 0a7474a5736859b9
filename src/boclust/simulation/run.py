"""``simulate``: whole trials inside a kernel, threads over trials."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from boclust._validate import IntArray, fail, integer, real
from boclust.families.gaussian import check_quadratic
from boclust.instance import Instance
from boclust.registry import Algorithm, algorithm
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
    One trajectory answers every delta where the sampling rule does not use it.
    A trial that reaches ``max_samples`` is reported with ``stopped = "budget"`` and its guess at
    that time, never dropped.

    >>> results = simulate(Instance([0, 0.5, 5.0], n_clusters=2), deltas=[0.1], trials=20)
    >>> results.summary()[0]["errors"]
    0
    """
    if not isinstance(instance, Instance):
        raise fail("instance", f"is {instance!r}", "a boclust.Instance")
    family = check_quadratic(instance.family)
    n_trials = integer("trials", trials, 1)
    integer("seed", seed, 0)
    integer("max_samples", max_samples, instance.n_arms)
    workers = integer("jobs", jobs, 1) if jobs is not None else os.cpu_count() or 1
    levels = [real("deltas", d, 0.0, 1.0) for d in deltas]
    if not levels or not algorithms:
        raise fail("deltas" if not levels else "algorithms", "is empty", "at least one")
    levels.sort(reverse=True)
    rows: list[dict[str, Any]] = []
    for chosen in algorithms:
        job = _Job(algorithm(chosen), instance, family.sigma, levels, seed, max_samples)
        with ThreadPoolExecutor(workers) as pool:
            for j, outcome in enumerate(pool.map(job, range(n_trials))):
                name = chosen if isinstance(chosen, str) else str(chosen)
                for row in outcome:
                    rows.append({"algorithm": name, "delta": row[0], "trial": j, **row[1]})
    return Results(rows)


class _Job:
    """One algorithm on one instance: call it with the number of a trial.

    Rules that sample the same for every delta answer all of them from one trajectory.
    """

    def __init__(
        self,
        chosen: Algorithm,
        instance: Instance,
        sigma: float,
        deltas: list[float],
        seed: int,
        max_samples: int,
    ) -> None:
        self.sampling, self.stopping = chosen.rules(instance.dim)
        self.truth = np.ascontiguousarray(instance.means / sigma)
        self.instance = instance
        self.seed = seed
        self.max_samples = max_samples
        self.runs = [[d] for d in deltas] if self.sampling.uses_delta else [deltas]

    def __call__(self, number: int) -> list[tuple[float, dict[str, Any]]]:
        return [row for deltas in self.runs for row in self._run(number, deltas)]

    def _run(self, number: int, deltas: list[float]) -> list[tuple[float, dict[str, Any]]]:
        from boclust.engine_kernels import trial

        m, k = self.instance.n_arms, self.instance.n_clusters
        rule = self.stopping
        sequence = np.random.SeedSequence(self.seed, spawn_key=(0, number))
        keys = sequence.generate_state(m, np.uint64)
        needs = np.array([rule.need(m, k, d) for d in deltas])
        stops = np.zeros(len(needs), dtype=np.int64)
        pulls = np.zeros((len(needs), m), dtype=np.int64)
        answers = np.zeros((len(needs), m), dtype=np.int64)
        trial(
            self.sampling.code, deltas[0], rule.code, rule.lift, rule.precision, needs, self.truth,
            k, keys, self.max_samples, stops, pulls, answers,
        )  # fmt: skip
        return [(d, self._row(stops[i], pulls[i], answers[i])) for i, d in enumerate(deltas)]

    def _row(self, stop: int, pulls: IntArray, answer: IntArray) -> dict[str, Any]:
        certified = bool(stop > 0)
        return {
            "n_samples": int(stop) if certified else self.max_samples,
            "correct": bool((answer == self.instance.labels).all()),
            "stopped": "certified" if certified else "budget",
            "pulls": pulls.tolist(),
        }
