"""What commands show on the terminal: tables, bars, numbers, progress and notes."""

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

    from boclust._validate import InvalidInputError


def console() -> "Console":
    """Return standard output, which highlights nothing and never cuts tables off."""
    from rich.console import Console

    return Console(highlight=False, emoji=False, soft_wrap=True, width=1000)


def screen() -> "Console":
    """Return standard output at the width of the terminal (80 columns without a terminal)."""
    from rich.console import Console

    return Console(highlight=False, emoji=False, markup=False)


def plain(text: str) -> str:
    """Return text on one line that cannot control a terminal: unprintable characters escaped."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def cell(text: str) -> "Text":
    """Make a table cell of text from outside; a column that is not ``no_wrap`` may shorten it."""
    from rich.text import Text

    return Text(plain(text), no_wrap=True, overflow="ellipsis")


def table(*columns: str) -> "Table":
    """Make a plain table; named columns after the first are aligned to the right."""
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE, pad_edge=False)
    for i, column in enumerate(columns):
        made.add_column(column, justify="right" if i and column else "left", no_wrap=True)
    return made


def bar(share: float, width: int = 30) -> str:
    """Draw a share between 0 and 1 as a bar, with a resolution of an eighth of a character."""
    eighths = round(share * width * 8)
    return "█" * (eighths // 8) + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]


def number(value: float) -> str:
    """Write a number with four digits, from a thousand on as ``12,345``; NaN is a dash."""
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
    """Make one row per arm, grouped by cluster if known, with a bar for each amount if given."""
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
    """Show a progress bar on standard error after two seconds, if it is a terminal."""
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
    """Whether Ctrl-C caused the error: inside a kernel, it is raised as a SystemError."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def not_writable(path: Path, error: Exception) -> "InvalidInputError":
    """Make the error for a place that cannot be written."""
    from boclust._validate import invalid

    reason = getattr(error, "strerror", None) or error
    return invalid("out", "a place that can be written", f"{path}: {reason}")


@contextmanager
def replacing(path: Path, force: bool) -> Iterator[Path]:
    """Yield a temporary file that replaces ``path`` if no error occurs.

    An existing file (without ``force``) and a folder that is not writable are refused at once,
    before any work.
    """
    from boclust._files import appearing
    from boclust._validate import invalid

    if path.exists() and not force:
        raise invalid("out", "a new file (--force overwrites)", f"{path}, which exists")
    with ExitStack() as stack:
        try:
            part = stack.enter_context(appearing(path))
        except OSError as error:
            raise not_writable(path, error) from None
        yield part


@contextmanager
def keeping(out: Path, how: str) -> Iterator[None]:
    """Run work that keeps its finished parts in ``out``, and say so if it is interrupted.

    ``how`` names the command that continues. If ``out`` is not writable, the error is one line.
    """
    try:
        yield
    except OSError as error:
        raise not_writable(out, error) from None
    except (KeyboardInterrupt, SystemError) as error:
        if not interrupted(error):
            raise
        click.echo(f"Interrupted. Finished work is kept in {out}; {how} continues it.", err=True)
        raise click.exceptions.Exit(130) from None


@contextmanager
def compiling() -> Iterator[bool]:
    """Announce compilation if the kernel cache is empty; yield whether it will be filled.

    Compiling makes millions of objects that stay, so garbage collection, which would take a tenth
    of the time, is off meanwhile.
    """
    from boclust.kernels import PLAIN, cache_folder

    folder = cache_folder()
    cold = not PLAIN and (folder is None or not any(folder.rglob("*.nbi")))
    if cold:
        kept = "" if folder else " (every time, because no cache folder is writable)"
        click.echo(f"Compiling numerical kernels, about 20 seconds{kept} ...", err=True)
        sys.stderr.flush()
        gc.disable()
    try:
        yield cold and folder is not None
    finally:
        gc.enable()
