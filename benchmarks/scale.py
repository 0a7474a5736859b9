"""Hundreds and thousands of arms: whole runs, one by one and in rounds."""

import time
from collections.abc import Iterator
from statistics import median
from typing import Any

import numpy as np

import boclust
from benchmarks.measure import PEAK, REPEATS, Parameters, Row, exponent, measured, output_of
from benchmarks.samples import DELTA
from boclust import Algorithm, Instance

TITLE = "Many arms"
NOTE = (
    "Whole runs at delta = 0.01: CPU time per sample, samples per arm. Blobs: 25 clusters, arms in "
    "balls of radius 1 around the points of a square grid of width 5. Chains: 4 parallel waves, "
    "half a unit from arm to arm and 3 between waves. Rounds: M/4 samples are planned together. "
    "rr: round robin with the stopping rule of span. Every run ends with the right clusters. "
    "Growth: the exponent e of the fit time ~ M^e. 10,000 arms: 50 blobs, in a process of its own. "
    "From Python: a learner does the same, with ask() or ask(M/4), and one tell per sample."
)
ACROSS = "M"

#: Microseconds per sample in blobs of 1,000 arms.
MARKED_ARMS = 1000
MARKS = {"one by one": 250.0, "rounds": 120.0}
#: The most arms, in rounds, with the marks for microseconds per sample and for MB.
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


def ways(n_arms: int) -> dict[str, Algorithm]:
    """How the arms are sampled."""
    return {
        "one by one": Algorithm("challenger"),
        "rounds": Algorithm("challenger", batch=n_arms // 4),
        "rr": Algorithm("rr", "local-semi"),
    }


#: Microseconds of CPU time per sample, and samples per arm.
Whole = tuple[float, float]


def whole_run(instance: Instance, algorithm: Algorithm, seed: int = 0) -> Whole:
    """Simulate one run; it must end with the right clusters."""
    began = time.process_time()
    results = boclust.simulate(instance, [algorithm], [DELTA], 1, seed=seed, jobs=1)
    spent = time.process_time() - began
    (run,) = results.table.to_pylist()
    return _checked(instance, run["correct"], spent, run["n_samples"])


def asked_run(instance: Instance, together: int, seed: int = 0) -> Whole:
    """The same by a learner that Python asks for ``together`` arms at a time."""
    sample = boclust.sources.Simulated(instance, seed=seed)
    learner = boclust.Learner(
        instance.n_arms, instance.n_clusters, delta=DELTA, dim=instance.dim
    )  # fmt: skip
    samples = 0
    began = time.process_time()
    while not learner.done:
        for arm in learner.ask(together):
            learner.tell(arm, sample(arm))
            samples += 1
    spent = time.process_time() - began
    return _checked(instance, np.all(learner.labels == instance.labels), spent, samples)


def _checked(instance: Instance, correct: Any, seconds: float, samples: int) -> Whole:
    if not correct:
        raise RuntimeError(f"a run of {instance.n_arms} arms ended with wrong clusters")
    return 1e6 * seconds / samples, samples / instance.n_arms


def rows(quick: bool) -> Iterator[Row]:
    """Times, samples and growth; then the largest size."""
    sizes = (100, 1000) if quick else (100, 200, 500, 1000, 2000)
    repeats = 1 if quick else REPEATS
    for shape in SHAPES:
        for dim in (2, 10):
            yield from _shape(shape, dim, sizes, repeats)
    for dim in (2, 10):
        yield from _from_python(dim, repeats)
    if not quick:
        yield from _largest()


def _shape(shape: str, dim: int, sizes: tuple[int, ...], repeats: int) -> Iterator[Row]:
    make = SHAPES[shape]
    for way in ways(sizes[0]):
        whole_run(make(60, dim, 4), ways(60)[way])  # compiles
        curve = []
        for m in sizes:
            runs = [whole_run(make(m, dim), ways(m)[way], seed) for seed in range(repeats)]
            times, samples = zip(*runs, strict=True)
            where: Parameters = {"shape": shape, "d": dim, "M": m}
            most = MARKS.get(way) if (shape, m) == ("blobs", MARKED_ARMS) else None
            yield measured(way, where, times, "us", most=most)
            yield measured(f"{way}: samples per arm", where, samples, "")
            curve.append([m, *(1e-6 * x for x in (median(times), min(times), max(times)))])
        fit = exponent(sizes, [point[1] for point in curve])
        where = {"shape": shape, "d": dim, "M": f"{sizes[0]} to {sizes[-1]}"}
        most = 1.0 if shape == "blobs" and way in MARKS else None
        yield measured(f"{way}: growth", where, [fit], "exponent", most=most, curve=curve)


def _from_python(dim: int, repeats: int) -> Iterator[Row]:
    instance = blobs(MARKED_ARMS, dim)
    where: Parameters = {"shape": "blobs", "d": dim, "M": MARKED_ARMS}
    asked_run(blobs(60, dim, 4), 1)  # compiles
    for way, together in (("one by one", 1), ("rounds", MARKED_ARMS // 4)):
        times = [asked_run(instance, together, seed)[0] for seed in range(repeats)]
        yield measured(f"{way}, from Python", where, times, "us", most=MARKS[way])


_LARGEST = f"""
from benchmarks.scale import blobs, ways, whole_run
print(*whole_run(blobs({MOST_ARMS}, 2, 50), ways({MOST_ARMS})["rounds"]))
"""


def _largest() -> Iterator[Row]:
    microseconds, samples, peak = map(float, output_of(_LARGEST + PEAK).split())
    where: Parameters = {"shape": "blobs", "d": 2, "M": MOST_ARMS}
    yield measured("rounds", where, [microseconds], "us", most=MOST_ARMS_MARK)
    yield measured("rounds: samples per arm", where, [samples], "")
    yield measured("rounds: peak memory", where, [peak], "MB", most=MEMORY_MARK)
