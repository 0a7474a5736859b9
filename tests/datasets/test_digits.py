"""Scikit-learn's digits, and what is said where it is missing."""

import os
import sys

import numpy as np
import pytest

import boclust
from boclust.datasets import digits


@pytest.fixture
def _scikit_learn():
    if not os.environ.get("CI"):
        pytest.importorskip("sklearn", reason="needs the extra 'datasets'")


@pytest.mark.usefixtures("_scikit_learn")
@pytest.mark.parametrize("dim", [None, 10])
def test_digits_in_halves(dim):
    data = digits(dim=dim)
    assert (len(data.arms), data.n_clusters, data.dim) == (20, 10, dim or 64)
    assert int(data.counts.sum()) == 1797
    np.testing.assert_array_equal(data.labels, np.arange(20) // 2)
    assert data.family == boclust.SubGaussian(4.0)
    assert data.bounds == ((0.0, 1.0) if dim is None else None)
    if dim is None:
        assert max(array.max() for array in data.records) == 1


@pytest.mark.usefixtures("_scikit_learn")
def test_more_parts():
    assert digits(parts=3).arms[:4] == ("0a", "0b", "0c", "1a")
    with pytest.raises(boclust.InvalidInputError, match=r"^dim\b.* 65"):
        digits(dim=65)


def test_without_scikit_learn(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'boclust\[datasets\]'"):
        digits()
