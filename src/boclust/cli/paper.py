"""``boclust paper``: reproduce the figures and tables of the paper."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boclust.cli.options import as_json

if TYPE_CHECKING:
    from boclust.paper.base_figure import BaseFigure
    from boclust.paper.reproduce import Reproduction
    from boclust.paper.tasks import Task

_HELP = {"help_option_names": ["-h", "--help"]}


def _shared(function: Any) -> Any:
    """Add the options of ``fig`` and ``all``."""
    for option in (
        click.option(
            "--data", type=click.Path(path_type=Path, file_okay=False), envvar="BOCLUST_DATA",
            help="Folder of the real data; default: the variable BOCLUST_DATA.",
        ),
        click.option(
            "--out", type=click.Path(path_type=Path, file_okay=False), show_default=True,
            default=Path("boclust-paper"), help="Folder for the results.",
        ),
        click.option("--quick", is_flag=True, help="Run few trials (some minutes in all)."),
    ):  # fmt: skip
        function = option(function)
    return function


@click.group(name="paper", context_settings=_HELP)
def command() -> None:
    """Reproduce every figure and table of the paper, and compare its numbers with new ones."""


@command.command(name="list", context_settings=_HELP)
@as_json
def list_figures(as_json: bool) -> None:
    """List the figures and tables by name."""
    import json

    from boclust.cli.terminal import console, table
    from boclust.paper import NAMES, figure

    figures = [figure(name) for name in NAMES]
    if as_json:
        answer = [
            {"name": f.name, "title": f.title, "place": f.place, "data": f.data_folder or None}
            for f in figures
        ]
        click.echo(json.dumps(answer))
        return
    shown = table("name", "place", "title", "real data")
    for column in shown.columns:
        column.justify = "left"
    for f in figures:
        shown.add_row(f.name, f.place, f.title, f.data_folder)
    console().print(shown)


@command.command(name="fig", context_settings=_HELP)
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@_shared
def make_figures(names: tuple[str, ...], quick: bool, out: Path, data: Path | None) -> None:
    """Reproduce the named figures.

    Each gives data (Parquet and CSV), a picture (PNG and SVG) and a text.

    \b
    boclust paper fig sd1_error slopes --quick --out report
    """
    from boclust.cli.terminal import keeping
    from boclust.paper import figure

    with keeping(out, "the same command"):
        out.mkdir(parents=True, exist_ok=True)
        chosen = [figure(name, data) for name in dict.fromkeys(names)]
        made = _reproduce([(one, one.tasks(quick)) for one in chosen], out)
    for one in made:
        click.echo(one.text)
        click.echo(f"\n{out / one.figure.name}.png, .svg, .csv, .parquet, .md\n")


@command.command(name="all", context_settings=_HELP)
@_shared
def make_all(quick: bool, out: Path, data: Path | None) -> None:
    """Reproduce every figure and table on one page.

    Finished work is kept: after an interruption, the same command continues.

    \b
    boclust paper all --quick --out report
    """
    from boclust._files import appearing
    from boclust._validate import InvalidInputError
    from boclust.cli.terminal import keeping
    from boclust.paper import NAMES, figure
    from boclust.paper.report import report
    from boclust.paper.reproduce import tally

    planned, missing = [], []
    with keeping(out, "the same command"):
        out.mkdir(parents=True, exist_ok=True)
        for one in (figure(name, data) for name in NAMES):
            try:
                planned.append((one, one.tasks(quick)))
            except InvalidInputError as error:  # its data are missing or damaged
                missing.append((one.name, str(error)))
        made = _reproduce(planned, out)
        with appearing(out / "report.html") as part:
            part.write_text(report(made, missing, quick), encoding="utf-8")
    for name, why in missing:
        click.echo(f"Not made: {name}. {why}", err=True)
    click.echo(f"{len(made)} figures and tables; {tally(made)}.")
    click.echo(f"Report: {out / 'report.html'}")
    if missing:
        raise click.exceptions.Exit(1)


def _reproduce(
    planned: "Sequence[tuple[BaseFigure, list[Task]]]", out: Path
) -> "list[Reproduction]":
    from boclust.cli.terminal import compiling, progress
    from boclust.paper.reproduce import reproduce

    made = []
    total = sum(len(tasks) for _, tasks in planned)
    with compiling(), progress("tasks", total, every=1) as advance:
        for figure, tasks in planned:
            one = reproduce(figure, out, tasks, advance)
            made.append(one)
            click.echo(f"{figure.name}: {one.seconds:.0f} s", err=True)
    return made
