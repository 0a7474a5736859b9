"""MNIST: images of handwritten digits in the IDX files of its publishers."""

import gzip
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boclust._validate import choice
from boclust.datasets.dataset import Dataset
from boclust.datasets.files import checked_path, damaged, unreadable
from boclust.datasets.images import dataset_of_images

_ORIGIN = "the MNIST distribution, yann.lecun.com/exdb/mnist or a mirror of it"
_SOURCE = f"{_ORIGIN}; Y. LeCun, C. Cortes and C. Burges; free to use"
_SPLITS = {"train": ("train",), "test": ("t10k",), "all": ("train", "t10k")}
#: The number at the beginning of an IDX file: its type and number of dimensions.
_MAGIC = {"labels": 2049, "images": 2051}


def mnist(path: Any, dim: int | None = 10, parts: int = 2, split: str = "train") -> Dataset:
    """Load the ten digits, each cut into arms of one cluster.

    Parameters
    ----------
    path:
        The folder of ``train-images-idx3-ubyte.gz``, ``train-labels-idx1-ubyte.gz`` and (for the
        other splits) ``t10k-images-idx3-ubyte.gz``, ``t10k-labels-idx1-ubyte.gz``. The files may
        be unzipped.
    dim:
        Pixels are divided by 255 and projected on the first ``dim`` principal components of the
        images used; None keeps the pixels.
    parts:
        Arms per digit: its images, in the order of the files, are cut into parts of about the same
        size. Two parts give 20 arms "0a", "0b", "1a", ... in 10 clusters.
    split:
        "train" (60,000 images), "test" (10,000) or "all".
    """
    folder = checked_path(path)
    prefixes = _SPLITS[choice("split", split, _SPLITS)]
    read = [_read_set(folder, prefix) for prefix in prefixes]
    images = np.concatenate([images for images, _ in read])
    digits = np.concatenate([labels for _, labels in read])
    return dataset_of_images("MNIST", _SOURCE, images, digits, dim, parts, white=255.0)


def _read_set(folder: Path, prefix: str) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Read the images of the training or test set, and their digits."""
    images_name, labels_name = f"{prefix}-images-idx3-ubyte", f"{prefix}-labels-idx1-ubyte"
    images = _read_idx(folder, images_name, "images")
    labels = _read_idx(folder, labels_name, "labels")
    if len(images) != len(labels):
        got = f"{len(images)} images in {images_name} and {len(labels)} labels in {labels_name}"
        raise damaged(folder, "a folder with as many labels as images", got, _ORIGIN)
    if labels.max() > 9:
        image = int((labels > 9).argmax())
        got = f"the label {labels[image]} for image {image} (byte {8 + image})"
        raise damaged(folder / labels_name, "a file of labels from 0 to 9", got, _ORIGIN)
    return images, labels


def _read_idx(folder: Path, name: str, kind: str) -> NDArray[np.uint8]:
    """Read images (n x rows x columns) or labels (n) from the file ``name`` or ``name.gz``."""
    path = next((p for p in (folder / f"{name}.gz", folder / name) if p.exists()), None)
    expected = f"the {kind} file {name}.gz, or the same file unzipped as {name}"
    if path is None:
        raise damaged(folder / f"{name}.gz", expected, "no such file", _ORIGIN)
    data = _read_bytes(path, expected)
    dims = 3 if kind == "images" else 1
    header = np.frombuffer(data[: 4 * (dims + 1)], dtype=">u4", count=min(dims + 1, len(data) // 4))
    shape = [int(size) for size in header[1:]]
    size = 4 * (dims + 1) + int(np.prod(shape, dtype=object))
    got = ""
    if not data:
        got = "an empty file"
    elif len(header) and (magic := int(header[0])) != _MAGIC[kind]:
        other = next((name for name, number in _MAGIC.items() if number == magic), None)
        got = f"a file that begins with {magic} instead of {_MAGIC[kind]}"
        got = f"a file of {other} (are images and labels swapped?)" if other else got
    elif len(header) < dims + 1:
        got = f"a file that ends at byte {len(data)}, inside its header"
    elif len(data) < size:
        got = f"a file that ends at byte {len(data)} of the {size} that its header announces"
    elif len(data) > size:
        got = f"a file that continues after byte {size}, where it ends according to its header"
    elif 0 in shape:
        got = f"a file without {kind}"
    if got:
        raise damaged(path, expected, got, _ORIGIN)
    return np.frombuffer(data, dtype=np.uint8, offset=4 * (dims + 1)).reshape(shape)


def _read_bytes(path: Path, expected: str) -> bytes:
    """Read all bytes of a file, unzipped."""
    done: list[bytes] = []
    try:
        opener: Any = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rb") as file:
            while chunk := file.read(1 << 16):
                done.append(chunk)
    except gzip.BadGzipFile as error:
        raise damaged(path, expected, f"an invalid gzip file: {error}", _ORIGIN) from None
    except EOFError:
        got = f"a gzip file cut off at byte {path.stat().st_size}"
        raise damaged(path, expected, got, _ORIGIN) from None
    except zlib.error:
        got = f"a gzip file damaged after {sum(map(len, done))} unzipped bytes"
        raise damaged(path, expected, got, _ORIGIN) from None
    except OSError as error:
        raise unreadable(path, expected, error, _ORIGIN) from None
    return b"".join(done)
