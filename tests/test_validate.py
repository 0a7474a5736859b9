"""Messages about what is not accepted: one line, of readable length, in the caller's words."""

import numpy as np
import pytest

import boclust
from boclust._validate import finite_array, shown

MASKED = np.ma.array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])


def test_values_are_shown_on_one_short_line():
    for value in (10**400, 10**5000, [10**5000], MASKED, "a\nb" * 99, np.eye(9)):
        text = shown(value)
        assert "\n" not in text
        assert len(text) < 100


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (None, "x: is None; accepted: numbers"),
        (float("nan"), "x: is nan;"),
        ([1, None], "x: has None at index 1;"),
        ([[1, 2], [float("inf"), 3]], r"x: has inf at index \(1, 0\);"),
        (10**400, "x: has a number that no float can hold;"),
        ([1, "a"], "x: is not made of real numbers"),
        ([[1], [2, 3]], "x: is ragged"),
    ],
)
def test_what_is_no_finite_number_is_shown_as_it_was(value, problem):
    with pytest.raises(boclust.InvalidInputError, match=problem):
        finite_array("x", value, "numbers")


def test_large_whole_numbers_are_numbers():
    assert finite_array("x", [10**30, 1], "numbers").tolist() == [1e30, 1.0]


@pytest.mark.parametrize("value", [0.05, None, [], "0.1", {0.1: 1}, [[0.1]], [1.0], np.array(0.1)])
@pytest.mark.parametrize("function", [boclust.plan, boclust.simulate])
def test_lists_of_deltas(function, value):
    with pytest.raises(boclust.InvalidInputError, match=r"^deltas: "):
        function(boclust.Instance([0, 1, 9], 2), deltas=value)


@pytest.mark.parametrize("value", [None, "rr", [], 3, boclust.Algorithm("rr")])
def test_lists_of_algorithms(value):
    with pytest.raises(boclust.InvalidInputError, match=r"^algorithms: "):
        boclust.simulate(boclust.Instance([0, 1, 9], 2), algorithms=value)


@pytest.mark.parametrize("function", [boclust.plan, boclust.simulate, boclust.lower_bound])
def test_what_is_no_instance_is_shown_shortly(function):
    with pytest.raises(boclust.InvalidInputError, match=r"^instance: is 10+\.\.\.0+; accepted"):
        function(10**400)


def test_numbers_that_kernels_cannot_count_to():
    for option in ("max_samples", "trials"):
        with pytest.raises(boclust.InvalidInputError, match=f"^{option}: is 1000"):
            boclust.simulate(boclust.Instance([0, 1, 9], 2), **{option: 10**21})
