"""Write files that appear whole or not at all."""

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def appearing(path: Path, first: bool = False) -> Iterator[Path]:
    """Yield a temporary file in the same folder; it becomes ``path`` if no exception is raised.

    The file is created at once, so a folder that is not writable fails before any work. With
    ``first``, a file that has meanwhile appeared at ``path`` stays, and FileExistsError is raised.
    """
    # Process ids repeat between machines and after a kill: add a random part
    part = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    part.touch(exist_ok=False)
    try:
        yield part
        if first:
            os.link(part, path)  # fails if path exists, unlike a rename
        else:
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_table(path: Path, table: Any, what: dict[str, Any]) -> None:
    """Write an Arrow table as Parquet, with a description of what it holds as metadata."""
    from pyarrow import parquet

    described = table.replace_schema_metadata({"what": json.dumps(what)})
    with appearing(path) as part:
        parquet.write_table(described, part, write_page_checksum=True)


def read_table(path: Path) -> Any | None:
    """The Arrow table of a file, or None if the file is missing or damaged.

    Reads in one thread: threads of Arrow can outlive the file and abort the interpreter at exit.
    """
    import pyarrow
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path, page_checksum_verification=True) as file:
            return file.read(use_threads=False).replace_schema_metadata()
    except (OSError, pyarrow.ArrowException, ValueError):
        return None
