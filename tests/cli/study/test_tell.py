"""``boclust study ask`` and ``tell``, as people and as shell scripts use them."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import boclust
from support.processes import PATIENCE, command_line

# --- asking -----------------------------------------------------------------------------------


def test_to_ask_again_is_harmless(call, said, study):
    first = said("ask", "tides", "--client", "ann")
    assert first == said("ask", "tides", "--client", "ann")
    assert first["study"] == "tides"
    (ask,) = first["asks"]
    assert (ask["arm"], ask["name"], ask["client"]) == (0, "a", "ann")
    text = call("study", "ask", "tides", "--client", "ann").out.splitlines()
    assert text[0].startswith("Sample a (arm 0), until 20")
    assert text[1] == f"Then: boclust study tell tides --ask {ask['id']} VALUE"
    more = said("ask", "tides", "--client", "ann", "--count", 3)["asks"]
    assert [one["name"] for one in more] == ["a", "b", "c"]
    table = call("study", "ask", "tides", "--client", "ann", "--count", 3).out
    assert all(one["id"] in table for one in more)
    assert "Then, for each: boclust study tell tides --ask ID VALUE" in table
    assert said("ask", "tides")["asks"][0]["client"] is None


def test_why_nothing_is_asked_for(call, study):
    def ask(code, problem):
        result = call("study", "ask", "tides", "--json")
        assert (result.code, result.out) == (code, "")
        assert problem in result.err
        assert result.err.count("\n") == 1

    with study() as one:
        one.pause()
        ask(4, "is paused: resume it to ask (boclust study resume)")
        one.resume()
        one.change_budget(1)
        held = one.ask()
        ask(4, "they fill its round or its budget (boclust study status lists the pending asks)")
        one.tell(held, 1.0)
        ask(3, "has ended: its budget is spent (see boclust study status")


def test_bad_asks(refused, study):
    refused("n", "study", "ask", "tides", "--count", "0")
    refused("client must be text of 1 to 2000 bytes", "study", "ask", "tides", "--client", "")
    refused("Missing argument 'STUDY'", "study", "ask")
    refused("No such option", "study", "ask", "tides", "--clint", "ann")


# --- telling ----------------------------------------------------------------------------------


def test_tell_an_ask(call, said, told, study):
    (ask,) = said("ask", "tides")["asks"]
    result = call("study", "tell", "tides", "--ask", ask["id"], "-1.5e-1", "--client", "ann")
    assert (result.code, result.err) == (0, "")
    lines = ["Recorded as event 3.", "Next: boclust study ask tides --client ann"]
    assert result.out.splitlines() == lines
    again = said("tell", "tides", "--ask", ask["id"], "-0.15")
    assert again == {"events": [3], "ended": None}
    assert told() == [("a", -0.15)]


@pytest.mark.parametrize("arm", ["b", "1", " b "])
def test_tell_an_arm(call, told, study, arm):
    more = ["--key", 'k "1"', "--metadata", '{"by": "hand"}']
    for _ in range(2):
        assert call("study", "tell", "tides", "--arm", arm, "0.5", *more).code == 0
    assert told() == [("b", 0.5)]
    with study() as one:
        assert list(one.history())[-1]["payload"] == {"by": "hand"}


def test_names_go_before_numbers(call, url):
    boclust.Study.create(url, "tides", ["1", "0", "x"], 2, 0.1).close()
    for arm in ("1", "0", "2"):
        assert call("study", "tell", "tides", "--arm", arm, "5").code == 0
    with boclust.Study.open(url, "tides") as study:
        assert [e["arm"] for e in study.history(1)] == ["1", "0", "x"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--arm", "a", "nan"], "nan"),
        (["--arm", "a", "-inf"], "inf"),
        (
            ["--arm", "a", "one"],
            "value must be a number, or numbers separated by commas, got 'one'",
        ),
        (["--arm", "a", ""], "got ''"),
        (["--arm", "a", "1_0"], "got '1_0'"),
        (["--arm", "a", "1,2"], "value"),
        (["--arm", "a", "1,"], "got '1,'"),
        (["--arm", "a", "9007199254740993"], "which a float rounds"),
        (["--arm", "a", "9" * 5000], "got '999"),
        (["--arm", "a", "1e61"], "numbers up to 1e+60"),
        (
            ["--arm", "z\n", "1"],
            "arm must be the name ('a', 'b', 'c') or number of an arm, got 'z\\n'",
        ),
        (["--arm", "3", "1"], "from 0 to 2"),
        (["--arm", "-1", "1"], "got '-1'"),
        (["--arm", "a", "2", "--key", "k"], "the key 'k' was used by event 2"),
        (["--arm", "b", "1", "--key", "k"], "the key 'k' was used by event 2"),
        (["--arm", "a", "1", "--key", ""], "key must be text of 1 to 2000 bytes"),
        (["--arm", "a", "1", "--metadata", "{'x'}"], "metadata must be a JSON object, got"),
        (["--arm", "a", "1", "--metadata", "[1]"], "metadata must be a mapping of JSON values"),
        (
            ["--arm", "a", "1", "--metadata", '{"x": NaN}'],
            "metadata must be a mapping of JSON values",
        ),
        (
            ["--arm", "a", "1", "--metadata", "[" * 100_000],
            "metadata must be a JSON object, got one that is too deep",
        ),
        (["--ask", "zz-1", "1"], "has no ask 'zz-1'"),
        (["1"], "Give a VALUE and either --ask or --arm"),
        (["--arm", "a"], "Give a VALUE and either --ask or --arm"),
        (["--arm", "a", "--ask", "b", "1"], "Give a VALUE and either --ask or --arm"),
        (["--arm", "a", "1", "--from", "-"], "Use --from without"),
        (["--arm", "a", "1", "--kye", "k"], "unexpected extra argument"),
        (["--from", "none.jsonl"], "none.jsonl"),
    ],
)
def test_bad_values(refused, told, study, arguments, problem):
    with study() as one:
        one.tell("a", 1.0, key="k")
    refused(problem, "study", "tell", "tides", *arguments)
    assert told() == [("a", 1.0)]


def test_vectors(call, refused, url):
    boclust.Study.create(url, "tides", ["a", "b", "c"], 2, 0.1, dim=2).close()
    assert call("study", "tell", "tides", "--arm", "a", "-1,2.5").code == 0
    refused("value", "study", "tell", "tides", "--arm", "a", "1")
    with boclust.Study.open(url, "tides") as study:
        assert [e["value"] for e in study.history(1)] == [[-1.0, 2.5]]


# --- many at once -----------------------------------------------------------------------------


def test_many_from_standard_input(call, said, told, study):
    (ask,) = said("ask", "tides")["asks"]
    lines = [
        {"ask": ask["id"], "value": 1},
        {"arm": "b", "value": 0.5, "key": "k", "metadata": {"x": 1}},
        {"arm": 2, "value": [2.5]},
    ]
    text = "\n\n".join(map(json.dumps, lines))
    assert said("tell", "tides", "--from", "-", stdin=text)["events"] == [3, 4, 5]
    assert told() == [("a", 1.0), ("b", 0.5), ("c", 2.5)]
    Path("lines.jsonl").write_text(json.dumps(lines[1]))
    result = call("study", "tell", "tides", "--from", "lines.jsonl")
    assert result.out.startswith("Recorded: 1 value.\n")
    assert len(told()) == 3


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"arm": "z", "value": 1}', "Error: line 3: arm must be"),
        ('{"arm": "a", "value": NaN}', "Error: line 3: value"),
        ('{"arm": "a", "value": true}', "Error: line 3: value"),
        ('{"arm": "a", "value": 9007199254740993}', "Error: line 3: value"),
        ('{"arm": "a", "value": 2, "key": "k"}', "Error: line 3: the key 'k' was used"),
        ('{"ask": "zz-1", "value": 2}', "Error: line 3: the study 'tides' has no ask"),
        ('{"arm": "a"}', "Error: line 3: observation must be a mapping with value"),
        ("[1, 2, 3, 4]", "Error: line 3: observation must be (ask or arm, value)"),
        ("{", "Error: line 3 must be a JSON object, got '{'"),
    ],
)
def test_all_lines_or_none(refused, told, study, line, problem):
    good = '{"arm": "a", "value": 1, "key": "k"}\n\n'
    refused(problem, "study", "tell", "tides", "--from", "-", stdin=good + line)
    assert told() == []


def test_nothing_on_standard_input(refused, study):
    refused(
        "from must be one JSON object per line", "study", "tell", "tides", "--from", "-", stdin="\n"
    )


def test_a_file_that_is_no_text(refused, study):
    Path("x.jsonl").write_bytes(b'{"arm": "\xff"}')
    refused("from must be JSON lines in UTF-8", "study", "tell", "tides", "--from", "x.jsonl")


# --- to the end -------------------------------------------------------------------------------


@pytest.mark.compiled
def test_a_loop_of_ask_and_tell(call, said, study, rng):
    """Until exit code 3, like a shell script; compared with a learner on the same values."""
    learner = boclust.Learner(3, 2, 0.1)
    values = rng.normal(size=1000)
    for i in range(len(values)):
        asked = call("study", "ask", "tides", "--client", "robot", "--json")
        if asked.code == 3:
            break
        (ask,) = json.loads(asked.out)["asks"]
        assert ask["arm"] == learner.ask()
        value = values[i] + [0, 0.3, 9][ask["arm"]]
        learner.tell(ask["arm"], value)
        ended = said("tell", "tides", "--ask", ask["id"], repr(float(value)))["ended"]
        assert ended == ("certified" if learner.done else None)
    assert "its clusters are certified" in asked.err
    status = said("status", "tides")
    assert status["clusters"] == [["a", "b"], ["c"]]
    assert status["samples"] == learner.n_samples == i
    assert np.array_equal([arm["samples"] for arm in status["arms"]], learner.pulls)
    late = call("study", "tell", "tides", "--arm", "a", "1").out
    assert late.splitlines()[0] == f"Recorded as event {status['events'] + 1}."


@pytest.mark.slow
def test_a_process_of_its_own(study, told):
    """Answers on standard output, errors on standard error, exit codes."""

    def run(*arguments):
        return subprocess.run(
            command_line("study", *arguments), capture_output=True, text=True, timeout=PATIENCE,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )  # fmt: skip

    asked = run("ask", "tides", "--client", "robot", "--json")
    (ask,) = json.loads(asked.stdout)["asks"]
    done = run("tell", "tides", "--ask", ask["id"], "-0.5")
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "Recorded as event 3.")
    wrong = run("tell", "tides", "--ask", ask["id"], "nan")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.splitlines()[-1].startswith("Error: value")
    assert told() == [("a", -0.5)]
