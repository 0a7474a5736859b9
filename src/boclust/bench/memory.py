"""The most memory that a process takes for one run."""

from collections.abc import Iterator

from boclust.bench.base import Row, Setting, measured
from boclust.bench.children import output_of

TITLE = "Memory"
NOTE = (
    "Peak resident memory of a process with one run of 1,000 samples, kernels from the cache. "
    "Most of it is Python with NumPy and Numba, as the first row shows."
)
ACROSS: str | None = None
BASELINE = False

#: Peak resident memory in MB. Not ru_maxrss on Linux, which a child inherits from its parent.
PEAK = """
import sys
if sys.platform == "linux":
    line = next(l for l in open("/proc/self/status") if l.startswith("VmHWM:"))
    print(int(line.split()[1]) / 1024)
else:
    import resource
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)
"""
_IMPORT = "import boclust.run.step\n"
_RUN = """
import boclust
from boclust.paper.timing import NEVER, setup_1
boclust.simulate(setup_1({k}, {d}), ["{name}"], [NEVER], 1, jobs=1, max_samples=1000)
"""


def rows(setting: Setting) -> Iterator[Row]:
    """A row an algorithm and a size, on instances as of Setup 1."""
    cases = [
        ("nothing but imports", {}, _IMPORT),
        *(
            (name, {"M": 2 * k, "d": d}, _RUN.format(k=k, d=d, name=name))
            for name, k, d in (
                ("span", 2, 1), ("span", 10, 10), ("span", 100, 1), ("atboc", 10, 10),
                ("lucbboc-ucb", 10, 10),
            )
        ),
    ]  # fmt: skip
    for name, where, code in cases[:3] if setting.quick else cases:
        output_of(code)  # compiles, which takes memory too
        peaks = [float(output_of(code + PEAK)) for _ in range(setting.repeats)]
        yield measured(name, where, peaks, "MB")
