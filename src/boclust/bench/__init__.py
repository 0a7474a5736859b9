"""How fast it is, measured: one file a section, each with a function that returns rows.

A section is a module with ``TITLE``, ``NOTE`` (what is measured), ``ACROSS`` (the parameter whose
values become the columns of its table, or None), ``BASELINE`` (whether the NumPy programs are
timed in it) and ``rows(setting)``; its name stands in ``NAMES``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, cast

from boclust._validate import choice

if TYPE_CHECKING:
    from boclust.bench.base import Section

#: In the order of the report.
NAMES = ("setup1", "setup2", "growth", "scale", "studies", "server", "threads", "start", "memory")


def section(name: str) -> "Section":
    """A section by its name.

    >>> section("threads").TITLE
    'Threads'
    """
    return cast("Section", import_module(f"boclust.bench.{choice('only', name, NAMES)}"))
