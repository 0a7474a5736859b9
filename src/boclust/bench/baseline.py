"""The paper's method in plain NumPy and SciPy, which lies beside the package's source."""

import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

import boclust
from boclust._validate import FloatArray, fail
from boclust.problem.instance import Instance

#: What is timed of a run: from the first to this many samples of each arm.
STRETCH = 32
#: A delta that runs do not reach in it; formulas with 1/delta in them do not overflow.
OUT_OF_REACH = 1e-300
#: Where the baseline is timed in it (samples of each arm), and the share that each place is for.
PLACES = {4: 7 / 31, 16: 24 / 31}
#: Steps at one place, at most: what takes little time stays near the place.
_STEPS = 200
#: The programs of the baseline and how they are made.
_KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "atboc": ("atboc", {}),
    "lucbboc": ("lucbboc", {}),
    "lucbboc-ucb": ("lucbboc", {"upper": True}),
    "boc-elim": ("boc-elim", {}),
}
_FILES = ("paper_method", "numpy_steps")


class Baseline:
    """The programs of a folder: ``paper_method.py`` and ``numpy_steps.py`` with what they need."""

    def __init__(self, folder: Path | None = None) -> None:
        folder = folder or Path(boclust.__file__).parents[2] / "benchmarks"
        missing = [name for name in _FILES if not (folder / f"{name}.py").is_file()]
        if missing:
            raise fail(
                "baseline",
                f"{folder} has no {missing[0]}.py",
                "--baseline DIR, the folder benchmarks of the source, or --no-baseline",
            )
        sys.path.insert(0, str(folder))
        try:
            self._paper, self._steps = (import_module(name) for name in _FILES)
        finally:
            sys.path.remove(str(folder))

    def timer(
        self, name: str, instance: Instance, budget: float, full: bool = True
    ) -> Callable[[], float] | None:
        """CPU seconds a sample over the stretch, anew at each call; None where there is no program.

        Each call draws other samples. ``full=False`` searches over the programs that were kept.
        """
        if name not in _KINDS and (name != "span" or instance.dim > 1):
            return None
        seeds = iter(range(1_000_000))

        def seconds() -> float:
            rng = np.random.default_rng(next(seeds))
            if name == "boc-elim":  # in rounds, from its start
                return self._whole_stretch(name, instance, rng, budget)
            total = 0.0
            for before, share in PLACES.items():
                run = self._begun(name, instance, before, rng, full)
                steps = _STEPS
                if not full:  # the next full search, at a power of two, is counted elsewhere
                    self._timed(run, instance, 1, rng, np.inf)
                    steps = min(steps, _until_power_of_two(before * instance.n_arms + 1))
                total += share * self._timed(run, instance, steps, rng, budget / len(PLACES))
            return total

        return seconds

    def whole_timer(
        self, name: str, instance: Instance, budget: float, delta: float
    ) -> Callable[[], float]:
        """The same of a run from its first round until it stops, or as far as the budget goes."""
        seeds = iter(range(1_000_000))

        def seconds() -> float:
            rng = np.random.default_rng(next(seeds))
            run = self._begun(name, instance, 1, rng, True, delta)
            most = STRETCH * instance.n_arms
            return self._timed(run, instance, most, rng, budget, stops=True)

        return seconds

    def _whole_stretch(self, name: str, instance: Instance, rng: Any, budget: float) -> float:
        """The mean over as many runs as the budget lasts for."""
        last = time.perf_counter() + budget
        found: list[float] = []
        while not found or time.perf_counter() < last:
            run = self._begun(name, instance, 0, rng, full=True)
            found.append(self._timed(run, instance, STRETCH * instance.n_arms, rng, budget))
        return fmean(found)

    def _begun(
        self, name: str, instance: Instance, before: int, rng: Any, full: bool,
        delta: float = OUT_OF_REACH,
    ) -> Any:  # fmt: skip
        """A run at a place; ATBOC starts from the optimal proportions of its estimates."""
        if name == "span":
            run = self._steps.Span(instance.n_arms, instance.n_clusters, _need(name, instance))
            run.counts[:] = before
            run.sums += before * instance.means[:, 0]
            run.sums += np.sqrt(before) * rng.standard_normal(instance.n_arms)
            run.tell(0, instance.means[0])
            return run
        kind, options = _KINDS[name]
        if kind != "boc-elim":
            options = options | {"full": full}
        if kind == "atboc":
            options = options | {"known": lambda means: _optimal(means, instance.n_clusters)}
        return self._paper.begun(instance, kind, before, rng, delta=delta, **options)

    def _timed(
        self, run: Any, instance: Instance, steps: int, rng: Any, budget: float,
        stops: bool = False,
    ) -> float:  # fmt: skip
        with np.errstate(over="ignore"):  # evidence of span far beyond any threshold is infinite
            return float(self._paper.seconds_of_steps(run, instance, steps, rng, budget, stops))


def _until_power_of_two(t: int) -> int:
    """Steps after t that come before the next power of two; at least one."""
    return max(1, int(2 ** np.ceil(np.log2(t + 1))) - 1 - t)


def _optimal(means: FloatArray, n_clusters: int) -> FloatArray:
    """Proportions that the paper's solver would have found by then: what favours it."""
    from boclust.psi.bound import lower_bound

    return lower_bound(Instance(means, n_clusters), rtol=0.01).weights.copy()


def _need(name: str, instance: Instance) -> float:
    """The threshold of a run that does not stop."""
    from boclust.run.engine import Engine
    from boclust.run.algorithm import algorithm

    m, d, k = instance.n_arms, instance.dim, instance.n_clusters
    return Engine(algorithm(name), m, d, k, instance.family).threshold(OUT_OF_REACH)
