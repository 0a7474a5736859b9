"""``boclust study create | fork | db``."""

import json
import shutil
import sqlite3
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

import boclust

FROZEN = Path(__file__).parents[2] / "study" / "data"
CREATE = ["study", "create", "new", "-k", "2"]


def opened(url, name="new"):
    return boclust.Study.open(url, name)


def test_arms_by_name(call, url, odd):
    names = [word for name in odd for word in ("--arm", name)]
    result = call(*CREATE, *names, "--delta", "0.05")
    assert result.code == 0, result.err
    assert result.out.splitlines() == [
        "Created new: 3 arms, 2 clusters, delta = 0.05", "Next: boclust study ask new"
    ]  # fmt: skip
    with opened(url) as study:
        assert [arm.name for arm in study.arms] == odd
        status = study.status()
    assert (status.n_clusters, status.delta, status.budget.samples) == (2, 0.05, None)


def test_arms_of_a_file(call, url):
    Path("arms.csv").write_text(
        'name,tags,cost\nnorth,"sea; cold",2.5\n\n"so,uth",,\n東,x,0\n', encoding="utf-8"
    )
    assert call(*CREATE, "--arms", "arms.csv").code == 0
    with opened(url) as study:
        found = [(arm.name, arm.cost, arm.tags) for arm in study.arms]
    assert found == [("north", 2.5, ("sea", "cold")), ("so,uth", 1.0, ()), ("東", 0.0, ("x",))]
    parquet.write_table(pyarrow.table({"name": ["a", "b"], "cost": [2, 3]}), "arms.parquet")
    assert call("study", "create", "other", "--arms", "arms.parquet", "-k", 1).code == 0
    with opened(url, "other") as study:
        assert [(arm.name, arm.cost) for arm in study.arms] == [("a", 2.0), ("b", 3.0)]


def test_all_options(call, url):
    options = ["--family", "bounded", "--low", "-1", "--high", "3", "--algorithm", "rr"]
    limits = ["--budget", "50", "--budget-cost", "9.5", "--lease", "60"]
    result = call(*CREATE, "--n-arms", "4", *options, *limits, "--json")
    assert json.loads(result.out) == {
        "study": "new", "n_arms": 4, "n_clusters": 2, "delta": 0.01
    }  # fmt: skip
    with opened(url) as study:
        spec = study._session.spec
    assert spec.family == boclust.problem.families.Bounded(-1.0, 3.0)
    assert (spec.budget.samples, spec.budget.cost, spec.lease) == (50, 9.5, 60.0)
    assert spec.algorithm == boclust.run.algorithm.algorithm("rr")
    assert call("study", "create", "plane", "--n-arms", "4", "-k", "2", "--dim", "2").code == 0
    with opened(url, "plane") as study:
        assert study._session.spec.dim == 2


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("north,1\nsouth,2\n", "arms must be a file with the columns name and"),
        ("name,name\na,b\n", "got 'name', 'name'"),
        ("name,cost\na,1\n\nb,much\n", "arms.csv, line 4, cost must be a number, got 'much'"),
        (
            "name,cost\na,1\n,2\n",
            "arms.csv, line 3, column 'name' must be the name of an arm, got nothing",
        ),
        ("name,cost\na,1\nb\n", "arms.csv, line 3 must be 2 cells"),
        ("name,cost\na,1\nb,-2\n", "cost must be a finite number >= 0, got -2.0"),
        ("name,cost\na,1\nb,nan\n", "cost must be a finite number >= 0, got nan"),
        ("name\na\na\n", "arms must be at least 2 different names"),
        (
            "name\na\n",
            "arms must be at least 2 different names, or mappings with name, cost and tags, got 1",
        ),
        ("name\n", "got arms.csv without rows"),
        ("", "got arms.csv without rows"),
        ('name\n"a\n', "got arms.csv ("),
        ("name\nna\udce9f\n", "got arms.csv ("),
    ],
)
def test_bad_files_of_arms(refused, text, problem):
    Path("arms.csv").write_text(text, encoding="utf-8", errors="surrogateescape")
    refused(problem, *CREATE, "--arms", "arms.csv")
    assert not Path("studies.db").exists()


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ([], "Give the arms by"),
        (["--n-arms", "3", "--arm", "a"], "Give the arms by"),
        (["--arms", "none.csv"], "got none.csv (No such file"),
        (["--n-arms", "1"], "arms"),
        (["--n-arms", "100000000000"], "100000000000"),
        (["--n-arms", "-1"], "-1"),
        (["--arm", "a", "--arm", "a"], "arms must be at least 2 different names"),
        (["--n-arms", "3", "-k", "4"], "n_clusters"),
        (["--n-arms", "3", "--delta", "1"], "delta"),
        (["--n-arms", "3", "--delta", "nan"], "delta"),
        (["--n-arms", "3", "--family", "normal"], "'normal'"),
        (["--n-arms", "3", "--family", "poisson", "--sigma", "1"], "sigma"),
        (["--n-arms", "3", "--family", "bernoulli", "--dim", "2"], "dim"),
        (["--n-arms", "3", "--algorithm", "fast"], "'fast'"),
        (["--n-arms", "3", "--budget", "0"], "budget samples"),
        (
            ["--n-arms", "3", "--budget-cost", "inf"],
            "budget cost must be a finite number > 0, got inf",
        ),
        (["--n-arms", "3", "--lease", "0"], "lease must be a finite number > 0, got 0.0"),
        (["--n-arms", "three"], "'three' is not a valid integer"),
    ],
)
def test_bad_options(refused, options, problem):
    refused(problem, *CREATE, *options)
    assert not Path("studies.db").exists()


def test_a_name_that_is_taken(refused, study):
    refused("already has a study 'tides'", "study", "create", "tides", "--n-arms", "3", "-k", "2")
    refused("already has a study 'tides'", "study", "fork", "tides", "tides")


def test_forks(call, refused, study, url):
    with study() as one:
        one.tell_many([("a", 0.1), ("b", 0.3), ("c", 9.0)])
    result = call("study", "fork", "tides", "three", "-k", "3", "--delta", "0.2", "--budget", "9")
    assert result.out.startswith("Created three: 3 arms, 3 clusters, delta = 0.2, 3 values.\n")
    assert result.out.endswith("Next: boclust study status three\n")
    with opened(url, "three") as fork:
        status = fork.status()
    assert (status.n_clusters, status.samples, status.budget.samples) == (3, 3, 9)
    result = call("study", "fork", "tides", "wide", "--family", "gaussian", "--sigma", 2, "--json")
    assert json.loads(result.out)["study"] == "wide"
    with opened(url, "wide") as fork:
        assert fork._session.spec.family == boclust.Gaussian(2.0)
    refused("need --family here", "study", "fork", "tides", "x", "--sigma", "2")
    refused("0 or 1", "study", "fork", "tides", "x", "--family", "bernoulli")
    refused("n_clusters", "study", "fork", "tides", "x", "-k", "4")


def test_upgrade(call, refused):
    shutil.copy(FROZEN / "schema_1.db", "studies.db")
    refused("upgrade it first (boclust study db upgrade", "study", "list")
    result = call("study", "db", "upgrade")
    assert "has schema" in result.out
    assert "clicks" in call("study", "list").out
    with sqlite3.connect("other.db") as other:
        other.execute("CREATE TABLE boclust_events (x)")
    other.close()
    refused("table 'boclust_events'", "study", "db", "upgrade", "--url", "sqlite:///other.db")
