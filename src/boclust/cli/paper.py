"""``boclust paper``: the paper's figures and tables, made anew."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boclust.cli.options import as_json

if TYPE_CHECKING:
    from boclust.paper.base import Figure
    from boclust.paper.cells import Cell
    from boclust.paper.produce import Produced

_HELP = {"help_option_names": ["-h", "--help"]}


def _shared(function: Any) -> Any:
    """The options of ``fig`` and ``all``."""
    for option in (
        click.option(
            "--data", type=click.Path(path_type=Path, file_okay=False), envvar="BOCLUST_DATA",
            help="Folder of the real data; BOCLUST_DATA where this is not given.",
        ),
        click.option(
            "--out", type=click.Path(path_type=Path, file_okay=False), show_default=True,
            default=Path("boclust-paper"), help="Where everything is written.",
        ),
        click.option("--quick", is_flag=True, help="Few trials: all in some minutes."),
    ):  # fmt: skip
        function = option(function)
    return function


@click.group(name="paper", context_settings=_HELP)
def command() -> None:
    """Every figure and table of the paper, with its numbers beside those measured here."""


@command.command(name="list", context_settings=_HELP)
@as_json
def list_figures(as_json: bool) -> None:
    """The names of the figures and tables."""
    import json

    from boclust.cli.terminal import console, table
    from boclust.paper import NAMES, figure

    figures = [figure(name) for name in NAMES]
    if as_json:
        told = [
            {"name": f.name, "title": f.title, "place": f.place, "data": f.data_folder or None}
            for f in figures
        ]
        click.echo(json.dumps(told))
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
    """Make the named figures: data (Parquet, CSV), a picture (PNG, SVG) and what it says.

    \b
    boclust paper fig sd1_error slopes --quick --out report
    """
    from boclust.cli.terminal import keeping
    from boclust.paper import figure

    with keeping(out, "the same command"):
        out.mkdir(parents=True, exist_ok=True)
        chosen = [figure(name, data) for name in dict.fromkeys(names)]
        made = _make([(one, one.cells(quick)) for one in chosen], out)
    for one in made:
        click.echo(one.paragraph)
        click.echo(f"\n{out / one.figure.name}.png, .svg, .csv, .parquet, .md\n")


@command.command(name="all", context_settings=_HELP)
@_shared
def make_all(quick: bool, out: Path, data: Path | None) -> None:
    """Make every figure and table, and one page that shows them all.

    What is finished is kept: the same command goes on where it was stopped.

    \b
    boclust paper all --quick --out report
    """
    from boclust._files import appearing
    from boclust._validate import InvalidInputError
    from boclust.cli.terminal import keeping
    from boclust.paper import NAMES, figure
    from boclust.paper.produce import tally
    from boclust.paper.report import report

    planned, missing = [], []
    with keeping(out, "the same command"):
        out.mkdir(parents=True, exist_ok=True)
        for one in (figure(name, data) for name in NAMES):
            try:
                planned.append((one, one.cells(quick)))
            except InvalidInputError as error:  # its data are not there, or damaged
                missing.append((one.name, str(error)))
        made = _make(planned, out)
        with appearing(out / "report.html") as part:
            part.write_text(report(made, missing, quick), encoding="utf-8")
    for name, why in missing:
        click.echo(f"Not made: {name}. {why}", err=True)
    click.echo(f"{len(made)} figures and tables; {tally(made)}.")
    click.echo(f"Report: {out / 'report.html'}")
    if missing:
        raise click.exceptions.Exit(1)


def _make(planned: "Sequence[tuple[Figure, list[Cell]]]", out: Path) -> "list[Produced]":
    from boclust.cli.terminal import compiling, progress
    from boclust.paper.produce import produce

    made = []
    total = sum(len(cells) for _, cells in planned)
    with compiling(), progress("cells", total, every=1) as advance:
        for figure, cells in planned:
            one = produce(figure, out, cells, advance)
            made.append(one)
            click.echo(f"{figure.name}: {one.seconds:.0f} s", err=True)
    return made
