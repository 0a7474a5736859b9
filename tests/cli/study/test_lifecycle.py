"""``boclust study pause | resume | budget | stop | void | correct``."""

import pytest


def test_pause_and_resume(call, study):
    assert "boclust study resume tides" in call("study", "pause", "tides", "--client", "ann").out
    with study() as one:
        assert one.status().state == "paused"
    assert "boclust study ask tides" in call("study", "resume", "tides").out
    with study() as one:
        assert [(e["kind"], e["client"]) for e in one.history(1)] == [
            ("paused", "ann"), ("resumed", None)
        ]  # fmt: skip


def test_budget(call, refused, study):
    with study() as one:
        one.tell("a", 1.0)
    result = call("study", "budget", "tides", "--budget", "1")
    assert "The budget is set. State: ended, the budget is spent." in result.out
    with study() as one:
        assert one.status().state == "budget"
    result = call("study", "budget", "tides", "--budget", "9", "--budget-cost", "20.5")
    assert "State: open." in result.out
    with study() as one:
        assert one.status().state == "open"
        assert (one.status().budget.samples, one.status().budget.cost) == (9, 20.5)
    assert call("study", "budget", "tides", "--none").code == 0
    with study() as one:
        assert one.status().budget.samples is None
    refused("Give --budget, --budget-cost or both; or --none", "study", "budget", "tides")
    refused("or --none", "study", "budget", "tides", "--none", "--budget", "3")
    refused("budget samples", "study", "budget", "tides", "--budget", "0")


def test_stop(call, refused, study):
    refused("Missing option '--reason'", "study", "stop", "tides")
    assert (
        "State: ended, stopped by hand."
        in call("study", "stop", "tides", "--reason", "no funds").out
    )
    with study() as one:
        assert one.status().state == "stopped"
        assert list(one.history())[-1]["payload"]["reason"] == "no funds"


def test_void_and_correct(call, said, study):
    with study() as one:
        one.tell_many([("a", 77.0), ("b", 8.0)])
    result = call("study", "void", "tides", "2", "--reason", "unplugged", "--client", "ann")
    lines = ["Event 2 is voided, by event 4.", "See: boclust study status tides"]
    assert result.out.splitlines() == lines
    assert said("void", "tides", "2", "--reason", "unplugged") == {"event": 4, "target": 2}
    found = said("correct", "tides", "3", "-0.8", "--reason", "decimal point")
    assert found == {"event": 5, "target": 3}
    assert (
        "corrected, by event 6" in call("study", "correct", "tides", 3, "-8", "--reason", "x").out
    )
    with study() as one:
        status = one.status()
        revisions = [(e["kind"], e["client"]) for e in one.history(3)]
    assert revisions == [("voided", "ann"), ("corrected", None), ("corrected", None)]
    assert (status.voided, status.corrected) == (1, 2)
    assert [arm.estimate for arm in status.arms] == [None, [-8.0], None]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["void", "tides", "1", "--reason", "x"], "has no value with number 1"),
        (["void", "tides", "99", "--reason", "x"], "has no value with number 99"),
        (["void", "tides", "0", "--reason", "x"], "event"),
        (["void", "tides", str(10**30), "--reason", "x"], "event"),
        (["void", "tides", "two", "--reason", "x"], "'two' is not a valid integer"),
        (["void", "tides", "2", "--reason", ""], "reason must be text of 1 to 2000 bytes"),
        (["void", "tides", "2"], "Missing option '--reason'"),
        (["correct", "tides", "2", "nan", "--reason", "x"], "value"),
        (["correct", "tides", "2", "1,2", "--reason", "x"], "value"),
        (
            ["correct", "tides", "2", "x", "--reason", "x"],
            "value must be a number, or numbers separated by commas, got 'x'",
        ),
        (["correct", "tides", "1", "1", "--reason", "x"], "has no value with number 1"),
        (["correct", "tides", "3", "1", "--reason", "x"], "event 3 was voided by event 4 already"),
    ],
)
def test_bad_revisions(refused, study, arguments, problem):
    with study() as one:
        one.tell_many([("a", 1.0), ("b", 2.0)])
        one.void(3, "no")
    refused(problem, "study", *arguments)
    with study() as one:
        assert one.status().events == 4
