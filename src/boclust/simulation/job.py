"""One algorithm on one instance, some trials at a time."""

import time
from collections.abc import Sequence
from copy import copy
from itertools import chain
from typing import Any

import numpy as np

from boclust._files import Rows
from boclust._validate import FloatArray, IntArray
from boclust.run.engine import Engine
from boclust.problem.instance import Instance
from boclust.run.algorithm import Algorithm
from boclust.run.state import Rules
from boclust.sources import Replay, Simulated, SourceExhausted, arm_keys

#: How long a call of a kernel should take: long beside what Python does for it, which other threads
#: wait for; short for somebody who presses Ctrl-C.
SECONDS = 0.05


class Job:
    """One algorithm on one instance: call it with the numbers of trials.

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
        stopping, dim = self.engine.stopping, instance.dim
        self.guarantees = {d: stopping.guarantee(family, d, dim) for d in deltas}
        #: How many trials a call of a kernel should do, by what the last one took.
        self.fitting = 1

    def cut(self, max_samples: int) -> "Job":
        """The same with fewer samples a trial."""
        other = copy(self)
        other.max_samples = max_samples
        return other

    def __call__(self, numbers: Sequence[int]) -> list[Rows]:
        """The rows of each of the trials, one for each delta."""
        done: list[Rows] = []
        while len(done) < len(numbers):
            some = numbers[len(done) : len(done) + self.fitting]
            began = time.perf_counter()
            found = [self._run(some, *run) for run in self.runs]
            done.extend(list(chain.from_iterable(rows)) for rows in zip(*found, strict=True))
            if not self.source.is_keyed:
                fit = int(SECONDS * len(some) / (time.perf_counter() - began))
                self.fitting = max(1, min(2 * len(some), fit))
        return done

    def _run(
        self, numbers: Sequence[int], rules: Rules, deltas: list[float], needs: FloatArray
    ) -> list[Rows]:
        """For each of the trials the rows of these deltas."""
        from boclust.run.step import trials
        from boclust.sources.draw import drawing

        engine, family = self.engine, self.instance.family
        n, m, deep = len(numbers), self.instance.n_arms, len(needs)
        keys = np.stack([arm_keys(m, self.seed, (0, number)) for number in numbers])
        supply = self.source.kernel_arguments(keys[0])
        stops = np.zeros((n, deep), dtype=np.int64)
        pulls = np.zeros((n, deep, m), dtype=np.int64)
        answers = np.zeros((n, deep, m), dtype=np.int64)
        with engine.borrowed_desk() as desk:
            arm = trials(
                rules, desk.run, desk.block, desk.blank, engine.calls, needs,
                drawing(supply.kind), supply, keys, family.origin, family.unit, self.max_samples,
                stops, pulls, answers,
            )  # fmt: skip
        if arm >= 0:  # in the first trial: one call does several only where their records are alike
            raise SourceExhausted(f"the records of arm {arm} ran out in trial {numbers[0]}")
        return [
            [
                {"algorithm": self.name, "delta": d, "trial": number}
                | self._row(stops[i, r], pulls[i, r], answers[i, r])
                for r, d in enumerate(deltas)
            ]
            for i, number in enumerate(numbers)
        ]

    def _row(self, stop: int, pulls: IntArray, answer: IntArray) -> dict[str, Any]:
        certified = bool(stop > 0)
        return {
            "n_samples": int(stop) if certified else self.max_samples,
            "correct": bool((answer == self.instance.labels).all()),
            "stopped": "certified" if certified else "budget",
            "pulls": pulls.tolist(),
        }
