"""The problem instance."""

import numpy as np
import pytest

import boclust


def test_the_papers_instance():
    instance = boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], n_clusters=3)
    assert instance.labels.tolist() == [0, 0, 0, 1, 1, 2, 2]
    assert (instance.n_arms, instance.dim) == (7, 1)
    assert (instance.d_intra, instance.d_inter) == (0.5, 1.5)
    assert instance.is_separated
    assert "n_clusters=3" in repr(instance)


def test_means_are_copied_and_cannot_be_changed():
    means = np.array([0.0, 1.0, 3.0])
    instance = boclust.Instance(means, 2)
    means[0] = 9
    assert instance.means[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        instance.means[0, 0] = 1


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        (([0, np.nan], 1), "means"),
        (([0, 1e200], 1), "means"),
        (([[1, 2], [3]], 1), "means"),
        ((None, 1), "means"),
        ((np.array([1j, 2]), 1), "means"),
        (([True, False], 1), "means"),
        (([0, 1], -1), "n_clusters"),
        (([0, 1], "2"), "n_clusters"),
        (([0, 1], 2, "gaussian"), "family"),
        (([0, 1], 2, boclust.Bernoulli()), "means"),
    ],
)
def test_bad_input_names_the_argument(arguments, argument):
    with pytest.raises(boclust.InvalidInputError, match=rf"^{argument} must be .*, got "):
        boclust.Instance(*arguments)
