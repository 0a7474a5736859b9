"""Arms coloured by cluster, on a line, in the plane and as principal components."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

import boclust
from boclust.plots.arms import NAMED
from boclust.plots.style import COLOURS, GREY

PNG = b"\x89PNG\r\n"


def clustering(estimates, labels):
    m = len(estimates)
    return boclust.Clustering(
        None if labels is None else np.array(labels), 10 * m, np.arange(m) + 1,
        np.asarray(estimates, dtype=float), "certified", "as said",
    )  # fmt: skip


def colours(figure):
    return [to_hex(dots.get_facecolor()[0]).upper() for dots in figure.axes[0].collections]


@pytest.mark.parametrize("dim", [1, 2, 3, 20])
def test_colours_are_those_of_the_clusters(dim, rng):
    labels = [0, 1, 0, 2, 7]
    figure = clustering(rng.normal(size=(5, dim)), labels).plot()
    assert colours(figure) == [COLOURS[label % len(COLOURS)].upper() for label in labels]


def test_an_arm_without_sample_is_left_out_and_clusters_unknown():
    figure = clustering([[0.0], [np.nan], [2.0]], None).plot()
    assert colours(figure) == [GREY.upper()] * 2
    assert "in " not in figure.get_suptitle()


def test_names(rng):
    result = clustering([[3.0], [1.0]], [0, 1])
    axes = result.plot(names=["north", "south"]).axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["south", "north"]
    with pytest.raises(ValueError, match=r"names: has 1; accepted: 2 names"):
        result.plot(names=["north"])
    many = clustering(rng.normal(size=(NAMED + 1, 1)), [0] * (NAMED + 1))
    assert len(many.plot().axes[0].get_yticks()) == 0


def test_coincident_arms():
    figure = clustering(np.ones((4, 3)), [0, 0, 1, 1]).plot()
    assert figure.axes[0].get_xlabel() == "principal component 1"


def test_a_path_is_written(tmp_path):
    path = tmp_path / "arms.png"
    clustering([[0.0], [1.0], [9.0]], [0, 0, 1]).plot(path)
    assert path.read_bytes().startswith(PNG)


def test_optimal_shares():
    bound = boclust.lower_bound(boclust.Instance([0, 5, 0.5, 5.5], n_clusters=2))
    axes = bound.plot().axes[0]
    heights = [bar.get_height() for bar in axes.patches]
    assert heights == pytest.approx(bound.weights[[0, 2, 1, 3]])
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0", "2", "1", "3"]
