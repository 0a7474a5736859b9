"""``boclust study void`` and ``correct``."""

import pytest


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
        (["void", "tides", "0", "--reason", "x"], "event: is 0"),
        (["void", "tides", str(10**30), "--reason", "x"], "event: is 1000"),
        (["void", "tides", "two", "--reason", "x"], "'two' is not a valid integer"),
        (["void", "tides", "2", "--reason", ""], "reason: has 0 bytes"),
        (["void", "tides", "2"], "Missing option '--reason'"),
        (["correct", "tides", "2", "nan", "--reason", "x"], "value: is nan"),
        (["correct", "tides", "2", "1,2", "--reason", "x"], "value: has 2 numbers"),
        (["correct", "tides", "2", "x", "--reason", "x"], "value: is 'x'"),
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
