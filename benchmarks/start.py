"""From the command to its result, with an empty cache of kernels and with a full one."""

import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import REPEATS, Row, measured, output_of

TITLE = "Time to the first result"
NOTE = (
    "Of a whole process, Python's start included. Cold: nothing is compiled; warm: kernels come "
    "from the cache that the cold run left. CPU time is that of all threads together."
)
ACROSS = "time"

_DEMO = "import sys; sys.argv[1:] = ['demo']; from boclust.cli import main; main()"
_CLUSTER = (
    "import boclust; s = boclust.sources.Simulated(boclust.Instance([0, .5, 5], 2));"
    "boclust.cluster(s, n_arms=3, n_clusters=2, delta=.1)"
)
#: The program, and its marks in seconds of wall time: cold and warm.
PROGRAMS = {
    "boclust demo": (_DEMO, 25.0, 3.0),
    "boclust.cluster, 3 arms": (_CLUSTER, None, None),
}


def rows(quick: bool) -> Iterator[Row]:
    """The demo and the shortest program, each cold and warm."""
    for name, (code, *marks) in list(PROGRAMS.items())[: 1 if quick else None]:
        cold, warm = [], []
        for _ in range(1 if quick else REPEATS):
            with tempfile.TemporaryDirectory() as folder:
                cold.append(seconds_of(code, folder))
                warm.append(seconds_of(code, folder))
        for cache, found, most in zip(("cold", "warm"), (cold, warm), marks, strict=True):
            wall, cpu = zip(*found, strict=True)
            yield measured(name, {"cache": cache, "time": "wall"}, wall, most=most)
            yield measured(name, {"cache": cache, "time": "CPU"}, cpu)


def seconds_of(code: str, folder: str) -> tuple[float, float]:
    """Wall and CPU time of a Python program whose cache is in the folder."""
    began, cpu = time.perf_counter(), _cpu()
    output_of(code, Path(folder), BOCLUST_CACHE_DIR=f"{folder}/cache")
    return time.perf_counter() - began, _cpu() - cpu


def _cpu() -> float:
    """CPU seconds of all child processes that have ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime
