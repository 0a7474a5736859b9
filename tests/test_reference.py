"""Named tuples that kernels are handed by reference."""

import sys
from typing import NamedTuple

import numba
import numpy as np
import pytest

from boclust._jit import kernel, pointer
from boclust._reference import by_reference


class Inner(NamedTuple):
    """A part of ``Outer``."""

    values: np.ndarray


@by_reference
class Outer(NamedTuple):
    """What the kernels of this module are handed."""

    number: int
    values: np.ndarray
    inner: Inner


def outer(number=3, size=4):
    return Outer(number, np.arange(float(size)), Inner(np.ones((2, size))))


@kernel
def total(held):
    """Reads every field and writes one."""
    held.values[0] = held.number
    return held.values.sum() + held.inner.values[1, -1] + held.inner.values.shape[1]


@kernel
def called(function, held):
    return function(held) + held.number


def test_kernels_see_and_change_the_fields():
    for held in (outer(), outer(7, 9)):
        expected = held.number + held.values.sum() + 1.0 + held.values.size
        assert total(held) == expected
        assert held.values[0] == held.number


def test_pointers_take_references():
    held = outer()
    assert called(pointer(total, 0.0, held), held) == total(held) + held.number


def test_no_reference_is_kept():
    held = outer()
    before = [sys.getrefcount(array) for array in (held.values, held.inner.values)]
    for _ in range(10):
        total(held)
    assert [sys.getrefcount(array) for array in (held.values, held.inner.values)] == before


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="types are Numba's")
def test_an_unknown_field_is_refused():
    @kernel
    def unknown(held):
        return held.absent

    with pytest.raises(numba.TypingError, match="absent"):
        unknown(outer())
