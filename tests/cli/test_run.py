"""``boclust run``: records of a file, and samples asked for on standard input."""

import json
import os
import signal
import subprocess
import sys

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

import boclust
from boclust.cli.terminal import progress
from support.processes import PATIENCE, command_line

NAMES = ["north", "007", "e,ast", "[west]"]
MEANS = np.array([0.0, 0.4, 4.0, 4.5])


@pytest.fixture
def records(rng):
    """800 records of four arms in two clusters, with a second value and a column of no use."""
    arms = rng.integers(0, 4, 800)
    return pyarrow.table(
        {
            "when": np.arange(800),
            "arm": [NAMES[a] for a in arms],
            "x": rng.normal(MEANS[arms]),
            "y": rng.normal(-MEANS[arms]),
        }
    )


def write(table, path):
    if path.suffix == ".parquet":
        parquet.write_table(table, path)
    else:
        from pyarrow import csv

        csv.write_csv(table, path)
    return path


def groups(said):
    return {frozenset(cluster) for cluster in said["clusters"]}


TRUTH = {frozenset(NAMES[:2]), frozenset(NAMES[2:])}


@pytest.mark.parametrize("name", ["a.csv", "a.CSV", "a.parquet"])
def test_csv_and_parquet_give_the_same_clusters(call, records, tmp_path, name):
    path = write(records, tmp_path / name)
    said = call("run", path, "--arm", "arm", "--value", "x", "-k", "2", "--json")
    assert said.code == 0, said.err
    said = json.loads(said.out)
    assert groups(said) == TRUTH
    assert said["certified"]
    assert said["stopped"] == "certified"
    assert said["n_samples"] == sum(said["pulls"]) < 200
    assert sum(said["records"]) == 800
    assert "at most 0.01" in said["guarantee"]
    assert "independent samples" in said["about"]
    assert said["note"] == ""
    means = dict(zip(NAMES, MEANS, strict=True))
    for arm, (estimate,), pulls in zip(said["arms"], said["estimates"], said["pulls"], strict=True):
        assert abs(estimate - means[arm]) < 5 / np.sqrt(pulls)


def test_text_for_people(call, records, tmp_path):
    path = write(records.select(["arm", "x"]), tmp_path / "a.csv")  # two columns: no need to say
    result = call("run", path, "-k", "2")
    assert result.code == 0
    for part in (*NAMES, "of 800 records", "certified", "estimate", "█", "guarantee: wrong with"):
        assert part in result.out
    assert result.out == call("run", path, "-k", "2").out
    assert result.out != call("run", path, "-k", "2", "--seed", "1").out


def test_vectors_families_and_algorithms(call, records, tmp_path):
    path = write(records, tmp_path / "a.parquet")
    both = ["run", path, "--arm", "arm", "--value", "x", "--value", "y", "-k", "2", "--json"]
    said = json.loads(call(*both, "--family", "subgaussian", "--sigma", "1.2").out)
    assert groups(said) == TRUTH
    assert len(said["estimates"][0]) == 2
    one = ["run", path, "--arm", "arm", "--value", "x", "-k", "2", "--json", "--delta", "0.1"]
    bounded = ["--family", "bounded", "--low", "-9", "--high", "15", "--replace"]
    said = json.loads(call(*one, *bounded).out)
    assert groups(said) == TRUTH
    assert "[-9, 15]" in said["guarantee"]
    assert said["about"] == "about the means of all records of the arms"
    said = json.loads(call(*one, "--algorithm", "rr", "--replace").out)
    assert max(said["pulls"]) - min(said["pulls"]) <= 1


def test_records_that_run_out_are_no_crash(call, records, tmp_path):
    path = write(records.slice(0, 30).select(["arm", "x"]), tmp_path / "a.csv")
    result = call("run", path, "-k", "2", "--delta", "1e-9")
    assert result.code == 3
    assert result.err.count("\n") == result.err.count("Compiling")
    for part in ("not certified", "records of", "ran out", "guarantee: none"):
        assert part in result.out
    said = json.loads(call("run", path, "-k", "2", "--delta", "1e-9", "--json").out)
    assert said["stopped"] == "records"
    used = zip(said["arms"], said["pulls"], said["records"], strict=True)
    assert any(repr(arm) in said["why"] for arm, pulls, n in used if pulls == n)
    assert not said["certified"]
    assert "needed: about " in result.out
    assert said["needed"].startswith("about ")
    assert "smallest distance between clusters" in said["needed"]


