"""The table of a simulation in the forms that others work with."""

import pytest

import boclust
from boclust.simulation.trials import schema

THREE = boclust.Instance([0, 1, 9], 2)


def test_a_data_frame():
    results = boclust.simulate(THREE, ["span", "rr"], [0.1, 0.05], trials=3)
    frame = results.to_pandas()
    assert list(frame.columns) == results.table.column_names
    assert len(frame) == 12
    assert frame.groupby("algorithm").n_samples.count().to_dict() == {"rr": 6, "span": 6}


def test_without_pandas_it_is_said_what_to_do():
    class Table:
        def to_pandas(self):
            raise ModuleNotFoundError("No module named 'pandas'")

    with pytest.raises(ModuleNotFoundError, match="pip install pandas"):
        boclust.Results(Table(), {}).to_pandas()


@pytest.mark.parametrize("confidence", [5, 0, 1, float("nan"), "high"])
def test_confidence_is_a_probability(confidence):
    with pytest.raises(boclust.InvalidInputError, match=r"^confidence must be "):
        boclust.simulate(THREE, ["rr"], [0.1], trials=1).summary(confidence)


def test_a_plot_says_which_runs_did_not_finish():
    instance = boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], n_clusters=3)
    results = boclust.simulate(instance, ["span", "rr"], [0.1, 0.01], trials=3, max_samples=60)
    figure = results.plot()
    note = figure.get_supxlabel()
    assert "Hollow: 6 of 6 runs of rr, 6 of 6 runs of span not finished" in note
    faces = [line.get_markerfacecolor() for line in figure.axes[0].lines]
    assert faces.count("white") == 2
    results = boclust.simulate(boclust.Instance([0, 1, 90], n_clusters=2), ["rr"], [0.1], trials=2)
    assert "finished" not in results.plot().get_supxlabel()


def test_a_plot_says_that_there_is_one_possible_clustering():
    instance = boclust.Instance([0, 1, 9], n_clusters=1)
    results = boclust.simulate(instance, ["rr"], [0.1], trials=2)
    figure = results.plot(bound=boclust.lower_bound(instance))
    assert "only one possible clustering" in figure.get_supxlabel()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"bound": 5}, r"^bound must be a boclust.LowerBound or None, got 5$"),
        ({"title": 5}, r"^title must be a string, got 5$"),
        ({"path": 5.5}, r"^path must be the name of an image file, .*, got 5.5$"),
    ],
)
def test_what_a_plot_does_not_take(arguments, message):
    results = boclust.simulate(boclust.Instance([0, 1, 9], n_clusters=2), ["rr"], [0.1], trials=2)
    with pytest.raises(boclust.InvalidInputError, match=message):
        results.plot(**arguments)


def test_files_that_are_none():
    results = boclust.simulate(boclust.Instance([0, 1, 9], n_clusters=2), ["rr"], [0.1], trials=2)
    with pytest.raises(boclust.InvalidInputError, match=r"^path must be the name of .* None$"):
        results.write(None)
    with pytest.raises(boclust.InvalidInputError, match=r"^folder must be a folder .* got None$"):
        boclust.Results.read(None)


def test_nothing_to_plot():
    with pytest.raises(boclust.InvalidInputError, match=r"^results must be .*, got no runs$"):
        boclust.Results(schema().empty_table(), {}).plot()
