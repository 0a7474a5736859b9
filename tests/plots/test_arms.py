"""Arms coloured by cluster, on a line, in the plane and as principal components; studies."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.markers import MarkerStyle

import boclust
from boclust.plots.arms import NAMED, draw_shares
from boclust.plots.style import COLOURS, GREY, HATCHES, LEVEL_LINE, MARKERS

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


def outline(shape):
    style = MarkerStyle(shape)
    return style.get_path().transformed(style.get_transform()).vertices.tolist()


def test_clusters_of_one_colour_have_marks_of_their_own(rng):
    labels = list(range(25))
    axes = clustering(rng.normal(size=(25, 2)), labels).plot().axes[0]
    drawn = [dots.get_paths()[0].vertices.tolist() for dots in axes.collections]
    assert drawn == [outline(MARKERS[label // len(COLOURS)]) for label in labels]


def test_an_arm_without_sample_is_left_out_and_clusters_unknown():
    figure = clustering([[0.0], [np.nan], [2.0]], None).plot()
    assert colours(figure) == [GREY.upper()] * 2
    assert "in " not in figure.get_suptitle()


def test_names(rng):
    result = clustering([[3.0], [1.0]], [0, 1])
    axes = result.plot(names=["north", "south"]).axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["south", "north"]
    with pytest.raises(ValueError, match=r"^names\b.*2 names"):
        result.plot(names=["north"])
    many = clustering(rng.normal(size=(NAMED + 1, 1)), [0] * (NAMED + 1))
    assert len(many.plot().axes[0].get_yticks()) == 0


def test_names_that_are_none():
    result = clustering([[3.0], [1.0]], [0, 1])
    for wrong in (5, "ab", {"a", "b"}, b"ab"):
        with pytest.raises(ValueError, match=r"^names\b.*2 names"):
            result.plot(names=wrong)


@pytest.mark.parametrize("dim", [1, 2, 5])
def test_long_names_fit(dim, rng):
    names = [f"the $arm$ of many words in the far north, number {i}" for i in range(NAMED)]
    axes = clustering(rng.normal(size=(NAMED, dim)), [0] * NAMED).plot(names=names).axes[0]
    axes.figure.draw_without_rendering()
    shown = [text.get_text() for text in (axes.get_yticklabels() if dim == 1 else axes.texts)]
    assert len(set(shown)) == NAMED
    assert all("…" in one and len(one) <= 22 for one in shown)  # dollars are written as two


def test_names_above_each_other_do_not_touch(rng):
    axes = clustering(rng.normal(size=(NAMED, 1)), [0] * NAMED).plot().axes[0]
    axes.figure.draw_without_rendering()
    heights = [label.get_window_extent().height for label in axes.get_yticklabels()]
    assert max(heights) < axes.get_window_extent().height / NAMED


def test_a_single_cluster():
    figure = clustering([[3.0], [1.0]], [0, 0]).plot()
    assert figure.get_suptitle() == "2 arms in 1 cluster after 20 samples"


def test_coincident_arms():
    figure = clustering(np.ones((4, 3)), [0, 0, 1, 1]).plot()
    assert figure.axes[0].get_xlabel() == "principal component 1"


def test_a_path_is_written(tmp_path):
    path = tmp_path / "arms.png"
    clustering([[0.0], [1.0], [9.0]], [0, 0, 1]).plot(path)
    assert path.read_bytes().startswith(PNG)


def test_a_path_that_is_none():
    with pytest.raises(ValueError, match=r"^path\b.*the name of an image file"):
        clustering([[0.0], [1.0], [9.0]], [0, 0, 1]).plot(5.5)


def test_bars_of_one_colour_have_hatches_of_their_own():
    axes = Figure().subplots()
    draw_shares(axes, np.full(25, 0.04), list(range(25)))
    assert [bar.get_hatch() or "" for bar in axes.patches] == [
        HATCHES[label // len(COLOURS)] for label in range(25)
    ]


def test_equal_shares_are_dotted_and_named_beside_the_bars():
    axes = boclust.lower_bound(boclust.Instance([0, 5, 0.5, 5.5], n_clusters=2)).plot().axes[0]
    axes.figure.draw_without_rendering()
    (line,) = axes.lines
    assert line._unscaled_dash_pattern == LEVEL_LINE["linestyle"]
    (label,) = axes.texts
    assert label.get_text() == "equal shares"
    assert label.get_window_extent().x0 > axes.get_window_extent().x1


def test_optimal_shares():
    bound = boclust.lower_bound(boclust.Instance([0, 5, 0.5, 5.5], n_clusters=2))
    axes = bound.plot().axes[0]
    heights = [bar.get_height() for bar in axes.patches]
    assert heights == pytest.approx(bound.weights[[0, 2, 1, 3]])
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0", "2", "1", "3"]


@pytest.mark.parametrize("dim", [1, 2, 4])
def test_arms_with_regions_and_the_evidence(dim, rng, tmp_path):
    study = boclust.Study.create(
        f"sqlite:///{tmp_path}/s.db", "tides", ["a", "b", "c"], 2, 0.1, dim
    )
    study.plot()  # before anything is known
    for i in range(30):
        mean = np.full(dim, [0.0, 0.5, 6.0][i % 3])
        study.tell("abc"[i % 3], rng.normal(mean).tolist() if dim > 1 else rng.normal(mean[0]))
    figure = study.plot(tmp_path / "study.png")
    left, right = figure.axes
    assert len(left.collections) == 3
    regions = left.lines if dim == 1 else left.patches
    assert len(regions) == 3
    assert "threshold" in [text.get_text() for text in right.texts]
    assert (tmp_path / "study.png").stat().st_size > 1000
    study.close()


@pytest.mark.parametrize("n_clusters", [1, 3])
def test_one_possible_clustering(n_clusters):
    with boclust.Study.create("sqlite://", f"sole {n_clusters}", 3, n_clusters, 0.1) as study:
        _, right = study.plot().axes
    assert "Only one clustering" in right.texts[0].get_text()


def test_long_names_leave_room_for_the_panels(tmp_path):
    names = [f"{letter} {'which is called so ' * 9}" for letter in "abc"]
    called = "a study of many words " * 9
    with boclust.Study.create(f"sqlite:///{tmp_path}/s.db", called, names, 2, 0.1) as study:
        study.tell_many([(names[i % 3], [0.0, 0.5, 6.0][i % 3]) for i in range(30)])
        figure = study.plot()
    figure.draw_without_rendering()  # a layout that does not fit would warn, which is an error
    whole = figure.bbox
    for text in [figure._suptitle, figure._supxlabel, figure.axes[1].texts[0]]:
        box = text.get_window_extent()
        assert whole.x0 <= box.x0 < box.x1 <= whole.x1
        assert whole.y0 <= box.y0 < box.y1 <= whole.y1
    assert all(axes.get_window_extent().width > 0.25 * whole.width for axes in figure.axes)
