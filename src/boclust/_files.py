"""Files that appear whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def appearing(path: Path) -> Iterator[Path]:
    """A file to write beside ``path``, which takes its place when all went well.

    It is made at once, so that a folder that cannot be written is found out before any work.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.touch(exist_ok=False)
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
