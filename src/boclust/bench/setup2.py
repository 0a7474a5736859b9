"""Setup 2 of the paper: two clusters of M/2 arms, d = 5, full and partial search."""

from collections.abc import Iterator

from boclust.bench.base import Row, Setting, interleaved, measured
from boclust.bench.samples import applicable, printed_seconds, timer, whole_run
from boclust.paper.figures.runtime_setup2 import FULL_SHARE
from boclust.paper.timing import setup_2

TITLE = "Setup 2: time a sample, two clusters of M/2 arms, d = 5"
NOTE = (
    "As for Setup 1. The baseline searches over all the paper's programs ('full'), or over the ten "
    "that were best ('partial'; all of them at powers of two, 11 of 1,024 samples). Ours does not "
    "search over cuts: its time is the same beside both."
)
ACROSS: str | None = "M"
BASELINE = True

ARMS = (4, 6, 8, 10)
#: How many times faster than the baseline with full search, at the largest M.
MARKS = {"atboc": 10_000.0}
_PAPER = {"atboc": "ATBOC-subGauss", "lucbboc": "LUCBBOC"}


def rows(setting: Setting) -> Iterator[Row]:
    """A row an algorithm, a size and a kind of search."""
    for m in (10,) if setting.quick else ARMS:
        instance = setup_2(m // 2)
        for name in applicable(instance):
            mark = MARKS.get(name) if m == ARMS[-1] else None
            work = {"ours": timer(name, instance, setting.budget)}
            costly = setting.quick and mark is not None
            for search in ("full",) if costly else ("full", "partial"):
                theirs = setting.baseline and setting.baseline.timer(
                    name, instance, setting.budget, full=search == "full"
                )
                if theirs:
                    work[search] = theirs
            found = interleaved(work, 1 if costly else setting.repeats)
            full = found.get("full", [])
            if "partial" in found:
                pairs = zip(found["partial"], full, strict=True)
                found["partial"] = [(1 - FULL_SHARE) * p + FULL_SHARE * f for p, f in pairs]
            for search in ("full", "partial") if full else ("",):
                series = f"{_PAPER.get(name)} {search or 'full'}"
                yield measured(
                    name, {"search": search, "M": m}, found["ours"],
                    baseline=found.get(search, ()),
                    paper=printed_seconds("runtime_setup2", series, m),
                    least_ratio=None if search == "partial" else mark,
                )  # fmt: skip
            if mark and not costly:
                yield whole_run(name, instance, {"search": "full", "M": m}, setting)
