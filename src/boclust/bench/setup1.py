"""Setup 1 of the paper: pairs of arms, M = 2 K."""

from collections.abc import Iterator

from boclust.bench.base import Row, Setting, interleaved, measured
from boclust.bench.samples import applicable, printed_seconds, timer, whole_run
from boclust.paper.timing import setup_1

TITLE = "Setup 1: time a sample, clusters of two arms"
NOTE = (
    "CPU time on one thread. Ours: whole kernels, from the first to the 32nd sample of each arm, "
    "at a delta that is out of reach. Baseline: the same algorithm by the paper's method in NumPy "
    "and SciPy, at 4 and at 16 samples of each arm, weighted by what they stand for. 'until it "
    "stops': both in whole runs at delta = 0.01 (the baseline as far as its budget goes), which "
    "here are short, so that the first steps and the last, with the statistic in full, weigh "
    "more. Algorithms that need d = 1 or K = 2 are left out elsewhere."
)
ACROSS: str | None = "M"
BASELINE = True

ARMS = (4, 8, 14, 20)
DIMENSIONS = (1, 5, 10)
#: How many times faster than the baseline, at the largest M.
MARKS = {("lucbboc", 10): 300.0, ("atboc", 10): 1000.0, ("boc-elim", 1): 50.0}
_PAPER = {"atboc": "ATBOC-subGauss", "atboc-1pexp": "ATBOC-1pExp", "lucbboc": "LUCBBOC",
          "boc-elim": "BOC-ELIM"}  # fmt: skip


def rows(setting: Setting) -> Iterator[Row]:
    """A row an algorithm and a size."""
    arms, dims = ((20,), (1, 10)) if setting.quick else (ARMS, DIMENSIONS)
    for dim in dims:
        for m in arms:
            instance = setup_1(m // 2, dim)
            for name in applicable(instance):
                mark = MARKS.get((name, dim)) if m == ARMS[-1] else None
                budget = (10 if mark else 1) * setting.budget  # less noise where it matters
                work = {"ours": timer(name, instance, budget)}
                if setting.baseline and (theirs := setting.baseline.timer(name, instance, budget)):
                    work["baseline"] = theirs
                found = interleaved(work, setting.repeats)
                where = {"d": dim, "M": m}
                paper = printed_seconds("runtime_setup1", f"{_PAPER.get(name)} d={dim}", m)
                yield measured(
                    name, where, found["ours"], baseline=found.get("baseline", ()), paper=paper,
                    least_ratio=mark,
                )  # fmt: skip
                if mark:
                    yield whole_run(name, instance, where, setting)
