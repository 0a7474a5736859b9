"""Files that appear whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_UMASK = os.umask(0o077)
os.umask(_UMASK)


@contextmanager
def appearing(path: Path) -> Iterator[Path]:
    """A file to write beside ``path``, which takes its place when all went well.

    It is made at once, so that a folder that cannot be written is found out before any work.
    """
    handle, name = tempfile.mkstemp(".part", f".{path.name}.", path.parent)
    os.close(handle)
    part = Path(name)
    part.chmod(0o666 & ~_UMASK)  # a temporary file is its owner's alone
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
