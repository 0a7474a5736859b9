"""From the command to its result: with an empty cache of kernels, and with a filled one."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from boclust.bench.base import Row, Setting, measured
from boclust.bench.children import seconds_of

TITLE = "Time to the first result"
NOTE = (
    "Of a whole process, Python's start included. Cold: nothing compiled yet; warm: kernels from "
    "the cache that the cold run left. CPU time is of all threads together."
)
ACROSS: str | None = "time"
BASELINE = False

#: Seconds for ``boclust demo``.
COLD, WARM = 25.0, 3.0
_DEMO = "import sys; sys.argv[1:] = ['demo']; from boclust.cli import main; main()"
_CLUSTER = (
    "import boclust; s = boclust.sources.Simulated(boclust.Instance([0, .5, 5], 2));"
    "boclust.cluster(s, n_arms=3, n_clusters=2, delta=.1)"
)


def rows(setting: Setting) -> Iterator[Row]:
    """The demo and the shortest program, each cold and warm."""
    cases = (
        ("boclust demo", _DEMO, COLD, WARM),
        ("boclust.cluster, 3 arms", _CLUSTER, None, None),
    )
    starts = 1 if setting.quick else setting.repeats
    for name, code, cold, warm in cases[:1] if setting.quick else cases:
        first, later = [], []
        for number in range(starts):
            with tempfile.TemporaryDirectory() as folder:
                place = Path(folder)
                first.append(seconds_of(code, place / "cache", place))
                if number == starts - 1:
                    later += [
                        seconds_of(code, place / "cache", place) for _ in range(setting.repeats)
                    ]
        for cache, found, most in (("cold", first, cold), ("warm", later, warm)):
            wall, cpu = zip(*found, strict=True)
            yield measured(name, {"cache": cache, "time": "wall"}, wall, most=most)
            yield measured(name, {"cache": cache, "time": "CPU"}, cpu)
