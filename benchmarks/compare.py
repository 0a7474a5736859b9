"""Compare the speed of this checkout with that of another one.

``python -m benchmarks.compare OTHER [--only TEXT] [--repeats N]``, where OTHER/src holds the other
boclust. Every case runs in two worker processes, one per checkout. A worker first does the work
once, which compiles, and then times one repetition per request, so that repetitions alternate and a
busy moment slows both down. The cases use public names only, fixed seeds and fixed budgets: both
checkouts do the same work, and the last column says whether they took the same samples.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[1]
#: A delta that no run below reaches.
DELTA = 1e-300
#: Idle threads of BLAS would add CPU time.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
DEMO = "import sys; sys.argv[1:] = ['demo']; from boclust.cli import main; main()"
#: A demo with an empty cache takes about ten seconds: it runs fewer times.
COLD_REPEATS = 3

#: One repetition: its figure (seconds per sample, or a ratio) and the samples it took of each arm.
Work = Callable[[], tuple[float, list[Any]]]


def seven() -> Any:
    """Instance A of the paper: M = 7, K = 3."""
    import boclust

    family = boclust.Gaussian(sigma=1.0)
    return boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], 3, family)


def twenty(dim: int) -> Any:
    """M = 20: like A, but five clusters of four arms; in the plane every other arm is higher."""
    import numpy as np

    import boclust

    arms = np.arange(20)
    means = np.column_stack([0.5 * arms + arms // 4, 0.3 * (arms % 2)])
    return boclust.Instance(means[:, :dim], 5, boclust.Gaussian(sigma=1.0))


def thousand() -> Any:
    """M = 1000 in the plane: ten blobs of radius 1 around the points of a grid of width 5."""
    import numpy as np

    import boclust

    rng, arms = np.random.default_rng(0), np.arange(1000)
    angle, radius = 2 * np.pi * rng.random(1000), np.sqrt(rng.random(1000))
    away = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    centres = 5.0 * np.column_stack(np.divmod(np.arange(10), 4))
    return boclust.Instance(centres[arms % 10] + away, 10, boclust.Gaussian(sigma=1.0))


def simulated(make: Callable[[], Any], algorithm: str, trials: int, samples: int) -> Work:
    """CPU seconds per sample of ``simulate`` with one job."""
    import boclust

    instance = make()

    def work() -> tuple[float, list[Any]]:
        began = time.process_time()
        found = boclust.simulate(
            instance, [algorithm], [DELTA], trials, seed=0, jobs=1, max_samples=samples
        )
        spent = time.process_time() - began
        taken = sum(found.table["n_samples"].to_pylist())
        return spent / taken, found.table["pulls"].to_pylist()

    return work


def asked(make: Callable[[], Any], together: int | None, samples: int) -> Work:
    """CPU seconds per sample of ``Learner.ask`` and ``tell``, called from Python."""
    import numpy as np

    import boclust

    instance = make()
    m, d = instance.n_arms, instance.dim
    noise = np.random.default_rng(0).standard_normal((samples, d))

    def work() -> tuple[float, list[Any]]:
        learner = boclust.Learner(
            m, instance.n_clusters, delta=DELTA, dim=d, algorithm="span", family=instance.family
        )
        counts, taken = [0] * m, 0
        began = time.process_time()
        while taken < samples:
            arms = [learner.ask()] if together is None else learner.ask(together)
            for arm in arms[: samples - taken]:
                value = instance.means[arm] + noise[taken]
                learner.tell(arm, float(value[0]) if d == 1 else value)
                counts[arm] += 1
                taken += 1
        return (time.process_time() - began) / samples, counts

    return work


def two_jobs(trials: int) -> Work:
    """How many times faster ``simulate`` is with two jobs than with one, by wall time."""
    import boclust

    instance = seven()

    def work() -> tuple[float, list[Any]]:
        seconds, pulls = [], []
        for jobs in (1, 2):
            began = time.perf_counter()
            found = boclust.simulate(instance, ["span"], [0.01], trials, seed=0, jobs=jobs)
            seconds.append(time.perf_counter() - began)
            pulls.append(found.table["pulls"].to_pylist())
        return seconds[0] / seconds[1], pulls

    return work


_LINE, _PLANE = partial(twenty, 1), partial(twenty, 2)
#: What a case is called, and what makes its work in a worker: a good half second each.
CASES: dict[str, Callable[[], Work]] = {
    "span, M = 7": partial(simulated, seven, "span", 40, 10_000),
    "lucbboc, M = 7": partial(simulated, seven, "lucbboc", 150, 10_000),
    "boc-elim, M = 7": partial(simulated, seven, "boc-elim", 300, 10_000),
    "rr, M = 7": partial(simulated, seven, "rr", 150, 10_000),
    "atboc, M = 7": partial(simulated, seven, "atboc", 4, 10_000),
    "span, M = 20, d = 1": partial(simulated, _LINE, "span", 6, 5000),
    "lucbboc, M = 20, d = 1": partial(simulated, _LINE, "lucbboc", 50, 5000),
    "boc-elim, M = 20, d = 1": partial(simulated, _LINE, "boc-elim", 600, 5000),
    "rr, M = 20, d = 1": partial(simulated, _LINE, "rr", 60, 5000),
    "atboc, M = 20, d = 1": partial(simulated, _LINE, "atboc", 1, 500),
    "span, M = 20, d = 2": partial(simulated, _PLANE, "span", 6, 5000),
    "lucbboc, M = 20, d = 2": partial(simulated, _PLANE, "lucbboc", 90, 5000),
    "rr, M = 20, d = 2": partial(simulated, _PLANE, "rr", 100, 5000),
    "atboc, M = 20, d = 2": partial(simulated, _PLANE, "atboc", 1, 1000),
    "span, M = 1000": partial(simulated, thousand, "span", 1, 20_000),
    "span, M = 1000, Learner.ask(1)": partial(asked, thousand, 1, 10_000),
    "span, M = 1000, Learner.ask(250)": partial(asked, thousand, 250, 20_000),
    "span, M = 7, Learner.ask()": partial(asked, seven, None, 30_000),
    "jobs=1 over jobs=2, wall time": partial(two_jobs, 1000),
}


@contextmanager
def worker(checkout: Path, case: str) -> Iterator[tuple[Callable[[], float], list[Any]]]:
    """A process that does the work of one case with the boclust of one checkout.

    Gives a function that asks for one repetition and returns its figure, and the samples taken.
    """
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.compare", "--worker", case]
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


def work_here(case: str) -> None:
    """The loop of a worker: answer the origin and the samples, then a figure for each line."""
    import boclust

    work = CASES[case]()
    _, samples = work()  # compiles
    print(json.dumps([boclust.__file__, samples]), flush=True)
    for _ in sys.stdin:
        print(json.dumps(work()[0]), flush=True)


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
        [sys.executable, "-c", DEMO], cwd=folder, env=environment, capture_output=True, text=True
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
    parser.add_argument("other", type=Path, nargs="?", help="the other checkout")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose name contains TEXT")
    parser.add_argument("--repeats", type=int, default=7, help="repetitions of each (default: 7)")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        return work_here(given.worker)
    if given.other is None or not (given.other / "src" / "boclust").is_dir():
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
