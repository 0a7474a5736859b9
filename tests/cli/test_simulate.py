"""``boclust simulate``: a TOML file in, a table and a Parquet file out."""

import json
import os

import pytest
from pyarrow import parquet

import boclust

INSTANCE = "means = [0, 0.5, 5]\nn_clusters = 2\n"


@pytest.fixture
def config(tmp_path):
    def write(text):
        path = tmp_path / "config.toml"
        path.write_text(text)
        return path

    return write


FULL = (
    INSTANCE
    + """
names = ["a", "b", "c"]
algorithms = ["span", "rr", {sampling = "challenger", stopping = "local", precision = 4.0}]
deltas = [0.1, 0.01]
trials = 5
seed = 3
max_samples = 10000
family = {name = "gaussian", sigma = 1.0}
source = {noise = "gaussian"}
"""
)


def test_json_says_what_simulate_says(call, config):
    result = call("simulate", config(FULL), "--json")
    assert result.code == 0, result.err
    said = json.loads(result.out)
    third = boclust.Algorithm("challenger", "local", precision=4.0)
    instance = boclust.Instance([0, 0.5, 5], 2)
    direct = boclust.simulate(instance, ["span", "rr", third], [0.1, 0.01], 5, 3)
    names = ["span", "rr", repr(third)]
    assert [row["algorithm"] for row in said["rows"]] == [name for name in names for _ in "12"]
    expected = {(row["algorithm"], row["delta"]): row for row in direct.summary()}
    bound = boclust.lower_bound(instance)
    for row in said["rows"]:
        assert row.pop("lower_bound") == bound.samples(row["delta"])
        assert row == expected[row["algorithm"], row["delta"]]


def test_many_arms_have_no_bound_beside_them(call, config):
    means = [10 * (arm % 2) + 0.001 * arm for arm in range(51)]
    text = f"means = {means}\nn_clusters = 2\ndeltas = [0.1]\ntrials = 1\n"
    said = json.loads(call("simulate", config(text), "--json").out)
    assert said["rows"][0]["lower_bound"] is None
    assert said["bound_note"] == "not computed for more than 50 arms, which takes long"


def test_the_command_line_goes_before_the_file(call, config):
    one = json.loads(call("simulate", config(FULL), "--json", "--trials", "1", "--seed", "9").out)
    assert [row["trials"] for row in one["rows"]] == [1] * 6
    assert one["rows"][0]["se_samples"] is None
    two = json.loads(call("simulate", config(FULL), "--json", "--trials", "1").out)
    assert [r["mean_samples"] for r in one["rows"]] != [r["mean_samples"] for r in two["rows"]]


def test_text_for_people(call, config):
    result = call("simulate", config(FULL), "--jobs", "1")
    assert result.code == 0
    for part in ("3 arms, 2 clusters", "5 trials", "precision=4.0", "±", "q90", "censored", "bound",
                 "rr, guarantee: wrong with probability at most 0.01"):  # fmt: skip
        assert part in result.out


@pytest.mark.slow
@pytest.mark.compiled
def test_processes_give_the_same(call, config):
    path = config(INSTANCE + "trials = 3\n")
    assert (
        call("simulate", path, "--json", "--engine", "processes", "--jobs", "2").out
        == call("simulate", path, "--json").out
    )


def test_noise_and_budget(call, config):
    text = "means = [0.2, 0.3, 0.8]\nn_clusters = 2\ntrials = 3\nmax_samples = 20\n"
    text += 'family = {name = "bounded"}\n'
    runs = [
        json.loads(call("simulate", config(text + source), "--json").out)["rows"]
        for source in ("", 'source = {noise = "bernoulli"}\n')
    ]
    assert runs[0] == runs[1]
    assert runs[0][0]["censored"] == 3
    assert runs[0][0]["error_rate_high"] == 1
    text = text.replace("20", "5000") + 'source = {noise = "beta", sd = 0.15}\n'
    (row,) = json.loads(call("simulate", config(text), "--json").out)["rows"]
    assert row["censored"] == 0


def test_out_is_written_whole_and_not_overwritten(call, refused, config, tmp_path):
    path, out = config(INSTANCE + "trials = 4\n"), tmp_path / "trials.parquet"
    assert call("simulate", path, "--out", out).code == 0
    assert parquet.read_table(out).num_rows == 4
    refused("trials.parquet, which exists", "simulate", path, "--out", out)
    assert call("simulate", path, "--out", out, "--force", "--trials", "2").code == 0
    assert parquet.read_table(out).num_rows == 2
    bad = config(INSTANCE + "trials = 0\n")
    refused(("trials", " 0"), "simulate", bad, "--out", out, "--force")
    assert parquet.read_table(out).num_rows == 2
    assert sorted(os.listdir(tmp_path)) == ["config.toml", "trials.parquet"]


def test_out_says_what_it_is(refused, config, tmp_path):
    refused("out must be a file named .parquet", "simulate", config(INSTANCE), "--out", "x.csv")


def test_a_folder_gets_shards(call, refused, config, tmp_path):
    path, folder = config(INSTANCE + "algorithms = ['span', 'rr']\ntrials = 4\n"), tmp_path / "new"
    options = ("simulate", path, "--json", "--out", f"{folder}/")
    alone = json.loads(call("simulate", path, "--json").out)
    assert json.loads(call(*options).out) == alone
    assert alone["missing_tasks"] == 0
    assert len(list(folder.glob("*.parquet"))) == 2
    refused(("out", f"{folder}"), *options)
    refused(("out", f"{folder}"), "simulate", path, "--out", folder)
    refused("force must be used with a file", *options, "--force")
    refused("seed", *options, "--resume", "--seed", "1")
    next(folder.glob("*.parquet")).unlink()
    assert json.loads(call(*options, "--resume").out) == alone
    assert boclust.Results.read(folder).tasks == (2, 2)


