"""Pieces of work that are done once: each is kept in a file named by all that it depends on."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from boclust._files import appearing

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
        import pyarrow
        from pyarrow import parquet

        path = self.path(cell)
        try:
            return _read(path)
        except FileNotFoundError:
            pass
        except (OSError, pyarrow.ArrowException, ValueError):  # damaged: worked out anew
            path.unlink(missing_ok=True)
        table = pyarrow.Table.from_pylist(cell.work())
        table = table.replace_schema_metadata({"what": json.dumps(cell.what)})
        path.parent.mkdir(parents=True, exist_ok=True)
        with appearing(path) as part:
            parquet.write_table(table, part, write_page_checksum=True)
        return _read(path)


def _read(path: Path) -> Rows:
    """One thread, by the path: Arrow's threads can outlive what they read, and abort at exit."""
    from pyarrow import parquet

    with parquet.ParquetFile(path, page_checksum_verification=True) as file:
        rows: Rows = file.read(use_threads=False).to_pylist()
    return rows
