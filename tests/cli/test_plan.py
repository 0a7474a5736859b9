"""``boclust plan``."""

import json

import pytest

SEVEN = ("0", "0.5", "1", "2.5", "3", "4.5", "5", "-k", "3")


@pytest.mark.compiled
def test_a_table_over_delta(call):
    result = call("plan", *SEVEN, "--trials", "3", "--cost", "0.5")
    assert result.code == 0, result.err
    for part in (
        "7 arms, 3 clusters",
        "between clusters 1.5",
        "lower bound",
        "mean cost",
        "0.001",
        "±",
    ):
        assert part in result.out


@pytest.mark.compiled
def test_json(call):
    result = call("plan", *SEVEN, "--trials", "3", "--delta", "0.1", "--cost", "2", "--json")
    (need,) = json.loads(result.out)["needs"]
    assert need["at_least"] < need["mean"]
    assert need["cost"] == 2 * need["mean"]


def test_a_study_that_should_not_begin(call):
    result = call("plan", "0", "1", "2.00001", "-k", "2")
    assert result.code == 0
    assert "not simulated" in result.out
    assert "delta = 0.1, 0.05, 0.01, 0.001: not simulated: a study of 1,000,000" in result.out
    assert "Do not start" in result.out
    assert "simulated studies" not in result.out


def test_one_possible_clustering(call):
    result = call("plan", "0", "1", "5", "-k", "1")
    assert result.code == 0
    assert "only one possible clustering: no sample is needed" in result.out
    assert "between clusters" not in result.out
    assert json.loads(call("plan", "0", "1", "5", "-k", "3", "--json").out)["trials"] == 0


@pytest.mark.parametrize("cost", ["nan", "inf", "-1"])
def test_bad_costs(refused, cost):
    refused("cost must be a finite number >= 0, got", "plan", *SEVEN, "--cost", cost)


def test_a_misspelt_algorithm_or_command_is_guessed(refused):
    refused("did you mean 'atboc'?", "plan", *SEVEN, "--algorithm", "atbok")
    refused("No such command 'plam' (did you mean 'plan'?)", "plam")


def test_what_is_no_lower_bound_is_not_called_one(call):
    how = ("-k", "2", "--family", "bounded", "--trials", "2", "--delta", "0.1")
    result = call("plan", "0.1", "0.2", "0.9", *how)
    assert result.code == 0, result.err
    (header,) = (line for line in result.out.splitlines() if "mean samples" in line)
    assert "yardstick" in header
    assert "lower bound" not in header
    assert "a yardstick, not a lower bound for bounded samples" in " ".join(result.out.split())
