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
