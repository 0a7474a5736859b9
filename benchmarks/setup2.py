"""Setup 2 of the paper: two clusters of M/2 arms, d = 5, full and partial search."""

from collections.abc import Iterator

from benchmarks import baseline
from benchmarks.measure import REPEATS, Row, budget, interleaved, measured
from benchmarks.samples import applicable, published_seconds, setup_2, timer

TITLE = "Setup 2: time per sample, two clusters of M/2 arms, d = 5"
NOTE = (
    "As for Setup 1. The baseline searches all programs of the paper ('full'), or the ten that "
    "were best ('partial'; all of them at powers of two, 11 of 1,024 samples). Ours does not "
    "search over cuts: its time is the same in both."
)
ACROSS = "M"

ARMS = (4, 6, 8, 10)
#: How many times faster than the baseline with full search, at the largest M.
MARKS = {"atboc": 10_000.0}
#: Of 1,024 steps, those at powers of two search in full.
FULL_SHARE = 11 / 1024
_PAPER = {"atboc": "ATBOC-subGauss", "lucbboc": "LUCBBOC"}


def rows(quick: bool) -> Iterator[Row]:
    """One row per algorithm, size and kind of search."""
    for m in (10,) if quick else ARMS:
        instance = setup_2(m // 2)
        for name in applicable(instance):
            mark = MARKS.get(name) if m == ARMS[-1] else None
            costly = quick and mark is not None
            searches: tuple[str, ...] = ("",)
            work = {"ours": timer(name, instance, budget(quick))}
            if name in baseline.algorithms(instance.dim):
                searches = ("full",) if costly else ("full", "partial")
                for search in searches:
                    full = search == "full"
                    work[search] = baseline.timer(name, instance, budget(quick), full)
            found = interleaved(work, 1 if costly else REPEATS)
            if "partial" in found:
                pairs = zip(found["partial"], found["full"], strict=True)
                found["partial"] = [(1 - FULL_SHARE) * p + FULL_SHARE * f for p, f in pairs]
            for search in searches:
                series = f"{_PAPER.get(name)} {search}"
                yield measured(
                    name, {"search": search, "M": m}, found["ours"],
                    baseline=found.get(search, ()),
                    paper=published_seconds("runtime_setup2", series, m),
                    least_ratio=None if search == "partial" else mark,
                )  # fmt: skip
            if mark and not costly:
                yield baseline.until_it_stops(name, instance, {"search": "full", "M": m}, quick)
