"""Setup 1 of the paper: pairs of arms, M = 2 K."""

from collections.abc import Iterator

from benchmarks import baseline
from benchmarks.measure import Row, budget, interleaved, measured
from benchmarks.samples import applicable, published_seconds, setup_1, timer

TITLE = "Setup 1: time per sample, clusters of two arms"
NOTE = (
    "CPU time on one thread. Ours: from the first to the 32nd sample of each arm, at a delta that "
    "is out of reach. Baseline: the same algorithm by the paper's method in NumPy and SciPy, at 4 "
    "and at 16 samples of each arm, weighted by the parts of the stretch that they represent. "
    "'until it stops': whole runs of both at delta = 0.01 (of the baseline as far as its budget "
    "lasts). These runs are short, so that the first and the last steps weigh more. Algorithms "
    "that need d = 1 or K = 2 are missing elsewhere."
)
ACROSS = "M"

ARMS = (4, 8, 14, 20)
DIMENSIONS = (1, 5, 10)
#: How many times faster than the baseline, at the largest M.
MARKS = {("lucbboc", 10): 300.0, ("atboc", 10): 1000.0, ("boc-elim", 1): 40.0}
_PAPER = {"atboc": "ATBOC-subGauss", "atboc-1pexp": "ATBOC-1pExp", "lucbboc": "LUCBBOC",
          "boc-elim": "BOC-ELIM"}  # fmt: skip


def rows(quick: bool) -> Iterator[Row]:
    """One row per algorithm and size."""
    arms, dims = ((20,), (1, 10)) if quick else (ARMS, DIMENSIONS)
    for dim in dims:
        for m in arms:
            instance = setup_1(m // 2, dim)
            for name in applicable(instance):
                mark = MARKS.get((name, dim)) if m == ARMS[-1] else None
                seconds = (10 if mark else 1) * budget(quick)  # less noise where it matters
                work = {"ours": timer(name, instance, seconds)}
                if name in baseline.algorithms(dim):
                    work["baseline"] = baseline.timer(name, instance, seconds)
                found = interleaved(work)
                where = {"d": dim, "M": m}
                yield measured(
                    name, where, found["ours"], baseline=found.get("baseline", ()),
                    paper=published_seconds("runtime_setup1", f"{_PAPER.get(name)} d={dim}", m),
                    least_ratio=mark,
                )  # fmt: skip
                if mark:
                    yield baseline.until_it_stops(name, instance, where, quick)
