"""``boclust bound`` as a user calls it."""

import json
import os
import subprocess

import pytest

from support.processes import PATIENCE, command_line

SEVEN = ["0", "0.5", "1", "2.5", "3", "4.5", "5"]


@pytest.fixture
def answer(call):
    def run(*arguments):
        result = call("bound", *arguments, "--json")
        assert result.code == 0, result.err
        return json.loads(result.out)

    return run


def test_inline_means_as_json(answer):
    said = answer(*SEVEN, "-k", "3", "--delta", "0.01", "--delta", "0.1")
    assert said["labels"] == [0, 0, 0, 1, 1, 2, 2]
    assert said["t_star_low"] <= said["t_star"] <= said["t_star_high"]
    assert said["t_star"] == pytest.approx(71.5, rel=2e-3)
    assert said["t_uniform"] == pytest.approx(84)
    assert [row["delta"] for row in said["samples"]] == [0.01, 0.1]
    assert said["samples"][0]["samples"] == pytest.approx(321.8, rel=2e-3)
    assert sum(said["weights"]) == pytest.approx(1)


def test_inline_vectors_with_minus_signs(answer):
    said = answer("-1,-1", "-1,-2", "1,1", "2,2", "3,-3", "3.5,-3", "-k", "3")
    assert said["dim"] == 2
    assert said["t_star"] == pytest.approx(19.06, rel=2e-3)


def process(*arguments):
    """``boclust bound ARGUMENTS`` as a shell starts it."""
    return subprocess.run(
        command_line("bound", *arguments),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        timeout=PATIENCE,
        check=False,
    )


def test_text_shows_clusters_bars_and_samples():
    result = process(*SEVEN, "-k", "3")
    assert result.returncode == 0
    for part in ("7 arms, 3 clusters", "d_intra = 0.5", "d_inter = 1.5", "█", "T* = 71.4", "321"):
        assert part in result.stdout


@pytest.mark.parametrize(
    "text",
    [
        "0\n0.5\n1\n2.5\n3\n4.5\n5\n",
        "arm,mean\na,0\nb,0.5\nc,1\nd,2.5\ne,3\nf,4.5\ng,5\n",
        "mean\n0\n0.5\n1\n2.5\n3\n4.5\n5\n\n",
        "arm;mean\na;0\nb;0.5\nc;1\nd;2.5\ne;3\nf;4.5\ng;5\n",
        "arm\tmean\na\t0\nb\t0.5\nc\t1\nd\t2.5\ne\t3\nf\t4.5\ng\t5\n",
        "\ufeffname,x\r\na,0\r\nb,.5\r\nc,1\r\nd,2.5\r\ne,3\r\nf,4.5\r\ng,5\r\n",
    ],
)
def test_csv(answer, tmp_path, text):
    path = tmp_path / "arms.csv"
    path.write_text(text, encoding="utf-8")
    said = answer(path, "-k", "3")
    assert said["t_star"] == pytest.approx(71.5, rel=2e-3)
    assert said["arms"] == (list("abcdefg") if "g" in text else list("0123456"))


def test_numbered_coordinates_are_a_header(answer, tmp_path):
    path = tmp_path / "arms.csv"
    for header in ("arm,x1,x2", "arm,x0,x1"):
        path.write_text(f"{header}\na,0,0\nb,0,1\nc,5,5\n")
        assert answer(path, "-k", "2")["arms"] == ["a", "b", "c"]


def test_a_hopeless_separation_is_said(call, answer):
    hopeless = ("0", "1", "2.00001", "-k", "2")
    assert "Do not start: at least" in call("bound", *hopeless).out
    assert "differ by 1e-05 only" in answer(*hopeless)["warning"]
    assert answer("0", "1", "5", "-k", "2")["warning"] == ""


