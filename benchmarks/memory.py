"""The peak memory of a process with one run."""

from collections.abc import Iterator

from benchmarks.measure import PEAK, REPEATS, Row, measured, output_of

TITLE = "Memory"
NOTE = (
    "Peak resident memory of a process with one run of 1,000 samples, kernels from the cache. "
    "Most of it is Python with NumPy, Numba and PyArrow, as the first row shows."
)
ACROSS = None

_IMPORT = "import boclust, numba, numpy, pyarrow\n"
_RUN = """
import boclust
from benchmarks.samples import OUT_OF_REACH, setup_1
boclust.simulate(setup_1({k}, {d}), ["{name}"], [OUT_OF_REACH], 1, jobs=1, max_samples=1000)
"""
_RUNS = (("span", 2, 1), ("span", 10, 10), ("span", 100, 1), ("atboc", 10, 10),
         ("lucbboc-ucb", 10, 10))  # fmt: skip


def rows(quick: bool) -> Iterator[Row]:
    """One row per algorithm and size, on instances of Setup 1."""
    yield _row("imports alone", {}, _IMPORT)
    for name, k, d in _RUNS[:2] if quick else _RUNS:
        yield _row(name, {"M": 2 * k, "d": d}, _RUN.format(k=k, d=d, name=name))


def _row(name: str, where: dict[str, int], code: str) -> Row:
    output_of(code)  # compiles, which takes memory too
    peaks = [float(output_of(code + PEAK)) for _ in range(REPEATS)]
    return measured(name, where, peaks, "MB")
