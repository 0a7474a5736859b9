"""The table of a simulation in the forms that others work with."""

import pytest

import boclust

THREE = boclust.Instance([0, 1, 9], 2)


def test_a_data_frame():
    results = boclust.simulate(THREE, ["span", "rr"], [0.1, 0.05], trials=3)
    frame = results.to_pandas()
    assert list(frame.columns) == results.table.column_names
    assert len(frame) == 12
    assert frame.groupby("algorithm").n_samples.count().to_dict() == {"rr": 6, "span": 6}


def test_without_pandas_it_is_said_what_to_do(monkeypatch):
    class Table:
        def to_pandas(self):
            raise ModuleNotFoundError("No module named 'pandas'")

    results = boclust.simulate(THREE, ["rr"], [0.1], trials=1)
    monkeypatch.setattr(results, "table", Table())
    with pytest.raises(ModuleNotFoundError, match="pip install pandas"):
        results.to_pandas()


@pytest.mark.parametrize("confidence", [5, 0, 1, float("nan"), "high"])
def test_confidence_is_a_probability(confidence):
    with pytest.raises(boclust.InvalidInputError, match=r"^confidence: "):
        boclust.simulate(THREE, ["rr"], [0.1], trials=1).summary(confidence)