def test_toml_and_what_overrides_it(answer, tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(
        'means = [0.1, 0.2, 0.6, 0.7]\nn_clusters = 2\nnames = ["a", "b", "c", "d"]\n'
        'delta = [0.05]\n[family]\nname = "bernoulli"\nspace = "mean"\n'
    )
    said = answer(path)
    assert said["family"] == "Bernoulli(space='mean')"
    assert said["arms"] == ["a", "b", "c", "d"]
    assert said["samples"][0]["delta"] == 0.05
    assert answer(path, "--space", "natural", "--delta", "0.2")["family"] == (
        "Bernoulli(space='natural')"
    )
    path.write_text('means = [[0], [1], [5]]\nn_clusters = 2\nfamily = "gaussian"\n')
    assert answer(path, "--sigma", "2")["family"] == "Gaussian(sigma=2.0)"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (
            ["0", "1", "x", "-k", "2"],
            "means must be numbers, comma-separated vectors, or one .csv or .toml file, got 'x'",
        ),
        (
            ["0", "1,2", "-k", "2"],
            "means must be vectors with as many coordinates for every arm, got [1, 2]",
        ),
        (["0", "1", "nan", "-k", "2"], ("means", "nan")),
        (
            ["0", "1", "5"],
            "clusters must be given by -k N, or by n_clusters in a TOML file, got neither",
        ),
        (["0", "1", "5", "-k", "4"], ("n_clusters", " 4")),
        (["0", "1", "5", "-k", "two"], "'two' is not a valid integer"),
        (["0", "1", "5", "-k", "2", "--delta", "2"], ("delta", " 2.0")),
        (["0", "1", "5", "-k", "2", "--sigma", "-1"], ("sigma", " -1.0")),
        (["0", "1", "5", "-k", "2", "--family", "cauchy"], ("family", "'cauchy'")),
        (["0", "1", "5", "-k", "2", "--low", "0"], ("low", "family 'gaussian'")),
        (["0", "1", "5", "-k", "2", "--family", "bernoulli"], ("means", "arm 0")),
        (["0", "1", "5", "-k", "2", "--rtol", "0"], ("rtol", " 0.0")),
        (
            ["missing.csv", "-k", "2"],
            "file must be a readable CSV or TOML file, got missing.csv: No such file",
        ),
        (["0", "1", "5", "-k", "2", "--detla", "0.1"], "got '--detla'"),
        ([], "Missing argument"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(refused, arguments, problem):
    refused(problem, "bound", *arguments)


def test_bad_input_of_a_process():
    result = process("0", "1", "x", "-k", "2")
    assert result.returncode == 2
    assert "means must be numbers" in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.csv", "", "means must be one row of numbers per arm, got no rows in"),
        ("a.csv", "name,x\n", "means must be one row of numbers per arm, got no rows in"),
        (
            "a.csv",
            "x,y\n1,2\n3\n",
            "line 3, must be 2 numbers with decimal points, separated by commas, got '3'",
        ),
        (
            "a.csv",
            "name,x\na,1\nb,oops\n",
            ("line 3, must be 1 number ", "after the name of the arm, got 'b,oops'"),
        ),
        ("a.csv", "a\nb\n", ("line 2,", "got 'b'")),
        (
            "a.csv",
            "shop,x\na,1\nb,2\na,3\n",
            ("line 4, must be the only row of its arm", "boclust run", "got 'a' again"),
        ),
        ("a.toml", "means = [1, 2", "must be a readable CSV or TOML file"),
        ("a.toml", "n_clusters = 2", ("means must be given in", "got nothing")),
        (
            "a.toml",
            "means = [1, 2]\nclusters = 1",
            ("must be one of delta, family, means", "got clusters"),
        ),
        (
            "a.toml",
            "means = [1, 2]\nn_clusters = 1\nnames = ['a']",
            "names must be a list of 2 names, one per arm, got ['a']",
        ),
        (
            "a.toml",
            "means = [1, 2]\nn_clusters = 1\nfamily = 3",
            ("family must be a name, or a table", "got 3"),
        ),
        ("a.toml", "means = [1, 2]\nn_clusters = 1\nfamily = {code = 1}", ("code", "'gaussian'")),
        ("a.toml", "means = [1, 2]\nn_clusters = 1\nnames = []", "got []"),
        (
            "a.toml",
            "means = [1, 2]\nn_clusters = 1\ndelta = []",
            "delta must be one or more numbers between 0 and 1, got an empty list",
        ),
        (
            "a.csv",
            "a;1,5\nb;2,5\n",
            ("line 1, must be 1 number with decimal points", "got 'a;1,5'"),
        ),
        ("a.csv", "arm;x\na;1,5\nb;2\n", ("line 2,", "got 'a;1,5'")),
        ("a.csv", "shop,O.5\na,1\nb,2\n", ("line 1,", "column names like x1, got 'O.5'")),
        ("a.csv", "a,\nb,1\nc,2\n", ("line 1,", "column names like x1, got ''")),
        (
            "a.toml",
            "means = [1, 2]\nn_clusters = 1\nnames = ['a', 'a']",
            "names must be different for every arm, got 'a' twice",
        ),
        ("a.csv", 'name,x\n"a\nb",1\nc,oops\n', ("line 4,", "got 'c,oops'")),
        ("a.csv", "x\n1\n1_000\n", ("line 3,", "got '1_000'")),
        ("a.toml", "means = [1, 2]\nn_clusters = 1\ndelta = 'x'", ("delta", "'x'")),
    ],
)
def test_bad_files_say_where(refused, tmp_path, name, text, problem):
    path = tmp_path / name
    path.write_text(text)
    refused(problem, "bound", path, "-k", "1")


def test_names_are_shown_as_they_are(call, tmp_path):
    path = tmp_path / "a.toml"
    path.write_text('means = [1, 2, 5]\nn_clusters = 2\nnames = ["[red]", "[/]", "x y"]\n')
    result = call("bound", path)
    assert result.code == 0, result.err
    for name in ("[red]", "[/]", "x y"):
        assert name in result.out


def test_unknown_commands_and_nothing_to_decide(call, answer):
    assert call("bond").code == 2
    result = call("bound", "0", "1", "5", "-k", "3")
    assert result.code == 0
    assert "no sample is needed" in result.out
    said = answer("0", "1", "2", "-k", "2")
    assert said["t_star"] is None
    assert "not unique" in said["note"]
