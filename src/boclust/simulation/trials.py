"""Trials of one algorithm on one instance, as columns from the kernel to Arrow."""

import time
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from boclust._validate import BoolArray, FloatArray, IntArray
from boclust.problem.instance import Instance
from boclust.run.algorithm import Algorithm
from boclust.run.engine import Engine
from boclust.run.state import Problem
from boclust.sources import Replay, Simulated, SourceExhausted, arm_keys

#: How long one call of the kernel should take: much longer than the Python around it, during which
#: other threads wait, and short enough for Ctrl-C.
CALL_SECONDS = 0.05
#: Arrow counts the entries of a list array in 32 bits.
MOST_ENTRIES = 2**31 - 1


def schema() -> Any:
    """The Arrow schema of the table of results."""
    import pyarrow

    return pyarrow.schema(
        [
            ("algorithm", pyarrow.string()),
            ("delta", pyarrow.float64()),
            ("trial", pyarrow.int64()),
            ("n_samples", pyarrow.int64()),
            ("correct", pyarrow.bool_()),
            ("stopped", pyarrow.string()),
            ("pulls", pyarrow.list_(pyarrow.int64())),
        ]
    )


@dataclass(frozen=True)
class Trials:
    """The results of n trials of one algorithm for D deltas, on M arms.

    ``numbers`` has shape (n,), ``n_samples``, ``certified`` and ``correct`` (n, D), and ``pulls``
    (n, D, M).
    """

    algorithm: str
    deltas: FloatArray
    numbers: IntArray
    n_samples: IntArray
    certified: BoolArray
    correct: BoolArray
    pulls: IntArray

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, part: slice) -> "Trials":
        return Trials(
            self.algorithm, self.deltas, self.numbers[part], self.n_samples[part],
            self.certified[part], self.correct[part], self.pulls[part],
        )  # fmt: skip

    @classmethod
    def join(cls, parts: Sequence["Trials"]) -> "Trials":
        """The trials of all parts, which have the same algorithm and deltas."""
        first = parts[0]
        if len(parts) == 1:
            return first
        names = ("numbers", "n_samples", "certified", "correct", "pulls")
        columns = (np.concatenate([getattr(part, name) for part in parts]) for name in names)
        return cls(first.algorithm, first.deltas, *columns)

    def table(self) -> Any:
        """An Arrow table with one row per trial and delta, in this order."""
        import pyarrow

        size = max(1, MOST_ENTRIES // self.pulls[0].size)
        parts = [self[first : first + size] for first in range(0, len(self), size)]
        return pyarrow.Table.from_batches([part._batch() for part in parts])

    def _batch(self) -> Any:
        import pyarrow

        n, n_deltas, n_arms = self.pulls.shape
        starts = np.arange(n * n_deltas + 1, dtype=np.int32) * np.int32(n_arms)
        columns = [
            pyarrow.repeat(self.algorithm, n * n_deltas),
            np.tile(self.deltas, n),
            np.repeat(self.numbers, n_deltas),
            self.n_samples.ravel(),
            self.correct.ravel(),
            np.where(self.certified, "certified", "budget").ravel(),
            pyarrow.ListArray.from_arrays(starts, self.pulls.ravel()),
        ]
        return pyarrow.record_batch(columns, schema=schema())


class Job:
    """One algorithm on one instance: call it with the numbers of trials.

    If the sampling rule does not use delta, one trajectory answers all deltas.
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
        self.deltas = deltas
        self.seed = seed
        self.max_samples = max_samples
        self._runs = [
            (engine, np.array([engine.threshold(delta) for delta in answered]))
            for engine, answered in _engines(chosen, instance, deltas)
        ]
        engine = self._runs[0][0]
        self.guarantees = {delta: engine.guarantee(delta) for delta in deltas}
        #: The number of trials for the next call of the kernel, from the duration of the last one.
        self.fitting = 1

    def cut(self, max_samples: int) -> "Job":
        """The same job with another limit on the samples per trial."""
        other = copy(self)
        other.max_samples = max_samples
        return other

    def __call__(self, numbers: Sequence[int]) -> Trials:
        """Run the trials with these numbers, at least one."""
        parts: list[Trials] = []
        done = 0
        while done < len(numbers):
            some = numbers[done : done + self.fitting]
            began = time.perf_counter()
            parts.append(self._trials(some))
            done += len(some)
            if not self.source.is_keyed:
                fit = int(CALL_SECONDS * len(some) / (time.perf_counter() - began))
                self.fitting = max(1, min(2 * len(some), fit))
        return Trials.join(parts)

    def _trials(self, numbers: Sequence[int]) -> Trials:
        found = [self._run(numbers, *run) for run in self._runs]
        stops, pulls, answers = (np.concatenate(arrays, 1) for arrays in zip(*found, strict=True))
        certified = stops > 0
        return Trials(
            algorithm=self.name,
            deltas=np.array(self.deltas),
            numbers=np.array(numbers, dtype=np.int64),
            n_samples=np.where(certified, stops, self.max_samples),
            certified=certified,
            correct=(answers == self.instance.labels).all(axis=2),
            pulls=pulls,
        )

    def _run(
        self, numbers: Sequence[int], engine: Engine, thresholds: FloatArray
    ) -> tuple[IntArray, IntArray, IntArray]:
        """Stops (n x D, 0 if not certified), pulls and answers (n x D x M) of these trials."""
        m = self.instance.n_arms
        keys = np.stack([arm_keys(m, self.seed, (0, number)) for number in numbers])
        try:
            with engine.borrowed_arena() as arena:
                return engine.trials(arena, thresholds, self.source, keys, self.max_samples)
        except SourceExhausted as error:
            raise SourceExhausted(f"{error} in trial {numbers[0]}") from None


def _engines(
    chosen: Algorithm, instance: Instance, deltas: list[float]
) -> list[tuple[Engine, list[float]]]:
    """One engine that answers all deltas, or one per delta if the sampling rule uses it."""

    def engine(delta: float) -> Engine:
        m, dim, k = instance.n_arms, instance.dim, instance.n_clusters
        return Engine(chosen, Problem(m, dim, k, instance.family, delta))

    first = engine(deltas[0])
    if not first.sampling.uses_delta:
        return [(first, deltas)]
    return [(first, deltas[:1]), *((engine(delta), [delta]) for delta in deltas[1:])]
