"""MNIST: small files in the format of the publishers, damaged ones, and the real ones."""

import gzip
import struct

import numpy as np
import pytest

import boclust
from boclust.datasets import mnist
from boclust.datasets.images import components
from support.realdata import real_data

IMAGES, LABELS = "train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"


def images_file(images):
    return struct.pack(">4I", 2051, *images.shape) + images.astype(np.uint8).tobytes()


def labels_file(labels):
    return struct.pack(">2I", 2049, len(labels)) + np.asarray(labels, dtype=np.uint8).tobytes()


def pictures(n, seed=0):
    """Every digit a square of its own, with noise; labels in turn."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 10
    images = rng.integers(0, 40, (n, 8, 8))
    images[np.arange(n), labels // 4 * 2, labels % 4 * 2] = 255
    return images, labels


@pytest.fixture
def folder(tmp_path):
    images, labels = pictures(60)
    (tmp_path / IMAGES).write_bytes(gzip.compress(images_file(images)))
    (tmp_path / LABELS).write_bytes(gzip.compress(labels_file(labels)))
    images, labels = pictures(40, seed=1)
    (tmp_path / "t10k-images-idx3-ubyte").write_bytes(images_file(images))
    (tmp_path / "t10k-labels-idx1-ubyte").write_bytes(labels_file(labels))
    return tmp_path


@pytest.mark.parametrize(("split", "each"), [("train", 3), ("test", 2), ("all", 5)])
def test_digits_in_halves(folder, split, each):
    data = mnist(folder, dim=9, split=split)
    assert data.arms == tuple(f"{digit}{half}" for digit in range(10) for half in "ab")
    assert (data.n_clusters, data.dim, data.counts.tolist()) == (10, 9, [each] * 20)
    np.testing.assert_array_equal(data.labels, np.arange(20) // 2)
    assert data.bounds is None
    assert data.family == boclust.SubGaussian(4.0)  # 64 pixels in [0, 1]


def test_pixels_and_other_parts(folder):
    data = mnist(str(folder), dim=None, parts=3)
    assert data.arms[:4] == ("0a", "0b", "0c", "1a")
    images, labels = pictures(60)
    zeros = images[labels == 0].reshape(6, 64) / 255
    np.testing.assert_allclose(np.concatenate(data.records[:3]), zeros)
    assert data.bounds == (0.0, 1.0)
    assert mnist(folder, dim=2, parts=1).arms[9] == "9a"


def test_components_are_those_of_the_singular_values(rng):
    table = rng.normal(size=(9000, 5)) * [3, 1, 5, 0.1, 2]  # more rows than are held at a time
    centred = table - table.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    found = components(table, 3, white=2.0)
    np.testing.assert_allclose(np.abs(found), np.abs(centred @ axes[:3].T) / 2, atol=1e-9)
    np.testing.assert_allclose(found.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_array_equal(np.argsort(-found.var(axis=0)), [0, 1, 2])


def change(folder, name, edit):
    path = folder / name
    path.write_bytes(gzip.compress(edit(gzip.decompress(path.read_bytes()))))


@pytest.mark.parametrize(
    ("name", "edit", "message"),
    [
        (IMAGES, lambda data: b"", "got an empty file"),
        (IMAGES, lambda data: data[:2], "ends at byte 2, inside its header"),
        (IMAGES, lambda data: data[:10], "ends at byte 10, inside its header"),
        (IMAGES, lambda data: data[:-1], "ends at byte 3855 of the 3856 that its header announces"),
        (IMAGES, lambda data: data + b"x", "continues after byte 3856"),
        (IMAGES, lambda data: b"\0\0\x08\x05" + data[4:], "begins with 2053 instead of 2051"),
        (IMAGES, lambda data: struct.pack(">4I", 2051, 0, 8, 8), "a file without images"),
        (
            IMAGES,
            lambda data: labels_file([1, 2]),
            r"must be the images file .*a file of labels .*swapped",
        ),
        (
            LABELS,
            lambda data: images_file(pictures(2)[0]),
            r"must be the labels file .*a file of images .*swapped",
        ),
        (LABELS, lambda data: labels_file(np.arange(59) % 10), "60 images in .* 59 labels"),
        (
            LABELS,
            lambda data: labels_file([0] * 7 + [12] + [1] * 52),
            r"label 12 for image 7 \(byte 15\)",
        ),
        (
            LABELS,
            lambda data: labels_file([0] * 60),
            "parts must be at most 0, the number of images of the digit 1, got 2",
        ),
    ],
)
def test_contents_that_do_not_fit(folder, name, edit, message):
    change(folder, name, edit)
    with pytest.raises(boclust.InvalidInputError, match=message) as told:
        mnist(folder)
    assert str(told.value).startswith("parts") or "MNIST distribution" in str(told.value)


def test_damaged_archives(folder):
    whole = (folder / IMAGES).read_bytes()
    (folder / IMAGES).write_bytes(whole[:-100])
    with pytest.raises(boclust.InvalidInputError, match=f"cut off at byte {len(whole) - 100}"):
        mnist(folder)
    (folder / IMAGES).write_bytes(whole[:40] + b"\xff" * 40 + whole[80:])
    with pytest.raises(boclust.InvalidInputError, match=r"damaged after|an invalid gzip"):
        mnist(folder)
    (folder / IMAGES).write_bytes(whole[:-8] + b"\0" * 4 + whole[-4:])
    with pytest.raises(boclust.InvalidInputError, match="an invalid gzip file: CRC"):
        mnist(folder)
    (folder / IMAGES).write_bytes(gzip.decompress(whole))
    with pytest.raises(boclust.InvalidInputError, match="an invalid gzip file: Not a gzipped"):
        mnist(folder)
    (folder / IMAGES).unlink()
    with pytest.raises(boclust.InvalidInputError, match=r" unzipped .*got no such file .*yann"):
        mnist(folder)
    (folder / IMAGES).mkdir()
    with pytest.raises(boclust.InvalidInputError, match="Is a directory"):
        mnist(folder)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (dict(dim=65), r"^dim\b.* 65"),
        (dict(dim=0), r"^dim\b.* 0"),
        (dict(parts=0), r"^parts\b.* 0"),
        (dict(parts=7), "parts must be at most 6, the number of images of the digit 0, got 7"),
        (dict(split="val"), r"^split\b.*'val'"),
        (dict(path=3), r"^path\b.* 3"),
    ],
)
def test_arguments_that_do_not_fit(folder, options, message):
    with pytest.raises(boclust.InvalidInputError, match=message):
        mnist(**{"path": folder, **options})


@pytest.mark.slow
def test_the_real_files():
    data = mnist(real_data("mnist"))
    assert int(data.counts.sum()) == 60_000
    np.testing.assert_array_equal(data.labels, np.arange(20) // 2)
    instance = data.instance()
    assert instance.d_intra == pytest.approx(0.28, abs=0.005)
    assert instance.d_inter == pytest.approx(1.92, abs=0.005)
    away = np.linalg.norm(data.means[:, None] - data.means, axis=2)
    away[np.arange(20) // 2 == (np.arange(20) // 2)[:, None]] = np.inf
    assert {data.arms[i][0] for i in np.unravel_index(away.argmin(), away.shape)} == {"4", "9"}
    assert data.scale.largest_eigenvalue == pytest.approx(8.2, abs=0.05)
    assert data.scale.mean_variance == pytest.approx(1.58, abs=0.005)
    assert data.family == boclust.SubGaussian(14.0)


def test_the_real_test_set():
    data = mnist(real_data("mnist"), split="test")
    assert int(data.counts.sum()) == 10_000
