"""One algorithm on one instance, a trial at a time."""

from copy import copy
from functools import cache
from itertools import chain
from typing import Any

import numpy as np

from boclust._files import Rows
from boclust._jit import pointer
from boclust._validate import FloatArray, IntArray
from boclust.engine import Engine
from boclust.instance import Instance
from boclust.registry import Algorithm
from boclust.run_kernels import Rules
from boclust.sources import Replay, Simulated, SourceExhausted, arm_keys


@cache
def _draw(kind: int) -> Any:
    """The kernel that draws a sample of a kind, as a pointer."""
    from boclust.sources.draw_kernels import Supply, drawing

    none, few = np.zeros(0, dtype=np.int64), np.zeros((1, 1))
    supply = Supply(kind, 0.0, few, few, none, none)
    return pointer(drawing(kind), True, supply, np.zeros(1, dtype=np.uint64), 0, 0, np.zeros(1))


class Job:
    """One algorithm on one instance: call it with the number of a trial.

    Rules that sample the same for every delta answer all of them from one trajectory.
    """

    def __init__(
        self,
        name: str,
        chosen: Algorithm,
        instance: Instance,
        source: Simulated | Replay,
        deltas: list[float],
        seed: int,
        max_samples: int,
    ) -> None:
        self.name = name
        self.instance = instance
        self.source = source
        self.seed = seed
        self.max_samples = max_samples
        family = instance.family
        self.engine = Engine(chosen, instance.n_arms, instance.dim, instance.n_clusters, family)
        runs = [[d] for d in deltas] if self.engine.sampling.uses_delta else [deltas]
        self.runs = [
            (self.engine.rules(run[0]), run, np.array([self.engine.threshold(d) for d in run]))
            for run in runs
        ]
        self.guarantees = {d: self.engine.stopping.guarantee(family, d) for d in deltas}

    def cut(self, max_samples: int) -> "Job":
        """The same with fewer samples a trial."""
        other = copy(self)
        other.max_samples = max_samples
        return other

    def __call__(self, number: int) -> Rows:
        """The rows of a trial, one for each delta."""
        return list(chain.from_iterable(self._run(number, *run) for run in self.runs))

    def _run(self, number: int, rules: Rules, deltas: list[float], needs: FloatArray) -> Rows:
        from boclust.engine_kernels import trial

        engine, family, m = self.engine, self.instance.family, self.instance.n_arms
        keys = arm_keys(m, self.seed, (0, number))
        supply = self.source.kernel_arguments(keys)
        stops = np.zeros(len(needs), dtype=np.int64)
        pulls = np.zeros((len(needs), m), dtype=np.int64)
        answers = np.zeros((len(needs), m), dtype=np.int64)
        with engine.borrowed_run() as run:
            ended = trial(
                rules, run, *engine.pointers, needs, _draw(supply.kind), supply, keys,
                np.zeros(self.instance.dim), family.origin, family.unit, self.max_samples, stops,
                pulls, answers,
            )  # fmt: skip
        if ended < 0:
            arm = -1 - ended
            raise SourceExhausted(f"the records of arm {arm} ran out in trial {number}")
        return [
            {"algorithm": self.name, "delta": d, "trial": number}
            | self._row(stops[i], pulls[i], answers[i])
            for i, d in enumerate(deltas)
        ]

    def _row(self, stop: int, pulls: IntArray, answer: IntArray) -> dict[str, Any]:
        certified = bool(stop > 0)
        return {
            "n_samples": int(stop) if certified else self.max_samples,
            "correct": bool((answer == self.instance.labels).all()),
            "stopped": "certified" if certified else "budget",
            "pulls": pulls.tolist(),
        }
