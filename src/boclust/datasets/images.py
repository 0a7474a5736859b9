"""Arms from images of digits: principal components, and each digit cut into parts."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boclust._validate import FloatArray, integer, invalid
from boclust.datasets.dataset import Dataset
from boclust.datasets.scale import subgaussian_of_width

_CHUNK = 8192  # images held in double precision at a time


def dataset_of_images(
    name: str,
    source: str,
    images: NDArray[Any],
    digits: NDArray[Any],
    dim: int | None,
    parts: int,
    white: float,
) -> Dataset:
    """Make arms "0a", "0b", "1a", ... of images (n x rows x columns) with values in [0, white]."""
    flat = images.reshape(len(images), -1)
    pixels = flat.shape[1]
    points = (
        flat / white if dim is None else components(flat, integer("dim", dim, 1, pixels), white)
    )
    names, records = _parts(points, digits, integer("parts", parts, 1, 26))
    projected = "" if dim is None else ", and the components are a projection of them"
    return Dataset(
        name=name,
        arms=names,
        records=records,
        n_clusters=10,
        family=subgaussian_of_width(1.0, pixels),
        reason=f"each of the {pixels} pixels lies in [0, 1]{projected}",
        bounds=(0.0, 1.0) if dim is None else None,
        source=source,
        caveats=() if dim is None else (_fitted(dim),),
    )


def _fitted(dim: int) -> str:
    return (
        f"The {dim} principal components were fitted on all images used: "
        "they are the same for every arm and known before the first sample."
    )


def components(images: NDArray[Any], dim: int, white: float = 1.0) -> FloatArray:
    """Return the first ``dim`` principal components of centred rows, divided by ``white``.

    The largest entry of each axis is positive, so that results agree between machines.

    >>> components(np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]]), 1).round(6).ravel().tolist()
    [-5.0, 0.0, 5.0]
    """
    from scipy.linalg import eigh

    size, pixels = images.shape
    starts = range(0, size, _CHUNK)
    center = images.mean(axis=0, dtype=np.float64)
    scatter = np.zeros((pixels, pixels))
    for start in starts:
        chunk = images[start : start + _CHUNK] - center
        scatter += chunk.T @ chunk
    _, axes = eigh(scatter, subset_by_index=(pixels - dim, pixels - 1))
    axes = axes[:, ::-1]
    axes *= np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(dim)])
    found = [(images[start : start + _CHUNK] - center) @ (axes / white) for start in starts]
    return np.concatenate(found)


def _parts(
    points: FloatArray, digits: NDArray[Any], parts: int
) -> tuple[tuple[str, ...], list[FloatArray]]:
    """Cut the images of each digit, in their order, into parts of about the same size."""
    sizes = np.bincount(digits, minlength=10)
    if sizes.min() < parts:
        limit = f"at most {sizes.min()}, the number of images of the digit {sizes.argmin()}"
        raise invalid("parts", limit, parts)
    letters = "abcdefghijklmnopqrstuvwxyz"[:parts]
    names = tuple(f"{digit}{letter}" for digit in range(10) for letter in letters)
    kept = (np.array_split(points[digits == digit], parts) for digit in range(10))
    return names, [part for cut in kept for part in cut]
