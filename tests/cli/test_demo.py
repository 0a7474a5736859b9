"""``boclust demo`` and its plot."""

import os
import re
import signal
import subprocess
import time

import httpx
import pytest

from support.processes import PATIENCE, command_line

PNG = b"\x89PNG\r\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.compiled
def test_demo_explains_runs_compares_and_draws(call, folder):
    result = call("demo", "--trials", "2")
    assert result.code == 0, result.err
    parts = ("Seven sources", "T* = 71.4", "18% more", "nearest", "One adaptive run", "optimal",
             "█", "Guarantee: wrong with probability at most 0.01", "2 runs each")  # fmt: skip
    for part in (*parts, "span", "atboc", "lucbboc-ucb", "rr", "lower bound"):
        assert part in result.out
    means = re.findall(r"^ (?:span|rr) +([\d,]+) ±", result.out, re.MULTILINE)
    span, rr = (int(mean.replace(",", "")) for mean in means)
    assert span < rr
    assert (folder / "boclust-demo.png").read_bytes().startswith(PNG)


def test_a_plot_that_cannot_be_written_is_refused_before_the_work(refused, folder):
    refused("can be written, got none/demo.png", "demo", "--out", "none/demo.png")
    refused(("out", "'.foo'", "'.png', '.svg'"), "demo", "--out", "x.foo")
    refused(("out", "''"), "demo", "--out", "x")
    (folder / "a.png").mkdir()
    refused("can be written, got a.png", "demo", "--out", "a.png")
    assert os.listdir(folder) == ["a.png"]


@pytest.mark.compiled
def test_no_plot(call, folder):
    result = call("demo", "--trials", "2", "--no-plot")
    assert result.code == 0
    assert "Plot" not in result.out
    assert os.listdir(folder) == []


@pytest.mark.slow
@pytest.mark.compiled
def test_a_study_that_moves(folder):
    """Its page answers, its samples grow, and Ctrl-C leaves nothing behind."""
    command = command_line("demo", "--serve", "--port", 0, "--pace", 100)
    environment = {**os.environ, "TMPDIR": str(folder)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as process:
        try:
            address = re.search(r"http://\S+", process.stdout.readline())[0]
            assert "<title>boclust" in httpx.get(address).text
            address, _, shown = address.partition("?")
            assert shown == "study=demo"
            until = time.monotonic() + PATIENCE
            while _samples(address) < 10:
                assert time.monotonic() < until
                time.sleep(0.1)
        finally:
            process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert out.splitlines()[-1] == "Stopped."
    assert os.listdir(folder) == []


def _samples(address):
    answer = httpx.get(f"{address}api/v1/studies/demo", timeout=PATIENCE)
    return answer.raise_for_status().json()["status"]["samples"]


def test_bad_options(refused, folder):
    refused("1 is not in the range", "demo", "--trials", "1")
    refused("No such option", "demo", "--trails", "5")
    refused("0 is not in the range", "demo", "--serve", "--pace", "0")
