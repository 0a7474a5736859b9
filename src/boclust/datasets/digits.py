"""The small images of handwritten digits that come with scikit-learn."""

import numpy as np

from boclust.datasets.dataset import Dataset
from boclust.datasets.images import dataset_of_images

_SOURCE = (
    "scikit-learn (extra 'datasets'), a copy of the test set of the UCI repository's "
    "'Optical Recognition of Handwritten Digits'; CC BY 4.0"
)


def digits(parts: int = 2, dim: int | None = None) -> Dataset:
    """Load 1,797 images of 8 x 8 pixels, each digit cut into ``parts`` arms of one cluster.

    Nothing is downloaded, but scikit-learn must be installed. Pixels are divided by 16, and
    projected on ``dim`` principal components unless ``dim`` is None. See
    ``boclust.datasets.mnist``.

    >>> found = digits(dim=2)
    >>> len(found.arms), found.arms[:3]
    (20, ('0a', '0b', '1a'))
    """
    try:
        from sklearn.datasets import load_digits
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "boclust.datasets.digits needs scikit-learn: pip install 'boclust[datasets]'",
            name=error.name,
        ) from None
    found = load_digits()
    target = np.asarray(found.target, dtype=np.int64)
    return dataset_of_images("Digits", _SOURCE, found.images, target, dim, parts, white=16.0)