def test_what_the_records_can_never_show_is_said(call, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("arm,x\n" + "a,0\nb,1\nc,2.00001\n" * 2)
    told = json.loads(call("run", path, "-k", "2", "--json").out)["needed"]
    assert "differ by 1e-05 only" in told
    path.write_text("arm,x\n" + "a,0\nb,0\nc,1\n" * 2)
    said = json.loads(call("run", path, "-k", "2", "--json", "--family", "bernoulli").out)
    assert (said["stopped"], said["needed"]) == ("records", "")


def test_a_budget_that_ends(call, records, tmp_path):
    path = write(records.select(["arm", "x"]), tmp_path / "a.csv")
    result = call("run", path, "-k", "2", "--max-samples", "3", "--json")
    assert result.code == 3
    said = json.loads(result.out)
    assert said["stopped"] == "budget"
    assert said["labels"] is None
    assert said["clusters"] == []
    assert said["estimates"][3] == [None]
    assert "unknown" in call("run", path, "-k", "2", "--max-samples", "3").out


def test_a_sigma_that_the_records_contradict_certifies_nothing(call, records, tmp_path):
    path = write(records.select(["arm", "x"]), tmp_path / "a.csv")
    result = call("run", path, "-k", "2", "--sigma", "0.5")
    assert result.code == 3
    assert "not certified: the certificate would hold if the samples were as the" in result.out
    assert "guarantee: none, because samples scatter with standard deviation 1" in result.out
    assert "but sigma = 0.5 is assumed" in " ".join(result.out.split())
    said = json.loads(call("run", path, "-k", "2", "--sigma", "0.5", "--json").out)
    assert (said["certified"], said["stopped"]) == (False, "doubtful")


def test_arms_that_differ_by_case_only_are_noted(call, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("arm,x\n" + "Hall,1\nattic,9\n" * 300 + "hall,1\n")
    result = call("run", path, "-k", "2")
    assert "arms 'Hall' and 'hall' differ by case or spaces only" in result.out
    assert "Hall" in result.out
    assert result.code == 3
    assert "the one record of 'hall' ran out" in result.out


CSV = "arm,x\n" + "a,1\nb,2\n" * 3


@pytest.mark.parametrize(
    ("text", "options", "problem"),
    [
        (
            CSV + "a,\n",
            [],
            "a.csv, column 'x', row 7, must be a number (with a point, not a comma, for decimals), "
            "got an empty cell",
        ),
        (CSV + "a,NaN\n", [], ("column 'x', row 7, must be a number up to", "got nan")),
        (CSV + "a,inf\n", [], ("column 'x', row 7, must be a number up to", "got inf")),
        (CSV + "a,oops\n", [], ("column 'x', row 7, must be a number", "got 'oops'")),
        (CSV + "a,oops\nb,3\na,?\nb,?\n", [], "got 'oops' (2 more rows like this)"),
        (CSV + "a,\nb,3\na,\n", [], "got an empty cell (1 more row like this)"),
        (CSV + "a,1_0\n", [], ("column 'x', row 7,", "got '1_0'")),
        (CSV + ",5\n", [], "column 'arm', row 7, must be the name of an arm, got an empty cell"),
        (CSV + "a\n", [], "file must be a readable CSV file"),
        ("arm,x\n", [], "file must be a file with one row per sample, got no records in"),
        ("", [], "file must be a readable CSV file"),
        ("arm,x\na,1\na,2\n", [], ("records of two arms or more", "got only 'a' in column 'arm'")),
        ("a,1\nb,2\nc,3\n", [], "names of the columns in line 1, got none in"),
        ("arm;x\na;1,5\nb;2\n", [], "(with a point, not a comma, for decimals), got '1,5'"),
        ("arm,x,y\na,1,2\n", [], ("arm must be given by --arm NAME as a column of", "got nothing")),
        (
            "arm,x,y\na,1,2\n",
            ["--arm", "arm"],
            ("value must be given by --value NAME", "which has 'arm', 'x', 'y', got"),
        ),
        (CSV, ["--arm", "arm", "--value", "z"], ("value must be a column of", "got 'z'")),
        (CSV, ["--arm", "who", "--value", "x"], ("arm must be a column of", "got 'who'")),
        (CSV, ["--arm", "arm", "--value", "arm"], "with the arm column 'arm'"),
        ("arm,x,x\na,1,2\n", ["--arm", "arm", "--value", "x"], "got 'x' more than once"),
        (CSV, ["--family", "bernoulli"], ("column 'x', row 2,", " 2", "0 or 1")),
        (CSV, ["--family", "bounded"], ("column 'x', row 2,", " 2", "from 0 to 1")),
        (CSV, ["--family", "cauchy"], ("family", "'cauchy'")),
        (CSV, ["--algorithm", "kmeans"], ("algorithm", "'kmeans'")),
        (CSV, ["--delta", "0"], ("delta", " 0.0")),
        (CSV, ["--max-samples", "0"], ("max_samples", " 0")),
        (CSV, ["--seed", "-1"], ("seed", " -1")),
        (CSV, ["-k", "3"], ("n_clusters", " 3")),
        (CSV, ["--dim", "2"], "--dim applies to --ask"),
        (CSV, ["other.csv"], "got 2 files"),
    ],
)
def test_bad_files_and_options_are_one_line(refused, tmp_path, text, options, problem):
    path = tmp_path / "a.csv"
    path.write_text(text)
    refused(problem, "run", path, "-k", "1" if "-k" in options else "2", *options)


def test_numbers_as_people_write_them(call, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('\ufeffarm,x\n"a", +1\nb ,2e0\na,"0.5 "\n\n', encoding="utf-8")
    said = json.loads(call("run", path, "-k", "2", "--json").out)
    assert said["arms"] == ["a", "b"]
    assert said["records"] == [2, 1]
    assert said["n_samples"] == 0  # two arms in two clusters: there is nothing to decide


@pytest.mark.parametrize("mark", [";", "\t"])
def test_other_separators(call, tmp_path, mark):
    path = tmp_path / "a.csv"
    path.write_text(CSV)
    expected = call("run", path, "-k", "2").out
    path.write_text(CSV.replace(",", mark))
    assert call("run", path, "-k", "2").out == expected


@pytest.mark.parametrize("command", ["run", "bound"])
@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (CSV.replace("a", "ä").encode("latin-1"), "in Latin-1"),
        (b"arm,x\na,1\n" + "bä,2\n".encode("latin-1"), "in Latin-1"),
        (CSV.encode("utf-16"), "which is UTF-16 text"),
        (CSV.encode("utf-16-le"), "which is UTF-16 text"),
        (b"PK\x03\x04 and so on", "an Excel workbook or another zip file"),
    ],
)
def test_files_that_are_no_utf8(refused, tmp_path, command, content, problem):
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    refused(problem, command, path, "-k", "2")


def test_bad_parquet(refused, tmp_path):
    path = tmp_path / "a.parquet"
    refused("file must be a readable CSV file", "run", path, "-k", "2")
    path.write_bytes(b"PAR1 and no more")
    refused("file must be a readable CSV file", "run", path, "-k", "2")
    refused("file must be a readable CSV file", "run", tmp_path, "-k", "2")
    x = [1.0, 2.0, 3.0]
    categories = pyarrow.DictionaryArray.from_arrays([0, 1, 0], ["a", "b", "c"])
    for table, problem in (
        (
            {"arm": ["a", "b", "c"], "x": [1.0, None, 2.0]},
            ("column 'x', row 2,", "got an empty cell"),
        ),
        ({"arm": ["a", None, "c"], "x": x}, ("column 'arm', row 2,", "got an empty cell")),
        ({"arm": ["a", "b", "c"], "x": ["1", "2", "x"]}, ("column 'x', row 3,", "got 'x'")),
        (
            {"arm": ["a", "b", "c"], "x": [[1], [2], [3]]},
            "column 'x', must be numbers, got the type list",
        ),
        (
            {"arm": [[1], [2], [3]], "x": x},
            "column 'arm', must be a column of names, got the type list",
        ),
        ({"arm": categories, "x": x}, "got none of the category 'c' in column 'arm'"),
    ):
        parquet.write_table(pyarrow.table(table), path)
        refused(problem, "run", path, "-k", "2")


def test_parquet_types(call, tmp_path):
    path = tmp_path / "a.parquet"
    categories = pyarrow.DictionaryArray.from_arrays([0, 1, 0], ["a", "b"])
    for arm, x in ((categories, [1, 2, 3]), ([7, 8, 7], [True, False, True])):
        parquet.write_table(pyarrow.table({"arm": arm, "x": x}), path)
        said = json.loads(call("run", path, "-k", "2", "--json").out)
        assert said["records"] == [2, 1]


# --- asking ---------------------------------------------------------------------------------


def test_ask_through_a_pipe(call):
    learner, lines, values = boclust.Learner(3, 2, 0.1), "", [0, 0.5, 9]
    while not learner.done:
        arm = learner.ask()
        learner.tell(arm, values[arm])
        lines += f"{values[arm]}\n"
    result = call("run", "--ask", "a", "b", "c", "-k", "2", "--delta", "0.1", stdin=lines)
    assert result.code == 0, result.err
    assert result.out.startswith("sample a:\nsample b:\nsample c:\n")
    assert "certified: the certificate holds" in result.out
    again = call("run", "--ask", "a", "b", "c", "-k", "2", "--delta", "0.1", "--json", stdin=lines)
    assert json.loads(again.out)["labels"] == [0, 0, 1]
    assert json.loads(again.out)["pulls"] == learner.pulls.tolist()
    assert again.err.count("sample ") == json.loads(again.out)["n_samples"]


def test_bad_lines_are_refused_and_asked_again(call):
    lines = "oops\n1,2,3\nnan\n1,2\n\n"
    result = call("run", "--ask", "a", "b", "c", "-k", "2", "--dim", "2", stdin=lines)
    assert result.code == 3
    assert result.out.count("sample a:") == 4
    assert result.out.count("sample b:") == 1
    refusals = [line for line in result.err.splitlines() if line.startswith("Not accepted")]
    assert len(refusals) == 3
    assert "'oops'" in refusals[0]
    assert " 3" in refusals[1]
    assert "1 sample; not certified: the input ended" in result.out


def test_ask_ends_with_the_input_or_the_budget(call):
    result = call("run", "--ask", "a", "b", "c", "-k", "2", "--json", stdin="1\n2")
    assert result.code == 3
    assert json.loads(result.out)["pulls"] == [1, 1, 0]
    assert json.loads(result.out)["stopped"] == "input"
    options = ["--max-samples", "1", "--json"]
    result = call("run", "--ask", "a", "b", "c", "-k", "2", *options, stdin="1\n2\n")
    assert result.code == 3
    assert json.loads(result.out)["stopped"] == "budget"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["a", "b", "a"], "ask must be followed by different names of arms, got 'a' twice"),
        (["a"], ("n_arms", " 1")),
        (["a", "b", "c", "--arm", "x"], "apply to a file"),
        (["a", "b", "c", "--dim", "0"], ("dim", " 0")),
        (["a", "b", "c", "--max-samples", "-1"], ("max_samples", " -1")),
    ],
)
def test_bad_questions(refused, arguments, problem):
    refused(problem, "run", "--ask", *arguments, "-k", "2")


def test_nothing_to_do_without_arguments(refused):
    refused("Missing argument", "run", "-k", "2")
    refused("Missing option", "run", "a.csv")


def test_ctrl_c_prints_what_is_known():
    process = subprocess.Popen(
        command_line("run", "--ask", "a", "b", "c", "-k", "2", "--json"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.write("1.5\n")
    process.stdin.flush()
    while not process.stderr.readline().startswith("sample b:"):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    said = json.loads(out)
    assert said["stopped"] == "interrupted"
    assert said["estimates"] == [[1.5], [None], [None]]


def test_progress_shows_after_two_seconds_on_a_terminal(capsys, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("boclust.cli.terminal.time.monotonic", lambda: clock[0])
    monkeypatch.setenv("FORCE_COLOR", "1")
    for terminal, seconds in ((True, 1.0), (False, 3.0), (True, 3.0)):
        monkeypatch.setattr(sys.stderr, "isatty", lambda t=terminal: t)
        clock[0] = 0.0
        with progress("samples", 100) as advance:
            clock[0] = seconds
            for _ in range(40):
                advance()
        assert ("samples" in capsys.readouterr().err) == (terminal and seconds > 2)
