"""Instances with many arms, and whole runs on them."""

import numpy as np
import pytest

import boclust
from benchmarks import scale


def test_shapes():
    for dim in (2, 10):
        one = scale.blobs(300, dim)
        assert (one.n_arms, one.dim, one.d_intra < one.d_inter) == (300, dim, True)
        assert one.labels.tolist() == [i % 25 for i in range(300)]
        assert scale.chains(100, dim).labels.tolist() == [i // 25 for i in range(100)]


@pytest.mark.slow
@pytest.mark.compiled
def test_whole_runs(monkeypatch):
    instance, rounds = scale.blobs(60, 2, 4), scale.ways(60)["rounds"]
    _, samples = scale.whole_run(instance, rounds)
    assert 1 < samples < 200
    for together in (1, 15):
        assert scale.asked_run(instance, together)[1] == pytest.approx(samples, rel=0.3)
    wrong = property(lambda _: np.zeros(60, dtype=np.int64))
    monkeypatch.setattr(boclust.Instance, "labels", wrong)
    for run, how in ((scale.whole_run, rounds), (scale.asked_run, 15)):
        with pytest.raises(RuntimeError, match="60 arms ended with wrong clusters"):
            run(instance, how)
