"""Errors about arguments: one line, of readable length."""

import numpy as np
import pytest

import boclust
from boclust._validate import (
    choice,
    clusters,
    error_probabilities,
    finite_array,
    integer,
    means_matrix,
    real,
    several,
    shown,
    weights_vector,
    whole_numbers,
    words,
)

MASKED = np.ma.array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])


def test_values_are_shown_on_one_short_line():
    for value in (10**400, 10**5000, [10**5000], MASKED, "a\nb" * 99, np.eye(9)):
        text = shown(value)
        assert "\n" not in text
        assert len(text) < 100


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (None, "None"),
        (float("nan"), "nan"),
        ([1, None], "None at index 1"),
        ([[1, 2], [float("inf"), 3]], "inf at index (1, 0)"),
        (10**400, "an integer too large for a float"),
        ([1, "a"], "values of type <U21"),
        ([[1], [2, 3]], "rows of different lengths or other objects"),
        ("12", "'12'"),
        ({1: 2}, "{1: 2}"),
        (MASKED, "a masked array"),
    ],
)
def test_what_is_no_finite_number_is_shown_as_it_was(value, problem):
    with pytest.raises(boclust.InvalidInputError) as caught:
        finite_array("x", value, "numbers")
    assert str(caught.value) == f"x must be numbers, got {problem}"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: clusters(9, 7), "n_clusters must be an integer from 1 to 7, got 9"),
        (lambda: integer("n", 1.0, 1), "n must be an integer >= 1, got 1.0"),
        (lambda: integer("n", True, 1), "n must be an integer >= 1, got True"),
        (lambda: real("delta", 1.5, 0, 1), "delta must be between 0 and 1, got 1.5"),
        (lambda: real("delta", 1, 0, 1), "delta must be strictly between 0 and 1, got 1.0"),
        (lambda: real("delta", "1", 0, 1), "delta must be between 0 and 1, got '1'"),
        (
            lambda: choice("algorithm", "spam", ["span", "rr"]),
            "algorithm must be one of 'span', 'rr', got 'spam' (did you mean 'span'?)",
        ),
        (lambda: choice("algorithm", 3, ["span"]), "algorithm must be one of 'span', got 3"),
        (lambda: several("x", [], "a list"), "x must be a list, got an empty list"),
        (lambda: several("x", "ab", "a list"), "x must be a list, got 'ab'"),
        (lambda: words("names", "ab", 2, "2 names"), "names must be 2 names, got 'ab'"),
        (lambda: words("names", ["a"], 2, "2 names"), "names must be 2 names, got 1"),
        (lambda: error_probabilities([0.1, 2]), "deltas must be between 0 and 1, got 2.0"),
        (
            lambda: whole_numbers("steps", [0.5]),
            "steps must be a one-dimensional array of integers, got 1 dimensions and type float64",
        ),
        (
            lambda: means_matrix([1.0]),
            "means must be at least 2 finite numbers, or a table of finite numbers with one row "
            "per arm, got shape (1, 1)",
        ),
        (lambda: means_matrix([1, -1e70]), "means must be at most 1e+60 in size, got 1e+70"),
        (
            lambda: weights_vector([1, -2], 2),
            "weights must be 2 finite numbers >= 0, one per arm, not all zero, got -2 for arm 1",
        ),
        (
            lambda: weights_vector([1, 1e70], 2),
            "weights must be at most 1e+60, got 1e+70 for arm 1",
        ),
    ],
)
def test_one_line_says_what_must_be_and_what_was_given(call, message):
    with pytest.raises(boclust.InvalidInputError) as caught:
        call()
    assert str(caught.value) == message


def test_large_whole_numbers_are_numbers():
    assert finite_array("x", [10**30, 1], "numbers").tolist() == [1e30, 1.0]


@pytest.mark.parametrize("value", [0.05, None, [], "0.1", {0.1: 1}, [[0.1]], [1.0], np.array(0.1)])
@pytest.mark.parametrize("function", [boclust.plan, boclust.simulate])
def test_lists_of_deltas(function, value):
    with pytest.raises(boclust.InvalidInputError, match=r"^deltas must be "):
        function(boclust.Instance([0, 1, 9], 2), deltas=value)


@pytest.mark.parametrize("value", [None, "rr", [], 3, boclust.Algorithm("rr")])
def test_lists_of_algorithms(value):
    with pytest.raises(boclust.InvalidInputError, match=r"^algorithms must be "):
        boclust.simulate(boclust.Instance([0, 1, 9], 2), algorithms=value)


@pytest.mark.parametrize("function", [boclust.plan, boclust.simulate, boclust.lower_bound])
def test_what_is_no_instance_is_shown_shortly(function):
    with pytest.raises(boclust.InvalidInputError, match=r"^instance must be .*, got 10+\.\.\.0+$"):
        function(10**400)


def test_numbers_that_kernels_cannot_count_to():
    for option in ("max_samples", "trials"):
        with pytest.raises(
            boclust.InvalidInputError, match=f"^{option} must be an integer from .*, got 1000"
        ):
            boclust.simulate(boclust.Instance([0, 1, 9], 2), **{option: 10**21})
