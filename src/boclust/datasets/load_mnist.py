"""MNIST: handwritten digits in the IDX files of its publishers."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boclust._validate import choice
from boclust.datasets.dataset import Dataset
from boclust.datasets.files import checked_path, damaged
from boclust.datasets.idx import read_idx
from boclust.datasets.images import dataset_of_images

_ORIGIN = "the MNIST distribution, yann.lecun.com/exdb/mnist or a mirror of it"
_SOURCE = f"{_ORIGIN}; Y. LeCun, C. Cortes and C. Burges; free to use"
_SPLITS = {"train": ("train",), "test": ("t10k",), "all": ("train", "t10k")}


def mnist(path: Any, dim: int | None = 10, parts: int = 2, split: str = "train") -> Dataset:
    """The ten digits, each cut into arms that belong together.

    Parameters
    ----------
    path:
        The folder of ``train-images-idx3-ubyte.gz``, ``train-labels-idx1-ubyte.gz`` and (for the
        other splits) ``t10k-images-idx3-ubyte.gz``, ``t10k-labels-idx1-ubyte.gz``; unzipped files
        are taken too.
    dim:
        Pixels are divided by 255 and projected on so many principal components of the images that
        are used; None keeps the pixels.
    parts:
        Arms for each digit: its images in the order of the files, cut into parts of about the same
        size. Two parts are 20 arms "0a", "0b", "1a", ... in 10 clusters.
    split:
        "train" (60,000 images), "test" (10,000) or "all".
    """
    folder = checked_path(path)
    prefixes = _SPLITS[choice("split", split, _SPLITS)]
    read = [_read(folder, prefix) for prefix in prefixes]
    images = np.concatenate([images for images, _ in read])
    digits = np.concatenate([labels for _, labels in read])
    return dataset_of_images("MNIST", _SOURCE, images, digits, dim, parts, white=255.0)


def _read(folder: Path, prefix: str) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The images of one of the two sets and their digits."""
    images_name, labels_name = f"{prefix}-images-idx3-ubyte", f"{prefix}-labels-idx1-ubyte"
    images = read_idx(folder, images_name, "images", _ORIGIN)
    labels = read_idx(folder, labels_name, "labels", _ORIGIN)
    if len(images) != len(labels):
        problem = f"{images_name} has {len(images)} images, {labels_name} {len(labels)} labels"
        raise damaged(folder, problem, "as many labels as images", _ORIGIN)
    if labels.max() > 9:
        where = int((labels > 9).argmax())
        problem = f"byte {8 + where}: the label of image {where} is {labels[where]}"
        raise damaged(folder / labels_name, problem, "labels from 0 to 9", _ORIGIN)
    return images, labels
