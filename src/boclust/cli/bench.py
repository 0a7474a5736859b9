"""``boclust bench``: how fast it is, beside the paper's method in plain NumPy."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from boclust.cli.options import as_json

if TYPE_CHECKING:
    from boclust.bench.report import Report
    from boclust.bench.tables import TextTable

#: The CPU time of threads that wait would count: one thread for the libraries of NumPy.
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@click.command(name="bench", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--quick", is_flag=True, help="Few sizes: done in about three minutes.")
@click.option("--only", multiple=True, metavar="SECTION", help="Measure this section; repeatable.")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), show_default=True,
    default=Path("boclust-bench"), help="Where everything is written.",
)  # fmt: skip
@click.option(
    "--baseline", type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the NumPy programs; by itself, benchmarks of the source.",
)  # fmt: skip
@click.option("--no-baseline", is_flag=True, help="Measure no baseline, and no ratios to it.")
@click.option("--check", is_flag=True, help="Exit code 1 if a pass mark is not held.")
@as_json
def command(
    quick: bool, only: tuple[str, ...], out: Path, baseline: Path | None, no_baseline: bool,
    check: bool, as_json: bool,
) -> None:  # fmt: skip
    """Time a sample of every algorithm, ours beside the paper's method in NumPy.

    Also its growth with arms, dimension and clusters, many arms, live studies, their server,
    threads, the time to a first result and memory. Sections: setup1, setup2, growth, scale,
    studies, server, threads, start, memory. An interrupted run goes on with the section where it
    was.

    \b
    boclust bench --quick
    boclust bench --only setup1 --only threads --check --json
    """
    for name in _ONE_THREAD:  # before NumPy is imported
        os.environ[name] = "1"
    import json

    from boclust._validate import fail
    from boclust.cli.terminal import keeping

    if no_baseline and baseline is not None:
        raise fail("baseline", f"is {baseline} with --no-baseline", "one of the two")
    with keeping(out, "the same command"):
        report = _measure(quick, only, out, baseline, no_baseline)
    if as_json:
        click.echo(json.dumps(report.to_dict()))
    else:
        _show(report)
    if check and report.failed:
        raise click.exceptions.Exit(1)


def _measure(
    quick: bool, only: tuple[str, ...], out: Path, baseline: Path | None, no_baseline: bool
) -> "Report":
    """Every section that is asked for and not finished yet."""
    import time

    from boclust.bench import NAMES, section
    from boclust.bench.base import Setting
    from boclust.bench.baseline import Baseline
    from boclust.bench.report import Report
    from boclust.cli.terminal import compiling, progress

    chosen = {name: section(name) for name in dict.fromkeys(only or NAMES)}
    compared = not no_baseline and any(one.BASELINE for one in chosen.values())
    setting = Setting(quick, Baseline(baseline) if compared else None)
    out.mkdir(parents=True, exist_ok=True)
    report = Report(out, list(chosen), {"quick": quick, "baseline": compared})
    with compiling():
        for name, one in chosen.items():
            if name in report.found:
                continue
            began, rows = time.monotonic(), []
            with progress(name, None, every=1) as advance:
                for row in one.rows(setting):
                    rows.append(row)
                    advance()
            report.add(name, rows)
            click.echo(f"{name}: {time.monotonic() - began:.0f} s", err=True)
    return report


def _show(report: "Report") -> None:
    from boclust.bench import section
    from boclust.bench.tables import marks_table, section_table
    from boclust.cli.terminal import console

    screen = console()
    for name, rows in report.found.items():
        one = section(name)
        screen.print(f"\n[bold]{one.TITLE}[/bold]\n{one.NOTE}\n")
        screen.print(_rich(section_table(rows, one.ACROSS)))
    marks = marks_table(report.rows)
    if marks.lines:
        screen.print("\n[bold]Pass marks[/bold]\n")
        screen.print(_rich(marks))
    click.echo(f"Written: {report.out}: bench.json, bench.csv, bench.md and pictures")


def _rich(told: "TextTable") -> object:
    from boclust.cli.terminal import table

    shown = table(*told.columns)
    for line in told.lines:
        shown.add_row(*line)
    return shown
