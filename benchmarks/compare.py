"""Compare the speed of this checkout with that of another one.

``python -m benchmarks.compare OTHER [--only TEXT] [--repeats N]``, where OTHER/src holds the other
boclust. Every case runs in two worker processes, one per checkout, whose repetitions alternate, so
that a busy moment slows both down. The cases use public names only, with fixed seeds and budgets:
both checkouts do the same work, and the last column says whether they took the same samples.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.cases import CASES

ROOT = Path(__file__).parents[1]
#: Idle threads of BLAS would add CPU time.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
_DEMO = "import sys; sys.argv[1:] = ['demo']; from boclust.cli import main; main()"
#: A demo with an empty cache takes about ten seconds: it runs fewer times.
COLD_REPEATS = 3


@contextmanager
def worker(checkout: Path, case: str) -> Iterator[tuple[Callable[[], float], list[Any]]]:
    """A process that does the work of one case with the boclust of one checkout.

    Gives a function that asks for one repetition and returns its figure, and the samples taken.
    """
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.cases", case]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=ROOT, env=environment_of(checkout), **pipes) as process:

        def answer() -> Any:
            line = process.stdout.readline() if process.stdout else ""
            if not line:
                raise RuntimeError(f"the worker ended with exit code {process.wait()}")
            return json.loads(line)

        def repetition() -> float:
            print("go", file=process.stdin, flush=True)
            return float(answer())

        loaded, samples = answer()
        if not Path(loaded).is_relative_to(checkout / "src"):
            raise RuntimeError(f"the worker loads {loaded}, not the boclust of {checkout}")
        yield repetition, samples


def environment_of(checkout: Path) -> dict[str, str]:
    """The environment in which Python finds the boclust of a checkout first."""
    return {**os.environ, **ONE_THREAD, "PYTHONPATH": str(checkout / "src")}


Pair = tuple[Path, Path]


def alternating(
    first: Callable[[], float], second: Callable[[], float], repeats: int
) -> tuple[list[float], list[float]]:
    """Figures of both in turn; who goes first changes too."""
    ours, theirs = [], []
    for turn in range(repeats):
        if turn % 2 == 0:
            ours.append(first())
            theirs.append(second())
        else:
            theirs.append(second())
            ours.append(first())
    return ours, theirs


def compare_case(checkouts: Pair, case: str, repeats: int) -> str:
    """The line of one case."""
    with (
        worker(checkouts[0], case) as (ours, taken),
        worker(checkouts[1], case) as (theirs, others),
    ):
        both = alternating(ours, theirs, repeats)
    same = "same samples" if taken == others else "OTHER SAMPLES"
    return line(case, *both, unit="" if "wall time" in case else "us", same=same)


def compare_demo(checkouts: Pair, kind: str, repeats: int) -> str:
    """The line of ``boclust demo``, CPU time with an empty or a warm cache of kernels."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)

        def empty(checkout: Path) -> float:
            with tempfile.TemporaryDirectory(dir=folder) as cache:
                return cpu_of_demo(checkout, Path(cache), folder)

        def warm(checkout: Path) -> float:
            return cpu_of_demo(checkout, folder / f"cache-{checkouts.index(checkout)}", folder)

        if kind == "warm":
            for checkout in checkouts:
                warm(checkout)  # compiles
        measure, times = (warm, repeats) if kind == "warm" else (empty, COLD_REPEATS)
        this, other = (partial(measure, checkout) for checkout in checkouts)
        return line(f"boclust demo, {kind} cache", *alternating(this, other, times), unit="s")


def cpu_of_demo(checkout: Path, cache: Path, folder: Path) -> float:
    """CPU seconds of one demo in a process of its own, all its threads included."""
    import resource

    environment = environment_of(checkout) | {"BOCLUST_CACHE_DIR": str(cache)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", _DEMO], cwd=folder, env=environment, capture_output=True, text=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise RuntimeError(f"boclust demo of {checkout} says {done.stderr[-200:]!r}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def line(case: str, ours: list[float], theirs: list[float], unit: str, same: str = "") -> str:
    """The medians of both, and the median and the range of the ratios of single turns."""
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    this, other = (figure(median(values), unit) for values in (ours, theirs))
    spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
    return f"{case:34}{this:>10}{other:>10}{median(ratios):12.2f}  {spread:14}  {same}".rstrip()


def figure(value: float, unit: str) -> str:
    """Three digits.

    >>> figure(1.4235e-3, "us"), figure(2.3456, "s")
    ('1,424 us', '2.35 s')
    """
    value *= 1e6 if unit == "us" else 1.0
    return (f"{value:,.0f}" if value >= 100 else f"{value:.3g}") + f" {unit}".rstrip()


def main() -> None:
    """Print the table, one line per case as it is measured; exit code 1 if a case fails."""
    parser = argparse.ArgumentParser("python -m benchmarks.compare", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("other", type=Path, help="the other checkout")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose name contains TEXT")
    parser.add_argument("--repeats", type=int, default=7, help="repetitions of each (default: 7)")
    given = parser.parse_args()
    if not (given.other / "src" / "boclust").is_dir():
        parser.error(f"OTHER must be a folder that holds src/boclust, got {given.other}")
    checkouts = (ROOT.resolve(), given.other.resolve())
    measures = {case: partial(compare_case, checkouts, case) for case in CASES}
    for kind in ("empty", "warm"):
        measures[f"boclust demo, {kind} cache"] = partial(compare_demo, checkouts, kind)
    print(f"{'case':34}{'this':>10}{'other':>10}{'this/other':>12}  range", flush=True)
    failed = False
    for case, measure in measures.items():
        if given.only in case:
            try:
                print(measure(given.repeats), flush=True)
            except RuntimeError as error:
                failed = True
                print(f"{case:34}failed: {error}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
