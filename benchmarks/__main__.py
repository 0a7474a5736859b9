"""``python -m benchmarks``: measure how fast boclust is."""

import argparse
import os
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from benchmarks.measure import Section

#: In the order of the report.
SECTIONS = ("setup1", "setup2", "growth", "scale", "studies", "server", "threads", "start",
            "memory")  # fmt: skip


def main(arguments: list[str] | None = None) -> int:
    """Measure the sections and return the exit code."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks",
        description="Measure how fast boclust is: time per sample beside the paper's method in "
        "NumPy, its growth, many arms, studies, their server, threads, start and memory.",
    )
    parser.add_argument("--quick", action="store_true", help="few sizes, in minutes")
    parser.add_argument(
        "--only", action="append", choices=SECTIONS, metavar="SECTION",
        help=f"measure this section (repeatable): {', '.join(SECTIONS)}",
    )  # fmt: skip
    parser.add_argument(
        "--out", type=Path, default=Path("boclust-bench"), metavar="DIR",
        help="folder of the report (default: %(default)s); an interrupted run continues there",
    )  # fmt: skip
    parser.add_argument("--check", action="store_true", help="exit code 1 if a pass mark fails")
    given = parser.parse_args(arguments)
    for library in ("OMP", "OPENBLAS", "MKL"):  # idle threads of BLAS would add CPU time
        os.environ[f"{library}_NUM_THREADS"] = "1"  # before NumPy is imported

    from benchmarks.report import Report

    sections = {
        name: cast("Section", import_module(f"benchmarks.{name}"))
        for name in SECTIONS
        if name in (given.only or SECTIONS)
    }
    report = Report(given.out, sections, given.quick)
    try:
        for name, section in sections.items():
            if name not in report.found:
                began = time.monotonic()
                report.add(name, list(section.rows(given.quick)))
                print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    except KeyboardInterrupt:
        print("Interrupted: the same command continues with this section.", file=sys.stderr)
        return 130
    print(f"{report.markdown()}\nWritten to {given.out}: bench.json, bench.md and pictures")
    return 1 if given.check and report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
