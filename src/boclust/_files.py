"""Files that appear whole or not at all."""

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Rows = list[dict[str, Any]]


@contextmanager
def appearing(path: Path, first: bool = False) -> Iterator[Path]:
    """A file to write beside ``path``, which takes its place when all went well.

    It is made at once, so that a folder that cannot be written is found out before any work. With
    ``first`` a file that came to be at ``path`` meanwhile stays, and FileExistsError is raised.
    """
    # the random part: another machine, or a process that was killed, may have had the same number
    part = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    part.touch(exist_ok=False)
    try:
        yield part
        if first:
            os.link(part, path)  # unlike a rename, it replaces nothing
        else:
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_rows(path: Path, rows: Rows, what: dict[str, Any]) -> None:
    """Keep rows as Parquet, with a description of what they are."""
    import pyarrow
    from pyarrow import parquet

    table = pyarrow.Table.from_pylist(rows).replace_schema_metadata({"what": json.dumps(what)})
    with appearing(path) as part:
        parquet.write_table(table, part, write_page_checksum=True)


def read_rows(path: Path) -> Rows | None:
    """The rows, or None where there is no such file or it was damaged from outside.

    One thread, by the path: Arrow's threads can outlive what they read, and abort at exit.
    """
    import pyarrow
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path, page_checksum_verification=True) as file:
            rows: Rows = file.read(use_threads=False).to_pylist()
    except (OSError, pyarrow.ArrowException, ValueError):
        return None
    return rows
