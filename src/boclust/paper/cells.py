"""Pieces of work that are done once: each is kept in a file named by all that it depends on."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from boclust._files import read_table, write_table

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Cell:
    """A piece of work: what it is, in words and numbers, and how it is done.

    Figures that need the same piece share it.
    """

    what: dict[str, Any]
    work: Callable[[], Rows]

    @cached_property
    def key(self) -> str:
        """A hash of what it is, of the version and of the kernels that would do it."""
        from boclust import __version__
        from boclust._jit import sources_hash

        told = json.dumps([self.what, __version__, sources_hash()], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:20]


class Store:
    """Finished cells in a folder. A file appears there whole or not at all, whatever happens."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, cell: Cell) -> Path:
        """Where the cell is kept."""
        return self.folder / f"{cell.key}.parquet"

    def rows(self, cell: Cell) -> Rows:
        """What the cell found: read, or worked out now and kept."""
        path = self.path(cell)
        found = read_table(path)
        if found is None:
            import pyarrow

            path.parent.mkdir(parents=True, exist_ok=True)
            write_table(path, pyarrow.Table.from_pylist(cell.work()), cell.what)
            found = read_table(path)
            assert found is not None
        rows: Rows = found.to_pylist()
        return rows
