"""Named tuples that kernels are handed by reference."""

import copy
import pickle
import sys
from ctypes import addressof, create_string_buffer
from typing import NamedTuple

import numba
import numpy as np
import pytest

from boclust.kernels import kernel
from boclust._reference import _data, by_reference


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


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is laid out")
def test_threads_that_are_the_first_see_the_same_memory():
    """Whoever lays a tuple out second hands over the address of the first."""
    held = outer()
    held.__dict__["_memory"] = memory = create_string_buffer(64)
    assert held.address == addressof(memory)


def test_no_reference_is_kept():
    held = outer()
    before = [sys.getrefcount(array) for array in (held.values, held.inner.values)]
    for _ in range(10):
        total(held)
    assert [sys.getrefcount(array) for array in (held.values, held.inner.values)] == before


@pytest.mark.parametrize("array", [np.zeros(3), np.ones((2, 4), dtype=bool), np.arange(9)[2:]])
def test_the_data_of_an_array(array):
    assert _data(array) == array.ctypes.data


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is laid out")
def test_what_cannot_be_laid_out_is_refused():
    total(outer())  # the first that a process sees says what the types are
    for values in (np.arange(4), np.ones((2, 2)), np.arange(8.0)[::2]):
        with pytest.raises(TypeError, match="C-contiguous array of float64"):
            total(outer()._replace(values=values))


def test_copies_have_memory_of_their_own():
    held = outer()
    total(held)
    for other in (copy.deepcopy(held), pickle.loads(pickle.dumps(held))):
        other.values[:] = 5.0
        assert total(other) == total(held) - held.values.sum() + other.values.sum()
        assert held.values[1] == 1.0


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="types are Numba's")
def test_an_unknown_field_is_refused():
    @kernel
    def unknown(held):
        return held.absent

    with pytest.raises(numba.TypingError, match="absent"):
        unknown(outer())
