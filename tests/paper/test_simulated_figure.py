"""Points, slopes and intervals from trials."""

import numpy as np
import pytest
from scipy.stats import binomtest

import boclust
from boclust.paper.delta_figure import DeltaFigure
from boclust.paper.error_figure import ErrorFigure
from boclust.paper.published import fewest_trials, published
from boclust.paper.simulated_figure import Problem, Series, fixed_size
from boclust.paper.tasks import TaskStore
from boclust.simulation.results import exact_interval
from boclust.sources import Simulated

EASY = boclust.Instance([0, 0.5, 4, 4.5], 2)


class Small(DeltaFigure):
    name = "small"
    title = place = "small"
    measured = (
        Series("span", "span", (1.0, 3.0, 5.0, 7.0, 9.0, 11.0), 9, 9, 4),
        Series("RR", "rr", (1.0, 3.0, 5.0, 7.0, 9.0, 11.0), 9, 9, 9),
    )

    def make_problem(self):
        return Problem(EASY, Simulated(EASY), "easy")

    def statements(self, points, found):
        return []


class SmallError(ErrorFigure):
    name = "small error"
    title = place = "small"
    measured = (
        fixed_size((4, 7, 12), 200, 200, 50),
        Series("RR", boclust.Algorithm("rr", "constant"), (0.02, 0.5, 30.0), 200, 200, 100),
    )

    def make_problem(self):
        return Problem(EASY, Simulated(EASY), "easy")

    def statements(self, points, found):
        return []


def work(figure, tmp_path):
    store = TaskStore(tmp_path)
    return [(task, store.rows(task)) for task in figure.tasks(quick=True)]


def test_blocks_make_up_the_whole(tmp_path):
    figure = Small()
    found = work(figure, tmp_path)
    assert [task.description["trials"] for task, _ in found] == [[0, 4], [4, 8], [8, 9], [0, 9]]
    deltas = [float(np.exp(-x)) for x in figure.measured[0].thresholds]
    whole = boclust.simulate(EASY, ["span"], deltas, 9, seed=2026, max_samples=1_000_000)
    means = [row["mean_samples"] for row in whole.summary()]
    points = [p for p in figure.points(found) if p.series == "span"]
    assert [p.y for p in points] == pytest.approx(means)
    assert [p.trials for p in points] == [9] * 6
    errors = [row["se_samples"] for row in whole.summary()]
    assert [(p.y_high - p.y_low) / 2 / 1.96 for p in points] == pytest.approx(errors)


def test_slope_is_that_of_the_means_of_the_last_five_points(tmp_path):
    figure = Small()
    found = work(figure, tmp_path)
    points = [p for p in figure.points(found) if p.series == "RR"][-5:]
    fitted = np.polyfit([p.x for p in points], [p.y for p in points], 1)[0]
    slope = figure.slope("RR", found)
    assert slope.value == pytest.approx(fitted)
    assert 0 < slope.error < slope.value


def test_bound_on_the_slope_at_equal_proportions(tmp_path):
    """Round robin samples in equal proportions, up to one sample of each arm."""
    figure = Small()
    found = work(figure, tmp_path)
    assert figure.proportions("RR", found) == pytest.approx([0.25] * 4, abs=0.02)
    uniform = 2 / figure.bound.psi_uniform
    assert figure.upper_slope("RR", found) == pytest.approx(uniform, rel=0.05)
    lines = [p for p in figure.points(found) if p.source == "bound"]
    assert [p.y for p in lines] == pytest.approx(
        [figure.bound.samples(float(np.exp(-p.x))) for p in lines]
    )


def test_fixed_size_is_round_robin_cut_off(tmp_path):
    figure = SmallError()
    found = work(figure, tmp_path)
    points = {(p.series, p.threshold): p for p in figure.points(found)}
    fixed = points["FSS", 4]
    assert fixed.y == fixed.y_low == fixed.y_high == 4
    wrong = 0
    for trial in range(200):
        first = boclust.simulate(
            EASY,
            [boclust.Algorithm("rr", "constant")],
            [1e-300],
            range(trial, trial + 1),
            seed=2026,
            max_samples=4,
        )
        wrong += not first.table["correct"][0].as_py()
    assert fixed.errors == wrong
    assert fixed.x == pytest.approx(-np.log(wrong / 200))
    assert ("RR", 30.0) not in points  # no errors: nothing is known of its error rate


@pytest.mark.parametrize(("errors", "trials"), [(0, 10), (3, 10), (10, 10), (17, 4000)])
def test_exact_intervals(errors, trials):
    told = binomtest(errors, trials).proportion_ci(0.95, "exact")
    assert exact_interval(errors, trials) == pytest.approx((told.low, told.high))


def test_another_problem_is_another_task():
    """The words may stay the same: what is sampled counts."""

    class Other(Small):
        def make_problem(self):
            other = boclust.Instance([0, 0.5, 4, 4.6], 2)
            return Problem(other, Simulated(other), "easy")

    ours, theirs = ({task.key for task in figure.tasks(True)} for figure in (Small(), Other()))
    assert not ours & theirs
    assert ours == {task.key for task in Small().tasks(True)}


def test_trials_that_can_give_the_plotted_means():
    """Means of 28 whole numbers, printed to four digits, are found out; 1 is no information."""
    rng = np.random.default_rng(0)
    (example, *_) = published("sd1_tracking", "ATBOC-Gauss")
    for n in (28, 30, 100):
        points = []
        for _ in range(8):
            mean = rng.integers(0, 1000 * n) / n
            points.append(type(example)("f", "s", "x", 0.0, "y", round(mean, 4), None, 4))
        assert n % fewest_trials(points) == 0
    assert fewest_trials(published("sd1_tracking", "ATBOC-Gauss")) == 28
