"""A study as a picture."""

import numpy as np
import pytest

import boclust


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
    assert "only one possible" in right.texts[0].get_text()


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
