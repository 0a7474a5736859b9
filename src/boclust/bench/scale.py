"""Hundreds and thousands of arms: whole runs, one by one and in rounds."""

import time
from collections.abc import Iterator
from statistics import median
from typing import NamedTuple

import numpy as np

from boclust.bench.base import Parameters, Row, Setting, measured
from boclust.bench.children import output_of
from boclust.bench.memory import PEAK
from boclust.problem.instance import Instance
from boclust.paper.timing import growth
from boclust.run.algorithm import Algorithm

TITLE = "Many arms"
NOTE = (
    "Whole runs at delta = 0.01: CPU time a sample, and samples an arm. Blobs: 25 clusters, arms "
    "in balls of radius 1 around the points of a square grid of width 5. Chains: 4 parallel waves, "
    "half a unit from arm to arm and 3 between waves. Rounds: M/4 samples are planned together. "
    "rr: round robin with the stopping rule of span. Every run ended with the right clusters. "
    "Growth: the exponent e of the fit time ~ M^e. 10,000 arms: 50 blobs, in a process of its own. "
    "From Python: the same by a learner, with ask() or ask(M/4), and a tell for each sample."
)
ACROSS: str | None = "M"
BASELINE = False

#: Microseconds a sample in blobs of 1,000 arms, and of the most arms in rounds, there with its MB.
MARKED_ARMS = 1000
MARKS = {"one by one": 250.0, "rounds": 120.0}
MOST_ARMS, MOST_ARMS_MARK, MEMORY_MARK = 10_000, 600.0, 500.0


def blobs(n_arms: int, dim: int, n_clusters: int = 25) -> Instance:
    """Arms in balls of radius 1 around points of a square grid of width 5."""
    rng = np.random.default_rng(0)
    side = int(np.ceil(np.sqrt(n_clusters)))
    centres = np.zeros((n_clusters, dim))
    centres[:, :2] = 5.0 * np.stack(np.divmod(np.arange(n_clusters), side), axis=1)
    away = rng.standard_normal((n_arms, dim))
    away *= rng.random((n_arms, 1)) ** (1 / dim) / np.linalg.norm(away, axis=1, keepdims=True)
    return Instance(centres[np.arange(n_arms) % n_clusters] + away, n_clusters)


def chains(n_arms: int, dim: int, n_clusters: int = 4) -> Instance:
    """Parallel waves of arms, half a unit from arm to arm and three from wave to wave."""
    along = np.arange(n_arms // n_clusters)
    waves = np.zeros((n_clusters, len(along), dim))
    waves[:, :, 0] = 0.5 * along
    waves[:, :, 1] = 0.5 * np.sin(along / 5) + 3.0 * np.arange(n_clusters)[:, None]
    return Instance(waves.reshape(-1, dim), n_clusters)


SHAPES = {"blobs": blobs, "chains": chains}


class Whole(NamedTuple):
    """What a whole run took."""

    microseconds: float  # of CPU, a sample
    samples: float  # an arm


def ways(n_arms: int) -> dict[str, Algorithm]:
    """How the arms are sampled."""
    return {
        "one by one": Algorithm("challenger"),
        "rounds": Algorithm("challenger", batch=n_arms // 4),
        "rr": Algorithm("rr", "local-semi"),
    }


def whole_run(instance: Instance, algorithm: Algorithm, seed: int = 0) -> Whole:
    """One run; an error where it does not end with the right clusters."""
    from boclust.simulation import simulate

    began = time.process_time()
    (run,) = simulate(instance, [algorithm], [0.01], 1, seed=seed, jobs=1).table.to_pylist()
    spent = time.process_time() - began
    return _right(instance, run["correct"], spent, run["n_samples"])


def asked_run(instance: Instance, together: int, seed: int = 0) -> Whole:
    """The same by a learner that Python asks for so many arms at a time."""
    from boclust.run.learner import Learner
    from boclust.sources import Simulated

    m, sample = instance.n_arms, Simulated(instance, seed=seed)
    learner = Learner(m, instance.n_clusters, 0.01, instance.dim)
    began = time.process_time()
    while not learner.done:
        for arm in learner.ask(together):
            learner.tell(arm, sample(arm))
    spent = time.process_time() - began
    correct = bool(np.all(learner.labels == instance.labels))
    return _right(instance, correct, spent, sample.given.sum())


def _right(instance: Instance, correct: bool, seconds: float, samples: float) -> Whole:
    if not correct:
        raise RuntimeError(f"a run of {instance.n_arms} arms ended with wrong clusters")
    return Whole(1e6 * seconds / samples, samples / instance.n_arms)


def rows(setting: Setting) -> Iterator[Row]:
    """Times, samples and growth; then the largest size."""
    sizes = (100, 1000) if setting.quick else (100, 200, 500, 1000, 2000)
    repeats = 1 if setting.quick else setting.repeats
    for shape in SHAPES:
        for dim in (2, 10):
            yield from _shape(shape, dim, sizes, repeats)
    for dim in (2, 10):
        yield from _from_python(dim, repeats)
    if not setting.quick:
        yield from _largest()


def _shape(shape: str, dim: int, sizes: tuple[int, ...], repeats: int) -> Iterator[Row]:
    """A row a way and size, and its growth."""
    make = SHAPES[shape]
    for way in ways(sizes[0]):
        whole_run(make(60, dim, 4), ways(60)[way])  # compiles
        curve = []
        for m in sizes:
            runs = [whole_run(make(m, dim), ways(m)[way], seed) for seed in range(repeats)]
            each = [run.microseconds for run in runs]
            where: Parameters = {"shape": shape, "d": dim, "M": m}
            most = MARKS.get(way) if (shape, m) == ("blobs", MARKED_ARMS) else None
            yield measured(way, where, each, "us", most=most)
            yield measured(f"{way}: samples an arm", where, [run.samples for run in runs], "")
            curve.append([m, *(1e-6 * x for x in (median(each), min(each), max(each)))])
        exponent = growth(sizes, [seconds for _, seconds, _, _ in curve])
        where = {"shape": shape, "d": dim, "M": f"{sizes[0]} to {sizes[-1]}"}
        most = 1.0 if shape == "blobs" and way in MARKS else None
        yield measured(f"{way}: growth", where, [exponent], "exponent", most=most, curve=curve)


def _from_python(dim: int, repeats: int) -> Iterator[Row]:
    """A row a way, with its mark."""
    instance = blobs(MARKED_ARMS, dim)
    where: Parameters = {"shape": "blobs", "d": dim, "M": MARKED_ARMS}
    asked_run(blobs(60, dim, 4), 1)  # compiles
    for way, together in (("one by one", 1), ("rounds", MARKED_ARMS // 4)):
        runs = [asked_run(instance, together, seed) for seed in range(repeats)]
        each = [run.microseconds for run in runs]
        yield measured(f"{way}, from Python", where, each, "us", most=MARKS[way])


_LARGEST = f"""
from boclust.bench.scale import blobs, ways, whole_run
print(*whole_run(blobs({MOST_ARMS}, 2, 50), ways({MOST_ARMS})["rounds"]))
"""


def _largest() -> Iterator[Row]:
    """The most arms: time, samples and peak memory."""
    microseconds, samples, peak = map(float, output_of(_LARGEST + PEAK).split())
    where: Parameters = {"shape": "blobs", "d": 2, "M": MOST_ARMS}
    yield measured("rounds", where, [microseconds], "us", most=MOST_ARMS_MARK)
    yield measured("rounds: samples an arm", where, [samples], "")
    yield measured("rounds: peak memory", where, [peak], "MB", most=MEMORY_MARK)
