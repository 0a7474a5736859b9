"""The IDX format of the MNIST files, plain or compressed by gzip."""

import gzip
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boclust.datasets.files import damaged, unreadable

_KINDS = {2049: "labels", 2051: "images"}  # the number a file begins with: dimensions and type


def read_idx(folder: Path, name: str, kind: str, origin: str) -> NDArray[np.uint8]:
    """The images (n x rows x columns) or labels (n) of the file ``name`` or ``name.gz``."""
    path = next((p for p in (folder / f"{name}.gz", folder / name) if p.exists()), None)
    expected = f"the {kind} file {name}.gz, or the same unzipped as {name}"
    if path is None:
        raise damaged(folder / f"{name}.gz", "is not there", expected, origin)
    data = _content(path, expected, origin)
    if not data:
        raise damaged(path, "is empty", expected, origin)
    dims = 3 if kind == "images" else 1
    header = np.frombuffer(data[: 4 * (dims + 1)], dtype=">u4", count=min(dims + 1, len(data) // 4))
    if len(header):
        _check_kind(path, int(header[0]), kind, expected, origin)
    shape = [int(size) for size in header[1:]]
    told = 4 * (dims + 1) + int(np.prod(shape, dtype=object))
    if len(header) < dims + 1 or len(data) < told:
        wanted = f" of the {told} that its header tells" if len(header) > dims else ""
        raise damaged(path, f"ends at byte {len(data)}{wanted}", expected, origin)
    if len(data) > told:
        problem = f"goes on at byte {told}, where its header says that it ends"
        raise damaged(path, problem, expected, origin)
    if 0 in shape:
        raise damaged(path, f"byte 4: holds no {kind}", expected, origin)
    return np.frombuffer(data, dtype=np.uint8, offset=4 * (dims + 1)).reshape(shape)


def _check_kind(path: Path, magic: int, kind: str, expected: str, origin: str) -> None:
    found = _KINDS.get(magic)
    if found is None:
        wanted = next(number for number, name in _KINDS.items() if name == kind)
        problem = f"byte 0: begins with {magic}, not with the {wanted} of {kind}"
        raise damaged(path, problem, expected, origin)
    if found != kind:
        problem = f"byte 0: holds {found}, not {kind} (are images and labels swapped?)"
        raise damaged(path, problem, expected, origin)


def _content(path: Path, expected: str, origin: str) -> bytes:
    """All bytes, unzipped."""
    done: list[bytes] = []
    try:
        opener: Any = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rb") as file:
            while chunk := file.read(1 << 16):
                done.append(chunk)
    except gzip.BadGzipFile as error:
        raise damaged(path, f"is no sound gzip file: {error}", expected, origin) from None
    except EOFError:
        problem = f"is cut off at byte {path.stat().st_size}"
        raise damaged(path, problem, expected, origin) from None
    except zlib.error:
        problem = f"is damaged after {sum(map(len, done))} unzipped bytes"
        raise damaged(path, problem, expected, origin) from None
    except OSError as error:
        raise unreadable(path, error, expected, origin) from None
    return b"".join(done)
