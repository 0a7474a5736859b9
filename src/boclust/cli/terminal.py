"""What the commands print with: tables, bars, numbers and the note about compiling."""

import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def console() -> "Console":
    """Standard output, without guessing what text means."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)


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
    """Four significant digits; whole numbers with thousands separated."""
    if math.isinf(value):
        return "infinite" if value > 0 else "-infinite"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}"


@contextmanager
def compiling() -> Iterator[None]:
    """Say once that kernels are being compiled, where the cache is still empty."""
    from boclust._jit import cache_directory

    folder = cache_directory()
    cold = folder is None or not any(Path(folder).rglob("*.nbi"))
    if cold:
        kept = "" if folder else " (no cache directory can be written: this happens every time)"
        click.echo(f"Compiling numerical kernels, about half a minute{kept} ...", err=True)
        sys.stderr.flush()
    yield
