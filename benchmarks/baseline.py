"""Time per sample of the baseline: the paper's method, and span, in plain NumPy and SciPy."""

import time
from collections.abc import Callable
from itertools import count
from statistics import fmean
from typing import Any

import numpy as np

from benchmarks.measure import REPEATS, Parameters, Row, budget, interleaved, measured
from benchmarks.numpy_span import Span
from benchmarks.paper_elim import BocElim
from benchmarks.paper_method import Atboc, Lucbboc
from benchmarks.samples import DELTA, OUT_OF_REACH, STRETCH
from benchmarks.samples import timer as our_timer
from boclust import Instance, lower_bound

#: Where the stretch is timed (samples of each arm), and the share of it that each place represents.
PLACES = {4: 7 / 31, 16: 24 / 31}
#: Steps at one place, at most: fast programs stay near the place.
_STEPS = 200


def algorithms(dim: int) -> tuple[str, ...]:
    """The algorithms that have a baseline in this dimension."""
    paper = ("atboc", "lucbboc", "lucbboc-ucb")
    return (*paper, "boc-elim", "span") if dim == 1 else paper


def timer(
    name: str, instance: Instance, seconds: float, full: bool = True
) -> Callable[[], float]:  # fmt: skip
    """A function that measures CPU seconds per sample over the stretch, on new samples each time.

    ``full=False`` searches the programs that the last full search kept.
    """
    seeds = count()

    def measure() -> float:
        rng = np.random.default_rng(next(seeds))
        if name == "boc-elim":  # goes in rounds, from its start
            return _rounds(instance, rng, seconds)
        total = 0.0
        for before, share in PLACES.items():
            run = begun(name, instance, before, rng, full=full)
            steps = _STEPS
            if not full:  # the next full search, at a power of two, is counted elsewhere
                seconds_per_step(run, instance, 1, rng)
                steps = min(steps, until_power_of_two(before * instance.n_arms + 1))
            total += share * seconds_per_step(run, instance, steps, rng, seconds / len(PLACES))
        return total

    return measure


def until_it_stops(name: str, instance: Instance, where: Parameters, quick: bool) -> Row:
    """Time per sample in runs that stop, whose last steps need the whole statistic.

    Both sides have ten times the usual budget, so that the baseline comes far in its run.
    """
    seconds = 10 * budget(quick)
    seeds = count()

    def measure() -> float:
        rng = np.random.default_rng(next(seeds))
        run = begun(name, instance, 1, rng, delta=DELTA)
        steps = STRETCH * instance.n_arms
        return seconds_per_step(run, instance, steps, rng, seconds, stops=True)

    work = {"ours": our_timer(name, instance, seconds, DELTA), "baseline": measure}
    found = interleaved(work, REPEATS)
    return measured(f"{name} until it stops", where, found["ours"], baseline=found["baseline"])


def _rounds(instance: Instance, rng: Any, seconds: float) -> float:
    """The mean over as many runs of BOC-ELIM as the budget allows."""
    last = time.perf_counter() + seconds
    found: list[float] = []
    while not found or time.perf_counter() < last:
        run = begun("boc-elim", instance, 0, rng)
        found.append(seconds_per_step(run, instance, STRETCH * instance.n_arms, rng, seconds))
    return fmean(found)


def begun(
    name: str, instance: Instance, before: int, rng: Any, delta: float = OUT_OF_REACH,
    full: bool = True,
) -> Any:  # fmt: skip
    """A run that has ``before`` samples of each arm (BOC-ELIM, which goes in rounds: none).

    ATBOC starts from the optimal proportions of its estimates, as if its solver had found them
    before: its first step from equal shares takes several times as long as the others.
    """
    m, k, d = instance.n_arms, instance.n_clusters, instance.dim
    if name == "boc-elim":
        return BocElim(m, k, d, delta)
    if name == "span":
        run: Any = Span(m, k, threshold=np.inf)
    elif name == "atboc":
        run = Atboc(m, k, d, delta, full)
    else:
        run = Lucbboc(m, k, d, delta, full, upper=name == "lucbboc-ucb")
    samples = before * instance.means + np.sqrt(before) * rng.standard_normal((m, d))
    run.counts[:] = before
    run.sums += samples.reshape(run.sums.shape)
    if name == "atboc":
        run.aims[:] = before
        run.shares = lower_bound(Instance(samples / before, k), rtol=0.01).weights.copy()
    else:
        run.tell(0, instance.means[0])
    return run


def seconds_per_step(
    run: Any, instance: Instance, steps: int, rng: Any, seconds: float = np.inf,
    stops: bool = False,
) -> float:  # fmt: skip
    """CPU seconds of one step: an arm is chosen and a sample told; at least one step is timed.

    No step begins after ``seconds``. A run that could stop continues, unless it ``stops``.
    """
    noise = rng.standard_normal((steps, instance.dim))
    began, last = time.process_time(), time.perf_counter() + seconds
    with np.errstate(over="ignore"):  # evidence of span far beyond any threshold is infinite
        for step in range(steps):
            arm = run.ask()
            over = run.tell(arm, instance.means[arm] + noise[step])
            if (over and stops) or time.perf_counter() > last:
                break
    return (time.process_time() - began) / (step + 1)


def until_power_of_two(t: int) -> int:
    """Steps after t that come before the next power of two; at least one."""
    return max(1, int(2 ** np.ceil(np.log2(t + 1))) - 1 - t)
