"""What the commands print with: tables, bars, numbers and the note about compiling."""

import gc
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text


def console() -> "Console":
    """Standard output, without guessing what text means and without cutting tables off."""
    from rich.console import Console

    return Console(highlight=False, emoji=False, soft_wrap=True, width=1000)


def screen() -> "Console":
    """Standard output, fitted to the width of the terminal (80 columns where there is none)."""
    from rich.console import Console

    return Console(highlight=False, emoji=False, markup=False)


def plain(text: str) -> str:
    """Text on one line that no terminal obeys: what is not printable is written as an escape."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def cell(text: str) -> "Text":
    """Text of others in a table, where a column that is not ``no_wrap`` may cut it short."""
    from rich.text import Text

    return Text(plain(text), no_wrap=True, overflow="ellipsis")


def table(*columns: str) -> "Table":
    """A plain table; named columns after the first are aligned to the right."""
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE, pad_edge=False)
    for i, column in enumerate(columns):
        made.add_column(column, justify="right" if i and column else "left", no_wrap=True)
    return made


def bar(share: float, width: int = 30) -> str:
    """A bar of eighths of a character for a share between 0 and 1."""
    eighths = round(share * width * 8)
    return "█" * (eighths // 8) + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]


def number(value: float) -> str:
    """Four significant digits, from a thousand on whole with thousands separated; NaN is a dash."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "infinite" if value > 0 else "-infinite"
    if 1000 <= abs(value) < 1e9:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def arm_table(
    labels: Any,
    names: Sequence[str],
    columns: dict[str, list[str]],
    amounts: Any = None,
) -> "Table":
    """A row an arm, grouped by its cluster (where known), with a bar for its amount (if given)."""
    made = table("cluster", "arm", *columns, *([] if amounts is None else [""]))
    made.columns[1].no_wrap = False
    top = 1.0 if amounts is None else max(float(max(amounts)), 1e-300)
    clusters = [-1] * len(names) if labels is None else [int(label) for label in labels]
    last = None
    for a in sorted(range(len(names)), key=lambda a: (clusters[a], a)):
        if last not in (clusters[a], None):
            made.add_section()
        label = "?" if labels is None else str(clusters[a])
        made.add_row(
            "" if clusters[a] == last else label,
            cell(names[a]),
            *(column[a] for column in columns.values()),
            *([] if amounts is None else [bar(float(amounts[a]) / top)]),
        )
        last = clusters[a]
    return made


@contextmanager
def progress(what: str, total: int | None, every: int = 20) -> Iterator[Callable[[], None]]:
    """A bar on standard error for what takes more than two seconds on a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    shown = Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True)
    task = shown.add_task(what, total=total)
    begin = time.monotonic()
    done = 0

    def advance() -> None:
        nonlocal done
        done += 1
        if done % every == 0 and sys.stderr.isatty() and time.monotonic() - begin > 2:
            shown.start()  # does nothing the second time
            shown.update(task, completed=done)

    try:
        yield advance
    finally:
        if shown.live.is_started:
            shown.stop()


def interrupted(error: BaseException | None) -> bool:
    """Whether Ctrl-C is behind it: pressed inside a kernel, it comes out as a SystemError."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


@contextmanager
def replacing(path: Path, force: bool) -> Iterator[Path]:
    """A file to write beside ``path`` that takes its place when all went well.

    An existing file (unless ``force``) and a folder that cannot be written are refused before any
    work is done.
    """
    from boclust._files import appearing
    from boclust._validate import fail

    if path.exists() and not force:
        raise fail("out", f"{path} exists", "another name, or --force")
    with ExitStack() as stack:
        try:
            part = stack.enter_context(appearing(path))
        except OSError as error:
            reason = f"cannot write {path}: {error.strerror}"
            raise fail("out", reason, "a writable place") from None
        yield part


@contextmanager
def keeping(out: Path, how: str) -> Iterator[None]:
    """Work that leaves what is finished in ``out``: said when it is interrupted, with how to go on.

    A place that cannot be written is one line.
    """
    from boclust._validate import fail

    try:
        yield
    except OSError as error:
        reason = f"cannot write {out}: {error.strerror or error}"
        raise fail("out", reason, "a writable place") from None
    except (KeyboardInterrupt, SystemError) as error:
        if not interrupted(error):
            raise
        told = f"Interrupted. What is finished is kept in {out}: {how} goes on from there."
        click.echo(told, err=True)
        raise click.exceptions.Exit(130) from None


@contextmanager
def compiling() -> Iterator[bool]:
    """Say once that kernels are being compiled, where the cache is still empty: it is to be filled.

    Compiling makes millions of objects, most of which stay: to look for garbage among them again
    and again would take a tenth of the time.
    """
    from boclust._jit import cache_directory

    folder = cache_directory()
    cold = folder is None or not any(Path(folder).rglob("*.nbi"))
    if cold:
        kept = "" if folder else " (no cache directory can be written: this happens every time)"
        click.echo(f"Compiling numerical kernels, about 20 seconds{kept} ...", err=True)
        sys.stderr.flush()
        gc.disable()
    try:
        yield cold and folder is not None
    finally:
        gc.enable()