def test_shards_of_a_sweep(call, refused, config, tmp_path):
    path, folder = config(INSTANCE + "algorithms = ['span', 'rr']\ntrials = 4\n"), tmp_path / "new"
    result = call("simulate", path, "--out", folder, "--shard", "3/3")
    assert result.code == 0
    assert "0 trials" in result.out
    assert "(0 of 2 tasks; 2 missing)" in result.out
    result = call("simulate", path, "--out", folder, "--shard", "1/3")
    assert "(1 of 2 tasks; 1 missing)" in result.out
    result = call("simulate", path, "--out", folder, "--shard", "2/3", "--json")
    assert result.out == call("simulate", path, "--json").out
    for shard in ("0/4", "5/4", "a/b", "1", "1/2/3", "-1/2", ""):
        refused(
            f"shard must be i/n with 1 <= i <= n, like 1/4, got {shard!r}",
            "simulate",
            path,
            "--out",
            folder,
            "--shard",
            shard,
        )


def test_lost_workers_are_one_line(call, config, tmp_path, monkeypatch):
    from boclust import simulation

    def simulate(*_, **__):
        raise simulation.WorkersLost("they are gone")

    monkeypatch.setattr(simulation, "simulate", simulate)
    result = call("simulate", config(INSTANCE), "--out", f"{tmp_path}/sweep/")
    assert result.code == 1
    assert result.err.splitlines()[-1].startswith("Error: they are gone; finished tasks are kept")
    assert call("simulate", config(INSTANCE)).err.splitlines()[-1] == "Error: they are gone"


def test_a_folder_that_cannot_be_written(refused, config, tmp_path):
    path = config(INSTANCE)
    refused("No such file", "simulate", path, "--out", tmp_path / "none" / "a.parquet")
    refused("Not a directory", "simulate", path, "--out", path / "a.parquet")
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    if not os.access(locked, os.W_OK):  # root may write everywhere
        refused("Permission denied", "simulate", path, "--out", locked / "a.parquet")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("means = [0, 1", "file must be a readable CSV or TOML file"),
        ("n_clusters = 2", "means must be given in"),
        ("means = [0, 1, 5]", "clusters must be given by"),
        (INSTANCE + "trails = 5", ("must be one of", "got trails")),
        (INSTANCE + "trials = 'many'", ("trials", "'many'")),
        (INSTANCE + "trials = 2.5", ("trials", " 2.5")),
        (INSTANCE + "seed = -1", ("seed", " -1")),
        (INSTANCE + "max_samples = 1", ("max_samples", " 1")),
        (INSTANCE + "deltas = [2]", ("delta", " 2.0")),
        (INSTANCE + "deltas = []", ("delta must be", "got an empty list")),
        (
            INSTANCE + "delta = 0.1\ndeltas = [0.1]",
            ("deltas must be the only", "got delta as well"),
        ),
        (INSTANCE + "algorithms = 'span'", ("algorithms must be a list", "got 'span'")),
        (INSTANCE + "algorithms = []", ("algorithms must be a list", "got []")),
        (INSTANCE + "algorithms = ['spam']", ("algorithm", "'spam'")),
        (INSTANCE + "algorithms = [3]", ("algorithm", " 3")),
        (
            INSTANCE + "algorithms = ['span', 'span']",
            ("algorithms must be a list of different", "got 'span' twice"),
        ),
        (INSTANCE + "algorithms = [{sampling = 'best'}]", ("sampling", "'best'")),
        (INSTANCE + "algorithms = [{smapling = 'rr'}]", "smapling"),
        (INSTANCE + "source = 'beta'", ("source must be a table", "got 'beta'")),
        (INSTANCE + "source = {nosie = 'beta'}", "a key of source must be noise or sd, got nosie"),
        (INSTANCE + "source = {noise = 'beta'}", "with sd for beta only"),
        (INSTANCE + "source = {noise = 'gaussian', sd = 1.0}", "with sd for beta only"),
        (INSTANCE + "source = {noise = 'cauchy'}", ("noise", "'cauchy'")),
        (INSTANCE + "source = {noise = 'bernoulli'}", ("noise", "'bernoulli'")),
        (INSTANCE + "family = 'cauchy'", ("family", "'cauchy'")),
    ],
)
def test_bad_files_are_one_line(refused, config, text, problem):
    refused(problem, "simulate", config(text))


def test_bad_options_are_one_line(refused, config, tmp_path):
    refused("file must be a readable CSV or TOML file", "simulate", tmp_path / "none.toml")
    refused(("jobs", " 0"), "simulate", config(INSTANCE), "--jobs", "0")
    refused(("engine", "'steam'"), "simulate", config(INSTANCE), "--engine", "steam")
    refused("Missing argument", "simulate")
    refused(("out", "resume"), "simulate", config(INSTANCE), "--resume")
    refused(("out", "shard"), "simulate", config(INSTANCE), "--shard", "1/2")
    refused(("scheduler", "'a:1'"), "simulate", config(INSTANCE), "--scheduler", "a:1")
    file = config(INSTANCE)
    refused("out", "simulate", file, "--out", file, "--resume")
    refused("out", "simulate", file, "--out", f"{file}/")


def test_a_hopeless_separation_is_said_first(call, config):
    few = "n_clusters = 2\nmax_samples = 100\ntrials = 2\n"
    result = call("simulate", config(f"means = [0, 1, 2.00001]\n{few}"))
    assert result.err.count("Warning: at least") == 1
    assert "which differ by 1e-05 only" in result.err
    assert "Warning" not in call("simulate", config(f"means = [0, 1, 9]\n{few}")).err
